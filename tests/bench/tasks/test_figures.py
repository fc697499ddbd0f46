"""How an episode ended, in words."""

from __future__ import annotations

import pytest

from omnipilot.bench.tasks.figures import termination


@pytest.mark.parametrize(
    ("reason", "status", "success", "expected"),
    [
        ("success", "", True, "success"),
        ("actions", "", True, "success"),
        ("done", "success", False, "false completion"),
        ("done", "infeasible", False, "gave up"),
        ("turns", "", False, "turn limit"),
        ("invalid", "", False, "invalid action"),
        ("denied", "", False, "refused by the guard"),
        ("tokens", "", False, "cap"),
        ("world", "", False, "world over"),
        ("void", "", False, "void"),
    ],
)
def test_termination(reason: str, status: str, success: bool, expected: str) -> None:
    assert termination(reason, status, success) == expected
