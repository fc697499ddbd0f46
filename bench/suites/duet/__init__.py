"""Our own benchmark: a phone and a desktop that share an account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.suites.duet.suite import Duet as Duet

__all__, __getattr__, __dir__ = lazy_exports(__name__)
