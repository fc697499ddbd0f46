"""What a planner may ask for beyond the verbs of its devices, and what is done for it: translations and macros."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.agents.verbs.base import Look as Look
    from omnipilot.agents.verbs.base import MoveFromPlace as MoveFromPlace
    from omnipilot.agents.verbs.base import Program as Program
    from omnipilot.agents.verbs.base import Refusal as Refusal
    from omnipilot.agents.verbs.base import VerbSet as VerbSet
    from omnipilot.agents.verbs.base import device_of as device_of
    from omnipilot.agents.verbs.base import program_of as program_of
    from omnipilot.agents.verbs.matrix import verb_matrix as verb_matrix
    from omnipilot.agents.verbs.sets import TAKEN as TAKEN
    from omnipilot.agents.verbs.translations import translate as translate

__all__, __getattr__, __dir__ = lazy_exports(__name__)
