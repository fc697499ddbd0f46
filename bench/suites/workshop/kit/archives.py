"""Archives as judges read them."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping
from pathlib import PurePosixPath

from omnipilot.bench.tasks.judges import Case, Judge, Verdict

MOST_BYTES = 64 << 20
"""Bytes of an archive's files that are read, uncompressed."""


def archive_holds(path: str, files: Mapping[str, bytes]) -> Judge:
    """A tar archive, compressed with gzip, holds exactly these files, by their names without folders."""

    def ask(case: Case) -> Verdict:
        data = case.state.desktop.files.get(path)
        if data is None:
            return Verdict(0.0, f"there is no {path}")
        found: dict[str, bytes] = {}
        try:
            with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
                left = MOST_BYTES
                for member in archive:
                    left -= max(member.size, 0) + tarfile.BLOCKSIZE
                    if left < 0:
                        return Verdict(0.0, f"{path} unpacks to more than {MOST_BYTES >> 20} MB")
                    if member.isfile() and (content := archive.extractfile(member)) is not None:
                        found[PurePosixPath(member.name).name] = content.read()
        except (tarfile.TarError, OSError, EOFError) as error:
            return Verdict(0.0, f"{path} cannot be read: {error}")
        return Verdict(float(found == dict(files)), f"{path} holds {', '.join(sorted(found))}")

    return Judge(f"{path} holds what it should", ask, env="desktop")
