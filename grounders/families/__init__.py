"""The known grounding models: how to prompt each, and how to parse its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.grounders.families.family import Family as Family
    from omnipilot.grounders.families.prompt_template import IMAGE as IMAGE
    from omnipilot.grounders.families.prompt_template import TEMPLATE as TEMPLATE
    from omnipilot.grounders.families.prompt_template import PromptLayout as PromptLayout
    from omnipilot.grounders.families.reading import ReadingRule as ReadingRule
    from omnipilot.grounders.families.resize import Claude as Claude
    from omnipilot.grounders.families.resize import Fixed as Fixed
    from omnipilot.grounders.families.resize import Longest as Longest
    from omnipilot.grounders.families.serving import Serving as Serving
    from omnipilot.grounders.families.syntax import XY as XY
    from omnipilot.grounders.families.syntax import Argument as Argument
    from omnipilot.grounders.families.syntax import BoxShares as BoxShares
    from omnipilot.grounders.families.syntax import Corners as Corners
    from omnipilot.grounders.families.syntax import DoubleBrackets as DoubleBrackets
    from omnipilot.grounders.families.syntax import Json as Json
    from omnipilot.grounders.families.syntax import Positional as Positional
    from omnipilot.grounders.families.syntax import Syntax as Syntax
    from omnipilot.grounders.families.syntax import Tag as Tag
    from omnipilot.grounders.families.syntax import Xml as Xml
    from omnipilot.grounders.families.table import families as families
    from omnipilot.grounders.families.table import find as find
    from omnipilot.grounders.families.table import get as get
    from omnipilot.memory.models.replies.text import AnswerRegion as AnswerRegion

__all__, __getattr__, __dir__ = lazy_exports(__name__)
