"""Every task of `duet-memory` measures what it claims to; a proof that is not given lists why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from omnipilot.bench import Task
from omnipilot.bench.suites.duet_memory import DuetMemory
from omnipilot.bench.suites.duet_memory.proofs import PROOFS, flaws, main
from omnipilot.bench.suites.duet_memory.suite import MadeTask
from omnipilot.memory.truth import CandidateValue, Evidence, NeededFact

TASKS = {info.id: info for info in DuetMemory("all").tasks()}
NEAR = [id for id, info in TASKS.items() if info.tags["distance"] == "10"]


@pytest.mark.parametrize("task", [id for id in NEAR if TASKS[id].tags["kind"] in ("spoken-code", "changed")])
def test_tasks_are_proved(task: str) -> None:
    assert flaws(task, 1) == []


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("task", TASKS)
def test_every_task_is_proved(task: str) -> None:
    far = TASKS[task].tags["distance"] == "1000"
    assert flaws(task, 1 if far else 3) == []


class Flawed(DuetMemory):
    """The suite with one thing wrong in it."""

    def __init__(self, what: str) -> None:
        super().__init__("all")
        self.what = what

    def make(self, task_id: str, instance: int, twin: int = 0) -> MadeTask:
        made = super().make(task_id, instance, 0 if self.what == "twins differ" else twin)
        scene = made.scene
        if self.what == "the evidence is true":
            scene = replace(scene, facts=lambda stage: _elsewhere(made.scene.facts(stage)))
        if self.what == "the fact has left":
            scene = replace(scene, distract=lambda stage, _: made.scene.play(stage))
        return replace(made, scene=scene)

    def instantiate(self, task_id: str, instance: int, twin: int = 0) -> Task:
        task = super().instantiate(task_id, instance, twin)
        nothing: Any = replace(task.graph, nodes=(replace(task.graph.nodes[-1], ask=lambda _: True),), edges=())
        last: Any = replace(task.graph, nodes=task.graph.nodes[:-1], edges=())
        never: Any = replace(task.graph, nodes=(replace(task.graph.nodes[-1], ask=lambda _: False),), edges=())
        graphs = {"doing nothing fails": nothing, "every step is needed": last, "the demonstration passes": never}
        return replace(task, graph=graphs.get(self.what, task.graph))


def _elsewhere(facts: tuple[NeededFact, ...]) -> tuple[NeededFact, ...]:
    """The facts, as if they had been told on the other device."""

    def moved(one: Evidence) -> Evidence:
        return replace(one, env="phone" if one.env == "desktop" else "desktop")

    def other(one: CandidateValue) -> CandidateValue:
        return replace(one, ways=tuple(tuple(map(moved, way)) for way in one.ways))

    return tuple(replace(fact, candidates=tuple(map(other, fact.candidates))) for fact in facts)


@pytest.mark.parametrize("name", PROOFS)
def test_each_proof_finds_what_it_is_for(name: str) -> None:
    assert PROOFS[name](DuetMemory("all"), "spoken-for-phone-10", 0) == []
    assert PROOFS[name](Flawed(name), "spoken-for-phone-10", 0)


def test_the_command_tells_what_was_proved(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["two-voices-10"]) == 0
    assert "6 proofs, 1 instances of 1 tasks: 0 tasks fail" in capsys.readouterr().out
