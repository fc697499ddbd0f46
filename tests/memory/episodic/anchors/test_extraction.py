"""Entities that a model finds: only what stands in the text, for whom may see the text, and at no risk."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from made_parts import make_part, part_of

from omnipilot.agents import AgentSpec
from omnipilot.agents.assembly.build import MEMORIES
from omnipilot.agents.assembly.examine import examine
from omnipilot.bench.spec import essence
from omnipilot.envs import Box, ConfigError, Element, Elements, Modality, Observation, Size
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import Budget, Message, ModelUnavailable, Recalled, Reply, Role, Turn, Usage
from omnipilot.memory.base import TRANSCRIPT
from omnipilot.memory.episodic import EpisodicMemory, TimelineEvent
from omnipilot.memory.episodic.anchors import Anchors
from omnipilot.memory.episodic.anchors.extraction import PATIENCE, PER_TURN, EntityModel, anchor_prompt
from omnipilot.memory.episodic.composed import ComposedMemory
from omnipilot.memory.episodic.memory import TimelineMemory
from omnipilot.memory.episodic.summary import SummaryMemory

ENVS = ("desktop", "phone")
SAID = "When they ask, the word to say is blue falcon, and nothing else."
FALCON = {"type": "code", "label": "word to say", "value": "blue falcon"}


class Scripted:
    """A chat model that answers from a list, then with no anchors."""

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[Sequence[Message]] = []

    def complete(
        self, messages: Sequence[Message], timeout: float | None = None, *, schema: Mapping[str, Any] | None = None
    ) -> Reply:
        assert schema is not None
        self.asked.append(tuple(messages))
        said = self.answers.pop(0) if self.answers else '{"anchors": []}'
        if isinstance(said, Exception):
            raise said
        return Reply(said, usage=Usage(1, 50, 5, 0.01))

    @property
    def texts(self) -> list[str]:
        return [str(messages[1].parts[0]) for messages in self.asked]


def found(*items: Any) -> str:
    return json.dumps({"anchors": list(items)})


def screen(env: str, turn: int, *texts: str) -> Observation:
    items = tuple(Element("text", text, Box(0.1, 0.1 + 0.1 * n, 0.9, 0.15 + 0.1 * n)) for n, text in enumerate(texts))
    return Observation(env, float(turn), Size(8, 8), elements=Elements(items))


def memory_over(model: Any, calls: int = 100) -> TimelineMemory:
    return TimelineMemory([], Budget(), anchors=Anchors(EntityModel(model, "scripted", calls)))


def listed(memory: TimelineMemory, role: Role, envs: Sequence[str] = ENVS) -> list[str]:
    return [str(one.part) for one in memory.recall("say the word", Budget(), role, envs)]


PLANNER = Role("planner")


def test_what_a_model_finds_has_a_name_and_says_what_found_it() -> None:
    model = Scripted(found(FALCON, {**FALCON, "value": "red falcon"}, {**FALCON, "type": "secret"}, 5))
    memory = memory_over(model)
    memory.watch(0, {"phone": screen("phone", 0, SAID)})
    assert listed(memory, PLANNER) == ['@code-1 = "blue falcon" ("word to say"; at 0.0 s)']
    assert memory.fill_anchor("code-1", PLANNER) == "blue falcon"
    (event,) = (one for one in memory.drain_events() if one.kind == "anchor")
    assert event.to_json()["detail"]["model"] == "scripted" and event.to_json()["detail"]["dropped"] == 3
    assert event.modality is Modality.ELEMENTS and event.env == "phone"
    assert model.texts == [f'Read on phone:\n"{SAID}"'] and model.asked[0][0].parts == (anchor_prompt().text,)
    assert memory.drain_usage() == Usage(1, 50, 5, 0.01) and memory.drain_usage() == Usage()


def test_only_who_may_see_the_text_is_told() -> None:
    memory = memory_over(Scripted(found(FALCON)))
    memory.watch(0, {}, [Recalled(SAID, TRANSCRIPT, "phone", 0.0, 0)])
    assert listed(memory, PLANNER) == ['@code-1 = "blue falcon" ("word to say"; heard; at 0.0 s)']
    assert listed(memory, Role("critic", ALL_MODALITIES - {Modality.AUDIO})) == []
    assert listed(memory, PLANNER, ("desktop",)) == []


def test_only_new_lines_are_sent_and_the_rules_values_are_not_sighted_twice() -> None:
    price = {"type": "number", "label": "", "value": "$514"}
    model = Scripted(found(price), found(price, FALCON))
    memory = memory_over(model)
    memory.watch(0, {"phone": screen("phone", 0, "Total $514", "A quiet page about birds")})
    memory.watch(1, {"phone": screen("phone", 1, "Total $514", "A quiet page about birds", SAID)})
    memory.watch(2, {"phone": screen("phone", 2, "A quiet page about birds", SAID)})
    memory.watch(3, {"phone": screen("phone", 3, "Short")})
    assert model.texts == ['Read on phone:\n"Total $514"\n"A quiet page about birds"', f'Read on phone:\n"{SAID}"']
    names = [str(one.to_json()["detail"]["name"]) for one in memory.drain_events() if one.kind == "anchor"]
    assert names == ["price-1", "code-1"], "a price that is not in the new lines is dropped, too"


def test_calls_are_bounded_for_each_turn_and_episode() -> None:
    model = Scripted()
    memory = memory_over(model, calls=5)
    for turn in range(4):
        told = [Recalled(f"{SAID} For the {n}. time in {turn}.", TRANSCRIPT, "phone", 0.0, turn) for n in range(4)]
        memory.watch(turn, {}, told)
    assert len(model.asked) == 5 and PER_TURN == 2
    assert ["in 0." in text for text in model.texts].count(True) == 2
    memory.clear()
    memory.watch(0, {"phone": screen("phone", 0, SAID)})
    assert len(model.asked) == 6


@pytest.mark.parametrize(
    "fault",
    [ModelUnavailable("no answer"), ConfigError("the key is refused"), "no JSON", '{"anchors": 5}', "[]", "{}", ""],
)
def test_no_fault_of_the_model_stops_a_run_and_each_is_recorded(fault: str | Exception) -> None:
    memory = memory_over(Scripted(fault, found(FALCON)))
    memory.watch(0, {"phone": screen("phone", 0, "Total $514 to be paid today")})
    memory.watch(1, {"phone": screen("phone", 1, SAID)})
    told = listed(memory, PLANNER)
    assert {line.split()[0] for line in told} == {"@code-1", "@price-1"}, "the next text is read"
    (problem,) = (
        one for one in memory.drain_events() if one.kind == "anchor" and "name" not in one.to_json()["detail"]
    )
    assert problem.text.startswith("the model found nothing: ") and problem.to_json()["detail"]["model"] == "scripted"


def test_a_model_that_never_answers_is_asked_no_more_in_the_episode() -> None:
    model = Scripted(*[ModelUnavailable("no answer")] * 9)
    memory = memory_over(model)
    for turn in range(6):
        memory.watch(turn, {}, [Recalled(f"{SAID} {turn}", TRANSCRIPT, "phone", 0.0, turn)])
    assert len(model.asked) == PATIENCE
    memory.clear()
    memory.watch(0, {}, [Recalled(SAID, TRANSCRIPT, "phone", 0.0, 0)])
    assert len(model.asked) == PATIENCE + 1


@pytest.mark.parametrize(
    "item",
    [{}, {"type": "code"}, {"type": "code", "value": 5}, {"type": ["code"], "value": "blue"}, None, {"type": "note"}],
)
def test_items_of_any_shape_are_dropped(item: Any) -> None:
    event = TimelineEvent("text", "phone", 0.0, 0.0, 0, SAID, Modality.SCREENSHOT)
    made = EntityModel(Scripted(found(item)), "scripted").extract(event)
    assert made is not None and not made.entities and made.dropped == 1 and not made.problem


def test_a_label_of_other_words_is_left_out_and_rules_name_what_they_know() -> None:
    event = TimelineEvent("text", "phone", 0.0, 0.0, 0, "Ignore it and pay $514 by Tuesday", Modality.SCREENSHOT)
    items = (
        {"type": "number", "label": "open the door", "value": "$514"},
        {**FALCON, "value": "Tuesday", "type": "date"},
    )
    made = EntityModel(Scripted(found(*items)), "scripted").extract(event)
    assert made is not None
    assert [(one.type, one.value) for one in made.entities] == [("price", "$514"), ("date", "Tuesday")]
    assert [one.label for one in made.entities] == ["", ""]


def test_what_a_model_found_is_there_again_after_a_restore() -> None:
    memory = memory_over(Scripted(found(FALCON)))
    memory.watch(0, {"phone": screen("phone", 0, SAID, "Total $514")})
    again = EpisodicMemory()
    again.restore(memory.drain_events(), 1)
    role = Role("planner")
    assert again.fill_anchor("code-1", role) == "blue falcon" and again.fill_anchor("price-1", role) == "$514"


def test_its_prompt_is_in_a_runs_identity_and_where_its_server_is_is_not() -> None:
    options = {"anchor_model": "openai-compatible/tiny", "anchor_url": "http://127.0.0.1:9/v1"}
    for name, key in (("episodic", "memory.anchor_prompt"), ("episodic+keyframes", "memory.1.anchor_prompt")):
        given = options if name == "episodic" else {"episodic": options}
        assert examine(AgentSpec(memory=part_of(MEMORIES, name, given))).prompts[key] == anchor_prompt().digest
        without = examine(AgentSpec(memory=part_of(MEMORIES, name)))
        assert without.mistakes == () and key not in without.prompts
        spec = {"agent": {"memory": {"name": name, "options": given}}}
        moved = json.loads(json.dumps(spec).replace("127.0.0.1:9", "127.0.0.1:10"))
        assert essence(spec) == essence(moved) and essence(spec) != essence({"agent": {"memory": {"name": name}}})


def test_a_summary_in_a_composition_is_in_its_identity() -> None:
    summary = SummaryMemory.over(Scripted())
    memory = ComposedMemory(of=(EpisodicMemory(), summary))
    assert memory.identity() == {"2.prompt": summary.identity()["prompt"]}


def test_a_composition_takes_in_what_its_memories_ask_for() -> None:
    memory = make_part(MEMORIES, "keyframes+episodic", {"episodic": {"map": True}})
    memory.watch(0, {"phone": screen("phone", 0, "Total $514")})
    assert memory.knows_anchors and memory.fill_anchor("price-1", PLANNER) == "$514"
    assert {one.source for one in memory.recall("", memory.budget, PLANNER, ENVS)} >= {"anchor", "map"}
    assert not make_part(MEMORIES, "keyframes+episodic", {"episodic": {"anchors": False}}).knows_anchors


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"anchor_model": "openai-compatible/tiny", "anchors": False}, "leave one of them out"),
        ({"anchor_calls": 0}, "at least 1"),
        ({"anchor_model": "openai-compatible/tiny"}, "URL of its server"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        EpisodicMemory(**options)


def test_it_is_asked_no_more_than_once_for_a_turn_that_is_recorded() -> None:
    model = Scripted()
    memory = memory_over(model)
    seen = {"phone": screen("phone", 0, SAID)}
    memory.watch(0, seen)
    memory.record(Turn(0, seen, "", (), (), Usage()))
    assert len(model.asked) == 1


def test_what_rules_read_from_a_screen_is_one_sighting() -> None:
    memory = EpisodicMemory()
    memory.watch(0, {"phone": screen("phone", 0, "Total $514")})
    (line,) = (line for line in listed(memory, PLANNER) if line.startswith("@"))
    assert line == '@price-1 = "$514" ("Total"; at 0.0 s)'
