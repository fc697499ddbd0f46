"""What the journal holds of an episode's end."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from made_settings import spec_of
from toy_suite import ToySuite, ToyWorld

from omnipilot.agents import build
from omnipilot.bench.episode.runner import EpisodeRunner
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.journal import Event, Slot
from omnipilot.bench.journal.events import EpisodeEnded, Remembered
from omnipilot.bench.run.void_streak import VoidStreak
from omnipilot.bench.tasks.judges import ExecutedAction, Judge
from omnipilot.bench.tasks.task import Task, TaskVoid
from omnipilot.envs import Modality, Observation, Thinking
from omnipilot.envs.sim.audio.sound import Sound, mix
from omnipilot.memory import MediaStore


class RingingWorld(ToyWorld):
    """The toy, with a tone that never stops; a look takes a second."""

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        self._now += 1.0
        ringing = mix([Sound("tone:440", 0.0, 60.0)], "toy", since, self._now)
        return replace(super().observe({*modalities, Modality.AUDIO}, since), audio=ringing).only(modalities, "unasked")


class RingingSuite(ToySuite):
    def world(self, thinking: Thinking) -> ToyWorld:
        return RingingWorld(self.delay, thinking)


def test_a_sound_that_an_episode_ends_in_is_journalled_before_its_end() -> None:
    spec = spec_of({"suite": "toy_suite:ToySuite", "planner": "rules", "memory": "episodic"})
    events: list[Event] = []
    truth, store = EpisodeTruth(), MediaStore()
    runner = EpisodeRunner(spec, RingingSuite(), build(spec.agent, truth, store), store, events.append, truth)
    for instance in range(2):
        events.clear()
        runner.play(Slot("count", instance, 0), 1)
        kept = [one for one in events if isinstance(one, Remembered)]
        sounds = [(one, event) for one in kept for event in one.events if event["kind"] == "sound"]
        ((line, sound),) = sounds
        (end,) = (one for one in events if isinstance(one, EpisodeEnded))
        assert sound["text"] == "tone: 440 Hz" and sound["end"] - sound["start"] > 2.0
        assert line is kept[-1] and events.index(line) < events.index(end) and line.turn == end.turns - 1
    runner.close()


def test_judges_are_told_what_was_carried_out_and_where() -> None:
    spec = spec_of({"suite": "toy_suite:ToySuite", "planner": "oracle"})
    asked: list[tuple[ExecutedAction, ...]] = []

    class Watched(ToySuite):
        def instantiate(self, task_id: str, instance: int) -> Task:
            task = super().instantiate(task_id, instance)

            def watch(judge: Judge) -> Judge:
                return replace(judge, ask=lambda case: (asked.append(case.actions), judge.ask(case))[1])

            return replace(task, graph=replace(task.graph, nodes=tuple(map(watch, task.graph.nodes))))

    truth, store = EpisodeTruth(), MediaStore()
    runner = EpisodeRunner(spec, Watched(), build(spec.agent, truth, store), store, lambda _: None, truth)
    runner.play(Slot("count", 0, 0), 1)
    runner.close()
    assert asked[0] == ()
    assert len(asked[-1]) > 1 and {one.env for one in asked[-1]} == {"toy"}
    assert {one.action.kind for one in asked[-1]} == {"press"}


def test_a_task_that_the_world_cannot_hold_is_void_says_so_and_the_world_stays() -> None:
    spec = spec_of({"suite": "toy_suite:ToySuite", "planner": "oracle"})
    worlds: list[ToyWorld] = []

    class Picky(ToySuite):
        def world(self, thinking: Thinking) -> ToyWorld:
            worlds.append(super().world(thinking))
            return worlds[-1]

        def instantiate(self, task_id: str, instance: int) -> Task:
            def refuse(world: ToyWorld) -> str:
                raise TaskVoid("the application Sums is not installed")

            task = super().instantiate(task_id, instance)
            return replace(task, setup=refuse) if instance < 5 else task

    events: list[Event] = []
    truth, store = EpisodeTruth(), MediaStore()
    runner = EpisodeRunner(spec, Picky(), build(spec.agent, truth, store), store, events.append, truth)
    streak = VoidStreak(2)
    for instance in range(6):
        runner.play(Slot("count", instance, 0), 1)
        streak.take(ended := events[-1])
        assert isinstance(ended, EpisodeEnded) and not streak.reached
        told = "the task cannot be played here: the application Sums is not installed"
        assert (ended.reason, ended.detail) == ("void", told) if instance < 5 else ended.reason == "success"
        assert streak.failing is (instance < 5)
    runner.close()
    assert len(worlds) == 1
