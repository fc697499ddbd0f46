"""The planner `rules` calls macros that are offered to it, wherever they make the moves that it would make next."""

from __future__ import annotations

from pathlib import Path

from scripted import ScriptedWorld, agent, brief, element, play

from omnipilot.agents import episode
from omnipilot.agents.verbs.macros import MacroVerbs
from omnipilot.envs import Click
from omnipilot.grounders import ElementsGrounder
from omnipilot.planners.rules import RulesPlanner

NAME_AND_SAVE = """
[[macro]]
name = "name_it"
about = "Type a name and save it."
parameters = { text = "the name", field = "where" }
steps = [
  { kind = "type", text = "{text}", at = "{field}" },
  { kind = "click", at = 'the "Save" button' },
]
"""
OPEN_AND_PLAY = """
[[macro]]
name = "open_and_play"
about = "Go to the films and open one."
parameters = { film = "which" }
steps = [
  { kind = "click", at = 'the "Films" button' },
  { kind = "click", at = "{film}" },
  { kind = "click", at = 'the "Play" button' },
]
"""
PLAY_TONES = """
[[macro]]
name = "play_tones"
about = "Go to the signals and play the tones."
steps = [
  { kind = "click", at = 'the "Signals" button' },
  { kind = "click", at = 'the "Play tones" button' },
]
"""
FILMS = 'Click the "Films" button, click "Tram", then click the "Play" button.'


def run(tmp_path: Path, macros: str, instruction: str, *pages):
    """Play on a screen whose every click brings up the next page; turns, names of what was clicked, and the ending."""
    (tmp_path / "macros.toml").write_text(macros, encoding="utf-8")
    clicked: list[str] = []

    def turn_page(env, action):
        if isinstance(action, Click):
            clicked.append(next(one.name for one in env.items if one.box.contains(action.at)))
            env.items = pages[min(len(clicked), len(pages) - 1)]

    world = ScriptedWorld(items=pages[0], on_act=turn_page)
    played = agent(RulesPlanner(), ElementsGrounder())
    played.take_verbs(MacroVerbs(str(tmp_path / "macros.toml")))
    steps, ending = play(episode(world, played, brief(world, instruction)))
    return steps[-1].turn, clicked, ending, steps


def test_moves_on_one_screen_become_one_call(tmp_path: Path):
    page = (element("Name", "textbox", 1), element("Save", "button", 3))
    instruction = 'Type "Ann" into the Name field and click the "Save" button.'
    turns, clicked, ending, steps = run(tmp_path, NAME_AND_SAVE, instruction, page)
    assert (turns, clicked, ending.status) == (1, ["Save"], "success")
    assert [step.executed.kind for step in steps] == ["type", "click", "done"]


def test_screens_that_are_still_to_come_are_imagined(tmp_path: Path):
    start, films = (element("Films", "button", 1),), (element("Tram", "link", 2), element("Bus", "link", 4))
    film = (element("Play", "button", 6),)
    turns, clicked, ending, _ = run(tmp_path, OPEN_AND_PLAY, FILMS, start, films, film)
    assert (turns, clicked, ending.status) == (1, ["Films", "Tram", "Play"], "success")


def test_a_macro_that_stops_is_gone_on_with_by_single_moves(tmp_path: Path):
    start, film = (element("Films", "button", 1),), (element("Play", "button", 6),)
    films = (element("Tram", "link", 2), element("Tram", "link", 4))
    turns, clicked, ending, steps = run(tmp_path, OPEN_AND_PLAY, FILMS, start, films, film)
    assert [step.outcome.result for step in steps[:2]] == ["done", "not_found"]
    assert (turns, clicked, ending.status) == (3, ["Films", "Tram", "Play"], "success")


def test_what_the_clause_does_not_say_is_not_guessed(tmp_path: Path):
    start = (element("Signals", "button", 1),)
    signals = (element("Play tones", "button", 2), element("Play ball", "button", 4))
    instruction = 'Click the "Signals" button, then play the ball.'
    turns, clicked, _, _ = run(tmp_path, PLAY_TONES, instruction, start, signals)
    assert (turns, clicked) == (2, ["Signals", "Play ball"])


def test_what_is_to_be_read_on_the_way_is_not_passed_over(tmp_path: Path):
    start, films = (element("Films", "button", 1),), (element("Tram", "link", 2),)
    film = (element("Play", "button", 6),)
    instruction = 'Click the "Films" button, read "Tram", then click the "Play" button.'
    turns, clicked, ending, _ = run(tmp_path, OPEN_AND_PLAY, instruction, start, films, film)
    assert (turns, clicked, ending.status) == (3, ["Films", "Tram", "Play"], "success")


def test_a_macro_for_another_page_is_not_tried_again(tmp_path: Path):
    page = (element("Name", "textbox", 1), element("Save", "button", 3))
    macros = NAME_AND_SAVE.replace("about =", 'page = ["the Publish button"]\nabout =')
    instruction = 'Type "Ann" into the Name field and click the "Save" button.'
    turns, clicked, ending, steps = run(tmp_path, macros, instruction, page)
    assert steps[0].outcome.result == "rejected"
    assert (turns, clicked, ending.status) == (3, ["Save"], "success")
