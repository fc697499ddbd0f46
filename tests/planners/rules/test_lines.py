"""The planner `rules` at a command line, in tables, with steppers and long lists."""

from __future__ import annotations

import pytest
from scripted import ScriptedWorld, agent, brief, element, play

from omnipilot.agents import episode
from omnipilot.agents.loop import Limits
from omnipilot.envs import Box, Click, Element, Scroll, TypeText
from omnipilot.grounders import ElementsGrounder
from omnipilot.planners.rules import RulesPlanner
from omnipilot.planners.rules.matching.elements import exactly
from omnipilot.planners.rules.matching.foreground_window import in_front
from omnipilot.planners.rules.matching.table_cells import cell_named
from omnipilot.planners.rules.reading.clauses import parse
from omnipilot.planners.rules.reading.command_lines import CommandLine, line_for
from omnipilot.planners.rules.reading.formulas import formula

KNOWN = {"the number of blinks": "7"}


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ('add "Done" as a line of its own at the end of the file "a/log"', CommandLine('echo "Done" >> "a/log"')),
        ('add the number of blinks as a line at the end of the file "log"', CommandLine('echo "7" >> "log"')),
        ('add the unknown at the end of the file "log"', None),
        ('write all lines with "x 1" of the file "log" into the new file "b"', CommandLine('grep "x 1" "log" > "b"')),
        ('count the lines with "x" in the file "log"', CommandLine('grep -c "x" "log"', reads=True)),
        ('count the words in the file "log"', CommandLine('wc -w "log"', reads=True)),
        ('rename the document "A" to "B"', CommandLine('mv "Work/A" "Work/B"')),
        ('delete the file "A"', CommandLine('rm "A"')),
        ('read the file "A"', CommandLine('cat "A"', reads=True)),
        ("press Save", None),
    ],
)
def test_a_clause_becomes_a_command(said, line):
    assert line_for(said, KNOWN.get, ["Work"]) == line


TABLE = {"A1": "Day", "B1": "Amount", "A2": "Mon", "B2": "3.50", "A3": "Tue", "B3": "4", "A4": "Total", "B4": ""}


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("sum of all its amounts", "=SUM(B2:B3)"),
        ("the highest amount", "=MAX(B2:B3)"),
        ("average of the amounts", "=AVERAGE(B2:B3)"),
        ("sum of all prices", None),
        ("sum of all days", None),
        ("price of the lamp", None),
    ],
)
def test_a_column_is_computed(phrase, text):
    assert formula(phrase, TABLE) == text


def test_a_cell_is_named_by_what_was_seen_of_the_table_before():
    assert cell_named('the cell for "Amount" in the row of "Tue"', TABLE) == "B3"
    assert cell_named("the cell D19", {}) == "D19"
    assert cell_named('"Amount" of "Sun"', TABLE) is None


def test_a_quoted_name_is_not_a_longer_one():
    names = [Element("listitem", name, Box(0, 0, 1, 0.1)) for name in ("Ann Lee", "Ann", "Ann (2)", "Joanna")]
    assert [e.name for e in exactly('the row "Ann"', names)] == ["Ann", "Ann (2)"]
    assert exactly("the row of Ann", names) == names


def test_of_windows_only_the_one_in_front_counts():
    back, front = (Element("titlebar", name, Box(0, 0, 1, 0.1)) for name in ("Back", "Front"))
    save = Element("button", "Save", Box(0, 0.2, 1, 0.3))
    assert in_front([back, save, front, save]) == [front, save]
    assert in_front([save]) == [save]


@pytest.mark.parametrize(
    ("instruction", "clauses"),
    [
        ("Add an event on Thu 5 March at 11:00.", [("act", "add"), ("set", "11:00"), ("set", "Thu 5 March")]),
        ('Open the event "A" of Mon 9 March, let it begin at 13:30 and save it.', [("open", ""), ("set", "13:30")]),
        ("Start the lamp and count how often it blinks.", [("act", "start"), ("still", "")]),
        (
            "Play the film to its end, then pause it while it waits.",
            [("act", "play"), ("still", ""), ("moment", "it waits")],
        ),
        ('Turn off "Wi-Fi".', [("switch", "off")]),
        ('Mark the task "A" as done.', [("act", "done")]),
        ('Choose "Blue" as the colour.', [("select", "the colour")]),
        ("Choose the sound that Ann left as the ringtone.", [("tune", "")]),
        ('Put "Tea" into the cart.', [("open", ""), ("act", "add")]),
        ('Move the mail "A" from "Bo" from the inbox into the archive.', [("act", "archive"), ("confirm", "archive")]),
        ('Add "A" to the playlist "B".', [("act", "add"), ("click", ""), ("confirm", "add")]),
        ("Type the code into A1 and the price into A2.", [("click", ""), ("type", ""), ("press", "enter")] * 2),
    ],
)
def test_more_ways_of_saying_things(instruction, clauses):
    made = parse(instruction)
    shown = [(c.kind, c.target if c.kind in ("act", "confirm") else c.text) for c in made]
    assert shown[: len(clauses)] == clauses


def run(world, instruction):
    one = agent(RulesPlanner(), ElementsGrounder())
    return play(episode(world, one, brief(world, instruction), limits=Limits()))


def test_a_line_is_typed_where_there_is_a_prompt():
    world = ScriptedWorld(items=(element("Command", "textbox", 8),))
    world.envs["pc"].verbs |= {"open_app"}
    _, ending = run(world, 'Add "Done" in Shell at the end of the file "log".')
    assert [a.text for a in world.envs["pc"].acted if isinstance(a, TypeText)] == ['echo "Done" >> "log"']
    assert ending.status == "success"


def test_a_day_is_set_with_its_stepper():
    def step(env, action):
        if isinstance(action, Click):
            env.day += 1 if action.at.y > 0.5 else -1
            show(env)

    def show(env):
        env.items = (element("Earlier", row=1), element(f"Wed {env.day} March", "spinbutton", 4), element("Up", row=7))

    world = ScriptedWorld(on_act=step)
    env = world.envs["pc"]
    env.day = 3
    show(env)
    _, ending = run(world, "Set it on Fri 5 March.")
    assert (ending.status, env.day) == ("success", 5)


def test_a_long_list_is_scrolled_until_the_name_comes():
    names = ["Ann Lee", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal", "Ann", "Ida", "Jo", "Kim"]

    def scroll(env, action):
        if isinstance(action, Scroll):
            env.top = min(max(env.top + (4 if action.direction == "down" else -99), 0), 6)
            show(env)

    def show(env):
        env.items = tuple(element(name, "listitem", row) for row, name in enumerate(names[env.top : env.top + 6]))

    world = ScriptedWorld(on_act=scroll)
    env = world.envs["pc"]
    env.verbs |= {"open_app"}
    env.top = 0
    show(env)
    _, ending = run(world, 'Open the person "Ann" in People.')
    last = env.acted[-1]
    assert ending.status == "success" and isinstance(last, Click)
    assert next(e.name for e in env.items if e.box.contains(last.at)) == "Ann"


def test_a_slider_is_brought_to_its_value_though_the_first_click_is_a_little_off():
    def drag(env, action):
        if isinstance(action, Click):
            env.level = round((action.at.x - 0.1) / 0.8 * 104 - 2)
            show(env)

    def show(env):
        env.items = (element("Volume", "slider", 3, value=f"{env.level} of 100"),)

    world = ScriptedWorld(on_act=drag)
    env = world.envs["pc"]
    env.level = 90
    show(env)
    _, ending = run(world, "Set the volume to 40 %.")
    assert (ending.status, env.level) == ("success", 40)


def test_the_menu_of_a_thing_is_asked_before_it_is_opened():
    def menu(env, action):
        if isinstance(action, Click) and action.button == "right":
            env.items = (element("Open", "menuitem", 1), element("Delete", "menuitem", 2))

    world = ScriptedWorld(items=(element("Plan", "listitem", 3), element("Notes", "listitem", 4)), on_act=menu)
    _, ending = run(world, 'Delete the file "Plan".')
    assert [(a.button, round(a.at.y, 2)) for a in world.envs["pc"].acted] == [("right", 0.34), ("left", 0.24)]
    assert ending.status == "success"
