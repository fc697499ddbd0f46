"""Functions in the shape of OmniBench's release (appendix C.3), written here."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from omnipilot.bench.judges import evaluate, read_evaluator, read_released
from omnipilot.bench.tasks import Case
from omnipilot.bench.tasks.judges import ExecutedAction
from omnipilot.envs import Click, ConfigError, Point, TypeText

FIELDS = "['success', 'message', 'progress']"
HEAD = f"from collections import namedtuple\n\nEvalResult = namedtuple('EvalResult', {FIELDS})\n\n"
SEARCH = f"""{HEAD}
def evaluate_agent_task_completion(song: str) -> EvalResult:
    # Check that the name was typed
    if not check_keyboard_types(text=song):
        return EvalResult(False, f"Failed because '{{song}}' was not typed.", 0/2)

    if not (check_mouse_clicks(text='Play') or check_mouse_clicks(text=f'{{song}} - {{{{live}}}}')):
        return EvalResult(False, "Failed because nothing was played.", 1/2)

    return EvalResult(True, "Subtask completed successfully", 2/2)
"""


def case(*actions: ExecutedAction) -> Case:
    world: Any = SimpleNamespace(envs={"pc": None}, now=0.0)
    return Case(world, actions=actions)


def test_a_function_becomes_an_evaluator() -> None:
    found = read_released(SEARCH)
    assert found.parameters == ("song",)
    assert found.evaluator == {
        "ordered": True,
        "checks": [
            {
                "check": "check_keyboard_types",
                "args": {"text": "{song}"},
                "say": "Failed because '{song}' was not typed.",
            },
            {
                "any": [
                    {"check": "check_mouse_clicks", "args": {"text": "Play"}},
                    {"check": "check_mouse_clicks", "args": {"text": "{song} - {{live}}"}},
                ],
                "say": "Failed because nothing was played.",
            },
        ],
    }
    assert len(read_evaluator(found.evaluator, found.values({"song": "Blue"})).nodes) == 2


def test_it_judges_with_the_prefix_as_progress() -> None:
    found = read_released(SEARCH)
    values = found.values({"song": "Blue"})
    typed = ExecutedAction("pc", TypeText("blue"))
    clicked = ExecutedAction("pc", Click(Point(0.5, 0.5)), "Blue - {live}")
    nothing, half, all_ = (evaluate(found.evaluator, case(*done), values) for done in ((), (typed,), (typed, clicked)))
    assert (nothing.progress, half.progress, all_.progress) == (0, 0.5, 1)
    assert nothing.reason.startswith("Failed because 'Blue' was not typed.")
    assert evaluate(found.evaluator, case(clicked), values).progress == 0, "the prefix, not the share"


def test_absence_and_names_made_of_parameters_are_read() -> None:
    source = f"""import os
{HEAD}
def evaluate_agent_task_completion(dir_path: str, name: str) -> EvalResult:
    dir_path = dir_path.rstrip('/\\\\')
    folder = os.path.basename(dir_path)
    path = os.path.join(dir_path, f'{{name}}.txt')
    if check_file_exists(file_path=dir_path):
        return EvalResult(False, "The old one is still there.")
    if not check_file_exists(path):
        return EvalResult(False, "There is no file.")
    if not clipboard_contains_text():
        return EvalResult(False, f"Nothing was copied from {{folder}}.")
    return EvalResult(True, "Done")
"""
    found = read_released(source)
    first, second, third = found.evaluator["checks"]
    assert first["not"] == {"check": "check_file_exists", "args": {"file_path": "{dir_path}"}}
    assert second["args"] == {"file_path": "{path}"} and third["check"] == "check_clipboard"
    values = found.values({"dir_path": "C:/Users/me/", "name": "a"})
    assert values == {"dir_path": "C:/Users/me", "name": "a", "folder": "me", "path": "C:/Users/me/a.txt"}
    with pytest.raises(ConfigError, match="needs values for dir_path"):
        found.values({"name": "a"})


def function(*lines: str, head: str = HEAD) -> str:
    return head + "def f(a: str) -> EvalResult:\n" + "".join(f"    {line}\n" for line in lines)


IF, FAIL = "if not check_mouse_clicks(text='a'):", "    return EvalResult(False, 'x', 0/1)"
END = "return EvalResult(True, 'y', 1/1)"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def f(:", "no Python"),
        ("x" * 60_000, "at most 50000"),
        (function("if " + "not " * 3000 + "check_mouse_clicks(text='a'):", FAIL, END), "write it flatter"),
        (HEAD, "there are 0"),
        ("import subprocess\n" + function(IF, FAIL, END), "line 1.*only imports of os"),
        (function(IF, FAIL, END) + "f('a')\n", "only imports"),
        (function("open('x', 'w')", IF, FAIL, END), "line 6.*a chain of"),
        (function("b = __import__('os').system('ls')", IF, FAIL, END), "line 6.*a text is a constant"),
        (function("if not check_mouse_clicks(text=open('x').read()):", FAIL, END), "line 6.*a text is a constant"),
        (function("if not check_mouse_click(text='a'):", FAIL, END), "did you mean check_mouse_clicks"),
        (function("if not check_mouse_clicks(text='a', exact=True):", FAIL, END), "takes one argument, text"),
        (function("if not clipboard_contains_image():", FAIL, END), "no check here for clipboard_contains_image"),
        (function("if len(a) > 3:", FAIL, END), "line 6.*a condition is a check"),
        (function(IF, FAIL, "else:", "    pass", END), "has no else"),
        (function(IF, "    return False", END), "line 7.*a result is EvalResult"),
        (function(IF, "    return EvalResult(True, 'x', 0/1)", END), r"must be EvalResult\(False"),
        (function(IF, "    return EvalResult(False, 'x', 1/2)", END), "line 6.*must be 0/1"),
        (function(IF, "    return EvalResult(False, 'x', 0.0)", END), "a fraction of whole numbers"),
        (function(IF, "    return EvalResult(False, b, 0/1)", END), "there is no parameter 'b'"),
        (function(IF, FAIL), "a chain of"),
        (function(END), "a chain of"),
        (function("for x in a:", "    pass", END), "line 6.*a chain of"),
        (function(IF, "    return EvalResult(False, f'{a!r:>9}', 0/1)", END), "a text is a constant"),
        (function(IF, "    return EvalResult(False, f'{a.__class__}', 0/1)", END), "a text is a constant"),
        ("@print\n" + function(IF, FAIL, END, head=""), "no decorator"),
    ],
)
def test_everything_else_is_refused_with_its_line(source: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        read_released(source)


def test_nothing_is_run(tmp_path: Path) -> None:
    made = tmp_path / "made"
    for line in (f"open({str(made)!r}, 'w')", f"x = open({str(made)!r}, 'w')"):
        with pytest.raises(ConfigError):
            read_released(function(line, IF, FAIL, END))
        with pytest.raises(ConfigError):
            read_released(line + "\n" + function(IF, FAIL, END))
    assert not made.exists()
