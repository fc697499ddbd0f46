"""Looking at an agent before anything is played: every mistake at once, and nothing of one that cannot be built."""

from __future__ import annotations

import pytest

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.agents.assembly.examine import examine
from omnipilot.envs import ConfigError, Modality

BROKEN = AgentSpec(
    planner=PartSpec("noop", {"patience": "long"}),
    grounder=PartSpec("cascade", inner=(PartSpec("elements", {"near": 1}), PartSpec("elemnts"))),
    critic=PartSpec("rulez"),
    loops=PartSpec("repeatz"),
)


def test_all_mistakes_are_told_and_each_once() -> None:
    found = examine(BROKEN)
    told = "\n".join(map(str, found.mistakes))
    for words in ("'noop'", "option 'near'", "did you mean elements", "did you mean rules", "did you mean repeats"):
        assert words in told
    assert len(found.mistakes) == 5 and found.parts is None and not found.prompts


def test_an_agent_that_cannot_be_built_warns_of_nothing() -> None:
    found = examine(BROKEN)
    for ask in (found.warnings, found.check_packages):
        with pytest.raises(ConfigError) as caught:
            ask()
        assert caught.value is found.mistakes[0]


def test_what_a_part_lacks_to_be_called_is_no_mistake_of_its_making(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    found = examine(AgentSpec(planner=PartSpec("noop"), tool_agent=PartSpec("json", {"model": "openai/some"})))
    assert found.mistakes == () and found.worker is not None
    (lacking,) = found.uncallable()
    assert "OPENAI_API_KEY" in str(lacking)


def test_an_agent_is_put_together_of_the_parts_that_are_asked() -> None:
    spec = AgentSpec(planner=PartSpec("graded", {"accuracy": 0.9}), critic=PartSpec("rules", {"patience": 2}))
    found = examine(spec)
    assert found.mistakes == () and found.parts is not None and found.parts.spec is spec
    assert found.prompts == {"planner.errors": "1"}
    assert found.parts.readers is None and found.parts.critic is not None
    found.check_packages(frozenset({Modality.CONTEXT}))
