"""What an agent may do: policies, the guard that the loop asks before each move, approvers, and secrets by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.agents.guard.approvers import ApprovalRequest as ApprovalRequest
    from omnipilot.agents.guard.approvers import Approver as Approver
    from omnipilot.agents.guard.guard import Guard as Guard
    from omnipilot.agents.guard.guard import Ruling as Ruling
    from omnipilot.agents.guard.policy import GuardPolicy as GuardPolicy
    from omnipilot.agents.guard.read_policy import parse_policy as parse_policy
    from omnipilot.agents.guard.read_policy import policy_digest as policy_digest
    from omnipilot.agents.guard.read_policy import policy_text as policy_text
    from omnipilot.agents.guard.secret_values import SecretValues as SecretValues
    from omnipilot.agents.guard.secret_values import read_secrets as read_secrets

__all__, __getattr__, __dir__ = lazy_exports(__name__)
