"""Applications, things to make, texts referred to and cells, as the planner `rules` reads them from words."""

from __future__ import annotations

import pytest
from scripted import ScriptedWorld, agent, brief, element, play

from omnipilot.agents import episode
from omnipilot.agents.loop import Limits
from omnipilot.envs import Box, Click, Element, OpenApp, TypeText
from omnipilot.grounders import ElementsGrounder
from omnipilot.planners.rules import RulesPlanner
from omnipilot.planners.rules.matching.notes import Note, rank_notes
from omnipilot.planners.rules.matching.table_cells import cell_for, cells_of
from omnipilot.planners.rules.reading.applications import is_name, take_app
from omnipilot.planners.rules.reading.clauses import parse
from omnipilot.planners.rules.reading.sources import example, find_in_notes, referring, text_after_label


@pytest.mark.parametrize(
    ("piece", "app", "rest"),
    [
        ('open "Ann" in Contacts', "Contacts", 'open "Ann"'),
        ("open the draft in Text Editor now", "Text Editor", "open the draft now"),
        ('type "all in Red"', "", 'type "all in Red"'),
        ("type the room (as in Abc)", "", "type the room (as in Abc)"),
        ("click Save in the dialog", "", "click Save in the dialog"),
    ],
)
def test_an_application_named_by_the_way_is_taken_out(piece, app, rest):
    assert take_app(piece) == (app, rest)


def test_names_of_applications():
    assert is_name("Text Editor") and not is_name("the drawer") and not is_name('"Ann"')


CLAUSES = [
    (
        'Write a letter to "Ann" with the subject "Hi".',
        [("act", "write", "letter"), ("type", "to", "Ann"), ("type", "subject", "Hi")],
    ),
    (
        'Move the paper "A" into the folder "B".',
        [("click", '"A"', ""), ("act", "move", ""), ("open", '"B"', ""), ("act", "insert", "")],
    ),
    (
        'Rename the paper "A" to "B".',
        [("click", '"A"', ""), ("act", "rename", ""), ("type", "name", "B"), ("confirm", "rename", "")],
    ),
    (
        'Join "Net" with "pw" as the password.',
        [("click", '"Net"', ""), ("type", "password", "pw"), ("act", "join", "")],
    ),
    ('Make a new page, name it "P".', [("act", "make", "a new page"), ("type", "name", "P"), ("confirm", "name", "")]),
    ('Press "Stop" within 5 seconds.', [("click", '"Stop"', "")]),
    ("Count its beeps.", [("listen", "its beeps", "")]),
    ("See when it begins.", [("read", "when it begins", "")]),
]


@pytest.mark.parametrize(("instruction", "clauses"), CLAUSES, ids=[row[0] for row in CLAUSES])
def test_clauses(instruction, clauses):
    assert [(clause.kind, clause.target, clause.text) for clause in parse(instruction)] == clauses


def test_it_is_what_was_named_before():
    shown, opened = parse('Wait until the letter "Code" from "Ann" arrives and open it at once.')
    assert (shown.target, shown.near) == ('"Code"', "Ann")
    assert (opened.kind, opened.target, opened.near) == ("open", '"Code"', "Ann")


@pytest.mark.parametrize(
    ("words", "sources", "field"),
    [
        ("the code from Ann", "code from Ann", ""),
        ('the price of "Lamp" (as in "12.90") as its note', 'price of "Lamp" (as in "12.90")', "its note"),
        (
            "the code from Ann, the place where it was, each on a line of its own",
            "code from Ann\nplace where it was",
            "",
        ),
    ],
)
def test_what_refers_to_a_text(words, sources, field):
    assert referring(words) == (sources, field)


@pytest.mark.parametrize("words", ['"Hi"', 'the username "bob" and the password "x"', "hello"])
def test_what_is_the_text_itself(words):
    assert referring(words) is None


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ('price (as in "12.90")', "now €7.25 only", "7.25"),
        ("time (as HH:MM)", "from 9:30 on", "9:30"),
        ("room (as in A12)", "in B7, left", "B7"),
        ("the four-digit number", "12 or 3456 or 12345", "3456"),
    ],
)
def test_examples_tell_what_is_looked_for(phrase, text, found):
    import re

    assert re.search(example(phrase), text)[0] == found


def test_what_was_noted_on_the_occasion_comes_first():
    notes = [Note("read the red card", ["Number", "1"]), Note("read the blue card", ["Number", "2"])]
    assert find_in_notes("number on the red card", rank_notes("number on the red card", notes)) == "1"
    assert text_after_label("phone number", ["Name", "Ann", "Number", "+44 1"], None) == "+44 1"


def test_cells_by_name_and_by_crossing():
    cells = [
        Element("cell", f"{'AB'[x]}{y + 1}", Box(x / 4, y / 4, (x + 1) / 4, (y + 1) / 4), value=value)
        for y, row in enumerate([("Thing", "Price"), ("Lamp", "7")])
        for x, value in enumerate(row)
    ]
    known = cells_of(cells)
    assert cell_for("the cell B2", cells, known).value == "7"
    assert cell_for('the cell for "Price" in the row of "Lamp"', cells, known).name == "B2"
    assert cell_for('"Price" of "Chair"', cells, known) is None and cell_for("Save", cells, known) is None


def run(world, instruction):
    one = agent(RulesPlanner(), ElementsGrounder())
    return play(episode(world, one, brief(world, instruction), limits=Limits()))


def test_the_application_is_opened_first_and_once():
    world = ScriptedWorld(items=(element("Ann"), element("Save", row=3)), verbs=frozenset({"open_app", "click"}))
    run(world, 'Open "Ann" in Contacts and click Save in Contacts.')
    acted = world.envs["pc"].acted
    assert acted[0] == OpenApp("Contacts") and [action.kind for action in acted] == ["open_app", "click", "click"]


def test_an_application_that_is_not_there_is_done_without():
    world = ScriptedWorld(
        items=(element("Ann"),),
        verbs=frozenset({"open_app", "click"}),
        rejects=lambda action: "no such" if isinstance(action, OpenApp) else "",
    )
    _, ending = run(world, 'Open "Ann" in Contacts.')
    assert [type(action) for action in world.envs["pc"].acted] == [Click] and ending.status == "success"


def test_a_dialog_that_asks_is_answered():
    def ask(env, _):
        dialog = Element("dialog", "Really?", Box(0, 0.4, 1, 0.9))
        env.items = (dialog, element("Cancel", row=5), element("Delete", row=7))

    world = ScriptedWorld(items=(element("Delete", row=1),), on_act=ask)
    _, ending = run(world, "Delete it.")
    assert [action.at.y for action in world.envs["pc"].acted] == pytest.approx([0.14, 0.74])
    assert ending.status == "success"


def test_a_name_is_searched_for_where_there_is_a_search_field():
    def found(env, action):
        if isinstance(action, TypeText):
            env.items = (element("Zoe", "listitem", 4, states=frozenset({"clickable"})),)

    field = element("Search people", "textbox", 1)
    world = ScriptedWorld(items=(field,), verbs=frozenset({"open_app", "click", "type"}), on_act=found)
    _, ending = run(world, 'Open "Zoe" in People.')
    assert [action.kind for action in world.envs["pc"].acted] == ["open_app", "type", "click"]
    assert ending.status == "success"
