"""Readers: the planner is told what was heard since its last turn, and what is written now, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest
from scripted import ScriptedPlanner, ScriptedRecorder, ScriptedWorld, agent, brief, decide, element, play
from transcription_server import TranscriptionServer, said

from omnipilot.agents import AgentSpec, PartSpec, build, episode
from omnipilot.agents.assembly.examine import examine
from omnipilot.agents.assembly.parts import parse_part
from omnipilot.agents.assembly.teams import READERS
from omnipilot.agents.wrappers.readers import GoldReader, PerceptionReader, Reader, ReadingAgent, TranscribingReader
from omnipilot.agents.wrappers.readers.gold import sound_words
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.envs import (
    Absent,
    AudioClip,
    Box,
    ConfigError,
    Done,
    Element,
    Elements,
    Heard,
    Image,
    Modality,
    Observation,
    Size,
    Wait,
)
from omnipilot.envs.sim.audio.sound import Sound, mix, pattern
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import Role
from omnipilot.memory.transcription import SpokenPiece, Transcriber, join_pieces


class Known(EpisodeTruth):
    """A truth of given sounds, cut as an environment cuts them, and given texts."""

    def __init__(self, *heard: Heard, texts: tuple[str, ...] | None = ("Save",)) -> None:
        super().__init__()
        self.heard, self.written = heard, texts
        self.asked: list[tuple[str, float, float]] = []

    def transcript(self, env: str, start: float, end: float) -> tuple[Heard, ...] | Absent:
        self.asked.append((env, start, end))
        if not self.heard:
            return Absent("unsupported", f"nothing knows what is heard on {env}")
        found = []
        for one in self.heard:
            if one.kind == "speech":
                found += [one] if start < one.end <= end else []
            elif one.start < end and one.end > start:
                found.append(Heard(one.kind, one.words, one.start, min(one.end, end), continues=one.end > end))
        return tuple(found)

    def texts(self, env: str) -> Elements | Absent:
        if self.written is None:
            return Absent("unsupported", f"nothing knows what is written on {env}")
        return Elements(tuple(Element("text", words, Box(0, 0, 1, 1)) for words in self.written))


def told(truth: Known, *seconds: float, what: str = "all", sees=ALL_MODALITIES) -> list[list[tuple[str, str]]]:
    """What the planner is told in each turn, with waits of so many seconds between them."""
    world = ScriptedWorld(("pc",), items=(element("Save"),))
    planner = ScriptedPlanner(*(decide(Wait(wait)) for wait in seconds), decide(Done()))
    reader = GoldReader(what)
    reader.take_truth(truth)
    one = ReadingAgent(agent(planner, planner_sees=sees), reader, Role("readers", sees))
    play(episode(world, one, brief(world, "Save it")))
    return [
        [(part.source, part.part) for part in request.recalled if part.source in SOURCES]
        for request in planner.requests
    ]


SOURCES = ("transcript", "texts")
SPEECH = Heard("speech", "the code is 4711", 1.0, 2.5, "en-a")
ALARM = Heard("alarm", "alarm", 2.0, 5.5)


def test_it_is_told_once_what_was_heard_since_the_turn_before_and_when_a_long_sound_is_over() -> None:
    turns = told(Known(SPEECH, ALARM), 1.0, 2.0, 1.0, 4.0, what="transcript")
    assert turns == [
        [],
        [],
        [("transcript", "1.0 s to 2.5 s, speech (voice en-a): the code is 4711\n2.0 s and goes on, alarm: alarm")],
        [],
        [("transcript", "2.0 s to 5.5 s, alarm: alarm")],
    ]


def test_it_asks_for_no_more_than_the_time_between_two_turns() -> None:
    truth = Known(SPEECH)
    told(truth, 1.0, 2.0)
    assert [(round(start, 3), round(end, 3)) for _, start, end in truth.asked] == [(0, 0), (0, 1), (1, 3)]


def test_a_planner_that_is_granted_nothing_is_told_too_because_that_is_what_it_is_for() -> None:
    turns = told(Known(SPEECH, texts=("Save", "Open")), 3.0, sees=frozenset())
    assert turns == [
        [("texts", "Save | Open")],
        [("transcript", sound_words(SPEECH)), ("texts", "Save | Open")],
    ]


def test_each_episode_begins_anew() -> None:
    reader = GoldReader("transcript")
    reader.take_truth(Known(ALARM))
    world = ScriptedWorld(("pc",), items=())
    planner = ScriptedPlanner(decide(Wait(3)), decide(Done()))
    one = ReadingAgent(agent(planner), reader, Role("readers"))
    for _ in range(2):
        world.reset(0)
        play(episode(world, one, brief(world, "Listen")))
        notes = [[part.part for part in told.recalled if part.source == "transcript"] for told in planner.requests]
        assert notes == [[], ["2.0 s and goes on, alarm: alarm"]]


def test_the_record_is_told_what_the_planner_was_told() -> None:
    world, recorder = ScriptedWorld(("pc",), items=()), ScriptedRecorder()
    reader = GoldReader("transcript")
    reader.take_truth(Known(SPEECH))
    one = ReadingAgent(agent(ScriptedPlanner(decide(Wait(3)), decide(Done()))), reader, Role("readers"))
    play(episode(world, one, brief(world, "Listen"), recorder=recorder))
    assert [[note.part for note in notes] for notes in recorder.told] == [[], [sound_words(SPEECH)]]


def test_what_nothing_knows_is_refused_where_it_was_asked_for() -> None:
    silent, unread = Known(), Known(SPEECH, texts=None)
    assert told(silent, 1.0) == [[("texts", "Save")]] * 2
    with pytest.raises(ConfigError, match=r"nothing knows what is heard on pc; .*readers.what=all"):
        told(silent, what="transcript,texts")
    with pytest.raises(ConfigError, match="nothing knows what is written on pc"):
        told(unread, what="texts")
    with pytest.raises(ConfigError, match="heard on pc and nothing knows what is written on pc; leave it out"):
        told(Known(texts=None))


@pytest.mark.parametrize("what", ["", "speech", "transcript,tests"])
def test_what_it_cannot_tell_is_named(what: str) -> None:
    with pytest.raises(ConfigError, match="what is all, transcript or texts"):
        build(AgentSpec(planner=PartSpec("noop"), readers=PartSpec("gold", {"what": what})))


def test_without_a_truth_it_refuses_to_work_and_says_why() -> None:
    whole = build(
        AgentSpec(planner=PartSpec("noop"), readers=PartSpec("gold"), modalities=frozenset({Modality.CONTEXT}))
    )
    assert isinstance(whole, ReadingAgent)
    world = ScriptedWorld(("pc",), items=())
    with pytest.raises(ConfigError, match="takes its answers from the runner"):
        play(episode(world, whole, brief(world, "Listen")))


def test_a_word_in_the_middle_of_a_speech_says_that_it_goes_on() -> None:
    assert sound_words(Heard("speech", "the code", 1.0, 1.5, "en-a", True)) == (
        "1.0 s to 1.5 s, speech (voice en-a): the code …"
    )


class Sounding(ScriptedWorld):
    """A world whose one environment dials digits from the third second on."""

    def __init__(self) -> None:
        super().__init__(("pc",), items=())
        env = self.envs["pc"]
        observe = env.observe

        def heard(modalities: Collection[Modality], since: float) -> Observation:
            seen = observe(modalities, since)
            clip = mix([Sound("dtmf:4711", 3.0, 1.2)], "pc", since, self.now)
            return replace(seen, audio=clip) if Modality.AUDIO in modalities else seen

        env.observe = heard


def perceived(sees: frozenset[Modality], granted: frozenset[Modality] = ALL_MODALITIES) -> list[list[str]]:
    """What the planner is told of a sound that it may hear or not, through an agent as it is built."""
    world, recorder = Sounding(), ScriptedRecorder()
    readers = PartSpec("perception", {"what": "transcript"})
    spec = AgentSpec(planner=PartSpec("noop"), readers=readers, modalities=granted, planner_modalities=sees)
    whole = build(spec)
    whole.agent.planner = ScriptedPlanner(decide(Wait(2)), decide(Wait(4)), decide(Done()))
    play(episode(world, whole, brief(world, "Listen"), recorder=recorder))
    return [[note.part for note in notes] for notes in recorder.told]


def test_perception_tells_what_can_be_made_out_of_the_sound_that_is_granted() -> None:
    first, second, third = perceived(ALL_MODALITIES)
    assert (first, second) == ([], []) and len(third) == 1
    assert re.fullmatch(r"3\.0 s to 3\.[67] s, digits: 4711", third[0])


def test_perception_hears_nothing_that_the_planner_is_not_granted() -> None:
    assert perceived(ALL_MODALITIES - {Modality.AUDIO}) == [[], [], []]
    lacking = AgentSpec(
        planner=PartSpec("noop"),
        readers=PartSpec("perception", {"what": "transcript"}),
        planner_modalities=frozenset({Modality.ELEMENTS}),
    )
    assert any(
        line.startswith("readers 'perception' cannot tell anything without audio")
        for line in examine(lacking).warnings()
    )


def test_perception_reads_the_screenshot() -> None:
    class Letters:
        def read(self, image: Image) -> object:
            return type("Reading", (), {"elements": Elements((Element("text", "Save", Box(0, 0, 1, 1)),))})

    reader = PerceptionReader("texts", ocr=Letters())  # type: ignore[arg-type]
    seen = ScriptedWorld(("pc",), items=()).envs["pc"].observe(ALL_MODALITIES, 0.0)
    assert list(reader.read(seen, 0.0)) == [("texts", "Save")]
    assert list(reader.read(seen.only(()), 0.0)) == []
    with pytest.raises(ConfigError, match="what is transcript, texts or motion"):
        PerceptionReader("speech")


@pytest.mark.parametrize("system", ["single", "by-function", "by-environment"])
def test_the_planner_or_the_head_of_a_team_is_told_through_every_wrapper(system: str) -> None:
    around = {"loops": "repeats", "progress": "clauses", "critic": "rules"}
    parts = {name: PartSpec(part) for name, part in around.items()}
    skills = PartSpec("routing", {"skills": "zoom,recall"})
    spec = AgentSpec(system, PartSpec("noop"), readers=PartSpec("gold"), skills=skills, **parts)
    world, recorder = ScriptedWorld(("pc",), items=(element("Save"),)), ScriptedRecorder()
    play(episode(world, build(spec, Known(SPEECH)), brief(world, "Save it"), recorder=recorder))
    assert [(note.source, note.part) for note in recorder.told[0] if note.source in SOURCES] == [("texts", "Save")]


class Curious(GoldReader):
    """A reader of somebody else's, which asks for the truth."""


def test_only_our_own_gold_reader_is_handed_the_truth() -> None:
    whole = build(AgentSpec(planner=PartSpec("noop"), readers=PartSpec(f"{__name__}:Curious")), Known(SPEECH))
    world = ScriptedWorld(("pc",), items=())
    with pytest.raises(ConfigError, match="takes its answers from the runner"):
        play(episode(world, whole, brief(world, "Listen")))


@pytest.mark.parametrize("planner", ["rules", "from-memory"])
def test_it_is_not_warned_of_a_planner_that_reads_what_readers_tell(planner: str) -> None:
    assert examine(AgentSpec(planner=PartSpec(planner), readers=PartSpec("gold"))).warnings() == []


@pytest.mark.parametrize("planner", ["oracle", "random", "noop"])
def test_it_is_warned_of_a_planner_that_reads_no_notes(planner: str) -> None:
    told = examine(AgentSpec(planner=PartSpec(planner), readers=PartSpec("gold"))).warnings()
    assert told == [
        f"planner {planner!r} reads no notes, so what readers 'gold' tells it changes nothing; choose a planner over a "
        "chat model, or leave --readers out"
    ]
    episodic = AgentSpec(planner=PartSpec(planner), readers=PartSpec("gold"), memory=PartSpec("episodic"))
    assert examine(episodic).warnings() == [], "its timeline keeps what they tell"


@pytest.mark.parametrize("role", ["skills", "loops"])
def test_no_part_of_others_is_handed_the_gold_reader(role: str) -> None:
    with pytest.raises(ConfigError, match="would be handed the readers gold"):
        build(AgentSpec(planner=PartSpec("noop"), readers=PartSpec("gold"), **{role: PartSpec(f"{__name__}:Curious")}))


def test_what_it_tells_may_be_written_after_its_name() -> None:
    whole = build(AgentSpec(planner=PartSpec("noop"), readers=PartSpec("gold", {"what": "texts"})), Known(SPEECH))
    assert whole.reader.what == ("texts",)


CODE = "speech:en-a:the code is 4711"


class Timed(Transcriber):
    """Hears of `CODE`, begun at `begun`, the words that end within a clip."""

    times_words = True

    def __init__(self, begun: float) -> None:
        ends = {" the": 0.2, " code": 0.35, " is": 0.5, " 4": 1.0, " 7": 1.5, " 11": 2.0}
        self.said = [SpokenPiece(word, begun + end - 0.1, begun + end) for word, end in ends.items()]
        self.asked = 0

    def transcribe(self, clip: AudioClip) -> str:
        return join_pieces(self.transcribe_words(clip))

    def transcribe_words(self, clip: AudioClip) -> tuple[SpokenPiece, ...]:
        self.asked += 1
        return tuple(one for one in self.said if clip.start <= one.end <= clip.end)

    def identity(self) -> dict[str, str]:
        return {"weights": "w"}

    def close(self) -> None: ...


def heard(reader: Reader, clip: AudioClip, *edges: float) -> list[list[tuple[str, str]]]:
    """What a reader tells of a clip in observations that end at the edges."""
    reader.begin()
    return heard_on(reader, clip, clip.start, *edges)


def heard_on(reader: Reader, clip: AudioClip, since: float, *edges: float) -> list[list[tuple[str, str]]]:
    """What a reader tells further in an episode."""
    absent = {name.value: Absent("ablated") for name in Modality}
    turns = []
    for edge in edges:
        seen = Observation("phone", edge, Size(8, 8), **(absent | {"audio": clip.slice(since, edge)}))  # type: ignore[arg-type]
        turns.append(list(reader.read(seen, since)))
        since = edge
    return turns


def test_speech_is_told_word_by_word_while_it_goes_on_and_a_number_when_it_is_over() -> None:
    seconds = pattern(CODE).seconds
    clip = mix([Sound(CODE, 1.0, seconds), Sound("tone:440", 6.0, 1.0)], "phone", 0.0, 9.0)
    transcriber = Timed(1.0)
    reader = TranscribingReader(transcriber)
    turns = heard(reader, clip, 0.5, 2.3, 1.0 + seconds + 1.0, 9.0)
    assert turns == [
        [],
        [("transcript", "1.1 s to 1.5 s, speech: the code is …")],
        [("transcript", f"1.9 s to {turns[2][0][1].split()[3]} s, speech: 4 7 11")],
        [("transcript", "6.0 s to 7.0 s, tone: 440 Hz")],
    ]
    # Once an utterance that is over, and once for each turn in which it goes on.
    assert transcriber.asked == 2 and reader.identity() == {"weights": "w"} and reader.needs == {Modality.AUDIO}
    ((_, whole),) = heard(reader, clip, 9.0)[0]
    assert "speech: the code is 4 7 11\n" in whole and "…" not in whole


def test_a_fork_hears_on_from_the_middle_of_a_speech_and_so_does_the_one_it_was_made_of() -> None:
    seconds = pattern(CODE).seconds
    clip = mix([Sound(CODE, 1.0, seconds), Sound("tone:440", 6.0, 1.0)], "phone", 0.0, 9.0)
    alone = heard(TranscribingReader(Timed(1.0)), clip, 0.5, 2.3, 2.0 + seconds, 9.0)
    reader = TranscribingReader(Timed(1.0))
    assert heard(reader, clip, 0.5, 2.3) == alone[:2]
    for one in (reader.fork(), reader.fork(), reader):
        assert heard_on(one, clip, 2.3, 2.0 + seconds, 9.0) == alone[2:]


def test_speech_without_words_is_still_told_to_be_speech() -> None:
    clip = mix([Sound(CODE, 1.0, pattern(CODE).seconds)], "phone", 0.0, 6.0)

    class Deaf(Timed):
        times_words = False

        def transcribe_words(self, clip: AudioClip) -> tuple[SpokenPiece, ...]:
            return ()

    ((_, line),) = heard(TranscribingReader(Deaf(1.0)), clip, 2.0, 6.0)[1]
    assert re.fullmatch(r"1\.\d s to \d\.\d s, speech", line)


def test_a_model_behind_an_endpoint_tells_an_utterance_when_it_is_over() -> None:
    clip = mix([Sound(CODE, 1.0, pattern(CODE).seconds)], "phone", 0.0, 7.0)
    with TranscriptionServer(lambda _: said("The code is 4711.")) as server:
        part = parse_part("openai-compatible/whisper-tiny", READERS).with_options({"url": server.url})
        first, last = heard(READERS.make(part), clip, 2.0, 7.0)
    assert first == [] and re.fullmatch(r"1\.\d s to \d\.\d s, speech: The code is 4711\.", last[0][1])
    assert len(server.forms) == 1


def test_what_was_heard_is_replayed_from_a_cassette_without_a_server(tmp_path: Path) -> None:
    clip = mix([Sound(CODE, 1.0, pattern(CODE).seconds)], "phone", 0.0, 7.0)
    options = {"model": "openai-compatible/whisper-tiny", "cassette": str(tmp_path / "cassette")}
    with TranscriptionServer(lambda _: said("The code is 4711.")) as server:
        recorded = heard(READERS.make(PartSpec("endpoint", {**options, "url": server.url})), clip, 2.0, 7.0)
    replayed = heard(READERS.make(PartSpec("endpoint", {**options, "replay": True})), clip, 2.0, 7.0)
    assert recorded == replayed and "The code is 4711." in replayed[1][0][1]
    with pytest.raises(ConfigError, match="replay requires cassette"):
        READERS.make(PartSpec("endpoint", {"model": "openai/whisper-1", "replay": True}))


def test_a_folder_of_whisper_is_the_value_of_the_readers_name() -> None:
    assert parse_part("whisper:/models/whisper-base", READERS) == PartSpec("whisper", {"model": "/models/whisper-base"})
