"""The grounder `local`, which runs its model in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.grounders.local.grounder import LocalGrounder as LocalGrounder
    from omnipilot.grounders.local.inputs import chat_prompt as chat_prompt
    from omnipilot.grounders.local.inputs import fill_placeholders as fill_placeholders
    from omnipilot.grounders.local.inputs import image_patches as image_patches
    from omnipilot.grounders.local.loading import LoadedModel as LoadedModel

__all__, __getattr__, __dir__ = lazy_exports(__name__)
