"""The suite `android-control` on its miniature: TFRecords and rows say the same, bad records stay, who reaches what."""

from __future__ import annotations

import base64
import json
import re
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import Case, RunSpec
from omnipilot.bench.run import run
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.android_control import AndroidControl
from omnipilot.bench.suites.android_control import sample as mini_android_control
from omnipilot.bench.suites.android_control.data import load
from omnipilot.bench.suites.android_control.score import AndroidControlScore
from omnipilot.bench.suites.android_control.suite import SUITES, truth_of
from omnipilot.envs import Absent, Click, ConfigError, Modality, Point, Swipe, Thinking, TypeText


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The miniature."""
    folder = tmp_path_factory.mktemp("android-control")
    mini_android_control.write(folder)
    return folder


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


def test_tfrecords_and_rows_hold_the_same_episodes(data: Path, cache: Path) -> None:
    packed = load(Source.open(str(data), ""), "test").loaded
    rows = load(Source.open(str(data / "rows"), ""), "test").loaded
    assert (packed.bad, rows.bad) == ((), ())
    assert len(packed.items) == 8
    for one, other in zip(sorted(packed.items, key=lambda e: e.id), rows.items, strict=True):
        assert (one.id, one.goal, one.part) == (other.id, other.goal, other.part)
        for mine, theirs in zip(one.steps, other.steps, strict=True):
            assert (mine.action, mine.instruction, mine.size) == (theirs.action, theirs.instruction, theirs.size)
            assert mine.image.is_relative_to(cache) and mine.image.read_bytes() == theirs.image.read_bytes()
    kinds = Counter(truth_of(step).split()[0] for episode in rows.items for step in episode.steps)
    assert set(kinds) == {"CLICK", "LONG_PRESS", "SCROLL", "TYPE", "OPEN_APP", "PRESS_BACK", "PRESS_HOME"}
    train, validation = (load(Source.open(str(data), ""), split).loaded.items for split in ("train", "validation"))
    assert [truth_of(step) for step in train[0].steps] == ["OPEN_APP [Notes]", "WAIT"]
    assert truth_of(validation[0].steps[0]) == "WAIT"
    assert (train[0].part, validation[0].part, len(train), len(validation)) == ("", "", 1, 1)
    # An episode in two lists goes to the first.
    assert [episode.part for episode in rows.items].count("app_unseen") == 2


def test_equal_seeds_give_equal_bytes(data: Path, tmp_path: Path) -> None:
    mini_android_control.write(tmp_path)
    files = sorted(path.relative_to(data) for path in data.rglob("*") if path.is_file())
    assert all((data / file).read_bytes() == (tmp_path / file).read_bytes() for file in files)
    assert sum((data / file).stat().st_size for file in files) < 5_000_000


def test_what_was_unpacked_is_found_again(data: Path, cache: Path) -> None:
    first = AndroidControl(str(data))
    (rows,) = cache.rglob("episodes.jsonl")
    written = rows.stat().st_mtime_ns
    assert AndroidControl(str(data)).version == first.version
    assert rows.stat().st_mtime_ns == written
    assert not list(cache.rglob("test.*"))


def test_pictures_in_base64_are_unpacked_too(data: Path, tmp_path: Path) -> None:
    lines = (data / "rows" / "episodes.jsonl").read_text().splitlines()
    with (tmp_path / "test.jsonl").open("w") as file:
        for row in map(json.loads, lines[:2]):
            pictures = [(data / "rows" / name).read_bytes() for name in row.pop("screenshots")]
            row["actions"] = [json.dumps(action) for action in row["actions"]]
            file.write(json.dumps({**row, "screenshots_b64": [base64.b64encode(p).decode() for p in pictures]}) + "\n")
    found = load(Source.open(str(tmp_path), ""), "test").loaded
    wanted = load(Source.open(str(data / "rows"), ""), "test").loaded.items[:2]
    assert [[step.action for step in episode.steps] for episode in found.items] == [
        [step.action for step in episode.steps] for episode in wanted
    ]
    assert found.items[0].steps[0].image.read_bytes() == wanted[0].steps[0].image.read_bytes()


def broken(change: Callable[[dict[str, Any]], object]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """A row after a change to it."""

    def changed(row: dict[str, Any]) -> dict[str, Any]:
        change(row)
        return row

    return changed


BREAKS = [
    (broken(lambda row: row.pop("goal")), "field goal: it is missing"),
    (broken(lambda row: row.pop("actions")), "field actions: it is missing"),
    (broken(lambda row: row["actions"].clear()), "field actions: it is empty"),
    (broken(lambda row: row["actions"][1].pop("action_type")), r"field actions\[1\].action_type: it is missing"),
    (broken(lambda row: row["actions"].__setitem__(0, "{")), r"field actions\[0\]: it is not valid JSON"),
    (broken(lambda row: row["step_instructions"].pop()), "field step_instructions: there are 2 for 3 actions"),
    (broken(lambda row: row["screenshot_widths"].pop()), "field screenshot_widths: expected 4 numbers, got 3"),
    (broken(lambda row: row["screenshots"].__setitem__(0, "gone.png")), "field screenshots: there is no file gone.png"),
    (
        broken(lambda row: row["screenshots"].__setitem__(1, "../secret.png")),
        "there is no file ../secret.png in the data",
    ),
    (broken(lambda row: row.__setitem__("episode_id", "first")), "field episode_id: expected a number"),
    (broken(lambda row: row.__setitem__("episode_id", 661)), "it appears twice, as 661"),
]


@pytest.mark.parametrize(("change", "told"), BREAKS, ids=[told for _, told in BREAKS])
def test_a_bad_episode_is_listed_and_the_others_stay(
    data: Path, tmp_path: Path, change: Callable[[dict[str, Any]], dict[str, Any]], told: str
) -> None:
    shutil.copytree(data / "rows", tmp_path / "rows")
    path = tmp_path / "rows" / "episodes.jsonl"
    (tmp_path / "secret.png").write_bytes(b"")
    first, second, *others = path.read_text().splitlines()
    path.write_text("\n".join([second, json.dumps(change(json.loads(first))), *others]))
    (bad,) = load(Source.open(str(path.parent), ""), "test").loaded.bad
    assert str(bad).startswith("episodes.jsonl, record ")
    assert re.search(told, str(bad))
    suite = AndroidControl(str(path.parent))
    assert (suite.bad, len(suite.tasks())) == ((bad,), 7)


def test_where_the_data_is_missing_or_damaged_the_cure_is_told(data: Path, tmp_path: Path) -> None:
    for given in ("", str(tmp_path / "nowhere"), str(tmp_path)):
        with pytest.raises(ConfigError, match="gresearch/android_control"):
            AndroidControl(given)
    shard = "android_control-00001-of-00002"
    (tmp_path / shard).write_bytes((data / shard).read_bytes()[:-100])
    with pytest.raises(ConfigError, match=rf"{shard}, the record at byte \d+"):
        AndroidControl(str(tmp_path))
    (tmp_path / "splits.json").write_text('{"train": [1]}')
    with pytest.raises(ConfigError, match="has no split 'test'"):
        AndroidControl(str(tmp_path))


def test_the_settings_tell_goal_or_goal_and_instruction(data: Path) -> None:
    high, low = (AndroidControl(str(data / "rows"), setting=setting) for setting in ("high", "low"))  # type: ignore[arg-type]
    assert (len(high.tasks()), len(low.tasks())) == (8, 50)
    one = low.instantiate("episode_661_screenshot_3", 0)
    world = low.world(Thinking())
    assert one.setup(world).endswith('press "Send". You need to: Click on Nina Rossi')
    assert one.tags["template"] == "episode_661" and len(one.graph.nodes) == 1
    whole = high.instantiate("episode_661", 0)
    assert "You need to" not in whole.setup(world)
    assert [node.name for node in whole.graph.nodes][:3] == ["1 OPEN_APP", "2 CLICK", "3 SCROLL"]
    (env,) = world.envs.values()
    seen = env.observe(set(Modality), 0.0)
    assert not isinstance(seen.screenshot, Absent) and isinstance(seen.elements, Absent)
    told = AndroidControl(str(data / "rows"), history="instructions").instantiate("episode_661", 0)
    told.setup(world)
    assert world.take((), "").words == "Open the Messages app"


def test_a_step_is_judged_by_os_atlas_rule(data: Path) -> None:
    verdicts = {}
    for variant in ("release", "strict"):
        suite = AndroidControl(str(data / "rows"), variant=variant)  # type: ignore[arg-type]
        task, world = suite.instantiate("episode_661", 0), suite.world(Thinking())
        task.setup(world)
        assert task.solution is not None
        solution = [move.intent for move in task.solution(world)]
        at = solution[3].at  # type: ignore[union-attr]
        predictions = {
            0: solution[0],
            1: Click(Point(1.0, 1.0)),
            2: Swipe("up"),
            3: Click(Point(at.x, max(at.y - 0.13, 0.0))),
            5: TypeText("Running and then something else"),
        }
        for number in range(7):
            taken = predictions.get(number)
            world.take(() if taken is None else (taken,), "" if taken else "no place was found")  # type: ignore[arg-type]
        verdicts[variant] = [judge(Case(world)).reached for judge in task.graph.nodes]
        assert "no place was found" in task.graph.nodes[4](Case(world)).reason
    # Of "Running ten minutes late" only the second word counts as released.
    assert verdicts["release"] == [True, False, True, True, False, True, False]
    assert verdicts["strict"] == [True, False, True, True, False, False, False]


@pytest.mark.slow
def test_oracle_reaches_all_and_noop_nothing(data: Path, tmp_path: Path) -> None:
    for setting, planner, share in (("high", "oracle", 1.0), ("high", "noop", 0.0), ("low", "oracle", 1.0)):
        options = {"data": str(data / "rows"), "setting": setting}
        out = tmp_path / f"{setting}-{planner}"
        found = run(RunSpec(AgentSpec(planner=PartSpec(planner)), PartSpec(SUITES[1], options)), out)
        assert {episode.success for episode in found.episodes} == {bool(share)}
        assert sum(episode.total for episode in found.episodes) == 50
        scored = AndroidControlScore().score(options["data"], out, "release")
        assert [scored.figure(name).value for name in ("Type", "SR", "SR, whole texts")] == [share] * 3
        assert scored.figure("Grounding").value == (1.0 if share else None)
        assert {scored.figure(name).of for name in ("Type", "SR")} == {50}
        assert (scored.missing, scored.extra) == ((), ()) and f"setting {setting}" in scored.notes
