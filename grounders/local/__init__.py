"""The grounder `local`, which runs its model in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.grounders.local.grounder import LocalGrounder as LocalGrounder

__all__, __getattr__, __dir__ = lazy_exports(__name__)
