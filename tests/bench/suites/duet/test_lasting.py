"""What a task brings about has to be so in the end: nothing counts that was right once and was spoiled since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from omnipilot.bench.suites.duet.asking import TEMPLATES as ASKING
from omnipilot.bench.suites.duet.kit.play import demonstration, pieces, try_move
from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.duet.suite import Duet, quiet
from omnipilot.bench.suites.duet_memory.suite import DuetMemory
from omnipilot.bench.synthesis.compose import compose
from omnipilot.bench.synthesis.template import Template
from omnipilot.bench.tasks.judges import Case
from omnipilot.envs import Click, LongPress, OpenApp, Press, Ref, System, TypeText, Wait
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.memory import Move

SUITE = Duet()
TEMPLATES = [*book("").templates.values(), *ASKING]


def desktop(*intents: object) -> list[Move]:
    return [Move("desktop", one) for one in intents]  # type: ignore[arg-type]


def parts_of(task: str) -> tuple[Rehearsal, list[list[Move]]]:
    trial = Rehearsal(SUITE.instantiate(task, 0))
    return trial, pieces(trial.world, SUITE.composed(task, 0).solutions())


def overwritten(moves: Sequence[Move], text: str) -> list[Move]:
    """The moves that write a document, with another text in it."""
    body = next(one.intent for one in moves if isinstance(one.intent, TypeText) and str(one.intent.at).find("body") > 0)
    name = Ref(f"editor/files/{str(body.at.id).split('/')[2]}")  # type: ignore[union-attr]
    return desktop(OpenApp("Text Editor"), Click(name), replace(body, text=text, clear=True), Press(("ctrl", "s")))


def together(parts: Sequence[Sequence[Move]]) -> list[Move]:
    return [move for part in parts for move in part]


def in_terminal(text: str, path: str) -> list[Move]:
    """The moves that write a text into a file, in place of what is in it."""
    command = f'echo "{text}" > "/{path}"'
    return desktop(OpenApp("Terminal"), TypeText(command, Ref("terminal/prompt"), clear=True, submit=True))


@pytest.mark.parametrize("task", ["five-films-one-note", "tour-facts-filed", "awaited-code-and-four-finds"])
def test_a_document_that_is_filed_has_the_text_that_was_asked_for(task: str) -> None:
    trial, parts = parts_of(task)
    at = next(at for at, part in enumerate(SUITE.composed(task, 0).parts) if part.template.id == "note-five")
    before, after = together(parts[: at + 1]), together(parts[at + 1 :])
    spoiled = overwritten(parts[at], "1\n2\n3\n4\n5")
    stand = trial.stand()
    assert trial.play([*before, *after]).missing == []
    trial.back(stand)
    missing = trial.play([*before, *spoiled, *after]).missing
    assert not trial.failed
    assert [name.split(" ", 1)[1] for name in missing] == ["file moved", "file renamed"]


def test_lines_that_a_terminal_wrote_are_those_that_are_filed() -> None:
    trial, (lines, moved, renamed) = parts_of("log-lines-filed")
    path = next(
        part.piece.output.value for part in SUITE.composed("log-lines-filed", 0).parts if part.piece.output is not None
    )
    trial.play([*lines, *in_terminal("none", path), *moved, *renamed])
    assert not trial.failed
    assert trial.missing == ["2 file moved", "3 file renamed"]


def test_a_document_that_is_replaced_while_other_things_are_done_is_spoiled_and_can_be_mended() -> None:
    trial, parts = parts_of("voice-question-and-errands")
    composed = SUITE.composed("voice-question-and-errands", 0).parts
    at = next(at for at, part in enumerate(composed) if part.template.id == "move-made")
    path = composed[at].piece.output.value  # type: ignore[union-attr]
    trial.play(together(parts[: at + 1]), ended=False)
    right = trial.world.state().account.document(path).text  # type: ignore[union-attr]
    trial.play([*in_terminal("another answer", path), *together(parts[at + 1 :])], ended=False)
    assert trial.missing == [f"{at + 1} file moved"]
    assert trial.play(in_terminal(right, path), ended=False).missing == []
    assert not trial.failed


def test_a_setting_that_is_changed_again_is_not_as_it_was_asked_for() -> None:
    trial, parts = parts_of("voice-question-and-errands")
    composed = SUITE.composed("voice-question-and-errands", 0).parts
    at = next(at for at, part in enumerate(composed) if part.template.id == "choose-output")
    before = trial.world.state().account.desktop_settings.output
    trial.play(together(parts[: at + 1]), ended=False)
    last = composed[at].graph.sinks[0]
    assert last not in trial.missing

    def put_back(state: WorldState) -> WorldState:
        settings = replace(state.account.desktop_settings, output=before)
        return state.own(replace(state.account, desktop_settings=settings))

    trial.world.prepare(put_back)
    assert trial.play(together(parts[at + 1 :])).missing == [last]


@pytest.mark.parametrize("hidden", [False, True])
def test_a_mail_with_another_subject_was_sent_too(hidden: bool) -> None:
    suite = DuetMemory()
    task = suite.instantiate("note-before-call-100", 0)
    trial = Rehearsal(replace(task, prologue=None))
    right = demonstration(trial.world, suite.composed("note-before-call-100", 0).solutions())
    wrong = [
        replace(one, intent=replace(one.intent, text="Offer Costa, Offer Duval"))
        if isinstance(one.intent, TypeText) and str(one.intent.at).find("subject") > 0
        else one
        for one in right
    ]
    stand = trial.stand()
    assert trial.play(right).missing == []
    trial.back(stand)
    trial.play(wrong, ended=False)
    if hidden:
        sent = next(one for one in trial.world.state().account.mails if one.subject == "Offer Costa, Offer Duval")
        hide = Click(Ref("mail/folder/sent")), Click(Ref(f"mail/list/{sent.id}")), Click(Ref("mail/read/trash"))
        trial.play(desktop(*hide), ended=False)
    assert trial.play(right).missing == ["mail sent"]
    assert not trial.failed


def test_a_conversation_is_not_to_be_deleted_before_one_writes() -> None:
    trial, (right,) = parts_of("send-message")
    person = next(thread for thread in trial.world.state().account.threads if thread.messages)
    composed = SUITE.composed("send-message", 0)
    (contact,) = composed.parts[0].claims["threads"]
    if not trial.world.state().account.thread(contact).messages:
        pytest.fail(f"the conversation with {contact} is empty; that with {person.contact} is not")
    gone = [Move("phone", one) for one in (OpenApp("Messages"), LongPress(Ref(f"messages/threads/{contact}")))]
    gone.append(Move("phone", Click(Ref(f"messages/threads/{contact}/delete"))))
    trial.play(gone, ended=False)
    assert not trial.failed and not trial.world.state().account.thread(contact).messages
    assert trial.play(right).missing == ["sent"]


def leave(world: SimWorld) -> None:
    """Go away from all that is open."""
    for _ in range(4):
        try_move(world, Move("phone", System("home")))
    for window in world.state().desktop.windows:
        try_move(world, Move("desktop", Click(Ref(f"window/{window.app}/close"))))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda one: one.id)
def test_what_lasts_is_what_still_holds_when_all_is_left(template: Template) -> None:
    world = SimWorld()
    world.reset(0)
    task = compose([template], quiet(world.state()), "lasting", 0)
    world.prepare(lambda _: task.state)
    start = world.state()
    for move in demonstration(world, task.solutions()):
        try_move(world, move)
    leave(world)
    for _ in range(15):
        try_move(world, Move("", Wait(40.0)))
    case = Case(world, start)
    last = [node for node in task.graph.nodes if node.name in task.graph.sinks]
    assert {node.when for node in last} == {"lasting" if all(node(case).reached for node in last) else "step"}
