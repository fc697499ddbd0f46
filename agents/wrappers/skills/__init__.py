"""Skills that help the agent when it is unsure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.agents.wrappers.skills.agent import Need as Need
    from omnipilot.agents.wrappers.skills.agent import Skill as Skill
    from omnipilot.agents.wrappers.skills.agent import SkillAgent as SkillAgent
    from omnipilot.agents.wrappers.skills.help import ReadSkill as ReadSkill
    from omnipilot.agents.wrappers.skills.help import RecallSkill as RecallSkill

__all__, __getattr__, __dir__ = lazy_exports(__name__)
