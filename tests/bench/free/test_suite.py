from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from omnipilot.bench import load_suite
from omnipilot.bench.free import Free
from omnipilot.bench.free.task_list import read_checks
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.report.main_table import main_table, task_table
from omnipilot.bench.report.results.export import episode_records
from omnipilot.bench.report.run_sentences import run_sentences
from omnipilot.bench.run import RunResult, run
from omnipilot.bench.run.config import resolve_settings, spec_from
from omnipilot.bench.settings import LimitSettings, RunSettings
from omnipilot.bench.stats.outcomes import outcomes
from omnipilot.bench.stats.summary import headline
from omnipilot.bench.tasks.task import values_of
from omnipilot.envs import ConfigError, Thinking

PHONE = '[devices.mine]\nkind = "phone"\ndescription = "an old phone"\napplications = ["Clock"]\n'


@pytest.fixture
def world(tmp_path: Path) -> Path:
    file = tmp_path / "my.toml"
    file.write_text(PHONE)
    return file


@pytest.mark.exhibit("rules")
def test_an_instruction_of_ones_own_is_carried_out_and_not_judged(tmp_path: Path, world: Path) -> None:
    flags = RunSettings(task="Open the clock", world=str(world), planner="rules", limits=LimitSettings(turns=2))
    spec = spec_from(resolve_settings(None, flags))
    assert spec.suite.name == "free" and spec.suite.options["world"]["devices"]["mine"]["kind"] == "phone"
    done = run(spec, tmp_path / "out")
    (episode,) = done.episodes
    assert (episode.reason, episode.success, episode.void) == ("unjudged", False, False)
    assert episode.turns >= 1 and episode.instruction == "Open the clock"
    assert task_table([done]).rows == (("free", "instruction", "unjudged"),)


@pytest.mark.exhibit("duet", "rules")
@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ({"task": "Open the clock"}, "--world FILE"),
        ({"suite": "free", "world": "my.toml"}, "--task"),
        ({"suite": "duet", "world": "my.toml"}, "brings its own devices"),
        ({"suite": "duet", "task": "x"}, "brings its own tasks"),
        ({"task": "x", "world": "other.toml"}, "cannot read"),
    ],
)
def test_what_does_not_go_together_is_refused(
    flags: dict[str, str], told: str, world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(world.parent)
    with pytest.raises(ConfigError, match=told):
        spec = spec_from(resolve_settings(None, RunSettings(**flags)))  # type: ignore[arg-type]
        Free(**spec.suite.options)


@pytest.mark.exhibit("duet", "rules")
def test_an_option_of_the_world_reaches_its_devices(world: Path) -> None:
    world.write_text(PHONE + '[devices.page]\nkind = "browser"\n')
    flags = RunSettings(task="x", world=str(world))
    spec = spec_from(resolve_settings(None, flags, ["world.url=about:srcdoc"]))
    assert spec.suite.options["world"]["devices"]["page"]["url"] == "about:srcdoc"
    with pytest.raises(ConfigError, match="no device of this world takes the option 'inptu'"):
        spec_from(resolve_settings(None, flags, ["world.inptu=pyautogui"]))


TASKS = """
[devices.mine]
kind = "toy"

[[tasks]]
id = "open-notes"
instruction = "Open Notes."
checks = ["element textbox exists", "not text contains Voicemail"]

[[tasks]]
instruction = "Have a look around."
"""


def played(file: Path, out: Path, planner: str = "noop", *checks: str, **more: Any) -> RunResult:
    given = {"check": list(checks)} if checks else {}
    flags = RunSettings(world=str(file), planner=planner, jobs=0, limits=LimitSettings(turns=2), **given, **more)
    return run(spec_from(resolve_settings(None, flags)), out)


def test_tasks_of_a_world_file_are_judged_by_their_checks_and_others_are_not(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(TASKS)
    played(file, tmp_path / "idle")
    done = load_run(tmp_path / "idle")
    first, second = done.episodes
    assert (first.task, first.success, first.unjudged, first.total) == ("open-notes", False, False, 2)
    assert (second.task, second.unjudged) == ("task-2", True)
    row = main_table([done]).rows[0]
    assert {"0/1", "0.0"} <= set(row) and row[-1] == "1"
    assert task_table([done]).rows == (("free", "open-notes", "0/1"), ("free", "task-2", "unjudged"))
    (sentence,) = run_sentences([done])
    assert (
        "solved 0 of 1 episode of one's own tasks" in sentence
        and "1 episode of one's own tasks that nobody judged" in sentence
    )
    assert [one["success"] for one in episode_records(done)] == [False, None]


def test_what_an_agent_did_is_judged_after_its_last_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "my.toml"
    file.write_text(TASKS)
    (tmp_path / "opens.py").write_text(OPENS)
    monkeypatch.syspath_prepend(str(tmp_path))
    done = played(file, tmp_path / "out", "opens:Opens")
    assert [one.success for one in done.episodes] == [True, False]
    assert (done.episodes[0].completed, done.episodes[0].total) == (2, 2)


OPENS = """
from omnipilot.envs import Done, OpenApp
from omnipilot.memory import Move
from omnipilot.planners import Decision, Planner


class Opens(Planner):
    def begin(self, brief):
        pass

    def plan(self, request):
        (env,) = request.observations
        return Decision((Move("", Done()) if request.turn else Move(env, OpenApp("Notes")),))
"""


COPIES = """
[devices.mine]
kind = "toy"

[[tasks]]
id = "open-notes"
instruction = "Open Notes."
checks = ["element textbox exists", "not text contains Voicemail"]

[[tasks]]
instruction = "I would like to see Notes."
checks = ["not text contains Voicemail", "mine: element textbox exists"]

[[tasks]]
id = "by-name"
instruction = "Open Messages."
checks = ["not text contains Voicemail"]
template = "open"

[[tasks]]
instruction = "Show me Messages."
checks = ["not text contains Clock"]
template = "open"

[[tasks]]
instruction = "Have a look around."
"""


def test_tasks_that_the_same_checks_judge_are_one_deed_and_so_are_those_of_one_template(tmp_path: Path) -> None:
    """Other words for one deed are no further evidence: intervals and tests take them together."""
    file = tmp_path / "my.toml"
    file.write_text(COPIES)
    done = played(file, tmp_path / "out")
    assert [values_of(one.tags, "template") for one in done.episodes] == [("open-notes",)] * 2 + [("open",)] * 2 + [()]
    counted = headline(outcomes([one for one in done.episodes if not one.unjudged])).all
    assert (counted.units, counted.clusters) == (4, 2) and "2 groups of tasks with one template" in counted.method
    two = headline(outcomes(done.episodes[:2])).all
    assert two.low is None and two.method == "none, as all tasks share one template"


@pytest.mark.parametrize(
    ("check", "told"),
    [
        ("url contains /thanks", "a device of kind 'toy' has no url, which only a page of kind 'browser' has"),
        ("js true", "has no js"),
        ("shell test -f x", "taken from a file that you wrote"),
        ("text has x", "is no operator"),
    ],
)
def test_what_a_device_cannot_answer_is_refused_before_it_is_started(tmp_path: Path, check: str, told: str) -> None:
    file = tmp_path / "my.toml"
    file.write_text(TASKS)
    with pytest.raises(ConfigError, match=told):
        played(file, tmp_path / "out", "noop", check, task="Open Notes.")


def test_what_only_the_started_device_knows_is_refused_before_an_agent_begins(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(TASKS.replace('"not text contains Voicemail"', '"file notes.txt exists"'))
    with pytest.raises(ConfigError, match="judges read no files on the device .mine."):
        played(file, tmp_path / "out")


def test_a_task_whose_checks_hold_from_the_start_is_void_and_says_why(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(TASKS)
    (episode,) = played(file, tmp_path / "out", "noop", "text contains Voicemail", task="Look.").episodes
    assert episode.void and "hold before anything was done: text contains Voicemail; add one" in episode.detail


@pytest.mark.parametrize(
    ("tables", "told"),
    [
        ("[[tasks]]\nid = 'x'", "tasks\\[1\\]: a task needs an instruction"),
        ("[[tasks]]\ninstruction = 'a'\nchecks = 'text is x'", "checks must be a list of texts"),
        ("[[tasks]]\ninstruction = 'a'\nchek = []", "did you mean checks"),
        ("[[tasks]]\ninstruction = 'a'\ntemplate = 'a+b'", "a template has up to 80 letters"),
        ("[[tasks]]\nid='x'\ninstruction = 'a'\n[[tasks]]\nid='x'\ninstruction='b'", "another task with the id 'x'"),
        ("[[tasks]]\ninstruction = 'a'\nchecks = ['text is x', 'text is x']", "is there twice"),
        ("[[tasks]]\ninstruction = 'a'\ndevice = 'phone'", "phone"),
    ],
)
def test_mistakes_in_the_tasks_of_a_file_are_told(tmp_path: Path, tables: str, told: str) -> None:
    file = tmp_path / "my.toml"
    file.write_text(f'[devices.mine]\nkind = "toy"\n{tables}\n')
    with pytest.raises(ConfigError, match=told):
        played(file, tmp_path / "out")


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ({"suite": "page", "task": "x"}, "--url URL"),
        ({"url": "http://127.0.0.1/"}, "an instruction"),
        ({"suite": "page", "url": "http://127.0.0.1/", "check": ["url is x"]}, "an instruction"),
        ({"suite": "toy", "check": ["url is x"]}, "brings its own judges; leave out --check"),
        ({"suite": "toy", "url": "x"}, "brings its own pages"),
        ({"url": "http://a/", "task": "x", "check": ["shell ls"]}, "a browser has no shell"),
        ({"url": "http://a/", "task": "x", "check": ["file notes exists"]}, "downloads/NAME"),
    ],
)
def test_a_page_takes_an_address_and_an_instruction(flags: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        spec = spec_from(resolve_settings(None, RunSettings(planner="noop", **flags)))
        load_suite(spec.suite)


@pytest.mark.parametrize(
    ("check", "told"),
    [
        ("shell test -f x", "judges have no shell on the device 'phone'; check its text or element"),
        ("file notes.txt exists", "judges read no files on the device 'phone'; check its text or element"),
    ],
)
def test_what_a_device_gives_no_judge_is_told_before_any_task_is_played(check: str, told: str) -> None:
    tasks = [
        {"instruction": "Open Notes.", "checks": ["element textbox exists"]},
        {"instruction": "Do more.", "checks": [check]},
    ]
    suite = Free(world={"devices": {"phone": {"kind": "toy"}}}, tasks=tasks)
    with pytest.raises(ConfigError, match=told):
        suite.world(Thinking())


def test_a_device_elsewhere_may_be_a_page_and_tells_its_address() -> None:
    assert read_checks(["url contains /thanks"], {"page": {"kind": "remote", "url": "ws://x"}})
    with pytest.raises(ConfigError, match="has no js"):
        read_checks(["js true"], {"page": {"kind": "remote", "url": "ws://x"}})
