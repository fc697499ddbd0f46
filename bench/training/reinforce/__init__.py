"""Reinforcement learning on sessions: groups of rollouts from one moment of a task, and what is learnt of them.

What needs torch is not offered here: `reinforcement.Reinforcement` is the loop, `objective.ReplyScores` what it asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.training.reinforce.advantage import AdvantageScale as AdvantageScale
    from omnipilot.bench.training.reinforce.curriculum import Curriculum as Curriculum
    from omnipilot.bench.training.reinforce.policy import PolicySeat as PolicySeat
    from omnipilot.bench.training.reinforce.policy import ReplyLesson as ReplyLesson
    from omnipilot.bench.training.reinforce.policy import ReplyPolicy as ReplyPolicy
    from omnipilot.bench.training.reinforce.policy import SampledReply as SampledReply
    from omnipilot.bench.training.reinforce.rollout import Reward as Reward
    from omnipilot.bench.training.reinforce.rollout import Rollout as Rollout
    from omnipilot.bench.training.reinforce.tasks import TaskSource as TaskSource

__all__, __getattr__, __dir__ = lazy_exports(__name__)
