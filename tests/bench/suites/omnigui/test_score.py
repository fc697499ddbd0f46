"""OmniGUI's scores of predictions and of runs, beside an independent count."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from omnigui_made import miniature, played, put, row

from omnipilot.bench.scoring import Scored
from omnipilot.bench.scoring.score import scored_tables, scored_to_json
from omnipilot.bench.suites.omnigui.score import OmniGuiScore
from omnipilot.envs import ConfigError


@pytest.fixture(scope="module")
def mini(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return miniature(tmp_path_factory)


def score(data: Path, predictions: Path, variant: str = "release") -> Scored:
    return OmniGuiScore().score(str(data), predictions, variant)


def records(mini: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((mini / "merged_sorted.json").read_text(encoding="utf-8"))
    return found


def log(mini: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (mini / "predictions.jsonl").read_text(encoding="utf-8").splitlines()]


def values(scored: Scored) -> dict[str, float | None]:
    return {figure.name: figure.value for figure in scored.figures}


def test_the_sample_predictions_by_hand(mini: Path) -> None:
    scored = score(mini, mini / "predictions.jsonl")
    # Of 69 rows 9 are not answered (6 modulo 7) and 10 say nothing (5). The other 50 are of the right kind. Ten of them
    # are elsewhere (4), which two BACK cannot be. Of the rest rows 21 and 49 are NONE and 31 is DOUBLE_TAP, which are
    # never right: 50 - 8 - 3 = 39.
    kinds = [one["result_action_type"] for one in records(mini)]
    assert [at for at, kind in enumerate(kinds) if kind in (-1, 1)] == [20, 21, 31, 34, 49]
    elsewhere = [at for at, kind in enumerate(kinds) if at % 7 == 4 and kind < 8]
    assert elsewhere == [4, 11, 18, 25, 39, 46, 53, 60]
    prefix = [4 / 8, 3 / 8, 2 / 13, 2 / 5, 0, 2 / 8, 1 / 13, 2 / 5, 3 / 3, 2 / 3]
    assert values(scored) == pytest.approx(
        {"EM": 39 / 69, "TM": 50 / 69, "SR": 1 / 10, "GP": sum(prefix) / 10, "format errors": 10 / 69}
    )
    em, sr = scored.figure("EM"), scored.figure("SR")
    assert (em.of, em.unit, em.void, sr.of, sr.unit, sr.void) == (69, "steps", 9, 10, "episodes", 7)
    assert em.valid is not None and em.valid.estimate == 39 / 60
    assert sr.valid is not None and sr.valid.estimate == 1 / 3
    assert len(scored.missing) == 9 and scored.missing[0] == "episode messages_1 step 6"
    assert not scored.extra and not scored.bad


def test_both_variants_are_those_of_an_independent_count(mini: Path) -> None:
    for variant in ("release", "paper"):
        episodes: dict[str, list[bool]] = defaultdict(list)
        for at, one in enumerate(records(mini)):
            kind, rule = one["result_action_type"], at % 7
            right = rule < 4 or (rule == 4 and (kind >= 8 or kind == -1))
            if variant == "release" and kind in (-1, 1):
                right = False
            episodes[one["episode_id"]].append(right)
        steps = [right for some in episodes.values() for right in some]
        prefix = [[*some, False].index(False) / len(some) for some in episodes.values()]
        share = [sum(some) / len(some) for some in episodes.values()]
        found = values(score(mini, mini / "predictions.jsonl", variant))
        assert found["EM"] == pytest.approx(sum(steps) / len(steps))
        assert found["SR"] == pytest.approx(sum(map(all, episodes.values())) / 10)
        assert found["GP"] == pytest.approx(sum(prefix if variant == "release" else share) / 10)


def test_the_tables_add_up_and_everything_can_be_written(mini: Path) -> None:
    scored = score(mini, mini / "predictions.jsonl")
    assert [table.columns[0] for table in scored.tables] == ["level", "dimension", "app", "subset", "primitive"]
    for table in scored.tables:
        assert sum(int(cells[1]) for cells in table.rows) == 69
        assert sum(int(cells[-1]) for cells in table.rows) == 9
    assert [cells[0] for cells in scored.tables[0].rows] == ["AV-Critical", "AV-Present", "AV-Supportive"]
    assert len(scored.tables[-1].rows) == 13, "every primitive is in the miniature"
    notes = " ".join(scored.notes)
    assert "1 step is flagged" in notes and "1 DOUBLE_TAP and 4 NONE can never" in notes and "the 4 episodes" in notes
    assert "can never" not in " ".join(score(mini, mini / "predictions.jsonl", "paper").notes)
    assert scored_tables(scored)[0].text() and json.dumps(scored_to_json(scored))


def plain(mini: Path) -> list[dict[str, Any]]:
    """The sample predictions in the plain form."""
    return [
        {
            "episode_id": one["exact_match"]["episode_id"],
            "step_id": one["exact_match"]["step_id"],
            "response": one["filtered_resps"][0],
        }
        for one in log(mini)
    ]


def test_every_form_of_a_prediction_file_scores_alike(mini: Path, tmp_path: Path) -> None:
    wanted = values(score(mini, mini / "predictions.jsonl"))
    forms = {
        "rows.jsonl": [{"doc_id": one["doc_id"], "resps": [one["filtered_resps"]]} for one in log(mini)],
        "doc.jsonl": [{"doc": one["exact_match"], "resps": one["filtered_resps"][0]} for one in log(mini)],
        "plain.jsonl": plain(mini),
        "subset.jsonl": [{**one, "subset": "unknown"} for one in plain(mini)],
    }
    for name, rows in forms.items():
        (tmp_path / name).write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (tmp_path / "plain.json").write_text(json.dumps(plain(mini)), encoding="utf-8")
    with (tmp_path / "plain.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, ["episode_id", "step_id", "response"])
        table.writeheader()
        table.writerows(plain(mini))
    for path in sorted(tmp_path.iterdir()):
        scored = score(mini, path)
        assert values(scored) == wanted and not scored.extra, path.name


def test_coordinates_may_be_pixels_where_the_variant_says_so(mini: Path, tmp_path: Path) -> None:
    wide = row(0, 1, image_width=2000, image_height=2000, result_touch_xy="[[1000, 1200], [1100, 1300]]")
    near = row(0, 1, episode_id="f")
    put(tmp_path, wide, near)
    said = {"e": {"action_type": 0, "coordinate": [1050, 1250]}, "f": {"action_type": 0, "coordinate": [200, 150]}}
    rows = [{"episode_id": id, "step_id": 0, "reply": json.dumps(one)} for id, one in said.items()]
    (tmp_path / "p.json").write_text(json.dumps(rows))
    # In thousandths the first is off the screen and the second is in (100..300, 100..200); in pixels it is the reverse.
    for rules in ("release", "paper"):
        for variant, right in ((rules, 1), (f"{rules}-pixel", 1), (f"{rules}-auto", 2)):
            assert values(score(tmp_path, tmp_path / "p.json", variant))["EM"] == right / 2, variant


def test_rows_that_answer_nothing_are_listed_and_a_null_is_no_reply(mini: Path, tmp_path: Path) -> None:
    good = {"episode_id": "e", "step_id": 0, "reply": '{"action_type": 0, "coordinate": [200, 150]}'}
    rows: list[Any] = [
        {**good, "reply": "before"},
        good,
        {**good, "episode_id": "g"},
        {**good, "step_id": 9},
        {**good, "subset": "en"},
        {"episode_id": "e", "step_id": 1},
        {"episode_id": "f", "step_id": 0, "reply": None},
        {"doc_id": 99, "filtered_resps": ["x"]},
        {"filtered_resps": ["x"]},
        7,
    ]
    put(tmp_path, row(0, 1), row(0, 1, episode_id="f"))
    (tmp_path / "p.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n{broken", encoding="utf-8")
    scored = score(tmp_path, tmp_path / "p.jsonl")
    assert [line.split(": ")[0] for line in scored.extra] == [
        "p.jsonl, record 2, field episode_id",
        "p.jsonl, record 3, field episode_id",
        "p.jsonl, record 4, field episode_id",
        "p.jsonl, record 5, field episode_id",
        "p.jsonl, record 7, field doc_id",
        "p.jsonl, record 8, field episode_id",
        "p.jsonl, record 9",
        "p.jsonl, record 10",
    ]
    assert scored.missing == ("episode f step 0",)
    assert (values(scored)["EM"], scored.figure("EM").void) == (0.5, 1)
    assert "1 predictions are for a step that already has one; the last one counts" in scored.notes


def test_an_id_of_two_subsets_wants_the_subset(tmp_path: Path) -> None:
    put(tmp_path, row(0, 1, subset="zh"), row(0, 1, subset="en", result_action_type=8))
    rows = [
        {"episode_id": "e", "step_id": 0, "reply": '{"action_type": 8}'},
        {"episode_id": "e", "step_id": 0, "subset": "en", "reply": '{"action_type": 8}'},
    ]
    (tmp_path / "p.json").write_text(json.dumps(rows))
    scored = score(tmp_path, tmp_path / "p.json")
    assert scored.extra == ("p.json, record 0, field subset: episode e is in en and zh; name one in the field subset",)
    assert scored.missing == ("episode zh-e step 0",) and values(scored)["SR"] == 0.5


def test_a_bad_record_is_listed_and_in_no_denominator(tmp_path: Path) -> None:
    put(tmp_path, row(0, 1), row(0, 2, episode_id="f"))
    rows = [{"episode_id": id, "step_id": 0, "prediction": "back()"} for id in ("e", "f")]
    (tmp_path / "p.json").write_text(json.dumps(rows))
    scored = score(tmp_path, tmp_path / "p.json")
    assert scored.figure("EM").of == 1 and not scored.missing
    assert [bad.field for bad in scored.bad] == ["episode_length"] and len(scored.extra) == 1


@pytest.mark.slow
def test_a_runs_score_is_what_its_judges_found(mini: Path, tmp_path: Path) -> None:
    for planner, variant in (("oracle", "release"), ("noop", "paper"), ("rules", "release")):
        out = tmp_path / f"{planner}-{variant}"
        episodes = played(mini, out, planner, variant=variant)
        scored = score(mini, out, variant)
        assert values(scored)["SR"] == sum(one.success for one in episodes) / 10
        assert values(scored)["EM"] == pytest.approx(sum(one.completed for one in episodes) / 69)
        if variant == "paper":
            assert values(scored)["GP"] == pytest.approx(sum(one.completed / one.total for one in episodes) / 10)
        assert not scored.missing and not scored.extra and scored.figure("EM").void == 0
        # Where the data lay stands in the run, so that it need not be said again.
        assert values(OmniGuiScore().score("", out, variant)) == values(scored)


@pytest.mark.slow
def test_a_run_of_some_episodes_is_scored_over_those(mini: Path, tmp_path: Path) -> None:
    played(mini, tmp_path / "run", "oracle", tasks=("settings_1", "notes_1"))
    scored = score(mini, tmp_path / "run")
    assert (scored.figure("EM").of, scored.figure("SR").of, values(scored)["SR"]) == (11, 2, 1.0)
    assert any("the run was of 2 episodes" in note for note in scored.notes)
    other = put(tmp_path, row(0, 1))
    for data, folder, variant, message in (
        (other, tmp_path / "run", "release", "other annotations"),
        (mini, tmp_path / "run", "release-auto", "score it with --variant release"),
        (mini, tmp_path / "run", "fixed", "variant must be one of release, paper"),
        (mini, mini, "release", "is not a run directory"),
        (mini, tmp_path / "merged_sorted.json", "release", "no answer to a step of the data"),
    ):
        with pytest.raises(ConfigError, match=message):
            score(data, folder, variant)


@pytest.mark.slow
def test_a_run_of_another_suite_is_refused(mini: Path, tmp_path: Path) -> None:
    from omnipilot.agents import AgentSpec, PartSpec
    from omnipilot.bench import RunSpec
    from omnipilot.bench.journal.run_directory import prepare

    prepare(tmp_path, RunSpec(AgentSpec(PartSpec("noop")), PartSpec("duet")), ())
    (tmp_path / "journal.jsonl").touch()
    with pytest.raises(ConfigError, match="a run of suite duet, not of omnigui"):
        score(mini, tmp_path)
