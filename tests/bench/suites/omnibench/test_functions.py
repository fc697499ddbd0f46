"""Released evaluation functions beside the data judge subtasks, as far as the world can be judged by them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.run import run
from omnipilot.bench.suites.omnibench import OmniBenchSuite
from omnipilot.bench.suites.omnibench import sample as mini_omnibench
from omnipilot.envs import ConfigError

HEAD = "EvalResult = namedtuple('EvalResult', ['success', 'message', 'progress'])\n\n"


def function(parameters: str, *checks: str) -> str:
    """A function of the released shape that wants each of the checks."""
    lines = [
        f"    if not {check}:\n        return EvalResult(False, 'Failed: {n}')\n" for n, check in enumerate(checks)
    ]
    name = "evaluate_agent_task_completion"
    return f"{HEAD}def {name}({parameters}) -> EvalResult:\n{''.join(lines)}    return EvalResult(True, 'Done')\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    mini_omnibench.write(tmp_path / "data")
    (tmp_path / "functions").mkdir()
    return tmp_path / "data"


def id_of(data: Path, words: str) -> str:
    """The id of the one subtask whose template has these words."""
    subtasks = json.loads((data / "subtasks.json").read_text())
    (found,) = [one["id"] for one in subtasks if words in one["instruction_template"]]
    return str(found)


def solved(data: Path, out: Path, **options: str) -> bool:
    suite = PartSpec("omnibench", {"data": str(data), **options})
    (episode,) = run(RunSpec(AgentSpec(planner=PartSpec("oracle")), suite, tasks=("1",)), out).episodes
    return episode.success


def write(data: Path, words: str, text: str, ending: str = ".py") -> str:
    path = data.parent / "functions" / f"{id_of(data, words)}{ending}"
    path.write_text(text)
    return path.name


def test_a_function_judges_in_place_of_the_table(data: Path, tmp_path: Path) -> None:
    functions = str(data.parent / "functions")
    typed = ("check_keyboard_types(text=text)", "check_mouse_clicks(text=document)")
    write(data, "at its end", function("document: str, text: str", *typed), ".txt")
    suite = OmniBenchSuite(str(data), functions=functions)
    plain = OmniBenchSuite(str(data))
    assert [info.id for info in suite.tasks()] == [info.id for info in plain.tasks()]
    assert suite.bad == () and suite.version != plain.version
    assert solved(data, tmp_path / "right", functions=functions)
    # A check that the demonstration does not meet shows that the function is asked, not the table.
    unmet = ("check_mouse_clicks(text='Print')", *typed)
    write(data, "at its end", function("document: str, text: str", *unmet), ".txt")
    assert not solved(data, tmp_path / "wrong", functions=functions)
    assert solved(data, tmp_path / "table")


def test_what_the_world_cannot_be_judged_by_is_not_playable_and_says_why(data: Path) -> None:
    moved = write(data, "add them to the favourites", function("contact: str", "check_file_exists(file_path=contact)"))
    other = write(data, "and delete it", "import os\nos.remove('all')\n")
    third = write(data, "and move", function("place: str", "check_mouse_clicks(text=place)"))
    suite = OmniBenchSuite(str(data), functions=str(data.parent / "functions"))
    said = {bad.record: str(bad) for bad in suite.bad}
    assert set(said) == {"3", "6", "7"}
    assert [info.id for info in suite.tasks()] == ["1", "2", "4", "5", "8"]
    assert other in said["6"]
    assert other in said["7"] or moved in said["7"]
    assert third in said["3"] and "needs values for place" in said["3"]
    with pytest.raises(ConfigError, match="task 3 cannot be played: .*needs values for place"):
        suite.instantiate("3", 0)


def test_the_clipboard_of_the_embedded_world_can_be_judged(data: Path) -> None:
    write(data, "add them to the favourites", function("contact: str", "check_clipboard(text=contact)"))
    assert OmniBenchSuite(str(data), functions=str(data.parent / "functions")).bad == ()


def test_a_folder_without_functions_is_told(data: Path) -> None:
    with pytest.raises(ConfigError, match="no evaluation functions. Name the folder"):
        OmniBenchSuite(str(data), functions=str(data.parent / "functions"))
