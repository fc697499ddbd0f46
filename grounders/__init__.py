"""Grounders: find a described place on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.grounders.base import Abstention as Abstention
    from omnipilot.grounders.base import Grounder as Grounder
    from omnipilot.grounders.base import Grounding as Grounding
    from omnipilot.grounders.calibration.probe import calibrate as calibrate
    from omnipilot.grounders.combine.agree import AgreeGrounder as AgreeGrounder
    from omnipilot.grounders.combine.cascade import CascadeGrounder as CascadeGrounder
    from omnipilot.grounders.combine.vote import VoteGrounder as VoteGrounder
    from omnipilot.grounders.combine.zoom import ZoomGrounder as ZoomGrounder
    from omnipilot.grounders.contract import check_grounder as check_grounder
    from omnipilot.grounders.elements import ElementsGrounder as ElementsGrounder
    from omnipilot.grounders.families.family import Family as Family
    from omnipilot.grounders.gold import GoldGrounder as GoldGrounder
    from omnipilot.grounders.graded import GradedGrounder as GradedGrounder
    from omnipilot.grounders.local.grounder import LocalGrounder as LocalGrounder
    from omnipilot.grounders.marks.grounder import MarksGrounder as MarksGrounder
    from omnipilot.grounders.served.grounder import VllmGrounder as VllmGrounder
    from omnipilot.grounders.text import OcrGrounder as OcrGrounder
    from omnipilot.grounders.unseeing import CentreGrounder as CentreGrounder
    from omnipilot.grounders.unseeing import RandomElementGrounder as RandomElementGrounder

__all__, __getattr__, __dir__ = lazy_exports(__name__)
