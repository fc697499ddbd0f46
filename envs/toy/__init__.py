"""The smallest complete world: a phone with two apps and a voice message, for tests, examples, and as one to copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.envs.toy.world import ToyPhone as ToyPhone
    from omnipilot.envs.toy.world import ToyPhoneState as ToyPhoneState

__all__, __getattr__, __dir__ = lazy_exports(__name__)
