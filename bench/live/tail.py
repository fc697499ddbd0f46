"""What a journal got since it was last looked at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from omnipilot.bench.journal.journal import FILE
from omnipilot.envs.types import open_file


class JournalTail:
    """Reads the whole lines of a journal, each once, while another process writes it.

    Args:
        run: the run's directory.

    Attributes:
        at: bytes read. begun: how often it was begun anew, since the file had become shorter than what was read.
    """

    def __init__(self, run: Path) -> None:
        self._path = run / FILE
        self.at = 0
        self.begun = 0

    def new(self) -> Iterator[tuple[int, bytes]]:
        """Each new line with where it begins, in bytes. A line that is still being written comes the next time.

        Raises:
            OSError: the file cannot be read.
        """
        with open_file(self._path) as file:
            if file.seek(0, 2) < self.at:
                self.at = 0
                self.begun += 1
            file.seek(self.at)
            for line in file:
                if not line.endswith(b"\n"):
                    return
                begin, self.at = self.at, self.at + len(line)
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
