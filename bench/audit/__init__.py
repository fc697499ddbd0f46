"""Attacks a benchmark: whether its judges can be satisfied without the task being done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.audit.audit import audit_suite as audit_suite
    from omnipilot.bench.audit.auditor import AuditBudget as AuditBudget
    from omnipilot.bench.audit.auditor import audit_task as audit_task
    from omnipilot.bench.audit.records import AuditFinding as AuditFinding
    from omnipilot.bench.audit.records import Certificate as Certificate
    from omnipilot.bench.audit.replay import replay_finding as replay_finding

__all__, __getattr__, __dir__ = lazy_exports(__name__)
