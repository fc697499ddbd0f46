"""Other people's benchmarks run in a process of their own, with the user's interpreter: none of their code in ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.foreign.checkout import checkout_hash as checkout_hash
    from omnipilot.bench.foreign.process import ForeignFailure as ForeignFailure
    from omnipilot.bench.foreign.process import ForeignLost as ForeignLost
    from omnipilot.bench.foreign.process import ForeignProcess as ForeignProcess
    from omnipilot.bench.foreign.process import choose_python as choose_python
    from omnipilot.bench.foreign.process import finite_score as finite_score
    from omnipilot.bench.foreign.process import installed_versions as installed_versions
    from omnipilot.bench.foreign.world import ForeignWorld as ForeignWorld
    from omnipilot.bench.foreign.world import RewardState as RewardState
    from omnipilot.bench.foreign.world import reward_graph as reward_graph

__all__, __getattr__, __dir__ = lazy_exports(__name__)
