"""Scores of MMBench-GUI level 1 from tables of predictions: by hand, in every variant, and whatever a table lacks."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from mmbench_l1_made import LEVELS, data, group, item

from omnipilot.bench.scoring.score import scored_tables
from omnipilot.bench.suites.mmbench_gui.level1 import sample as mini_mmbench_l1
from omnipilot.bench.suites.mmbench_gui.level1.data import load
from omnipilot.bench.suites.mmbench_gui.level1.score import MMBenchL1Score
from omnipilot.envs import ConfigError

NAMES = ("easy", "medium", "hard")


def screens(folder: Path) -> str:
    """Two screens of the web, with four and five options, and one of a Mac with four; B is always right."""
    five = [group(level, options=5) for level in LEVELS]
    return data(folder, [item(0), item(1, groups=five), item(2, "os_mac")])


def table(folder: Path, said: Mapping[int, Any], name: str = "said.json", **other: Any) -> Path:
    rows: list[dict[str, Any]] = [{"index": index, "prediction": text, **other} for index, text in said.items()]
    return written(folder / name, rows)


def written(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Rows in the form that the name says."""
    if path.suffix == ".csv":
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    elif path.suffix == ".jsonl":
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    else:
        path.write_text(json.dumps(rows), encoding="utf-8")
    return path


# Easy: the first and the third right. Medium: the two of the web right, nothing of the Mac. Hard: words, D, and a dog.
SAID = {0: "B", 3: "C", 6: "answer: B", 1: "B", 4: "B. option 1", 2: "Bother", 5: "D", 8: "a dog"}


@pytest.mark.parametrize(
    ("variant", "easy", "medium", "hard"),
    [
        # The level weighs platforms by their questions: (2 · 1/2 + 1) / 3.
        ("release", 2 / 3, 2 / 3, 1 / 3),
        # The web can reach 0.75 + 0.8 on two questions, the Mac 0.75 on one.
        ("weighted-release", (2 * 0.75 / 1.55 + 1) / 3, 2 / 3, 2 * 0.75 / 1.55 / 3),
        ("weighted-paper", (0.75 + 0.75) / 3, (0.75 + 0.8) / 3, 0.75 / 3),
        # "Bother" is no B then.
        ("fixed", 2 / 3, 2 / 3, 0),
        ("weighted-fixed", (2 * 0.75 / 1.55 + 1) / 3, 2 / 3, 0),
    ],
)
def test_by_hand(tmp_path: Path, variant: str, easy: float, medium: float, hard: float) -> None:
    found = MMBenchL1Score().score(screens(tmp_path / "data"), table(tmp_path, SAID), variant)
    values = [found.figure(name).value for name in (*NAMES, "all levels")]
    assert values == pytest.approx([easy, medium, hard, (easy + medium + hard) / 3])
    assert all(found.figure(name).of == 3 for name in NAMES)
    # The Mac's medium question has no prediction: void, wrong in the headline, and left out beside it.
    assert found.missing == ("2-medium (index 7)",)
    assert (found.figure("medium").void, found.figure("easy").void) == (1, 0)
    valid = found.figure("medium").valid
    assert valid is not None and valid.units == 2
    assert valid.estimate == pytest.approx(0.775 if variant == "weighted-paper" else 1)
    assert found.figure("unparsed").of == 8
    assert found.figure("unparsed").value == (0 if variant.endswith("release") or "paper" in variant else 1 / 8)
    assert variant in MMBenchL1Score.variants and found.variant == variant


def test_intervals_are_over_screens(tmp_path: Path) -> None:
    found = MMBenchL1Score().score(screens(tmp_path / "data"), table(tmp_path, SAID))
    easy, every = found.figure("easy").interval, found.figure("all levels").interval
    assert easy is not None and every is not None
    assert (easy.method, easy.units, easy.clusters) == ("Wilson", 3, 3)
    assert (every.units, every.clusters) == (9, 3) and "3 screens" in every.method
    assert all(interval.low <= interval.estimate <= interval.high for interval in (easy, every))  # type: ignore[operator]


def test_a_guess_and_the_meaning_of_the_variant_are_told(tmp_path: Path) -> None:
    found = MMBenchL1Score().score(screens(tmp_path / "data"), table(tmp_path, SAID))
    # (1/4 + 1/5 + 1/4) / 3
    assert "guessing reaches 23.3 % on average" in found.notes
    text = "\n".join(table.text() for table in scored_tables(found))
    assert "release: share of right answers" in text and "benchmark itself has no score over its levels" in text
    assert [row[0] for row in found.tables[0].rows] == ["os_mac", "os_web"]
    assert found.tables[0].rows[1][2::3] == ("1/2", "2/2", "1/2")


def test_a_platform_without_questions_at_a_level_is_left_out_of_it(tmp_path: Path) -> None:
    broken = [group("easy"), group("medium", "F"), group("hard")]
    where = data(tmp_path / "data", [item(0), item(1, "os_mac", broken)])
    said = table(tmp_path, {0: "B", 1: "B", 2: "B", 3: "C", 5: "C"})
    # The web is right, the Mac wrong at its two levels; in the paper's weights four options make 3/4 of that.
    for variant in MMBenchL1Score.variants:
        found = MMBenchL1Score().score(where, said, variant)
        most = 0.75 if variant == "weighted-paper" else 1
        values = [found.figure(name).value for name in (*NAMES, "all levels")]
        assert values == pytest.approx([most / 2, most, most / 2, most * 3 / 5])
        assert any(note.startswith("no question of os_mac at medium: left out") for note in found.notes)
        assert [bad.record for bad in found.bad] == ["1-medium"] and not found.missing
    whole = MMBenchL1Score().score(screens(tmp_path / "whole"), table(tmp_path, SAID))
    assert not any(note.startswith("no question of") for note in whole.notes)


@pytest.mark.parametrize("name", ["said.json", "said.jsonl", "said.csv"])
def test_every_form_of_table(tmp_path: Path, name: str) -> None:
    found = MMBenchL1Score().score(screens(tmp_path / "data"), table(tmp_path, SAID, name))
    assert [found.figure(level).value for level in NAMES] == pytest.approx([2 / 3, 2 / 3, 1 / 3])


def test_indices_of_one_level_are_told_by_difficulty_or_question(tmp_path: Path) -> None:
    where = screens(tmp_path / "data")
    for other in ({"difficulty": "hard"}, {"question": "What is hard?"}):
        found = MMBenchL1Score().score(where, table(tmp_path, {0: "B", 1: "B", 2: "C"}, **other))
        assert "indices are those of mode hard" in found.notes
        assert [figure.name for figure in found.figures] == ["hard", "unparsed"]
        assert found.figure("hard").value == pytest.approx(2 / 3) and not found.missing
    plain = MMBenchL1Score().score(where, table(tmp_path, {0: "B", 1: "B", 2: "C"}))
    assert "indices are those of mode all" in plain.notes and len(plain.missing) == 6


def test_rows_that_answer_no_question_are_listed_and_count_for_nothing(tmp_path: Path) -> None:
    rows = [
        {"index": 0, "prediction": "C"},
        {"index": 99, "prediction": "B"},
        {"index": 0, "prediction": "B"},
        {"index": 0, "prediction": "B"},
        {"index": "x", "prediction": "B"},
        {"index": 1},
        {"index": 3, "prediction": "B", "question": "Another?"},
    ]
    found = MMBenchL1Score().score(screens(tmp_path / "data"), written(tmp_path / "said.json", rows))
    assert found.figure("all levels").value == pytest.approx(1 / 9)
    assert "1 predictions are there twice" in found.notes
    assert "1 predictions are for a question that already has one; the last one counts" in found.notes
    assert len(found.missing) == 8
    for extra, part in zip(
        found.extra,
        ("field index: expected a number", "field prediction: it is missing", "index 99", "asked so"),
        strict=True,
    ):
        assert part in extra


def test_what_the_release_writes_where_a_model_could_not_be_asked_is_void(tmp_path: Path) -> None:
    said = {**SAID, 6: "Failed to obtain answer via API.", 0: None, 7: ""}
    found = MMBenchL1Score().score(screens(tmp_path / "data"), table(tmp_path, said))
    easy = found.figure("easy")
    # The released parser would read that line as an F.
    assert (easy.value, easy.of, easy.void) == (0, 3, 2)
    assert easy.valid is not None and (easy.valid.estimate, easy.valid.units) == (0, 1)
    assert any(note.startswith("2 predictions say") for note in found.notes)
    # Nothing at all was said to the Mac's medium question: an answer without an option, and no void one.
    assert found.figure("medium").void == 0 and found.figure("unparsed").of == 7


def test_what_cannot_be_scored_says_why(tmp_path: Path) -> None:
    where = screens(tmp_path / "data")
    score = MMBenchL1Score().score
    with pytest.raises(ConfigError, match="has no variant .* it has release"):
        score(where, table(tmp_path, SAID), "paper")
    with pytest.raises(ConfigError, match="save the table as .csv"):
        score(where, tmp_path / "said.xlsx")
    with pytest.raises(ConfigError, match="no row with index and prediction; the first: said.json, record 0"):
        score(where, written(tmp_path / "said.json", [{"answer": "B"}]))
    with pytest.raises(ConfigError, match="has no prediction for any question"):
        score(where, table(tmp_path, {77: "B"}))
    with pytest.raises(ConfigError, match="is not a run directory"):
        score(where, tmp_path)


def test_the_miniature_has_its_rule_in_its_scores(tmp_path: Path) -> None:
    mini_mmbench_l1.write(tmp_path)
    questions = load(str(tmp_path)).loaded.items
    assert len(questions) == 42 and {one.platform for one in questions} >= {"os_android", "os_linux", "os_web"}
    assert {len(one.options) for one in questions} == {4, 5, 6}
    found = MMBenchL1Score().score(str(tmp_path), mini_mmbench_l1.sample_predictions(tmp_path))
    fixed = MMBenchL1Score().score(str(tmp_path), tmp_path / mini_mmbench_l1.PREDICTIONS, "fixed")
    # Right by index modulo 10: 0, 1, 3, 9; 4 where A is; 7 where D is, and everywhere once the parser is mended.
    always = sum(one.running % 10 in (0, 1, 3, 9) for one in questions)
    by_a = sum(one.running % 10 == 4 and one.answer == "A" for one in questions)
    sevens = [one.answer for one in questions if one.running % 10 == 7]
    right = [round((result.figure("all levels").value or 0) * 42) for result in (found, fixed)]
    assert right == [always + by_a + sevens.count("D"), always + by_a + len(sevens)]
    assert (len(found.missing), found.figure("all levels").void) == (4, 8)
    assert found.figure("unparsed").value == pytest.approx(4 / 34)


def test_the_miniature_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("again", 1), ("other", 2)):
        (tmp_path / name).mkdir()
        mini_mmbench_l1.write(tmp_path / name, seed)
    files = {
        name: {path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*.*")}
        for name in ("one", "again", "other")
    }
    assert files["one"] == files["again"] != files["other"]
    assert sum(map(len, files["one"].values())) < 3_000_000


def always_b(reply: str) -> str | None:
    return "B" if reply else None


def test_a_table_is_read_by_a_models_own_parser(tmp_path: Path) -> None:
    where, rows = screens(tmp_path / "data"), table(tmp_path, {0: "C", 3: "D", 6: "C"})
    found = MMBenchL1Score(parser=f"{__name__}:always_b").score(where, rows)
    assert found.figure("easy").value == 1.0 and f"{__name__}:always_b" in " ".join(found.notes)
    assert MMBenchL1Score().score(where, rows).figure("easy").value == 0.0
    with pytest.raises(ConfigError, match="MODULE:FUNCTION"):
        MMBenchL1Score(parser="paper")
