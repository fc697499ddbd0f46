"""`omnipilot ground` on the miniature benchmarks, and the score of what it leaves: the same tables."""

from __future__ import annotations

import importlib
import importlib.util
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from made_parts import make_part
from pointing_files import Perfect

from omnipilot.bench.cli.commands.ground import GroundOptions, ground_command
from omnipilot.bench.cli.commands.score import score_command
from omnipilot.bench.pointing.evaluation import STYLES, evaluate
from omnipilot.bench.pointing.place import Nowhere, Polygon, hits, place_from_json, place_to_json
from omnipilot.bench.pointing.run import from_json, to_json
from omnipilot.bench.registry import POINTING
from omnipilot.bench.scoring.benchmark import BENCHMARKS
from omnipilot.bench.scoring.score import scored_tables
from omnipilot.envs import Box, ConfigError, Modality, Point
from omnipilot.grounders import CentreGrounder, RandomElementGrounder

NAMES = ("screenspot", "screenspot-v2", "screenspot-pro", "osworld-g", "mmbench-l2")
OPTIONS = {"screenspot-pro": "gt_type=all", "osworld-g": "refined=true"}


@pytest.fixture(scope="module")
def minis(miniature: Callable[[str], Path]) -> Callable[[str], str]:
    """The folder of each miniature."""
    return lambda name: str(miniature(name))


@pytest.mark.parametrize("name", NAMES)
def test_who_knows_everything_reaches_all_and_the_score_of_the_run_is_its_table(
    name: str, minis: Callable[[str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = [f"suite.data={minis(name)}", f"grounder.suite={name}", f"grounder.data={minis(name)}"]
    if name in OPTIONS:
        options += [f"suite.{OPTIONS[name]}", f"grounder.option={OPTIONS[name]}"]
    ground_command(name, "pointing_files:Perfect", None, options, GroundOptions(out=tmp_path))
    printed = (tmp_path / "table.txt").read_text()
    assert printed in capsys.readouterr().out
    headline = printed.splitlines()[2].split()
    assert headline[2] == "100.0" and headline[headline.index("items") + 1] == "0", headline
    score_command(name, [tmp_path], minis(name), None, None)
    scored = capsys.readouterr().out.strip()
    assert "variant release" in scored and printed.startswith(scored)
    score_command(name, [tmp_path], None, None, None)
    assert capsys.readouterr().out.strip() == scored


@pytest.mark.parametrize("name", NAMES)
def test_a_grounder_sees_a_picture_and_its_own_instruction_alone(name: str, minis: Callable[[str], str]) -> None:
    """Also where items with and without a target are mixed: what is asked is the item's own."""
    given = {"gt_type": "all"} if name == "screenspot-pro" else {}
    suite = make_part(POINTING, name, {"data": minis(name), **given})
    perfect = Perfect(name, minis(name), "gt_type=all" if given else "")
    answers = list(evaluate(suite.shots(), perfect))
    words = {spot.target.id: spot.target.basic or spot.target.advanced for spot in suite.spots}
    assert [answer.text for answer in answers] == [words[answer.target] for answer in answers]
    assert len(answers) == len(suite.spots) and {seen.time for seen in perfect.seen} == {0.0}
    for seen in perfect.seen:
        assert seen.env in ("phone", "desktop", "browser")
        assert not any(seen.has(modality) for modality in Modality if modality != Modality.SCREENSHOT)


@pytest.mark.parametrize("name", NAMES)
def test_without_looking_little_is_hit_and_no_baseline_sees_elements(name: str, minis: Callable[[str], str]) -> None:
    suite = make_part(POINTING, name, {"data": minis(name)})
    centre = suite.scored(list(evaluate(suite.shots(), CentreGrounder())))
    nothing = suite.scored(list(evaluate(suite.shots(), RandomElementGrounder())))
    assert 0 <= (centre.figures[0].value or 0) <= 0.15
    assert nothing.figures[0].value == 0
    assert centre.missing == nothing.missing == ()


def test_a_run_that_was_cut_off_is_void_where_it_did_not_come(minis: Callable[[str], str], tmp_path: Path) -> None:
    options = [f"suite.data={minis('osworld-g')}", "grounder.suite=osworld-g", f"grounder.data={minis('osworld-g')}"]
    ground_command("osworld-g", "pointing_files:Perfect", None, options, GroundOptions(limit=20, out=tmp_path))
    rules = make_part(BENCHMARKS, "osworld-g")
    whole = rules.score(minis("osworld-g"), tmp_path, "release").figure("overall")
    assert (whole.value, whole.of, whole.void) == (1.0, 20, 0)
    lines = (tmp_path / "answers.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "answers.jsonl").write_text("".join(lines[:15]))
    cut = rules.score(minis("osworld-g"), tmp_path, "release")
    overall = cut.figure("overall")
    assert (overall.value, overall.of, overall.void) == (0.75, 20, 5)
    assert overall.valid.estimate == 1.0 and len(cut.missing) == 5
    assert any("were not asked (limit, styles)" in note for note in cut.notes)


def test_a_run_of_other_data_or_another_suite_is_refused(minis: Callable[[str], str], tmp_path: Path) -> None:
    data = minis("screenspot-v2")
    options = [f"suite.data={data}", "grounder.suite=screenspot-v2", f"grounder.data={data}"]
    ground_command(
        "screenspot-v2", "pointing_files:Perfect", None, options, GroundOptions("basic", 3, out=tmp_path / "run")
    )
    with pytest.raises(ConfigError, match="is a run of screenspot-v2, not of screenspot; score it with"):
        make_part(BENCHMARKS, "screenspot").score(minis("screenspot"), tmp_path / "run", "release")
    other = tmp_path / "other"
    importlib.import_module("omnipilot.bench.suites.screenspot.sample_v2").write(other)
    file = other / "screenspot_web_v2.json"
    file.write_text(json.dumps(json.loads(file.read_text())[1:]))
    with pytest.raises(ConfigError, match="was run on version 1-.* the data is version 1-"):
        make_part(BENCHMARKS, "screenspot-v2").score(str(other), tmp_path / "run", "release")
    with pytest.raises(ConfigError, match=r"contains no pointing.json"):
        make_part(BENCHMARKS, "screenspot-v2").score(data, other, "release")


def test_bad_records_are_told_beside_the_figures(minis: Callable[[str], str], tmp_path: Path) -> None:
    importlib.import_module("omnipilot.bench.suites.mmbench_gui.level2.sample").write(tmp_path)
    file = tmp_path / "L2_annotations.json"
    records = json.loads(file.read_text())
    records[3]["bbox"][2] = 1e6
    file.write_text(json.dumps(records))
    suite = make_part(POINTING, "mmbench-l2", {"data": str(tmp_path)})
    text = scored_tables(suite.scored(list(evaluate(suite.shots(), CentreGrounder(), limit=4))))[0].text()
    assert "1 of the data cannot be read and is in no denominator: L2_annotations.json, record 3, field bbox" in text


@pytest.mark.slow
@pytest.mark.needs("omnipilot[ocr]")
def test_the_ocr_grounder_reads_what_is_written(minis: Callable[[str], str]) -> None:
    from omnipilot.grounders import OcrGrounder

    suite = make_part(POINTING, "osworld-g", {"data": minis("osworld-g")})
    scored = suite.scored(list(evaluate(suite.shots(), OcrGrounder(), limit=7)), 7, STYLES)
    cells = {row[0]: row[1] for row in scored.tables[0].rows}
    assert float(cells["text_matching"].split()[0]) >= 50 and cells["refusal"].startswith("100.0")


def test_places_come_back_from_their_json() -> None:
    places = (Box(0.1, 0.2, 0.3, 0.4), Polygon((Point(0.0, 0.0), Point(1.0, 0.0), Point(0.0, 1.0))), Nowhere())
    assert [place_from_json(json.loads(json.dumps(place_to_json(place)))) for place in places] == list(places)
    assert place_to_json(places[0]) == [0.1, 0.2, 0.3, 0.4]
    with pytest.raises(ValueError, match="at least three corners"):
        Polygon((Point(0.0, 0.0), Point(1.0, 0.0)))


def test_what_is_nowhere_is_hit_by_saying_so_alone(minis: Callable[[str], str]) -> None:
    assert [hits(Nowhere(), None, reason) for reason in ("refused", "not_found", "unparsable", "ambiguous", "")] == [
        *(True, True, False, False, False)
    ]
    assert not hits(Nowhere(), Point(0.5, 0.5), "") and not hits(Box(0.0, 0.0, 1.0, 1.0), None, "not_found")
    suite = make_part(POINTING, "osworld-g", {"data": minis("osworld-g")})
    answers = list(evaluate(suite.shots(), Perfect("osworld-g", minis("osworld-g"))))
    assert [from_json(json.loads(json.dumps(to_json(answer)))) for answer in answers] == answers
    assert {type(answer.box) for answer in answers} == {Box, Polygon, Nowhere}
    assert all(answer.hit for answer in answers)
