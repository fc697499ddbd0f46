"""What a test needs of the system: absent on a laptop it skips, in CI it fails."""

from __future__ import annotations

import os

import pytest


def missing(reason: str) -> None:
    """Skip for a reason, or fail for it where CI=true: there everything has to be present."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
