"""Instructions of one's own, in one's own world or on any web page, and the checks that judge them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.free.checks import Check as Check
    from omnipilot.bench.free.checks import read_check as read_check
    from omnipilot.bench.free.suite import AnyPage as AnyPage
    from omnipilot.bench.free.suite import Free as Free

__all__, __getattr__, __dir__ = lazy_exports(__name__)
