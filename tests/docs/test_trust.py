"""docs/trust.md: it names every null agent, and every option of the command that it speaks of."""

from __future__ import annotations

import re
from pathlib import Path

from omnipilot.bench.audit.auditor import AuditBudget, audit_task
from omnipilot.bench.toy import TASK, ToySuite

PAGE = (Path(__file__).parents[2] / "docs/trust.md").read_text(encoding="utf-8")


def test_the_page_names_every_null_agent() -> None:
    text = PAGE.partition("**Null agents.**")[2].partition("\n\n")[0]
    played = audit_task(ToySuite(), TASK, budget=AuditBudget(sequences=0, doors=False)).agents
    assert set(re.findall(r"`([a-z ]+)`", " ".join(text.split()))) == set(played)
