"""One task, step by step, for whoever brings an agent or a trainer of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.session.answers import Acted as Acted
    from omnipilot.bench.session.answers import Opening as Opening
    from omnipilot.bench.session.answers import Score as Score
    from omnipilot.bench.session.offer import Offer as Offer
    from omnipilot.bench.session.pool import PooledSession as PooledSession
    from omnipilot.bench.session.pool import SessionBug as SessionBug
    from omnipilot.bench.session.pool import SessionPool as SessionPool
    from omnipilot.bench.session.session import Session as Session
    from omnipilot.bench.session.session import SessionMark as SessionMark
    from omnipilot.bench.spec import GuardSpec as GuardSpec

__all__, __getattr__, __dir__ = lazy_exports(__name__)
