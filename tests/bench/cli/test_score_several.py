"""`omnipilot score` of several runs and files: one row each, differences to the first, and pointing beside agents."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from made_runs import a_run, episode
from toy_suite import toy_spec

from omnipilot.agents import PartSpec
from omnipilot.bench.cli.commands.ground import GroundOptions, ground_command
from omnipilot.bench.cli.commands.score import ScoreOptions, run_names, score_command
from omnipilot.bench.report.figures_table import differences_table, figures_table
from omnipilot.bench.run import run
from omnipilot.bench.scoring import pointing_figures as beside
from omnipilot.bench.scoring.benchmark import BENCHMARKS
from omnipilot.bench.scoring.compared_figures import align_figures, compare_figures
from omnipilot.bench.scoring.metrics import load_metric, metric_figure
from omnipilot.bench.scoring.pointing_figures import pointing_figures
from omnipilot.bench.scoring.run_figures import run_figures, scored_run
from omnipilot.bench.scoring.score import Figure
from omnipilot.bench.stats.correction import holm
from omnipilot.envs import ConfigError


def rows() -> list[list[Figure]]:
    """SR and turns of three runs: 2 of 12 tasks solved, 6 and 12."""
    names = "sr", "turns"
    runs = [[episode(f"t{n}", 2 * (n < solved)) for n in range(12)] for solved in (2, 6, 12)]
    return [[metric_figure(load_metric(name), one) for name in names] for one in runs]


def test_each_row_is_compared_with_the_reference_and_corrected_for_the_rows() -> None:
    found = compare_figures(rows())
    assert [one.difference for one in found[0]] == [None, None]
    differences = [row[0].difference for row in found[1:]]
    assert [one.interval.estimate for one in differences if one] == pytest.approx([4 / 12, 10 / 12])
    assert [row[0].adjusted for row in found[1:]] == pytest.approx(
        list(holm([one.p or 0 for one in differences if one]))
    )
    from_last = compare_figures(rows(), reference=2)
    assert from_last[0][0].difference is not None and from_last[0][0].difference.interval.estimate == -10 / 12
    table = figures_table(["a", "b", "c"], found)
    assert table.columns == ("run", "SR %", "turns") and [row[1][:4] for row in table.rows] == ["16.7", "50.0", "100."]
    apart = differences_table(["a", "b", "c"], found)
    assert apart is not None and [row[:2] for row in apart.rows[:2]] == [("SR %", "b"), ("SR %", "c")]
    assert [row[4] for row in apart.rows[2:]] == ["", ""], "only the headline is corrected"


def test_what_a_row_lacks_is_undefined_there() -> None:
    first, second, _ = rows()
    aligned = align_figures([first, second[:1]])
    assert [one.name for one in aligned[1]] == ["SR", "turns"] and aligned[1][1].interval is None
    assert differences_table(["a"], compare_figures(aligned[:1])) is None


def test_names_are_the_shortest_ends_that_differ(tmp_path: Path) -> None:
    files = [tmp_path / "a" / "said.json", tmp_path / "b" / "said.json"]
    assert run_names(files) == ["a-said", "b-said"]
    assert run_names([tmp_path / "x.json", tmp_path / "y.json"]) == ["x", "y"]
    assert run_names([tmp_path / "x.json", tmp_path / "x.csv"]) == ["x.json", "x.csv"]
    with pytest.raises(ConfigError, match="given twice"):
        run_names([tmp_path / "x.json", tmp_path / "x.json"])


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """OmniACT's miniature with two files of predictions."""
    from omnipilot.bench.suites.omniact import sample

    folder = tmp_path_factory.mktemp("omniact")
    sample.write(folder)
    good = json.loads(sample.sample_predictions(folder).read_text())
    (folder / "good.json").write_text(json.dumps(good))
    (folder / "bad.json").write_text(json.dumps(dict.fromkeys(good, "pyautogui.press('f9')")))
    return folder


@pytest.mark.exhibit("omniact")
def test_two_files_are_two_rows(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [data / "good.json", data / "bad.json"]
    score_command("omniact", files, str(data), None, tmp_path)
    told = capsys.readouterr().out
    single = {
        file.stem: json.loads((tmp_path / file.stem / "score.json").read_text())["figures"][0]["value"]
        for file in files
    }
    assert f"{100 * single['good']:.2f} [" in told and f"{100 * single['bad']:.2f} [" in told
    assert f"{100 * (single['bad'] - single['good']):+.2f} [" in told and "AS %" in told
    assert (tmp_path / "score.txt").read_text().count("\n") > 10
    score_command("omniact", files, str(data), None, None, how=ScoreOptions("as*", reference="bad"))
    told = capsys.readouterr().out
    assert f"{100 * (single['good'] - single['bad']):+.2f} [" in told and "AS web %" in told and "SS %" not in told


@pytest.mark.exhibit("omniact")
@pytest.mark.parametrize(
    ("how", "message"),
    [
        (ScoreOptions("ass"), "no figure of omniact 'ass'; did you mean SS or AS"),
        (ScoreOptions(reference="gud"), "no reference 'gud'; did you mean good"),
    ],
)
def test_a_misspelt_name_is_answered_with_what_there_is(data: Path, how: ScoreOptions, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        score_command("omniact", [data / "good.json", data / "bad.json"], str(data), None, None, how=how)


@pytest.mark.exhibit("mmbench_gui")
def test_a_pointing_run_stands_beside_the_runs_of_its_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from omnipilot.bench.suites.mmbench_gui.level2 import sample

    data, pointed = tmp_path / "data", tmp_path / "pointed"
    data.mkdir()
    sample.write(data)
    ground_command("mmbench-l2", "centre", str(data), how=GroundOptions(out=pointed))
    own = run_figures(pointed, ["average", "windows basic"])
    assert [one.name for one in own] == ["average", "windows basic"]
    made = a_run("agent", [replace(episode("a"), pointed_asked=1)])
    spec = replace(made.spec, agent=replace(made.spec.agent, grounder=PartSpec("centre")))
    monkeypatch.setattr(beside, "load_run", lambda _: replace(made, spec=spec))
    assert [one.name for one in pointing_figures(tmp_path, [pointed], ["average"])] == ["mmbench-l2 average"]
    other = replace(spec, agent=replace(spec.agent, grounder=PartSpec("vllm", {"model": "some"})))
    monkeypatch.setattr(beside, "load_run", lambda _: replace(made, spec=other))
    assert pointing_figures(tmp_path, [pointed]) == ()
    monkeypatch.setattr(beside, "load_run", lambda _: replace(made, spec=spec))
    with pytest.raises(ConfigError, match="are both runs of centre on mmbench-l2"):
        pointing_figures(tmp_path, [pointed, pointed])
    with pytest.raises(ConfigError, match="contains no pointing run"):
        pointing_figures(tmp_path, [tmp_path])


@pytest.mark.exhibit("mmbench_gui")
def test_figures_of_a_run_by_name(tmp_path: Path) -> None:
    run(toy_spec("count"), tmp_path / "run")
    named = run_figures(tmp_path / "run", ["sr", "turns", "mmbench-l3:SR@15"])
    assert [one.name for one in named] == ["SR", "turns", "SR@15"]
    assert named[0].value == named[2].value
    assert [one.name for one in run_figures(tmp_path / "run")] == ["SR", "CR", "EE", "CE"]
    with pytest.raises(ConfigError, match="no figure 'tuns'; did you mean turns"):
        run_figures(tmp_path / "run", ["tuns"])
    with pytest.raises(ConfigError, match="no figure of mmbench-l3 'SR@1'"):
        run_figures(tmp_path / "run", ["mmbench-l3:SR@1"])
    assert "mmbench-l3" in BENCHMARKS.names()
    assert scored_run(tmp_path / "run", "mmbench-l3") is scored_run(tmp_path / "run", "mmbench-l3")
