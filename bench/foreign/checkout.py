"""What the user's checkout of a foreign repository is."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path


def checkout_hash(folder: Path, patterns: Sequence[str]) -> str:
    """What the files of a checkout that set up and judge are, by their paths and contents: 12 hexadecimal digits.

    What protobuf generates is left out, since it differs from one version of protobuf to the next.

    Args:
        patterns: of the files' paths, such as "evaluation/**/*.py".
    """
    digest = hashlib.sha256()
    files = {path for pattern in patterns for path in folder.glob(pattern) if "_pb2" not in path.name}
    for path in sorted(files):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]
