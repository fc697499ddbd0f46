"""Several readers as one tell what each tells, and need what all need."""

from __future__ import annotations

import pytest

from omnipilot.agents import AgentSpec, parse_part
from omnipilot.agents.assembly.build import PLANNERS
from omnipilot.agents.assembly.examine import examine
from omnipilot.agents.assembly.teams import READERS
from omnipilot.agents.wrappers.readers.composed import ComposedReader
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.envs import ConfigError, Modality, Observation, Size
from omnipilot.memory.truth import TakesTruth


def test_names_joined_by_plus_are_one_reader_of_several() -> None:
    part = parse_part("perception:transcript+gold:texts", READERS)
    assert (part.name, [one.name for one in part.inner]) == ("composed", ["perception", "gold"])
    reader = READERS.make(part)
    assert isinstance(reader, ComposedReader) and reader.reads == {Modality.AUDIO} and reader.needs == frozenset()
    assert list(READERS.gold_names(part)) == ["gold"]


def test_the_truth_reaches_a_gold_one_within() -> None:
    truth = EpisodeTruth()
    reader = READERS.make(parse_part("perception:transcript+gold:texts", READERS), truth)
    inner = reader.of[1]
    assert isinstance(inner, TakesTruth) and inner._truth is truth


def test_each_tells_its_own_one_after_the_other() -> None:
    class Says:
        reads = needs = frozenset()

        def __init__(self, word: str) -> None:
            self.word, self.begun = word, 0

        def begin(self) -> None:
            self.begun += 1

        def identity(self) -> dict[str, str]:
            return {"word": self.word}

        def read(self, seen: Observation, since: float) -> list[tuple[str, str]]:
            return [("transcript", self.word)]

    one, two = Says("a"), Says("b")
    reader = ComposedReader(of=(one, two))  # type: ignore[arg-type]
    reader.begin()
    assert [words for _, words in reader.read(Observation("pc", 1.0, Size(4, 4)), 0.0)] == ["a", "b"]
    assert (one.begun, two.begun) == (1, 1)
    assert reader.identity() == {"of": "1.word=a 2.word=b"}


def test_a_fork_is_told_of_its_own() -> None:
    told: list[str] = []

    class Once:
        reads = needs = frozenset()

        def __init__(self, said: int = 0) -> None:
            self.said = said

        def fork(self) -> Once:
            return Once(self.said)

        def read(self, seen: Observation, since: float) -> list[tuple[str, str]]:
            self.said += 1
            return [("transcript", str(self.said))]

    reader = ComposedReader(of=(Once(),))  # type: ignore[arg-type]
    seen = Observation("pc", 1.0, Size(4, 4))
    for one in (reader, reader.fork(), reader):
        told += [words for _, words in one.read(seen, 0.0)]
    assert told == ["1", "1", "2"]


def test_each_that_lacks_what_it_needs_is_warned_of() -> None:
    readers = parse_part("perception:transcript+gold:texts", READERS)
    granted = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS, Modality.CONTEXT, Modality.VIDEO})
    spec = AgentSpec(planner=parse_part("openai/gpt-4o", PLANNERS), readers=readers, modalities=granted)
    found = [line for line in examine(spec).warnings() if "readers" in line]
    assert found == ["readers 'perception' cannot tell anything without audio, which it is not granted"]


def test_a_name_that_is_missing_is_told() -> None:
    with pytest.raises(ConfigError, match="lacks a name beside a"):
        parse_part("perception+", READERS)
