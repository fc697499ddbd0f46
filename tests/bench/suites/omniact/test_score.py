"""OmniACT's sample predictions against a second implementation, and what becomes of missing, extra and strange ones."""

from __future__ import annotations

import json
import math
import re
import shutil
from pathlib import Path

import pytest
from second_bleu import second_bleu

from omnipilot.bench.scoring.score import scored_tables, scored_to_json
from omnipilot.bench.suites.omniact import sample as mini_omniact
from omnipilot.bench.suites.omniact.printed import PRINTED
from omnipilot.bench.suites.omniact.score import OmniActScore
from omnipilot.bench.suites.os_atlas import sample_omniact as mini_omniact_os_atlas
from omnipilot.bench.suites.os_atlas.score import OmniActInStyle
from omnipilot.envs import ConfigError


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The miniature with its sample predictions."""
    folder = tmp_path_factory.mktemp("omniact")
    mini_omniact.write(folder)
    mini_omniact.sample_predictions(folder)
    mini_omniact_os_atlas.sample_predictions(folder)
    return folder


def second(data: Path, said: dict[str, str]) -> dict[str, float]:
    """All five figures as the released family computes them, straight from the files."""
    total = dict.fromkeys(("ideal", "Sequence score", "Action score", "click", "press", "write"), 0.0)
    for id, entry in json.loads((data / "test.json").read_text()).items():
        web = "/web/" in entry["box"]
        box = entry["box"].replace("screen_", "screen").replace(".json", "_boxes.json") if web else entry["box"]
        corners = [[*b["top_left"], *b["bottom_right"]] for b in json.loads((data / box).read_text()).values()]
        gold = [line.lower() for line in (data / entry["task"]).read_text().strip().split("\n")[2:]]
        lines = [line for line in said.get(id, "").lower().split("\n") if line.startswith("pyautogui")]
        total["ideal"] += (weight := len(gold) - 0.9)
        if [line.split("(")[0] for line in gold] != [line.split("(")[0] for line in lines]:
            continue
        lost = dict.fromkeys(("click", "press", "write"), 0.0)
        for right, line in zip(gold, lines, strict=True):
            kind = right.split(".")[1].split("(")[0]
            if kind == "click":
                (gx, gy), (x, y) = (map(float, re.findall(r"[\d.]+", t.split("(")[1])) for t in (right, line))
                a, b, c, d = next(e for e in corners if ((e[0] + e[2]) / 2, (e[1] + e[3]) / 2) == (gx, gy))
                mu, far = math.hypot(c - a, d - b), math.hypot(max(a - x, 0, x - c), max(b - y, 0, y - d))
                lost["click"] += 1 - mu / (mu + far)
            elif kind in ("press", "hotkey"):
                lost["press"] += set(re.findall('"([^"]*)"', right)) != set(re.findall('"([^"]*)"', line))
            elif kind == "write":
                lost["write"] += 1 - second_bleu(right.split('"')[1], re.split("[\"']", line)[1])
        total["Sequence score"] += weight
        total["Action score"] += weight * max(0.0, 1 - sum(lost.values()) / len(gold))
        for name, value in lost.items():
            total[name] += weight * value / len(gold)
    renamed = {f"{name.capitalize()} penalty": total[name] for name in ("click", "press", "write")}
    kept = {name: total[name] for name in ("Sequence score", "Action score")}
    return {name: value / total["ideal"] for name, value in {**kept, **renamed}.items()}


def test_the_sample_scores_what_a_second_implementation_finds(data: Path) -> None:
    said = json.loads((data / "predictions.json").read_text())
    scored = OmniActScore().score(str(data), data / "predictions.json", "release")
    wanted = second(data, said)
    assert {figure.name: figure.value for figure in scored.figures} == pytest.approx(wanted)
    assert all(0 < value < 1 for value in wanted.values())
    assert {figure.of for figure in scored.figures} == {43}
    assert scored.missing == ("12", "25", "38") and {figure.void for figure in scored.figures} == {3}
    for figure in scored.figures:
        assert figure.interval is not None and figure.valid is not None
        assert figure.interval.clusters == 7 and figure.valid.estimate >= figure.interval.estimate
        assert figure.interval.low is not None and figure.interval.high is not None
        assert figure.interval.low <= figure.interval.estimate <= figure.interval.high
        assert figure.valid.units == 40


def test_variants_and_tables_say_whose_rules_they_follow(data: Path) -> None:
    by = {v: OmniActScore().score(str(data), data / "predictions.json", v) for v in OmniActScore().variants}
    assert OmniActScore().variants[0] == "release"
    assert by["uground"].figure("Sequence score").value < by["release"].figure("Sequence score").value  # type: ignore[operator]
    assert by["paper"].figure("Action score").of < 43 and by["paper"].figure("Sequence score").of == 43
    none = sum("pyautogui" not in said for said in json.loads((data / "predictions.json").read_text()).values())
    assert none > 0
    for variant, scored in by.items():
        text = "\n".join(table.text() for table in scored_tables(scored))
        assert f"variant {variant}" in text and "3 have no prediction" in text
        assert f"format errors: {none} predictions hold no line of pyautogui" in text
        assert {table.columns[0] for table in scored.tables} == {"model", "part", "lines"}
        for table in scored.tables[1:]:
            parts = [row for row in table.rows if row[0] not in ("desktop", "web")]
            assert sum(int(row[1]) for row in parts) == 43
        json.dumps(scored_to_json(scored))


@pytest.mark.parametrize("ending", ["json", "jsonl", "rows.json"])
def test_predictions_come_as_an_object_or_as_rows(data: Path, tmp_path: Path, ending: str) -> None:
    said = json.loads((data / "predictions.json").read_text())
    wanted = OmniActScore().score(str(data), data / "predictions.json", "release").figures
    rows = [{"id": int(id), "gpt_output" if ending == "jsonl" else "script": text} for id, text in said.items()]
    path = tmp_path / f"said.{ending}"
    if ending == "json":
        path.write_text(json.dumps({id: {"prediction": text} for id, text in said.items()} | {"999": {"pred": "x"}}))
    else:
        path.write_text("\n".join(map(json.dumps, rows)) if ending == "jsonl" else json.dumps(rows))
    scored = OmniActScore().score(str(data), path, "release")
    assert scored.figures == wanted
    assert scored.extra == (("999",) if ending == "json" else ())


def test_what_one_variant_reads_as_no_script_is_bad_there_alone(data: Path, tmp_path: Path) -> None:
    shutil.copytree(data, tmp_path / "data")
    entry = json.loads((data / "test.json").read_text())["0"]
    task = tmp_path / "data" / entry["task"]
    task.write_text(task.read_text().replace("Output Script:\n", ""))
    by = {v: OmniActScore().score(str(tmp_path / "data"), data / "predictions.json", v) for v in ("release", "uground")}
    assert (by["release"].bad, by["release"].figure("Action score").of) == ((), 43)
    (bad,) = by["uground"].bad
    assert (
        "test.json, record 0, field task: no gold action" in str(bad) and by["uground"].figure("Action score").of == 42
    )


def test_of_two_predictions_the_last_counts_and_it_is_told(data: Path, tmp_path: Path) -> None:
    said = json.loads((data / "predictions.json").read_text())
    rows = [{"id": "0", "script": "pyautogui.scroll(1)"}, *({"id": id, "script": text} for id, text in said.items())]
    (tmp_path / "twice.json").write_text(json.dumps(rows))
    twice = OmniActScore().score(str(data), tmp_path / "twice.json", "release")
    assert twice.figures == OmniActScore().score(str(data), data / "predictions.json", "release").figures
    assert "1 predictions are for a step that already has one; the last one counts" in twice.notes


def test_predictions_that_fit_nothing_are_an_error(data: Path, tmp_path: Path) -> None:
    cases = {
        '{"7000": "pyautogui.click(1,1)"}': "names no step of the data",
        '[{"script": "pyautogui.click(1,1)"}]': "has 1 rows, none of which names a step, but the data has 43",
        '[{"id": "0", "answer": "pyautogui.click(1,1)"}]': "field script",
        '[{"id": "0", "script": ["a"]}]': "field script: expected text",
        "{": "cannot be read",
    }
    for number, (text, told) in enumerate(cases.items()):
        path = tmp_path / f"{number}.json"
        path.write_text(text)
        with pytest.raises(ConfigError, match=told):
            OmniActScore().score(str(data), path, "release")
    with pytest.raises(ConfigError, match="contains no run"):
        OmniActScore().score(str(data), tmp_path, "release")


def test_in_os_atlas_style_missing_lines_count_only_in_the_last_row(data: Path) -> None:
    scored = OmniActInStyle().score(str(data), data / "predictions_os_atlas.jsonl", "release")
    rows = [json.loads(line) for line in (data / "predictions_os_atlas.jsonl").read_text().splitlines()]
    tasks = json.loads((data / "test.json").read_text())
    lengths = {id: len((data / entry["task"]).read_text().split("\n")) - 2 for id, entry in tasks.items()}
    # A reply without the header has no line, and none of its task's actions counts.
    headed = [row for row in rows if "actions:\n" in row["pred"]]
    said = {row["id"]: row["pred"].split("actions:\n")[1].count("\n") + 1 for row in headed}
    headless = len(rows) - len(headed)
    assert headless
    missing = [id for id in tasks if id not in {row["id"] for row in rows}]
    assert list(scored.missing) == missing and len(missing) == 3
    assert scored.figure("SR").of == sum(said.values()) + sum(lengths[id] for id in missing)
    assert scored.figure("SR, whole texts").of == sum(lengths.values()) == 64
    assert scored.figure("SR").of == 59 - headless
    assert [scored.figure(name).value for name in ("Type", "SR")] == pytest.approx([44 / 53, 38 / 53])
    assert any(f"{headless} of them are not counted, as released" in note for note in scored.notes)
    fixed = OmniActInStyle().score(str(data), data / "predictions_os_atlas.jsonl", "fixed")
    assert {fixed.figure(name).of for name in ("Type", "SR", "SR, whole texts")} == {64}
    assert [fixed.figure(name).value for name in ("Type", "SR")] == pytest.approx([44 / 64, 38 / 64])
    assert fixed.figure("Grounding").value == scored.figure("Grounding").value
    assert scored.figure("Type").value > scored.figure("SR").value > scored.figure("SR, whole texts").value  # type: ignore[operator]
    assert scored.tables[0].columns[0] == "part"


def test_the_figures_stand_above_those_that_the_paper_prints_for_the_whole_test_split_only(data: Path) -> None:
    scored = OmniActScore().score(str(data), data / "predictions.json", "release")
    table = next(table for table in scored.tables if table.columns[0] == "model")
    assert table.columns == ("model", "SS %", "Mp %", "Kp %", "Wp %", "AS %")
    assert [row[0] for row in table.rows[1:]] == [f"{name} (as printed)" for name in PRINTED.rows]
    assert table.rows[0][5].startswith(f"{100 * scored.figure('Action score').value:.2f}")  # type: ignore[operator]
    assert "as printed" in table.notes[0]
    other = OmniActScore(split="val").score(str(data), data / "predictions.json", "release")
    assert "model" not in {table.columns[0] for table in other.tables}
    assert scored.printed is PRINTED and other.printed is None


def test_printed_rows_add_up_as_the_note_on_denominators_says() -> None:
    for row in PRINTED.rows.values():
        assert row["SS"] - row["Mp"] - row["Kp"] - row["Wp"] == pytest.approx(row["AS"], abs=0.011)


def test_groups_beside_the_data_part_it_by_system_and_by_category(data: Path, tmp_path: Path) -> None:
    scored = OmniActScore().score(str(data), data / "predictions.json", "fixed")
    rows = {row[0]: int(row[1]) for table in scored.tables if table.columns[0] == "part" for row in table.rows}
    assert list(rows) == ["desktop", "macOS", "Linux", "Windows", "web", "Shopping"]
    assert rows["macOS"] + rows["Linux"] + rows["Windows"] == rows["desktop"] and rows["web"] == rows["Shopping"]
    assert {"AS macOS", "Mp Shopping"} <= {figure.name for figure in scored.parts}
    copy = tmp_path / "copy"
    shutil.copytree(data, copy)
    (copy / "groups.json").unlink()
    without = OmniActScore().score(str(copy), copy / "predictions.json", "fixed")
    assert [row[0] for row in without.tables[1].rows] == ["desktop", "web"]
    assert any('write groups.json beside it, {"APP": "macOS"} for each' in note for note in without.notes)
    (copy / "groups.json").write_text('{"mail": "Solaris"}')
    with pytest.raises(ConfigError, match="a group is macOS, .* or Health, not 'Solaris'"):
        OmniActScore().score(str(copy), copy / "predictions.json", "fixed")
