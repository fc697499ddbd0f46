"""Options of benchmarks on the command line: `omnipilot score NAME FILE -o KEY=VALUE`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_parts import make_part

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.cli.commands.score import options_of, score_command
from omnipilot.bench.run import run
from omnipilot.bench.scoring.benchmark import BENCHMARKS
from omnipilot.bench.suites.android_control import sample as mini_android_control
from omnipilot.bench.suites.omniact import sample as mini_omniact
from omnipilot.bench.suites.omniact.metrics.scores import OmniActSample, Variant, score_sample
from omnipilot.bench.suites.omniact.score import OmniActScore
from omnipilot.bench.suites.os_atlas.score import OmniActInStyle
from omnipilot.envs import ConfigError


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """OmniACT's miniature, and a reply to two tasks of its split val."""
    folder = tmp_path_factory.mktemp("omniact")
    mini_omniact.write(folder)
    ids = list(json.loads((folder / "val.json").read_text()))
    (folder / "said.json").write_text(json.dumps(dict.fromkeys(ids[:2], "actions:\nWAIT")))
    return folder


@pytest.mark.parametrize("name", ["omniact", "omniact-os-atlas"])
def test_a_file_is_scored_on_the_split_that_is_asked_for(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    tasks = json.loads((data / "val.json").read_text())
    score_command(name, [data / "said.json"], str(data), None, tmp_path, ["split=test", "split=val"])
    told = json.loads((tmp_path / "score.json").read_text())
    assert set(told["missing"]) == set(list(tasks)[2:]) and "variant" in capsys.readouterr().out
    assert len(tasks) > 2 and not told["extra"]


def test_rows_of_os_atlas_are_those_of_the_split(data: Path, tmp_path: Path) -> None:
    for split, id in (("test", "x"), ("val", "y")):
        row = {"id": id, "image": "data/web/a/1.png", "conversations": [{}, {"value": "actions:\nWAIT"}]}
        (tmp_path / f"omniact_{split}.jsonl").write_text(json.dumps(row))
    (tmp_path / "said.json").write_text('{"x": "actions:\\nWAIT", "y": "actions:\\nWAIT"}')
    for split, other in (("test", "y"), ("val", "x")):
        found = OmniActInStyle(split).score(str(tmp_path), tmp_path / "said.json", "release")  # type: ignore[arg-type]
        assert found.extra == (other,) and found.figure("SR").value == 1


@pytest.mark.parametrize(
    ("name", "option", "message"),
    [
        ("omniact", "split=dev", "there is no split 'dev'.* There are: test, val, train"),
        ("omniact-os-atlas", "split=1", "there is no split '1'"),
        ("android-control", "split=val", "there is no split 'val'.*validation"),
        ("omniact", "spilt=val", "benchmark 'omniact': there is no option 'spilt'; did you mean split"),
        ("omniact", "name=x", "there is no option 'name'. There are: split"),
        ("omniact", "variants=x", "there is no option 'variants'"),
        ("gui-odyssey", "split=val", "there is no option 'split'. There are: none"),
        ("mmbench-l1", "mode=easy", "there is no option 'mode'"),
        ("omniact", "split", "-o takes KEY=VALUE here, e.g. split=val, not 'split'"),
        ("omniact", "split=", "-o takes KEY=VALUE"),
        ("omniact", "=val", "-o takes KEY=VALUE"),
    ],
)
def test_what_is_no_option_is_told_with_what_there_is(data: Path, name: str, option: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        score_command(name, [data / "said.json"], str(data), None, None, [option])


def test_values_are_read_as_everywhere() -> None:
    assert options_of(["a=3", "b=true", "c=val", "d=x=y", "a=4"]) == {"a": 4, "b": True, "c": "val", "d": "x=y"}
    assert options_of(["name=x", "at.name=y", "at.left=0.5"]) == {"name": "x", "at": {"name": "y", "left": 0.5}}
    assert all(
        make_part(BENCHMARKS, name).variants and make_part(BENCHMARKS, name).format for name in BENCHMARKS.names()
    )


def test_a_run_is_scored_on_its_own_split(data: Path, tmp_path: Path) -> None:
    suite = PartSpec("omniact", {"data": str(data), "split": "val"})
    run(RunSpec(AgentSpec(planner=PartSpec("noop")), suite), tmp_path / "run")
    for rules in (OmniActScore, OmniActInStyle):
        for split in (None, "val"):
            found = rules(split).score(str(data), tmp_path / "run", "release")  # type: ignore[arg-type]
            assert not found.missing and not found.extra
        with pytest.raises(ConfigError, match="was run on split val, not test; leave out the option split"):
            rules("test").score(str(data), tmp_path / "run", "release")
    # A planner that says nothing has one wrong line a task.
    found = OmniActInStyle().score(str(data), tmp_path / "run", "release")
    assert (found.figure("SR").value, found.figure("Type").value) == (0, 0)
    assert found.figure("SR").of == len(json.loads((data / "val.json").read_text())) - len(found.bad)


@pytest.mark.slow
def test_os_atlas_rows_of_android_control_are_of_the_test_alone(tmp_path: Path) -> None:
    row = {"id": 1, "image": "episode_1_screenshot_0.png", "conversations": [{}, {"value": "actions:\nWAIT"}]}
    (tmp_path / "ac_test.jsonl").write_text(json.dumps(row))
    (tmp_path / "said.json").write_text('{"1": "actions:\\nWAIT"}')
    rules = make_part(BENCHMARKS, "android-control", {"split": "train"})
    with pytest.raises(ConfigError, match="ac_test.jsonl contains the steps of split test, not of train"):
        rules.score(str(tmp_path), tmp_path / "said.json", "release")
    mini_android_control.write(tmp_path / "mini")
    key = json.loads((tmp_path / "mini/rows/splits.json").read_text())["train"][0]
    (tmp_path / "said.json").write_text(json.dumps({f"episode_{key}_screenshot_0": "actions:\nWAIT"}))
    found = rules.score(str(tmp_path / "mini/rows"), tmp_path / "said.json", "release")
    assert not found.extra


@pytest.mark.parametrize("rules", ["paper", "fixed"])
def test_keys_are_a_set_of_names_in_any_case(rules: Variant) -> None:
    gold = "Task: copy\nOutput Script:\npyautogui.hotkey('ctrl', 'c')"
    for said, penalty in (("'C', 'CTRL'", 0.0), ("'ctrl', 'v'", 1.0)):
        found = score_sample(OmniActSample(gold, (), f"pyautogui.hotkey({said})"), rules)
        assert (found.matched, found.press) == (True, penalty)
