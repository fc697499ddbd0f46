"""How sure it is that a model is asked and read as its authors mean it: against what this was checked, and when."""

from __future__ import annotations

from typing import Literal, TypeAlias

Evidence: TypeAlias = Literal["code", "logs", "issue", "third-party", "unverified"]
"""Source of a record: the authors' code; published logs; an issue thread; a third-party re-implementation;
unverified (a run with it says so)."""
READ = "2026-11"
"""Year and month in which the sources of our records were read."""
WAYS: dict[Evidence, str] = {
    "code": "prompt, numbers and answers as in its authors' code",
    "logs": "its authors' published answers are read as they read them",
    "issue": "as told in an issue thread",
    "third-party": "as a third party re-implements it",
    "unverified": "not checked against anything",
}
ASKED = "the model itself was not asked here: `omnipilot calibrate` does"
"""What is true of every record of ours: no result of a model stands behind it."""


def proof(evidence: Evidence, source: str, checked: str) -> str:
    """What was verified, against what, and when, in one line.

    Args:
        source: what was read. checked: the year and month in which that was.
    """
    return f"{WAYS[evidence]} ({source}; {checked})"
