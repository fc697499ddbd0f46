"""Files of JSON lines that grow at their end: read with errors that name the line, and whole again after a crash.

The journal of a run has a reader of its own: a line of it that cannot be read is an event, too.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from omnipilot.envs import ConfigError
from omnipilot.envs.schema import parse_json
from omnipilot.envs.types import open_file

Made = TypeVar("Made")
MEND = "mend or delete the line"
_MARK = b"\xef\xbb\xbf"
"""Of the byte order, which some programs write at the start of a text."""


def read_json_lines(
    path: Path, read: Callable[[Any], Made], what: str, cure: str = MEND, whole: bool = False
) -> Iterator[Made]:
    """What the lines of a file tell, one after the other; nothing where there is no file. Empty lines are passed over.

    Args:
        read: from the value of a line; raises KeyError, TypeError, AttributeError, ValueError or ConfigError.
        what: a line is, for the message. cure: what to do about one that is none, for the message.
        whole: whether a last line that is none is an error, as in a file that people edit or that is written at once;
            otherwise a crash cut it off, and it is left out.

    Raises:
        ConfigError: the file cannot be read, or a line is none; the message names it.
    """
    try:
        file = open_file(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror or error}") from None
    with file:
        for number, line in enumerate(file, 1):
            text = line.removeprefix(_MARK) if number == 1 else line
            if not text.strip():
                continue
            try:
                made = read(parse_json(text))
            except (ConfigError, KeyError, TypeError, AttributeError, ValueError) as error:
                if not (whole or line.endswith(b"\n")):
                    return
                missing = f"{error} is missing" if isinstance(error, KeyError) else error
                raise ConfigError(f"{path}:{number} is no {what} ({missing}); {cure}") from None
            yield made


def append_json_lines(path: Path, values: Iterable[Mapping[str, Any]]) -> int:
    """Add lines to a file, each as soon as it is made, and make its folder if need be; returns how many.

    What a crash left of a last line is cut off first; a whole line is kept.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    mend_last_line(path)
    count = 0
    with path.open("a", encoding="utf-8", newline="\n") as file:
        for one in values:
            file.write(json.dumps(one, ensure_ascii=False) + "\n")
            count += 1
    return count


def mend_last_line(path: Path) -> None:
    """Cut off what a crash left of a file's last line; one that only lacks its end is completed."""
    if not path.exists() or not path.stat().st_size:
        return
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        if file.read() == b"\n":
            return
    last = path.read_bytes().rpartition(b"\n")[2]
    try:
        parse_json(last)
    except ValueError:
        os.truncate(path, path.stat().st_size - len(last))
    else:
        with path.open("ab") as file:
            file.write(b"\n")
