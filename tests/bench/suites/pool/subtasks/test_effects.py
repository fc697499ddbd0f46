"""What was explored becomes subtasks that a demonstration solves, and that nothing else does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from explored_ways import BLOCKED, DELETED, FAVOURITE, NOTE, effect_of

from omnipilot.bench.suites.duet.kit.play import demonstration, play
from omnipilot.bench.suites.duet.suite import quiet
from omnipilot.bench.suites.pool.records import Operation, SubtaskRecord
from omnipilot.bench.suites.pool.subtasks.analysis import try_candidate
from omnipilot.bench.suites.pool.subtasks.items import key_value, stand_in
from omnipilot.bench.suites.pool.subtasks.judging import MadeBefore, judge_changes
from omnipilot.bench.suites.pool.subtasks.naming import contains_a_value, instruction_for
from omnipilot.bench.suites.pool.subtasks.resource_types import predefined_types
from omnipilot.bench.suites.pool.templates import template_of
from omnipilot.bench.suites.pool.worlds import StateChange
from omnipilot.bench.synthesis.compose import Composition, compose, fits
from omnipilot.bench.synthesis.sampling import Claims, TaskSampler
from omnipilot.bench.tasks.graph import GraphEvaluator
from omnipilot.bench.tasks.judges import Case
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.content.generate import initial_world
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.memory import Move


@pytest.fixture(scope="module")
def subtasks() -> dict[str, SubtaskRecord]:
    ways = {"note": ("phone/notes", NOTE), "delete": ("phone/notes", DELETED), "star": ("phone/contacts", FAVOURITE)}
    found = {}
    for name, (app, way) in ways.items():
        outcome = try_candidate(effect_of(app, way), predefined_types())
        assert not outcome.reason
        found[name] = outcome.subtasks[0]
    return found


def made(*chosen: SubtaskRecord, instance: int = 3) -> tuple[Composition, SimWorld]:
    task = compose([template_of(one) for one in chosen], quiet(initial_world(instance)), instance)
    world = SimWorld()
    world.prepare(lambda _: task.state)
    return task, world


def is_solved(task: Composition, world: SimWorld, moves: Sequence[Move]) -> bool:
    start: WorldState = world.state()
    graph = GraphEvaluator(task.graph)
    for move in moves:
        play(world, move)
        graph.step(Case(world, start))
    return graph.success


def test_typed_texts_and_items_are_inputs_of_a_type(subtasks: dict[str, SubtaskRecord]) -> None:
    note, delete, star = subtasks["note"], subtasks["delete"], subtasks["star"]
    assert dict(note.inputs) == {"title_text": "text/word", "body_text": "text"}
    assert note.output_resources == ("file/note",)
    assert dict(delete.inputs) == {"document": "file/note"}
    assert delete.output_resources == ()
    assert dict(star.inputs) == {"contact": "contact"}
    assert star.output_resources == ("contact",)


def test_a_name_is_plain_english_and_says_no_value(subtasks: dict[str, SubtaskRecord]) -> None:
    assert subtasks["note"].instruction_template == (
        "on the phone, in Notes, write a new note with {title_text} as the title and {body_text} as the text"
    )
    assert subtasks["delete"].instruction_template == "on the phone, in Notes, delete {document}"
    star = subtasks["star"]
    assert star.instruction_template == "on the phone, in Contacts, add {contact} to the favourites"
    assert not contains_a_value(star.instruction_template, {"contact": "ana-silva"})
    assert contains_a_value("call Ana Silva", {"contact": "ana silva"})


@pytest.mark.parametrize("instance", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["note", "delete", "star"])
def test_the_demonstration_solves_it_and_doing_nothing_does_not(
    subtasks: dict[str, SubtaskRecord], name: str, instance: int
) -> None:
    task, world = made(subtasks[name], instance=instance)
    start = world.state()
    idle = GraphEvaluator(task.graph)
    idle.step(Case(world, start), ended=True)
    assert not idle.success
    assert is_solved(task, world, demonstration(world, task.solutions()))


def test_what_is_made_first_can_be_taken_by_the_next(subtasks: dict[str, SubtaskRecord]) -> None:
    task, world = made(subtasks["note"], subtasks["delete"])
    assert task.instruction.endswith(", then in Notes, delete the new note.")
    assert is_solved(task, world, demonstration(world, task.solutions()))


def test_touching_another_item_is_not_solved(subtasks: dict[str, SubtaskRecord]) -> None:
    task, world = made(subtasks["delete"])
    moves = demonstration(world, task.solutions())
    kept = next(note for note in world.state().account.notes if note.id not in str(moves))
    world.prepare(lambda state: state)
    start = world.state()
    for move in moves:
        play(world, move)
    world.change(lambda state: state.own(state.account.drop(kept)), 0.0)
    graph = GraphEvaluator(task.graph)
    (change,) = graph.step(Case(world, start), ended=True)
    assert not graph.success
    assert kept.id in change.verdict.reason


def test_another_text_is_not_what_was_asked_for(subtasks: dict[str, SubtaskRecord]) -> None:
    task, world = made(subtasks["note"])
    moves = demonstration(world, task.solutions())
    other, _ = made(subtasks["note"], instance=4)
    assert not is_solved(other, world, moves)


def test_a_switch_can_be_thrown_both_ways() -> None:
    outcome = try_candidate(effect_of("phone/contacts", FAVOURITE), predefined_types())
    assert {dict(one.constants)["~contacts.favourite"] for one in outcome.subtasks} == {True, False}
    assert {one.instruction_template.split(", ")[2].split(" ")[0] for one in outcome.subtasks} == {"add", "take"}


def test_what_makes_no_difference_is_left_out() -> None:
    way = (DELETED[0], Operation("type", "phone", "notes/edit/title", "Blue lantern"), *DELETED[1:])
    (shorter,) = try_candidate(effect_of("phone/notes", way), predefined_types()).subtasks
    assert [one.verb for one in shorter.path] == ["open_app", "click", "click", "click"]


def test_of_two_things_one_after_the_other_the_last_is_the_subtask() -> None:
    outcome = try_candidate(effect_of("phone/contacts", (*FAVOURITE, BLOCKED)), predefined_types())
    assert {one.effect for one in outcome.subtasks} == {("~contacts.blocked",)}
    assert all(FAVOURITE[1] not in one.path for one in outcome.subtasks)


def test_what_is_changed_of_an_item_with_its_key_is_judged_of_one_item() -> None:
    """A title that says which event is meant is changed together with its place."""
    entry = next(kind for name, kind in predefined_types().kinds.items() if name.endswith("appointments"))
    state = quiet(initial_world(0))
    event, other = state.account.appointments[:2]
    before = MadeBefore(entry, key_value(event, entry))
    changes = [
        StateChange("~", "appointments", "appointment-stand-in", "title", event.title, "Tea"),
        StateChange("~", "appointments", "appointment-stand-in", "place", event.place, "Yard"),
    ]
    draw = TaskSampler(0)
    for one in (event, other):
        draw.claim("appointments", one.id)
    judges = judge_changes(changes, (), draw, {"appointment-stand-in": before})
    (judge,) = judges.nodes

    def score(*items: Any) -> float:
        account = state.account
        for item in items:
            account = account.put(item)
        world = SimWorld()
        world.prepare(lambda _: state.own(account))
        return judge(Case(world, state)).progress

    assert score(replace(event, title="Tea", place="Yard")) == 1.0
    assert score(replace(event, title="Tea"), replace(other, place="Yard")) < 1.0


def named(app: str, env: str, effect: tuple[str, ...], holes: dict[str, str], *path: Operation) -> SubtaskRecord:
    """A record with its clause by rule; texts are taken from others."""
    texts = {hole: spec.removeprefix("text ") for hole, spec in holes.items() if spec.startswith("text ")}
    record = SubtaskRecord("one", "", app, env, inputs=texts, effect=effect, holes=holes, path=path)
    return replace(record, instruction_template=instruction_for(record, predefined_types()))


def test_a_clause_says_what_a_step_sets_besides() -> None:
    later = named(
        "Clock",
        "phone",
        ("~alarms.enabled", "~alarms.hour"),
        {"alarm": "item alarms"},
        Operation("open_app", "phone", "Clock"),
        Operation("click", "phone", "clock/alarms/{alarm}"),
        Operation("click", "phone", "clock/edit/hour/up"),
        Operation("click", "phone", "clock/edit/save"),
    )
    task, world = made(replace(later, constants={"~alarms.enabled": True}))
    assert is_solved(task, world, demonstration(world, task.solutions()))
    said = re.fullmatch(
        r"On the phone, in Clock, switch on the alarm .+ and change the hour to (\d+)\.", task.instruction
    )
    assert said, task.instruction


def test_a_clause_says_which_cell_is_written() -> None:
    write = named(
        "Spreadsheet",
        "desktop",
        ("~sheets.cells",),
        {"sheet": "item sheets", "formula_text": "text text"},
        Operation("open_app", "desktop", "Spreadsheet"),
        Operation("click", "desktop", "sheets/list/{sheet}"),
        Operation("type", "desktop", "sheets/sheet/formula", "{formula_text}", submit=True),
    )
    task, _ = made(replace(write, ignored=("~sheets.saved",)))
    assert re.search(r'write ".+" into the cell A1 of the sheet "', task.instruction), task.instruction


def test_what_a_subtask_makes_is_known_to_those_that_take_it(subtasks: dict[str, SubtaskRecord]) -> None:
    """A rehearsal puts the very item into its content that the other subtask leaves, under an id of its own."""
    note, state = template_of(subtasks["note"]), quiet(initial_world(3))
    draw = TaskSampler(1, claims=Claims())
    given = {"title_text": "Plans", "body_text": "Call the office first"}
    value = note.make(draw, given, state).output
    assert value is not None
    left = draw.left("documents", value.value)
    assert left is not None and (left.name, left.text) == ("Plans", "Call the office first")
    entry = predefined_types().kinds["notes/documents"]
    thought_of = stand_in(state.account, entry, value.value, left)
    assert thought_of is not None and thought_of.text == left.text and thought_of.id != left.id
    bare = stand_in(state.account, entry, value.value)
    assert bare is not None and bare.name == left.name and bare.text != left.text


def test_a_sheet_is_not_taken_for_a_document() -> None:
    types = predefined_types()
    assert not fits(types.kind("sheets").type, types.kind("documents").type)
    assert fits(types.kinds["notes/documents"].type, types.kind("documents").type)
