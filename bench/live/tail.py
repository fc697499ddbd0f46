"""What a journal got since it was last looked at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from omnipilot.bench.journal.journal import FILE
from omnipilot.envs.types import open_file

KNOWN_BY = 200
"""Bytes before the place up to which a journal was read, by which it is known to be the same."""


class JournalTail:
    """Reads the whole lines of a journal, each once, while another process writes it.

    Args:
        run: the run's directory.

    Attributes:
        at: bytes read. begun: how often it was begun anew, since what was read was no longer there.
    """

    def __init__(self, run: Path) -> None:
        self._path = run / FILE
        self.at = 0
        self.begun = 0
        self._last = b""

    def new(self) -> Iterator[tuple[int, bytes]]:
        """Each new line with where it begins, in bytes. A line that is still being written comes the next time.

        Raises:
            OSError: the file cannot be read.
        """
        with open_file(self._path) as file:
            file.seek(self.at - len(self._last))
            if file.read(len(self._last)) != self._last:
                # Another run's, such as one that was begun in the place of one that was deleted.
                self.at, self._last = 0, b""
                self.begun += 1
                file.seek(0)
            for line in file:
                if not line.endswith(b"\n"):
                    return
                begin, self.at, self._last = self.at, self.at + len(line), line[-KNOWN_BY:]
                yield begin, line

    def between(self, begin: int, end: int) -> Iterator[bytes]:
        """The lines of a stretch of bytes that was read before.

        Raises:
            OSError: the file cannot be read.
        """
        with open_file(self._path) as file:
            file.seek(begin)
            while file.tell() < end and (line := file.readline()):
                yield line
