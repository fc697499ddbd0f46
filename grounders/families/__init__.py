"""The known grounding models: how to prompt each, and how to parse its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.grounders.families.family import Family as Family
    from omnipilot.grounders.families.prompt_template import IMAGE as IMAGE
    from omnipilot.grounders.families.prompt_template import Layout as Layout
    from omnipilot.grounders.families.serving import Serving as Serving
    from omnipilot.grounders.families.syntax import Syntax as Syntax
    from omnipilot.grounders.families.table import families as families
    from omnipilot.grounders.families.table import find as find
    from omnipilot.grounders.families.table import get as get

__all__, __getattr__, __dir__ = lazy_exports(__name__)
