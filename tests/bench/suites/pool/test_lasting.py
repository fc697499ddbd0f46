"""What the subtasks of a pool bring about has to be so in the end, unless another one of the task changes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import pytest

from omnipilot.bench.suites.duet.kit.play import pieces, play
from omnipilot.bench.suites.duet.suite import quiet
from omnipilot.bench.suites.pool.compose.instances import compose_graph
from omnipilot.bench.suites.pool.evaluator_judges import judged_by_evaluators
from omnipilot.bench.suites.pool.records import GraphRecord, Join, Operation, SubtaskRecord
from omnipilot.bench.suites.pool.subtasks.judging import judge_changes
from omnipilot.bench.suites.pool.subtasks.making import make_template
from omnipilot.bench.suites.pool.verify.differences import evaluator_of
from omnipilot.bench.suites.pool.verify.verification import SAMPLES, right_traces
from omnipilot.bench.suites.pool.worlds import StateChange
from omnipilot.bench.synthesis.compose import Composition
from omnipilot.bench.synthesis.sampling import Claims, TaskSampler
from omnipilot.bench.tasks.graph import GraphEvaluator
from omnipilot.bench.tasks.judges import Case
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.content.generate import initial_world
from omnipilot.envs.sim.state.account import TextMessage
from omnipilot.envs.sim.state.desktop_data import Sheet
from omnipilot.envs.sim.state.table import FrozenTable
from omnipilot.envs.sim.state.world_state import WorldState

Edit: TypeAlias = Callable[[WorldState], WorldState]


def record(id: str, app: str, effect: tuple[str, ...], holes: Mapping[str, str], *path: Operation, **more: Any) -> Any:
    """A subtask on the phone whose holes are inputs."""
    of_text = {hole: spec.removeprefix("text ") for hole, spec in holes.items() if spec.startswith("text ")}
    types = {"item documents": "file/note", "item contacts": "contact", "item todos": "task"}
    inputs = {**of_text, **{hole: types[spec] for hole, spec in holes.items() if spec in types}}
    clause = f"on the phone, in {app}, do {id}" + "".join(f" with {{{hole}}}" for hole in holes)
    opened = Operation("open_app", "phone", app)
    return SubtaskRecord(
        id, clause, app, "phone", inputs=inputs, effect=effect, holes=holes, path=(opened, *path), **more
    )


def click(control: str) -> Operation:
    return Operation("click", "phone", control)


def typed(control: str, hole: str, submit: bool = False) -> Operation:
    return Operation("type", "phone", control, f"{{{hole}}}", submit=submit)


SAVED: dict[str, Any] = {"ignored": ("~documents.saved",), "output_resources": ("file/note",)}
RECORDS = {
    one.id: one
    for one in (
        record(
            "write-note",
            "Notes",
            ("+documents",),
            {"title_text": "text text/word", "body_text": "text text"},
            click("notes/notes/new"),
            typed("notes/edit/title", "title_text"),
            typed("notes/edit/body", "body_text"),
            click("notes/edit/save"),
            source="+documents",
            **SAVED,
        ),
        record(
            "rename-note",
            "Notes",
            ("~documents.name",),
            {"document": "item documents", "title_text": "text text/word"},
            click("notes/notes/{document}"),
            typed("notes/edit/title", "title_text"),
            click("notes/edit/save"),
            source="{document}",
            **SAVED,
        ),
        record(
            "delete-note",
            "Notes",
            ("-documents",),
            {"document": "item documents"},
            click("notes/notes/{document}"),
            click("notes/edit/delete"),
            click("notes/edit/really"),
        ),
        record(
            "add-task",
            "Tasks",
            ("+todos",),
            {"title_text": "text text/word"},
            click("tasks/list/new"),
            typed("tasks/edit/title", "title_text"),
            click("tasks/edit/save"),
            source="+todos",
            output_resources=("task",),
        ),
        record(
            "send-text",
            "Messages",
            ("~threads.messages",),
            {"contact": "item contacts", "text_text": "text text"},
            click("messages/threads/{contact}"),
            typed("messages/thread/{contact}/text", "text_text", submit=True),
        ),
        record(
            "set-timer",
            "Clock",
            ("~timer.left", "~timer.seconds"),
            {},
            click("clock/tab/timer"),
            click("clock/timer/30-min"),
        ),
    )
}
TEMPLATES = {id: make_template(one) for id, one in RECORDS.items()}
RENAMED = GraphRecord("renamed", ("write-note", "rename-note", "add-task"), (Join(1, "document", 0),), ((0, 1),))


def graph(*subtasks: str) -> GraphRecord:
    """Subtasks side by side."""
    return GraphRecord("beside", subtasks)


def solves(task: Composition, *steps: int | Edit) -> bool:
    """Whether a task is solved by the demonstrations of parts, by number, and changes of the state, in this order."""
    world = SimWorld()
    world.prepare(lambda _: task.state)
    start, judged = world.state(), GraphEvaluator(task.graph)
    for step in steps:
        if isinstance(step, int):
            trial = world.fork()
            for move in pieces(trial, [task.solutions()[step]])[0]:
                play(world, move)
                judged.step(Case(world, start))
        else:
            world.change(step, 0.0)
            judged.step(Case(world, start))
    judged.step(Case(world, start), ended=True)
    return judged.success


def new_note(state: WorldState, task: Composition) -> Any:
    known = {one.id for one in task.state.account.documents}
    return next(one for one in state.account.documents if one.id not in known)


def spoilt(task: Composition, **changes: Any) -> Edit:
    """The note that the task makes is changed."""
    return lambda state: state.own(state.account.put(replace(new_note(state, task), **changes)))


def said(contact: str, text: str) -> Edit:
    """A message is sent to someone."""

    def change(state: WorldState) -> WorldState:
        thread = state.account.thread(contact)
        added = replace(thread, messages=(*thread.messages, TextMessage(text, state.time, True)))
        return state.own(state.account.put(added))

    return change


def test_what_was_right_once_has_to_be_right_in_the_end() -> None:
    task = compose_graph(graph("write-note", "add-task"), TEMPLATES, 0)
    text = task.parts[0].inputs["body_text"].value
    assert solves(task, 0, 1) and solves(task, 1, 0)
    assert not solves(task, 0, spoilt(task, text="Something else"), 1)
    assert solves(task, 0, spoilt(task, text="Something else"), 1, spoilt(task, text=text))


def test_a_setting_that_is_changed_again_is_not_set() -> None:
    task = compose_graph(graph("set-timer", "add-task"), TEMPLATES, 0)

    def otherwise(state: WorldState) -> WorldState:
        return state.own(replace(state.account, timer=replace(state.account.timer, seconds=60, left=60.0)))

    assert solves(task, 0, 1)
    assert not solves(task, 0, otherwise, 1)


def test_what_a_later_subtask_changes_need_not_last_and_the_rest_has_to() -> None:
    task = compose_graph(RENAMED, TEMPLATES, 0)
    assert solves(task, 0, 1, 2) and solves(task, 2, 0, 1) and solves(task, 0, 2, 1)
    assert not solves(task, 0, spoilt(task, text="Something else"), 1, 2)
    assert not solves(task, 0, 1, spoilt(task, text="Something else"), 2)
    assert not solves(task, 0, 1, spoilt(task, name="Another name"), 2)


def test_what_a_later_subtask_removes_need_not_last() -> None:
    joined = GraphRecord("gone", ("write-note", "delete-note", "add-task"), (Join(1, "document", 0),), ((0, 1),))
    task = compose_graph(joined, TEMPLATES, 0)
    assert solves(task, 0, 1, 2) and solves(task, 2, 0, 1)
    assert not solves(task, 2) and not solves(task, 0, 2)


def test_another_new_item_is_astray_also_beside_one_that_is_taken_over() -> None:
    task = compose_graph(RENAMED, TEMPLATES, 0)

    def another(state: WorldState) -> WorldState:
        like = next(one for one in state.account.documents if one.folder == "Notes")
        return state.own(state.account.put(replace(like, id="document-9000", name="Guess", text="Another answer")))

    assert solves(task, 0, 1, 2)
    assert not solves(task, 0, another, 1, 2)
    assert not solves(task, 0, 1, another, 2)


@pytest.mark.parametrize("order", [("wrong", 0, 1), (0, "wrong", 1)], ids=["before", "after"])
def test_a_wrong_message_beside_the_right_one_is_astray(order: tuple[int | str, ...]) -> None:
    task = compose_graph(graph("send-text", "add-task"), TEMPLATES, 0)
    wrong = said(task.parts[0].inputs["contact"].value, "Another answer")
    assert solves(task, 0, 1)
    assert not solves(task, *(wrong if step == "wrong" else int(step) for step in order))


def test_messages_and_cells_that_other_subtasks_ask_for_may_be_there() -> None:
    state = quiet(initial_world(0))
    thread = state.account.threads[0]
    sheet = Sheet("sheet-9", "Desktop", "Plan", FrozenTable({"A1": "Name"}))
    state = state.own(state.account.put(sheet))

    def asked(claims: Claims, kind: str, id: str, field: str, before: Any, after: Any) -> Any:
        change = StateChange("~", kind, id, field, before, after)
        return judge_changes([change], (), TaskSampler(0, claims=claims), {}).nodes[0]

    def accepts(judge: Any, item: Any) -> bool:
        world = SimWorld()
        world.prepare(lambda _: state.own(state.account.put(item)))
        return bool(judge(Case(world, state)).reached)

    mine, other = (TextMessage(text, 5.0, True) for text in ("Mine", "Other"))
    both = replace(thread, messages=(*thread.messages, other, mine))
    cells = replace(sheet, cells=sheet.cells.set("B1", "Mine").set("B2", "Other"))
    cases: list[tuple[Any, ...]] = [
        ("threads", thread.contact, "messages", (*thread.messages, mine), (*thread.messages, other), both),
        ("sheets", "sheet-9", "cells", sheet.cells.set("B1", "Mine"), sheet.cells.set("B2", "Other"), cells),
    ]
    for kind, id, field, one, two, item in cases:
        before = thread.messages if kind == "threads" else sheet.cells
        claims = Claims()
        judge = asked(claims, kind, id, field, before, one)
        assert accepts(judge, replace(item, **{field: one}))
        assert not accepts(judge, item)
        beside = asked(claims, kind, id, field, before, two)
        assert accepts(judge, item) and accepts(beside, item)
        assert not accepts(beside, replace(item, **{field: one}))


def by_evaluators(graph: GraphRecord, *ids: str) -> Composition:
    made = {id: evaluator_of(id, right_traces(TEMPLATES[id], SAMPLES)).evaluator for id in ids}
    return judged_by_evaluators(compose_graph(graph, TEMPLATES, 0), made)


def test_evaluators_refuse_a_wrong_message_beside_the_right_one() -> None:
    task = by_evaluators(graph("send-text", "add-task"), "send-text")
    wrong = said(task.parts[0].inputs["contact"].value, "Another answer")
    assert "1 goal" in task.graph.sinks
    assert solves(task, 0, 1)
    assert not solves(task, wrong, 0, 1)
    assert not solves(task, 0, wrong, 1)


def test_evaluators_refuse_another_new_item_and_what_was_right_once() -> None:
    task = by_evaluators(graph("write-note", "add-task"), "write-note")
    assert {one.name for one in task.graph.nodes if one.when == "lasting"} == {"1 goal", "2 todos added"}

    def another(state: WorldState) -> WorldState:
        return state.own(state.account.put(replace(new_note(state, task), id="document-9000", text="Another answer")))

    assert solves(task, 0, 1) and solves(task, 1, 0)
    assert not solves(task, 0, another, 1)
    assert not solves(task, 0, spoilt(task, text="Something else"), 1)


def test_what_time_alone_undoes_need_not_last() -> None:
    played = record(
        "play-song",
        "Music",
        ("~player.queue", "~player.song"),
        {"song": "item songs"},
        click("music/songs/{song}"),
        ignored=("~player.since",),
    )
    templates = {**TEMPLATES, "play-song": make_template(replace(played, inputs={}))}
    task = compose_graph(graph("play-song", "set-timer"), templates, 0)
    assert {one.name: one.when for one in task.graph.nodes} == {
        "1 player changed": "step",
        "2 timer changed": "lasting",
    }


def test_evaluators_know_a_number_that_the_instruction_says() -> None:
    later = record(
        "later",
        "Clock",
        ("~alarms.enabled", "~alarms.minute"),
        {"alarm": "item alarms"},
        click("clock/alarms/{alarm}"),
        click("clock/edit/minute/down"),
        click("clock/edit/save"),
        constants={"~alarms.enabled": True},
    )
    words = "on the phone, in Clock, switch on {alarm} and change the minute to {after_minute}"
    template = make_template(replace(later, instruction_template=words))
    made = evaluator_of("later", right_traces(template, SAMPLES)).evaluator
    minute = next(one["args"] for one in made["checks"][-1]["all"] if one["args"]["path"].endswith(".minute"))
    assert (minute["op"], minute["value"]) == ("=", "{after_minute.number}")
