"""Bearer tokens: made at random, kept in files that only their owner can read."""

from __future__ import annotations

import atexit
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from omnipilot.envs.temporary_folders import lock
from omnipilot.envs.types.errors import ConfigError
from omnipilot.envs.types.regular_files import open_file

TOKEN_VARIABLE = "OMNIPILOT_REMOTE_TOKEN"
"""Environment variable with the token of a served world."""
JUDGES_VARIABLE = "OMNIPILOT_JUDGES_TOKEN"
"""Environment variable with the token of its judges."""
SERVED = "env-"
"""How the names of token files begin that last as long as a server."""
_FORM = re.compile(r"[A-Za-z0-9_-]{32,200}")


def new_token() -> str:
    """A token of 32 random bytes, as 43 characters."""
    return secrets.token_urlsafe(32)


def write_token(path: Path, token: str = "") -> str:
    """Make a token, unless there is one, and write it to a new file of mode 0600.

    Raises:
        ConfigError: the file exists, or cannot be written.
    """
    token = token or new_token()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(f"{token}\n")
    except FileExistsError:
        raise ConfigError(f"{path} exists; choose another file, or remove it to make a new token") from None
    except OSError as error:
        raise ConfigError(f"the token cannot be written to {path}: {error.strerror}") from None
    return token


@contextmanager
def token_for_now(path: Path, token: str) -> Iterator[None]:
    """A file of mode 0600 with a token, removed at the end, however this process ends.

    The file is locked for as long as it is there; what killed servers have left in its folder is removed first.

    Raises:
        ConfigError: another server uses the file, or it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for left in path.parent.glob(f"{SERVED}*"):
            number = lock(left)
            if number is not None:
                left.unlink(missing_ok=True)
                os.close(number)
    except OSError as error:
        raise ConfigError(f"the folder {path.parent} cannot be written to: {error.strerror}") from None
    # Under its name it is locked from the first moment, or another server that starts would take it for left behind.
    hidden = path.with_name(f".{path.name}-{os.getpid()}")
    write_token(hidden, token)
    number = lock(hidden)
    if path.exists():
        hidden.unlink()
        raise ConfigError(f"another server uses {path}; give this one a token of its own: --token-file FILE")
    hidden.replace(path)
    remove = partial(path.unlink, missing_ok=True)
    atexit.register(remove)
    try:
        yield
    finally:
        remove()
        atexit.unregister(remove)
        if number is not None:
            os.close(number)


def read_token(path: Path) -> str:
    """The token in a file.

    Raises:
        ConfigError: there is none, or others than its owner can read it.
    """
    try:
        with open_file(path) as file:
            mode = os.fstat(file.fileno()).st_mode
            text = file.read(1000).decode("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"the token file {path} cannot be read: {error}") from None
    if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
        raise ConfigError(f"others can read the token file {path}; run: chmod 600 {path}")
    return checked_token(text, str(path))


def checked_token(text: str, source: str) -> str:
    """The token, if it has the form of one.

    Raises:
        ConfigError: it has not; the token itself is not shown.
    """
    if not _FORM.fullmatch(text):
        raise ConfigError(f"{source} holds no token: 32 or more letters, digits, - or _; see `omnipilot env token`")
    return text


def find_token(path: str | Path | None, variable: str) -> str:
    """The token of a file, or else of an environment variable; "" if there is neither.

    Raises:
        ConfigError: there is one that cannot be used.
    """
    if path:
        return read_token(Path(path).expanduser())
    text = os.environ.get(variable, "")
    return checked_token(text, f"the environment variable {variable}") if text else ""
