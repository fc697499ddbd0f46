"""Tasks in one file: what is read of it, how it is judged, and what their proofs find."""

from __future__ import annotations

from pathlib import Path

import pytest
from page_commands import BadCommand, invoke

from omnipilot.bench import load_suite, run, task
from omnipilot.bench.cli.commands.prove import prove_command
from omnipilot.bench.own import FileSuite, prove_task
from omnipilot.bench.run.parts import read_part
from omnipilot.envs import ConfigError

HEAD = "from omnipilot.bench import task\n\n"
GOOD = """@task("Save the code as a note.", world={"phone": "toy"}, tags={"level": "easy"})
def save_code(case):
    return case.state["phone"].note == case.state["phone"].code


@save_code.oracle
def moves(world):
    yield {"kind": "open_app", "app": "Notes"}
    yield {"kind": "type", "text": world.state()["phone"].code, "at": "the Note field", "submit": True}
"""
CHECKED = 'open_notes = task("Open Notes.", world={"phone": "toy"}, checks=["element textbox exists"])\n'


def written(folder: Path, text: str) -> str:
    file = folder / "my_task.py"
    file.write_text(HEAD + text, encoding="utf-8")
    return str(file)


def test_a_file_of_tasks_is_a_suite(tmp_path: Path) -> None:
    file = written(tmp_path, GOOD + CHECKED)
    part = read_part(file, "suite")
    assert (part.name, part.options["file"]) == ("file", file)
    suite = load_suite(part)
    assert [info.id for info in suite.tasks()] == ["save-code", "open-notes"]
    assert suite.tasks()[0].tags == {"level": "easy"} and suite.tasks()[0].envs == ("phone",)
    record = run(
        suite=file, planner="oracle", tasks="save-code", jobs=0, instances=2, out=tmp_path / "x", progress=False
    )
    assert (record.solved, record.total) == (2, 2)
    other = FileSuite(written(tmp_path, GOOD.replace("as a note", "as one note")))
    assert other.version != suite.version


def test_tasks_that_one_function_judges_are_no_independent_tests(tmp_path: Path) -> None:
    other = CHECKED.replace("open_notes", "see_notes").replace("Open Notes.", "I want to see Notes.")
    text = GOOD + "for word in ('one', 'two'):\n"
    text += "    globals()[word] = task(word, world={'phone': 'toy'})(save_code.judge)\n    globals()[word].id = word\n"
    suite = FileSuite(written(tmp_path, text + CHECKED + other))
    assert [(one.id, one.tags.get("template", "")) for one in suite.tasks()] == [
        ("save-code", "save-code"),
        ("one", "save-code"),
        ("two", "save-code"),
        ("open-notes", "open-notes"),
        ("see-notes", "open-notes"),
    ]
    assert suite.templates_of("two") == ("save-code",) and suite.tasks()[0].tags["level"] == "easy"
    assert suite.instantiate("see-notes", 0).tags == {"template": "open-notes"}


def test_a_file_that_plays_itself_while_it_is_imported_is_told_how_not_to(tmp_path: Path) -> None:
    file = written(tmp_path, GOOD + "from omnipilot.bench import run\nrun(__file__, planner='noop')\n")
    with pytest.raises(ConfigError, match="plays its own tasks while it is imported"):
        FileSuite(file)


def claims(file: str) -> dict[str, tuple[str, ...]]:
    return {proof.claim: proof.defects for proof in prove_task(FileSuite(file), "save-code", 0)}


def test_a_good_task_is_proved(tmp_path: Path) -> None:
    assert claims(written(tmp_path, GOOD)) == {
        "the demonstration passes": (),
        "doing nothing fails": (),
        "every move is needed": (),
    }


def test_a_judge_that_always_agrees_is_found_out(tmp_path: Path) -> None:
    easy = GOOD.replace('return case.state["phone"].note == case.state["phone"].code', "return True")
    (defects,) = claims(written(tmp_path, easy)).values()
    assert "before anything was done" in defects[0]


def test_a_judge_that_is_content_with_less_is_found_out(tmp_path: Path) -> None:
    easy = GOOD.replace('.note == case.state["phone"].code', '.app == "Notes"')
    found = claims(written(tmp_path, easy))
    assert found["doing nothing fails"] == ()
    assert "without move 2" in found["every move is needed"][0]


def test_a_demonstration_that_fails_is_told_with_its_reason(tmp_path: Path) -> None:
    found = claims(written(tmp_path, GOOD.replace("the Note field", "the Search field of Maps")))
    ((first, second, *_),) = found.values()
    assert "reaches 0 of 1 judges" in first and "not found" in second


def test_a_task_without_a_demonstration_is_told_how_to_get_one(tmp_path: Path) -> None:
    (first, second) = claims(written(tmp_path, GOOD.partition("@save_code.oracle")[0])).items()
    assert "add one with @NAME.oracle" in first[1][0] and second == ("doing nothing fails", ())


def test_a_file_that_is_nowhere_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no file .*nowhere.py"):
        prove_command(tmp_path / "nowhere.py", (), 1)


def test_the_command_says_what_is_not_proved(tmp_path: Path) -> None:
    file = written(tmp_path, GOOD)
    invoke(["prove", file])
    with pytest.raises(BadCommand, match="1 proof fails"):
        invoke(["prove", written(tmp_path, GOOD.partition("@save_code.oracle")[0])])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = 1\n", "has no task: put @task"),
        ("raise ValueError('no')\n", "cannot be imported: ValueError: no"),
        (GOOD + CHECKED.replace('"phone": "toy"', '"other": "toy"'), "on different worlds"),
        (GOOD.replace('"toy"', '"toyy"'), "did you mean toy"),
        ("t = task('x')\n", "needs a world or a url"),
        (CHECKED.replace("exists", "is"), "a text is missing"),
    ],
)
def test_what_is_no_file_of_tasks_is_refused(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        suite = FileSuite(written(tmp_path, text))
        suite.instantiate("open-notes", 0)


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"there is no file nowhere\.py"):
        FileSuite("nowhere.py")
    with pytest.raises(ConfigError, match="needs an instruction"):
        task(" ", world="toy")
