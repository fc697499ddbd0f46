"""The auditor tries lists of answers, answers in the midst of much else, and one answer after another, and does not
take them for the answer."""

from __future__ import annotations

from typing import Any

import pytest
from planted_flaws import Planted, flaws

from omnipilot.bench.audit.auditor import AuditBudget, audit_task
from omnipilot.bench.audit.hedges import bury, hedge, rivals
from omnipilot.bench.audit.stage import AuditStage
from omnipilot.bench.audit.vocabulary import ScreenVerbs, texts_of
from omnipilot.bench.audit.winners import Examiner
from omnipilot.bench.judges import LETTERS_BESIDE
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.envs.sim import SimWorld

SUITE = Duet(memo=2000, pieces=64)
PLANTED = [one for one in flaws() if one.family in ("among others", "in much else", "one after another")]


def test_what_an_answer_could_be_instead() -> None:
    state = SimWorld().state()
    assert rivals("4821", state) == ["4820", "4822"] and rivals("order-1", state) == ["order-0", "order-2"]
    assert rivals("9", state) == ["8"] and rivals("09:31", state) == ["09:30", "09:32"]
    assert rivals("Zone B", state) == ["Zone A", "Zone C", "Zone D"]
    place, *others = [one.name for one in state.account.places]
    assert set(others) - {place} <= set(rivals(place, state))
    assert rivals("Approved by the board.", state) == []


def test_lists_have_few_letters_beside_the_answer() -> None:
    assert hedge("4821", ["4820", "4822"]) == "4820, 4821, 4822"
    assert hedge("x", []) == "x"
    assert len(hedge("Mill", ["Harbour House"] * 9)) <= len("Mill") + LETTERS_BESIDE
    assert bury("4821", "Read the code.") == "Read the code. 4821 Read the code."


@pytest.mark.parametrize("planted", PLANTED, ids=lambda one: one.name)
def test_judges_that_take_them_are_found(planted: Planted) -> None:
    found = audit_task(
        SUITE, planted.task, budget=AuditBudget(sequences=150, seconds=1e9, doors=False), change=planted.change
    )
    assert [(one.kind, one.by) for one in found.findings] == [("shortcut", "search")]


@pytest.mark.parametrize("task", sorted({one.task for one in PLANTED} | {"message-address-to-document"}))
def test_the_judges_of_the_suite_are_not_accused(task: str) -> None:
    found = audit_task(SUITE, task, budget=AuditBudget(sequences=150, seconds=1e9, doors=False))
    assert found.findings == ()


def examiner(task: str) -> tuple[Examiner, list[dict[str, Any]]]:
    stage = AuditStage(SUITE, task, 0)
    assert stage.demonstration is not None
    made = Examiner(stage, ScreenVerbs(stage.opening, texts_of(stage.opening.instruction)), seed=0)
    return made, [dict(verb) for verb in stage.demonstration.verbs]


@pytest.mark.parametrize(
    ("words", "lacks"), [("{}", False), ("It is {}.", False), ("7536, {}, 7538", True), ("{} " + "x" * 60, True)]
)
def test_few_words_beside_an_answer_are_it_and_a_list_is_not(words: str, lacks: bool) -> None:
    made, verbs = examiner("tones-to-message")
    typed = next(verb for verb in verbs if verb["kind"] == "type")
    typed["text"] = words.format(typed["text"])
    assert bool(made.examine(verbs).lacking) == lacks


@pytest.mark.parametrize(("words", "lacks"), [("7538", True), ("Hello", False)])
def test_another_answer_in_a_message_of_its_own_is_a_guess_and_other_words_are_not(words: str, lacks: bool) -> None:
    made, verbs = examiner("tones-to-message")
    at = next(at for at, verb in enumerate(verbs) if verb["kind"] == "type")
    before = [{**verbs[at], "text": words}, verbs[at + 1]]
    assert bool(made.examine([*verbs[:at], *before, *verbs[at:]]).lacking) == lacks


def test_another_text_beside_one_that_the_instruction_tells_is_no_guess() -> None:
    made, verbs = examiner("send-message")
    at = next(at for at, verb in enumerate(verbs) if verb["kind"] == "type")
    before = [{**verbs[at], "text": "Running twenty minutes late"}, verbs[at + 1]]
    assert made.examine([*verbs[:at], *before, *verbs[at:]]).lacking == ()


def test_any_of_the_songs_that_are_played_may_be_the_last() -> None:
    made, verbs = examiner("melody-to-playlist-and-mail")
    at = next(number for number, verb in enumerate(verbs) if verb["kind"] == "long_press")
    # One of the songs that were played before is played once more, where it is in sight.
    again = {"env": "phone", "kind": "click", "at": verbs[at]["at"]}
    assert made.stage.solves([*verbs[:at], again, *verbs[at:]])
    assert made.examine([*verbs[:at], again, *verbs[at:]]).lacking == ()
