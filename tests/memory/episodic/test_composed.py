"""Several memories as one."""

from __future__ import annotations

import pytest
from made_parts import make_part

from omnipilot.agents import PartSpec, parse_part
from omnipilot.agents.assembly.build import MEMORIES
from omnipilot.agents.assembly.parts import written_part
from omnipilot.envs import AudioClip, ConfigError, Image, VideoClip
from omnipilot.memory import Budget, Memory, Role, WindowMemory, check_memory
from omnipilot.memory.contract import ENVS, _turn
from omnipilot.memory.episodic import EpisodicMemory
from omnipilot.memory.episodic.composed import ComposedMemory
from omnipilot.memory.episodic.memory import TimelineMemory
from omnipilot.memory.episodic.policies import KeyframesMemory
from omnipilot.memory.no_memory import NoMemory


class Foreign(Memory):
    """A memory of somebody else, over a window."""

    def __init__(self) -> None:
        self.window = WindowMemory(4, 4)

    def clear(self) -> None:
        self.window.clear()

    def record(self, turn: object) -> None:
        self.window.record(turn)  # type: ignore[arg-type]

    def recall(self, *asked: object) -> object:
        return self.window.recall(*asked)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "parts", [(EpisodicMemory, KeyframesMemory), (WindowMemory, EpisodicMemory), (EpisodicMemory, Foreign), (NoMemory,)]
)
def test_it_keeps_the_contract_of_memories(parts: tuple[type[Memory], ...]) -> None:
    check_memory(lambda: ComposedMemory(of=tuple(part() for part in parts)))


def test_names_joined_by_a_plus_sign_are_one_memory() -> None:
    memory = make_part(MEMORIES, "episodic+keyframes", {"keyframes": {"images": 3}, "order": "omnigui"})
    assert isinstance(memory, ComposedMemory)
    assert [type(part) for part in memory.parts] == [EpisodicMemory, KeyframesMemory]
    assert memory.budget.images == 3 and memory.order == "omnigui"
    assert written_part(parse_part("episodic+keyframes", MEMORIES), MEMORIES) == ("episodic+keyframes", {})
    assert parse_part("window", MEMORIES) == PartSpec("window")
    with pytest.raises(ConfigError, match="there is no memory 'keyframe'"):
        make_part(MEMORIES, "episodic+keyframe")


def test_nothing_is_recalled_twice_and_the_timeline_is_one() -> None:
    memory = make_part(MEMORIES, "episodic+window+keyframes")
    assert isinstance(memory, TimelineMemory)
    for index in range(4):
        memory.record(_turn(index, "first"))
    recalled = memory.recall("thought", Budget(images=8, clips=8), Role("planner"), ENVS)
    parts = [(one.env, one.turn, one.source, one.part) for one in recalled]
    assert len(parts) == len(set(parts))
    for kind in (str, Image, AudioClip, VideoClip):
        assert any(isinstance(one.part, kind) for one in recalled)
    assert len(memory.drain_events()) == len(memory.timeline)
