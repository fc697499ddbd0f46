"""Replies in OS-Atlas's form against a second implementation: AndroidControl, GUI-Odyssey, GUIAct's web part."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from pathlib import Path

import pytest

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.run import run
from omnipilot.bench.scoring.score import scored_tables
from omnipilot.bench.suites.android_control import sample as mini_android_control
from omnipilot.bench.suites.android_control.score import AndroidControlScore
from omnipilot.bench.suites.android_control.suite import SUITES
from omnipilot.bench.suites.os_atlas import sample_gui_odyssey as mini_gui_odyssey
from omnipilot.bench.suites.os_atlas import sample_guiact_web as mini_guiact_web
from omnipilot.bench.suites.os_atlas.score import GuiActWeb, GuiOdyssey
from omnipilot.envs import ConfigError


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rows of AndroidControl's miniature, and its sample predictions beside them."""
    folder = tmp_path_factory.mktemp("android-control")
    mini_android_control.write(folder)
    mini_android_control.sample_predictions(folder)
    return folder


LINES = {
    "click": lambda a, w, h: f"CLICK <point>[[{round(a['x'] / w * 1000)},{round(a['y'] / h * 1000)}]]</point>",
    "long_press": lambda a, w, h: (
        f"LONG_PRESS <point>[[{round(a['x'] / w * 1000)},{round(a['y'] / h * 1000)}]]</point>"
    ),
    "scroll": lambda a, w, h: f"SCROLL [{a['direction'].upper()}]",
    "input_text": lambda a, w, h: f"TYPE [{a['text']}]",
    "open_app": lambda a, w, h: f"OPEN_APP [{a['app_name']}]",
    "navigate_back": lambda a, w, h: "PRESS_BACK",
    "navigate_home": lambda a, w, h: "PRESS_HOME",
    "wait": lambda a, w, h: "WAIT",
}


def truths(rows: Path) -> dict[str, str]:
    """Right actions of the test's steps by name, straight from the rows."""
    wanted = json.loads((rows / "splits.json").read_text())["test"]
    found = {}
    for row in map(json.loads, (rows / "episodes.jsonl").read_text().splitlines()):
        for number, action in enumerate(row["actions"]):
            if row["episode_id"] in wanted:
                size = row["screenshot_widths"][number], row["screenshot_heights"][number]
                key = f"episode_{row['episode_id']}_screenshot_{number}"
                found[key] = LINES[action["action_type"]](action, *size)
    return found


HEADER, TAIL = "actions:\n", "<|im_end|>"


def f1(said: str, truth: str) -> float:
    mine, theirs = set(said.lower().split()), set(truth.lower().split())
    return 2 * len(mine & theirs) / (len(mine) + len(theirs))


def second(pairs: list[tuple[str, str]], odyssey: bool = False) -> Counter[str]:
    """The released evaluators' counts for AndroidControl or GUI-Odyssey, written anew from their description."""
    counts: Counter[str] = Counter()
    for truth, said in pairs:
        counts["all"] += 1
        action = said.split(HEADER)[1].strip(TAIL) if HEADER in said else "invalid action"
        if action.split()[0] != truth.split()[0]:
            continue
        kind = truth.split()[0]
        counts["type"] += 1
        counts[f"{kind} type"] += 1
        if kind in ("CLICK", "LONG_PRESS"):
            (a, b), (c, d) = (list(map(int, re.findall(r"\d+", text)))[:2] for text in (truth, action))
            right = math.dist((a, b), (c, d)) <= 140
        elif kind in ("TYPE", "OPEN_APP"):
            right = f1(action, truth) > 0.5 if odyssey else f1(action.split()[1], truth.split()[1]) > 0.5
        else:
            right = action == truth or (odyssey and kind != "SCROLL")
        counts["full"] += right
        counts[f"{kind} full"] += right
    return counts


def test_the_sample_scores_what_a_second_implementation_finds(data: Path) -> None:
    said = {row["id"]: row["pred"] for row in map(json.loads, (data / "predictions.jsonl").read_text().splitlines())}
    right = truths(data / "rows")
    counts = second([(truth, said.get(key, "")) for key, truth in right.items()])
    scored = AndroidControlScore().score(str(data / "rows"), data / "predictions.jsonl", "release")
    assert scored.figure("Type").value == pytest.approx(counts["type"] / counts["all"])
    assert scored.figure("SR").value == pytest.approx(counts["full"] / counts["all"])
    assert scored.figure("Grounding").value == pytest.approx(counts["CLICK full"] / counts["CLICK type"])
    assert scored.figure("Grounding").of == counts["CLICK type"]
    assert [figure.of for figure in scored.figures] == [50, counts["CLICK type"], 50, 50]
    assert list(scored.missing) == [key for key in right if key not in said] and len(scored.missing) == 4
    assert 0 < scored.figure("SR, whole texts").value < scored.figure("SR").value  # type: ignore[operator]
    told = second([(truth, said[key]) for key, truth in right.items() if key in said])
    valid = scored.figure("SR").valid
    assert valid is not None and valid.estimate == pytest.approx(told["full"] / told["all"])
    assert scored.figure("SR").interval.clusters == 8  # type: ignore[union-attr]
    told = "Grounding is of clicks whose type was met, so the 4 void steps are not in its denominator"
    assert any(note.startswith(told) for note in scored.notes)


def test_splits_have_their_own_rates_and_denominators(data: Path) -> None:
    scored = AndroidControlScore().score(str(data / "rows"), data / "predictions.jsonl", "release")
    (table,) = scored.tables
    assert [row[0] for row in table.rows] == ["IDD", "app_unseen", "task_unseen", "category_unseen"]
    assert sum(int(row[2]) for row in table.rows) == 50
    text = "\n".join(table.text() for table in scored_tables(scored))
    assert "format errors: 7 of 50" in text and "variant release" in text


def test_the_list_of_os_atlas_narrows_the_steps(data: Path, tmp_path: Path) -> None:
    for path in (data / "rows").rglob("*"):
        if path.is_file():
            (tmp_path / path.relative_to(data / "rows")).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path.relative_to(data / "rows")).write_bytes(path.read_bytes())
    (tmp_path / "ac_idx.txt").write_text("episode_140_screenshot_0\nepisode_661_screenshot_3\nepisode_7_screenshot_0\n")
    scored = AndroidControlScore().score(str(tmp_path), data / "predictions.jsonl", "release")
    assert scored.figure("SR").of == 2 and scored.extra == ()
    assert "2 of 50 steps: those of ac_idx.txt, which lists 3" in scored.notes


def test_os_atlas_own_rows_are_read_and_paired_by_order(data: Path, tmp_path: Path) -> None:
    right = truths(data / "rows")
    said = {row["id"]: row["pred"] for row in map(json.loads, (data / "predictions.jsonl").read_text().splitlines())}
    rows = [
        {"id": n, "image": f"/x/{key}.png", "conversations": [{}, {"value": f"thoughts:\nso\nactions:\n{truth}"}]}
        for n, (key, truth) in enumerate(right.items())
    ]
    rows.append({"id": 99, "image": "/x/episode_1_screenshot_0.png", "conversations": [{}, {"value": "CLICK here"}]})
    (tmp_path / "ac_test.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "test_subsplits.json").write_text((data / "rows" / "test_subsplits.json").read_text())
    pairs = tmp_path / "in-order.jsonl"
    pairs.write_text("\n".join(json.dumps({"pred": said.get(key)}) for key in (*right, "unusable")))
    mine = AndroidControlScore().score(str(tmp_path), pairs, "release")
    ours = AndroidControlScore().score(str(data / "rows"), data / "predictions.jsonl", "release")
    assert (mine.figures, mine.missing, mine.tables) == (ours.figures, ours.missing, ours.tables)
    assert "ac_test.jsonl, record 50, field conversations" in str(mine.bad[0]) and len(mine.bad) == 1
    assert any("by their order" in note for note in mine.notes)
    pairs.write_text("\n".join(json.dumps({"pred": text}) for text in said.values()))
    with pytest.raises(ConfigError, match="has 46 rows, none of which names a step, but the data has 51 steps; they"):
        AndroidControlScore().score(str(tmp_path), pairs, "release")


def test_a_run_of_some_tasks_is_scored_on_those(data: Path, tmp_path: Path) -> None:
    suite = PartSpec(SUITES[1], {"data": str(data / "rows")})
    run(RunSpec(AgentSpec(planner=PartSpec("oracle")), suite, tasks=("episode_661", "episode_140")), tmp_path / "run")
    scored = AndroidControlScore().score(str(data / "rows"), tmp_path / "run", "release")
    assert scored.figure("SR").of == 10 and scored.figure("SR").value == 1 and scored.missing == ()
    assert "10 of 50 steps: those that the run includes" in scored.notes
    with pytest.raises(ConfigError, match="scores files only, because it has no suite"):
        mini_gui_odyssey.write(tmp_path / "odyssey")
        GuiOdyssey().score(str(tmp_path / "odyssey"), tmp_path / "run", "release")


def test_gui_odyssey_and_guiact_are_scored_from_rows(tmp_path: Path) -> None:
    for module, rules in ((mini_gui_odyssey, GuiOdyssey()), (mini_guiact_web, GuiActWeb())):
        folder = tmp_path / rules.name
        module.write(folder)
        said = module.sample_predictions(folder)
        rows = [json.loads(line) for line in (folder / module.FILE).read_text().splitlines()]
        right = [row["conversations"][1]["value"].split("actions:\n")[1] for row in rows]
        replies = [json.loads(line)["pred"] or "" for line in said.read_text().splitlines()]
        scored = rules.score(str(folder), said, "release")
        odyssey = rules.name == "gui-odyssey"
        counts = second(list(zip(right, replies, strict=True)), odyssey)
        pressed = counts["CLICK type"] + counts["LONG_PRESS type"] * odyssey
        assert scored.figure("Type").value == pytest.approx(counts["type"] / len(rows))
        assert scored.figure("SR").value == pytest.approx(counts["full"] / len(rows))
        assert scored.figure("Grounding").value == pytest.approx(counts["CLICK full"] / pressed)
        clusters = {row["image"].rpartition("_")[0] if odyssey else row["image"] for row in rows}
        assert scored.figure("SR").interval.clusters == len(clusters)  # type: ignore[union-attr]
        assert len(scored.missing) == len(rows) // 11
    with pytest.raises(ConfigError, match="gui_act_web_test.jsonl"):
        GuiActWeb().score(str(tmp_path / "gui-odyssey"), said, "release")
