"""Answers that an agent writes: the right one alone, in few words, and no list of all that it could be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

import pytest

from omnipilot.bench.judges import read_evaluator
from omnipilot.bench.suites.duet.evaluators.compare import EVALUATORS, StagedPiece, stage
from omnipilot.bench.suites.duet.kit.answers import other_answers
from omnipilot.bench.suites.duet.kit.play import demonstration, try_move
from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.duet.suite import quiet
from omnipilot.bench.synthesis.template import Solution
from omnipilot.bench.tasks.graph import GraphEvaluator
from omnipilot.bench.tasks.judges import Case
from omnipilot.envs import Click, Ref, TypeText
from omnipilot.envs.sim import SimWorld
from omnipilot.memory import Move

TEMPLATES = book("").templates
SENTENCES = ("send-text", "mail-text", "mail-contact", "reply-mail", "mail-both", "write-document")
"""Templates of which the text may have few words beside the answer."""
EXACT = ("text-contact", "reply-at-once", "send-two", "write-note", "note-down", "append-note", "append-line")
EXACT += ("add-task", "annotate-task", "add-event", "retitle", "rename-photo", "new-playlist", "ask-help")
ANSWERS = ("4821", "17", "Zone B", "C", "BAC")
INSTRUCTION = (
    "On the desktop, open the list in Mail, find {} in it, and then, on the phone, send {} to Ann in Messages."
)


@lru_cache
def staged(id: str, answer: str) -> tuple[SimWorld, StagedPiece, tuple[Move, ...], str]:
    """A template that needs an answer: its world, its piece, its demonstration, and the input that is the answer."""
    template, world = TEMPLATES[id], SimWorld()
    world.reset(0)
    name = [one for one, kind in template.inputs.items() if kind == "text"][-1]
    piece = stage(template, quiet(world.state()), "answers", inputs={name: answer})
    world.prepare(lambda _: piece.piece.state)
    return world, piece, tuple(demonstration(world, [piece.piece.solution])), name


def judged(id: str, answer: str, moves: Sequence[Move]) -> tuple[bool, bool]:
    """Whether both ways to judge a template take moves for a solution: in Python, and as data."""
    world, piece, _, _ = staged(id, answer)
    world = world.fork()
    start = world.state()
    graphs = piece.piece.graph, read_evaluator(EVALUATORS[id], piece.values, piece.template.env)
    judges = [GraphEvaluator(graph) for graph in graphs]
    for move in moves:
        try_move(world, move)
        for judge in judges:
            judge.step(Case(world, start))
    python, data = (judge.success for judge in judges)
    return python, data


@lru_cache
def piece_of(id: str) -> StagedPiece:
    world = SimWorld()
    world.reset(0)
    return stage(TEMPLATES[id], quiet(world.state()), "answers")


def made(id: str) -> tuple[SimWorld, list[Solution]]:
    """A template with answers of its own: its world, and its demonstration."""
    world = SimWorld()
    world.reset(0)
    piece = piece_of(id).piece
    world.prepare(lambda _: piece.state)
    return world, [piece.solution]


def both_say(id: str, moves: Sequence[Move]) -> tuple[bool, bool]:
    """Whether both ways to judge a template take moves for a solution, when it is all over."""
    world, _ = made(id)
    start = world.state()
    for move in moves:
        try_move(world, move)
    graphs = piece_of(id).piece.graph, read_evaluator(EVALUATORS[id], piece_of(id).values, TEMPLATES[id].env)
    case = Case(world, start)
    python, data = (graph.nodes[-1](case).reached for graph in graphs)
    return python, data


def typing(id: str, answer: str, change: Callable[[str], str]) -> list[Move]:
    """The demonstration with something else typed for the answer."""
    _, _, moves, _ = staged(id, answer)
    typed = [at for at, move in enumerate(moves) if isinstance(move.intent, TypeText) and answer in move.intent.text]
    assert typed, id
    found = list(moves)
    at = typed[-1]
    intent = found[at].intent
    assert isinstance(intent, TypeText)
    found[at] = replace(found[at], intent=replace(intent, text=change(intent.text)))
    return found


def all_answers(answer: str) -> str:
    """The right answer in a list of some that it could be, in few letters."""
    others = other_answers([answer], SimWorld().state()) or [str(int(answer) + step) for step in (-1, 1, 2)]
    listed = sorted([answer, *[one for one in others if len(one) <= len(answer)][:4]])
    return ", ".join(listed)


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("id", [*SENTENCES, *EXACT])
def test_the_answer_is_accepted(id: str, answer: str) -> None:
    assert judged(id, answer, typing(id, answer, str)) == (True, True)


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("id", [*SENTENCES, *EXACT])
def test_a_list_of_all_answers_is_refused(id: str, answer: str) -> None:
    assert len(all_answers(answer)) > len(answer)
    moves = typing(id, answer, lambda text: text.replace(answer, all_answers(answer)))
    assert judged(id, answer, moves) == (False, False)


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("id", [*SENTENCES, *EXACT])
def test_the_answer_within_a_long_text_is_refused(id: str, answer: str) -> None:
    moves = typing(id, answer, lambda text: text.replace(answer, INSTRUCTION.format(answer, answer)))
    assert judged(id, answer, moves) == (False, False)


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("id", SENTENCES)
def test_the_answer_in_a_sentence_is_accepted(id: str, answer: str) -> None:
    moves = typing(id, answer, lambda text: text.replace(answer, f"The code is {answer}."))
    assert judged(id, answer, moves) == (True, True)


@pytest.mark.parametrize("id", ["send-text", "text-contact", "mail-text"])
def test_answers_one_after_the_other_are_refused(id: str) -> None:
    moves = typing(id, "17", str)
    wrong = typing(id, "17", lambda text: text.replace("17", "16"))
    # What opens the conversation cannot be clicked again in it.
    assert judged(id, "17", [*wrong, *moves]) == (False, False)
    assert judged(id, "17", [*moves, *moves]) == (True, True)


@pytest.mark.parametrize(("text", "accepted"), [("16", False), ("", True)])
@pytest.mark.parametrize("id", ["write-note", "note-down"])
def test_another_document_may_be_empty_and_says_no_other_answer(id: str, text: str, accepted: bool) -> None:
    world, piece, moves, _ = staged(id, "17")
    world = world.fork()
    start = world.state()
    title = next(move.intent.text for move in moves if isinstance(move.intent, TypeText))
    other = {title: "Spare", "17": text}
    for move in moves:
        intent = move.intent
        typed = replace(intent, text=other[intent.text]) if isinstance(intent, TypeText) else intent
        assert try_move(world, replace(move, intent=typed))
    for move in demonstration(world, [piece.piece.solution]):
        assert try_move(world, move)
    graphs = piece.piece.graph, read_evaluator(EVALUATORS[id], piece.values, piece.template.env)
    assert [graph.nodes[-1](Case(world, start)).reached for graph in graphs] == [accepted, accepted]


@pytest.mark.parametrize("way", ["file", "folder"])
def test_a_file_or_folder_that_nobody_wants_is_one_too_many(way: str) -> None:
    world = SimWorld()
    world.reset(0)
    piece = stage(TEMPLATES["extract-lines"], quiet(world.state()), "answers")
    world.prepare(lambda _: piece.piece.state)
    start, right = world.state(), demonstration(world, [piece.piece.solution])
    command = {"file": "echo 17 > /Server/other", "folder": "mkdir /Server/other"}[way]
    more = Move("desktop", TypeText(command, Ref("terminal/prompt"), clear=True, submit=True))
    for moves, solved in ((right, True), ([*right, more], False)):
        tried = world.fork()
        for move in moves:
            assert try_move(tried, move)
        graphs = piece.piece.graph, read_evaluator(EVALUATORS["extract-lines"], piece.values, "desktop")
        case = Case(tried, start)
        assert [all(node(case).reached for node in graph.nodes) for graph in graphs] == [solved, solved]


def test_a_second_sheet_with_other_numbers_is_refused() -> None:
    moves = demonstration(*made("add-up"))
    wrong = [
        replace(one, intent=replace(one.intent, text="7")) if isinstance(one.intent, TypeText) else one for one in moves
    ]
    assert both_say("add-up", moves) == (True, True)
    assert both_say("add-up", [*wrong, *moves]) == (False, False)


def test_keys_of_another_code_are_not_pressed_in_a_second_call() -> None:
    moves = demonstration(*made("call-and-press"))
    end = [Move("phone", Click(Ref("phone/call/end")))]
    assert both_say("call-and-press", moves) == (True, True)
    # The last key is missing in the first call.
    again = [*moves[:3], *moves[4:]]
    assert both_say("call-and-press", [*moves[:-1], *end, *again]) == (False, False)
    # In the first call, no key is pressed at all.
    assert both_say("call-and-press", [*moves[:3], *end, *moves]) == (True, True)


def test_the_text_that_stood_there_is_kept() -> None:
    id, answer = "write-document", "4821"
    moves = typing(id, answer, str)
    at = next(number for number, move in enumerate(moves) if isinstance(move.intent, TypeText))
    cleared = replace(moves[at], intent=replace(moves[at].intent, clear=True))
    assert judged(id, answer, [*moves[:at], cleared, *moves[at + 1 :]]) == (False, False)


@pytest.mark.parametrize(
    ("lines", "counted"),
    [
        (["grep -c {word} /{log}"], True),
        (["cat /{log} | grep {word} | wc -l"], True),
        (["grep {word} /{log}"], True),
        ([f"echo {number} {{word}} {{log}}" for number in range(30)], False),
        (["head -n 1 /{log}", *(f"echo {number}" for number in range(30))], False),
        ([*("head -n 1 /{log}" for _ in range(30)), "history"], False),
    ],
)
def test_a_number_that_was_not_counted_is_not_told(lines: list[str], counted: bool) -> None:
    world = SimWorld()
    world.reset(0)
    piece = stage(TEMPLATES["count-lines"], quiet(world.state()), "answers")
    world.prepare(lambda _: piece.piece.state)
    start = world.state()
    move, *_ = [one for one in demonstration(world, [piece.piece.solution]) if isinstance(one.intent, TypeText)]
    judges = [
        GraphEvaluator(piece.piece.graph),
        GraphEvaluator(read_evaluator(EVALUATORS["count-lines"], piece.values, "desktop")),
    ]
    for one in demonstration(world, [piece.piece.solution]):
        if one is not move and not isinstance(one.intent, TypeText):
            assert try_move(world, one)
    for line in lines:
        typed = replace(move, intent=replace(move.intent, text=line.format(**piece.piece.words)))
        assert try_move(world, typed)
        for judge in judges:
            judge.step(Case(world, start))
    assert [judge.success for judge in judges] == [counted, counted]


def test_what_an_answer_could_be_instead() -> None:
    start = SimWorld().state()
    assert other_answers(["Zone B"], start) == ["Zone A", "Zone C", "Zone D"]
    assert other_answers(["C"], start) == ["A", "B", "D", "E"]
    place, *others = [one.name for one in start.account.places]
    assert set(others) - {place} <= set(other_answers([place], start))
    assert other_answers(["4821"], start) == []
