"""Tasks, judges, and the graphs of sub-goals that join them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.agents.assembly.registry import describe_unknown as describe_unknown
    from omnipilot.bench.tasks.complexity import CAPABILITIES as CAPABILITIES
    from omnipilot.bench.tasks.complexity import HARD_FROM as HARD_FROM
    from omnipilot.bench.tasks.complexity import MEDIUM_FROM as MEDIUM_FROM
    from omnipilot.bench.tasks.complexity import Complexity as Complexity
    from omnipilot.bench.tasks.complexity import complexity_of as complexity_of
    from omnipilot.bench.tasks.complexity import grade_of as grade_of
    from omnipilot.bench.tasks.figures import Termination as Termination
    from omnipilot.bench.tasks.figures import efficiency as efficiency
    from omnipilot.bench.tasks.figures import termination as termination
    from omnipilot.bench.tasks.filter import select as select
    from omnipilot.bench.tasks.graph import GraphEvaluator as GraphEvaluator
    from omnipilot.bench.tasks.graph import JudgeGraph as JudgeGraph
    from omnipilot.bench.tasks.graph import NodeState as NodeState
    from omnipilot.bench.tasks.judges import Case as Case
    from omnipilot.bench.tasks.judges import ExecutedAction as ExecutedAction
    from omnipilot.bench.tasks.judges import Judge as Judge
    from omnipilot.bench.tasks.judges import Verdict as Verdict
    from omnipilot.bench.tasks.judges import answer_contains as answer_contains
    from omnipilot.bench.tasks.review import ACCEPTED as ACCEPTED
    from omnipilot.bench.tasks.review import DRAFT as DRAFT
    from omnipilot.bench.tasks.review import REVIEWS as REVIEWS
    from omnipilot.bench.tasks.review import TAKEN_OUT as TAKEN_OUT
    from omnipilot.bench.tasks.review import Review as Review
    from omnipilot.bench.tasks.review import add_review as add_review
    from omnipilot.bench.tasks.review import read_reviews as read_reviews
    from omnipilot.bench.tasks.reviewed_tasks import listed_tasks as listed_tasks
    from omnipilot.bench.tasks.suite_stats import count_words as count_words
    from omnipilot.bench.tasks.task import Prologue as Prologue
    from omnipilot.bench.tasks.task import Suite as Suite
    from omnipilot.bench.tasks.task import Task as Task
    from omnipilot.bench.tasks.task import TaskInfo as TaskInfo
    from omnipilot.bench.tasks.task import TaskVoid as TaskVoid
    from omnipilot.bench.tasks.task import seed_of as seed_of
    from omnipilot.bench.tasks.task import values_of as values_of
    from omnipilot.bench.tasks.unjudged import unjudged_task as unjudged_task
    from omnipilot.bench.tasks.user_facts import UNKNOWN as UNKNOWN
    from omnipilot.bench.tasks.user_facts import UserFact as UserFact
    from omnipilot.bench.tasks.user_facts import UserFacts as UserFacts

__all__, __getattr__, __dir__ = lazy_exports(__name__)
