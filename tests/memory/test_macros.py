"""Macros as records: what their file may say, how they are filled in, and which moves they make."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from omnipilot.envs import Click, ConfigError, Custom, OpenApp, Press, TypeText
from omnipilot.envs.schema.json_schema import tool_schema
from omnipilot.envs.types.actions import Ref
from omnipilot.memory import Move
from omnipilot.memory.macros import Macro, digest_of, read_macros, shorten

WRITE = Macro(
    "write_note",
    "Write a note and save it.",
    (
        {"kind": "open_app", "app": "Notes"},
        {"kind": "type", "text": "{text}", "at": "the Note text field"},
        {"kind": "click", "at": {"id": "save"}},
    ),
    {"text": 'what to write, such as "milk"'},
    page=("the {text} list",),
    expect=({"kind": "present", "what": "Saved: {text}"},),
)
MOVES = (
    Move("phone", OpenApp("Notes")),
    Move("phone", TypeText("milk", "the Note text field")),
    Move("phone", Click(Ref("save"))),
)


def test_it_is_filled_in_and_matched_back() -> None:
    assert WRITE.fill({"text": "milk"}) == tuple(move.intent for move in MOVES)
    assert WRITE.match(MOVES) == {"text": "milk"}
    assert WRITE.match((*MOVES, Move("phone", Press(("enter",))))) == {"text": "milk"}
    assert WRITE.match(MOVES[:2]) is None, "it is not whole"
    assert WRITE.match((MOVES[0], Move("pc", MOVES[1].intent), MOVES[2])) is None, "on two devices"
    assert WRITE.match((MOVES[0], MOVES[2], MOVES[1])) is None


def test_one_hole_says_one_thing() -> None:
    twice = Macro("twice", "Twice.", tuple({"kind": "type", "text": "{a}"} for _ in range(2)), {"a": "what"})
    same, other = Move("pc", TypeText("x")), Move("pc", TypeText("y"))
    assert twice.match((same, same)) == {"a": "x"} and twice.match((same, other)) is None


def test_a_demonstration_is_shortened_by_what_it_makes() -> None:
    before, after = Move("phone", Press(("enter",))), Move("pc", Press(("enter",)))
    found = shorten((before, *MOVES, after), [WRITE])
    assert found == [(before, 1), (Move("phone", Custom("write_note", {"text": "milk"})), 3), (after, 1)]


def test_planners_are_offered_it_as_a_verb_with_its_parameters() -> None:
    told = tool_schema(WRITE.verb())
    assert told["name"] == "write_note" and told["description"] == "Write a note and save it."
    assert told["parameters"]["properties"]["text"]["description"] == 'what to write, such as "milk"'
    assert list(inspect.signature(WRITE.verb().call).parameters) == ["text"]


def test_its_file_says_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "macros.toml"
    path.write_text(WRITE.to_toml(), encoding="utf-8")
    assert read_macros(path) == (WRITE,)
    assert digest_of(read_macros(path)) == digest_of((WRITE,))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "has no macros"),
        ("x = 1", "has no macros"),
        ('[[macro]]\nname = "a"', "needs name, about and steps"),
        ('[[macro]]\nname = "a"\nabout = "b"\nsteps = []', "it may have 1 to 20"),
        ('[[macro]]\nname = "click"\nabout = "b"\nsteps = [{kind = "press", keys = ["a"]}]', "no verb's"),
        ('[[macro]]\nname = "a"\nabout = " "\nsteps = [{kind = "press", keys = ["a"]}]', "say what it does"),
        ('[[macro]]\nname = "a"\nabout = "b"\nsteps = [{kind = "hop"}]', "unknown kind"),
        ('[[macro]]\nname = "a"\nabout = "b"\nsteps = [{kind = "done"}]', "for planners alone"),
        ('[[macro]]\nname = "a"\nabout = "b"\nsteps = [{kind = "type", text = "{x}"}]', "do not agree: x"),
        ('[[macro]]\nname = "a"\nabout = "b"\nsteps = [{kind = "press", keys = ["a"]}]\nhow = 1', "a macro has no how"),
        (
            '[[macro]]\nname = "a"\nabout = "b"\nsteps = [{kind = "press", keys = ["a"]}]\nexpect = [{kind = "joy"}]',
            "there is no expectation",
        ),
    ],
)
def test_what_is_no_macro_is_said(text: str, wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "macros.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=wrong):
        read_macros(path)


def test_two_macros_have_two_names(tmp_path: Path) -> None:
    path = tmp_path / "macros.toml"
    path.write_text(WRITE.to_toml() * 2, encoding="utf-8")
    with pytest.raises(ConfigError, match="two macros have one name"):
        read_macros(path)
