"""Who answers what an agent asks its user: rules, a model, or a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.users.base import User as User
    from omnipilot.bench.users.model import ModelUser as ModelUser
    from omnipilot.bench.users.rules import RulesUser as RulesUser
    from omnipilot.bench.users.terminal import TerminalUser as TerminalUser

__all__, __getattr__, __dir__ = lazy_exports(__name__)
