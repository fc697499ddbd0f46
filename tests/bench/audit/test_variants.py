"""The demonstration with some things other: which changes are made, and what they fit on other screens."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from held_out_flaws import FLAWS
from held_out_sound import AlarmCut

from omnipilot.bench.audit.auditor import AuditBudget, audit_task
from omnipilot.bench.audit.reading import read_judge
from omnipilot.bench.audit.variants import (
    Edit,
    Variation,
    answer_spans,
    changed_course,
    find_again,
    near_texts,
    neighbours,
    same_shape,
    texts_held,
    variants_of,
)
from omnipilot.bench.audit.vocabulary import texts_of
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge
from omnipilot.bench.tasks.task import Task
from omnipilot.bench.toy import TASK, ToySuite
from omnipilot.envs import Box, Element, Elements

SUITE = Duet(memo=2000, pieces=64)
VERBS = (
    {"env": "phone", "kind": "swipe", "direction": "up"},
    {"env": "phone", "kind": "click", "at": {"id": "list/item-2"}},
    {"env": "phone", "kind": "type", "text": "code 4711", "at": {"id": "item-2/text"}},
    {"env": "phone", "kind": "click", "at": {"id": "item-2/save"}},
)


def row(id: str, top: float, role: str = "listitem") -> Element:
    return Element(role, id, Box(0.0, top, 1.0, top + 0.1), id=id)


ROWS = [row("list/item-1", 0.1), row("list/item-2", 0.2), row("list/item-3", 0.3), row("save", 0.5, "button")]


def test_each_verb_is_left_out_aimed_elsewhere_or_says_something_else() -> None:
    found = variants_of(VERBS, 1000, Random(0))
    assert all({at: Edit("leave")} in found for at in range(4))
    assert {1: Edit("aim", 0)} in found and {2: Edit("say", 0)} in found
    # What brought the item into sight is left out with it; all in the middle is left out but for the last verbs.
    assert {0: Edit("leave"), 1: Edit("aim", 1)} in found
    assert {at: Edit("leave") for at in range(3)} in found
    assert len(found) == 1000 and any(len(edits) > 1 for edits in found[-100:])
    assert variants_of((), 10, Random(0)) == []


def test_what_has_to_be_found_is_entered_twice_and_one_time_otherwise() -> None:
    verbs = ({"env": "phone", "kind": "open_app", "app": "Messages"}, *VERBS[1:])
    reached = (0, 1, 1, 2)
    assert answer_spans(verbs, reached, 'Type "code 4711".') == {}
    spans = answer_spans(verbs, reached, "Type the code.")
    assert spans == {2: (0, 3)}
    found = variants_of(verbs, 1000, Random(0), spans)
    assert all({2: Edit("twice", number)} in found for number in range(4))

    def course(number: int) -> list[tuple[str, bool]]:
        changed = changed_course(verbs, {2: Edit("twice", number)}, spans)
        return [(verb["kind"], edit == Edit("rival")) for verb, edit in changed]

    entered, wrong, sent = ("type", False), ("type", True), ("click", False)
    begin = [("open_app", False), ("click", False)]
    assert course(0) == [*begin, wrong, sent, entered, sent]
    assert course(1) == [*begin, entered, sent, wrong, sent]
    assert course(2) == [*begin, wrong, sent, *begin, entered, sent]
    assert course(3) == [*begin, entered, sent, *begin, wrong, sent]


def test_what_is_aimed_at_is_found_again_in_the_view_of_another_item() -> None:
    assert find_again("list/item-2", ROWS) is ROWS[1]
    assert find_again("item-2/text", [row("item-3/text", 0.1), row("item-3/save", 0.2)]).id == "item-3/text"
    assert find_again("gone", ROWS) is None
    assert {one.id for one in neighbours("list/item-2", ROWS)} == {"list/item-1", "list/item-3"}
    # Out of sight.
    assert {one.id for one in neighbours("list/item-9", ROWS)} == {"list/item-1", "list/item-2", "list/item-3"}


def test_a_changed_verb_fits_the_screen() -> None:
    variation = Variation(texts_of('Type "code 4711"'), Random(0), ("code 1234", "code 4711"))
    look = lambda _: Elements(tuple(ROWS))  # noqa: E731
    assert variation.verb(VERBS[1], Edit("leave"), look) is None
    assert variation.verb(VERBS[1], None, look)["at"]["y"] == pytest.approx(0.25)
    assert variation.verb(VERBS[1], Edit("aim", 2), look)["at"]["y"] == pytest.approx(0.35)
    assert (
        variation.verb({**VERBS[0], "kind": "type", "text": "code 4711"}, Edit("say", 1), look)["text"] == "code 7044"
    )


def test_texts_that_are_easily_taken_for_another() -> None:
    held = (
        "the code for the door is 4711",
        "the code for the gate is 1234",
        "page 5678",
        "Jon Peters",
        "John Peterson",
    )
    assert near_texts("4711", held)[0] == "1234"
    assert near_texts("John Peterson", held) == ("Jon Peters",)
    assert same_shape("Zone A") == "Zone B" and same_shape("A1") == "A4"
    assert texts_held({"a": ("x", ["y"]), "b": "x"}) == ("x", "y")


@pytest.mark.parametrize("name", ["hour alone", "one of two codes", "name begins so", "one network fewer"])
def test_flaws_near_the_end_of_a_demonstration_are_found(name: str) -> None:
    flaw = next(one for one in FLAWS if one.name == name)

    def change(task: Task) -> Task:
        return replace(task, graph=flaw.graph)

    budget = AuditBudget(sequences=600, seconds=1e9, doors=False)
    found = audit_task(SUITE, flaw.task, budget=budget, change=change)
    assert [one.kind for one in found.findings] == ["shortcut"]
    assert found.search["varied"] > 0


def test_a_judge_that_raises_ends_no_audit_and_is_told() -> None:
    def ask(case: Case) -> bool:
        return bool(case.state.note and {}["missing"])

    def change(task: Task) -> Task:
        return replace(task, graph=JudgeGraph((Judge("planted", ask),)))

    found = audit_task(ToySuite(), TASK, budget=AuditBudget(sequences=50, doors=False), change=change)
    assert [(one.kind, one.by) for one in found.findings] == [("raises", "judge")]
    assert "KeyError" in found.findings[0].reason


def test_the_methods_of_a_judge_are_read() -> None:
    state = SUITE.composed("dismiss-alarm", 0).state
    for ask in (AlarmCut(), AlarmCut().__call__):
        assert {"alarms", "snoozed", "sounds"} <= read_judge(Judge("cut", ask), state).names
