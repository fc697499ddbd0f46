"""Another task's sound and video, and all three controls on `duet`: what the agent is given, and what judges read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from made_settings import spec_of

from omnipilot.agents import Agent, Choice, Situation, build
from omnipilot.bench import Episode, Judge, JudgeGraph, Suite, Task, TaskInfo
from omnipilot.bench.episode.runner import EpisodeRunner
from omnipilot.bench.episode.substitute import CRITICAL, OtherMedia, others
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.bench.journal import Event, Slot
from omnipilot.bench.journal.events import event_to_json
from omnipilot.bench.journal.results import survey
from omnipilot.bench.spec import STAND_INS
from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import Absent, AudioClip, Click, ConfigError, Image, Observation, Point, Size, Thinking, VideoClip
from omnipilot.envs.recorded import RecordedStep, Recording, ReplayWorld
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import MediaStore, Turn
from omnipilot.planners import Brief

TASK = "tones-to-message"
SIZE = Size(8, 8)


def info(id: str, level: str = "", envs: tuple[str, ...] = ("phone",), template: str = "") -> TaskInfo:
    return TaskInfo(id, id, envs, {"level": level, "template": template})


def test_others_are_the_fittest_first_and_never_the_task_itself() -> None:
    infos = [
        info("own", CRITICAL, template="a+b"),
        *(info(f"fit-{n}", CRITICAL, ("phone", "desktop"), f"c{n}") for n in range(6)),
        info("alike", CRITICAL, template="b+d"),
        info("elsewhere", CRITICAL, ("desktop",)),
        info("plain", "AV-present"),
        info("worst", "AV-present", ("desktop",), "a"),
    ]
    orders = {tuple(others(infos, "own", seed)) for seed in range(20)}
    assert len(orders) > 5 and orders == {tuple(others(infos, "own", seed)) for seed in range(20)}
    for order in orders:
        assert {name.split("-")[0] for name in order[:6]} == {"fit"}
        assert set(order[6:9]) == {"alike", "elsewhere", "plain"} and order[9:] == ("worst",)
    with pytest.raises(ConfigError, match="only task"):
        others(infos[:1], "own", 0)


def clips(seed: int) -> tuple[str, list[AudioClip], list[VideoClip]]:
    """Of one seed: the other task, and what stands in for ten silent still seconds of the phone, one by one."""
    media = OtherMedia(Duet(), TASK, 0, seed)
    sounds, films = [], []
    for second in range(10):
        picture = Image.raw(SIZE, bytes(SIZE.pixels * 3), "phone")
        frames = [picture.at("phone", second + n / 4) for n in range(4)]
        sounds.append(media.sound("phone", AudioClip(bytes(32_000), "phone", float(second))))
        films.append(media.film("phone", VideoClip(frames, second + 1.0, "phone")))
    playing = media.playing
    media.close()
    return playing, sounds, films


def test_another_tasks_media_are_of_the_same_shape_and_repeatable() -> None:
    found = [clips(seed) for seed in (1, 2, 3, 1)]
    assert found[0] == found[3] and len({name for name, _, _ in found}) > 1 and TASK not in {one[0] for one in found}
    for _, sounds, films in found:
        assert [(s.start, s.end, len(s.pcm)) for s in sounds] == [(n, n + 1.0, 32_000) for n in range(10)]
        assert [[f.start for f in film.frames] for film in films] == [[n + k / 4 for k in range(4)] for n in range(10)]
        assert {film.size for film in films} == {SIZE} and {film.end - film.start for film in films} == {1.0}
    assert len({frame.digest for _, _, films in found for film in films for frame in film.frames}) > 5
    assert any(any(sound.pcm) for _, sounds, _ in found for sound in sounds)


class Recordings(Suite):
    """Three recorded tasks; in the first of the others nothing was recorded but the screen."""

    name, version = "recordings", "1"

    def __init__(self, mute: tuple[str, ...] = ("one",)) -> None:
        self.mute = mute

    def tasks(self) -> list[TaskInfo]:
        return [info("own"), info("one", CRITICAL), info("two", "AV-present")]

    def world(self, thinking: Thinking) -> ReplayWorld:
        return ReplayWorld(thinking)

    def instantiate(self, task_id: str, instance: int) -> Task:
        def seen(number: int) -> Any:
            def look(env: str, time: float, modalities: object) -> Observation:
                picture = Image.raw(SIZE, bytes([number]) * SIZE.pixels * 3, env, time - 1)
                audio = AudioClip(bytes([number, 0]) * 16_000, env, time - 1)
                if task_id in self.mute:
                    return Observation(env, time, SIZE, picture, audio=Absent("unsupported"))
                return Observation(env, time, SIZE, picture, audio=audio, video=VideoClip([picture], time, env))

            return look

        steps = tuple(RecordedStep(seen(n), (Click(Point(0.5, 0.5)),)) for n in range(1, 4))

        def setup(world: ReplayWorld) -> str:
            world.load(Recording("phone", SIZE, frozenset({"click"}), steps))
            return "do it"

        return Task(task_id, instance, setup, JudgeGraph((Judge("done", lambda _: False),)))


def test_recordings_stand_in_for_each_other_moment_by_moment() -> None:
    media = OtherMedia(Recordings(), "own", 0, 5)  # type: ignore[arg-type]
    heard = [set(media.sound("x", AudioClip(bytes(100), "x", float(n))).array().tolist()) for n in range(4)]
    # The fourth second is beyond the end of the recording: it begins again.
    assert heard == [{1}, {2}, {3}, {1}] and media.playing == "two"
    with pytest.raises(ConfigError, match="no other task of suite 'recordings' has audio"):
        OtherMedia(Recordings(("one", "two")), "own", 0, 5).sound("x", AudioClip(bytes(9 * 2)))  # type: ignore[arg-type]


class Hearing(Agent):
    """The agent inside, granted all there is; keeps what was given to it."""

    modalities = ALL_MODALITIES

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.met: list[Observation] = []

    def begin(self, brief: Brief) -> None:
        self.agent.begin(brief)

    def decide(self, situation: Situation) -> Choice:
        self.met += situation.observations.values()
        return self.agent.decide(situation)

    def learn(self, turn: Turn) -> None:
        self.met += turn.observations.values()
        self.agent.learn(turn)


def demonstrated(task: str, stand_in: str, folder: Path, trial: int = 0) -> tuple[Episode, list[Event], Hearing]:
    """A task's demonstration, played by an agent that hears and sees everything."""
    spec = spec_of({"suite": "duet", "planner": "oracle", "stand_in": stand_in})
    events: list[Event] = []
    truth = EpisodeTruth()
    hearing = Hearing(build(spec.agent, truth))
    player = EpisodeRunner(spec, Duet(), hearing, MediaStore(folder), events.append, truth)
    player.play(Slot(task, 0, trial), 1)
    player.close()
    return survey(events).episodes[0], events, hearing


def clip_digests(events: list[Event]) -> Iterator[tuple[str, tuple[float, float]]]:
    """Of every clip in a journal, in order: its digest and its span."""

    def inside(value: Any) -> Iterator[tuple[str, tuple[float, float]]]:
        if isinstance(value, dict):
            for name, item in value.items():
                if name in ("audio", "video") and isinstance(item, dict):
                    yield item["digest"], (item["start"], item["end"])
                else:
                    yield from inside(item)

    for event in events:
        yield from inside(event_to_json(event))


@pytest.mark.parametrize("task", ["stop-message-at-beep", pytest.param("pause-tram", marks=pytest.mark.slow)])
def test_judges_read_the_true_world_and_nobody_else_meets_a_true_clip(task: str, tmp_path: Path) -> None:
    plain, events, hearing = demonstrated(task, "", tmp_path)
    true = list(clip_digests(events))
    # Those in which something sounds or moves; the rest may well look alike.
    telling = {
        clip.digest
        for seen in hearing.met
        for clip in (seen.audio, seen.video)
        if (any(clip.pcm) if isinstance(clip, AudioClip) else len({frame.digest for frame in clip.frames}) > 1)
    }
    assert plain.success and len(telling) > 1 and telling <= {digest for digest, _ in true}
    for name in STAND_INS:
        episode, events, hearing = demonstrated(task, name, tmp_path)
        given = list(clip_digests(events))
        assert episode.success and episode.actions == plain.actions
        assert [span for _, span in given] == [span for _, span in true]
        assert not telling & {digest for digest, _ in given}
        met = {clip.digest for seen in hearing.met for clip in (seen.audio, seen.video)}
        assert met and met <= {digest for digest, _ in given}


@pytest.mark.parametrize("name", ["noise", "other"])
def test_what_is_given_hangs_on_the_trial_and_repeats(name: str, tmp_path: Path) -> None:
    first, again, later = (list(clip_digests(demonstrated(TASK, name, tmp_path, n)[1])) for n in (0, 0, 1))
    assert first == again != later
