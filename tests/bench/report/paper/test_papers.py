"""The tables of the papers, each made by one command from miniature data and scripted models."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import omnipilot
from latex_checks import check_latex, tabulars

from omnipilot.bench.report.paper.latex import COLUMN, PAGE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.exhibit("omnibench", "mmbench_gui", "omniact", "omnigui", "duet", "rules"),
]
PLANNERS = ("noop", "random", "oracle")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, miniature: Callable[[str], Path]) -> Callable[[str], list[str]]:
    """The runs of three planners, or three grounders, on a suite, each named as a paper would; run once."""
    folder = tmp_path_factory.mktemp("runs")

    def made(suite: str) -> list[str]:
        data = [] if suite == "duet" else ["--data", str(miniature(suite))]
        pointing = suite == "mmbench-l2"
        parts = ("elements", "random-element", "gold") if pointing else PLANNERS
        for part in parts:
            out = folder / f"{suite}-{part}"
            if out.exists():
                continue
            more = ["--grounder", part] if pointing else ["--planner", part]
            more += ["--where", "level=AV-present"] if suite == "duet" else []
            done = omnipilot("ground" if pointing else "run", "--suite", suite, *data, *more, "--out", str(out))
            assert done.returncode == 0, done.stderr
        sections = ("Baselines", "Baselines", "Bounds")
        return [f"{name}/{part}={folder}/{suite}-{part}" for name, part in zip(sections, parts, strict=True)]

    return made


def table(arguments: list[str], tmp_path: Path, width: float) -> str:
    """The table in LaTeX, checked, and set where pdflatex is installed."""
    done = omnipilot("table", *arguments, "--format", "latex", "--out", str(tmp_path / "table.tex"))
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "table.tex").read_text(encoding="utf-8")
    check_latex(text, tmp_path / "set", width)
    assert "{Baselines}" in text and "{Bounds}" in text
    assert "a bound by parts that know" in text.lower()
    return text


def heads(text: str) -> str:
    """The rows above the rule of the first part."""
    return tabulars(text)[0].partition(r"\midrule")[0]


def test_omnibench_table_4(runs: Callable[[str], list[str]], tmp_path: Path) -> None:
    """Models by overall CR and LC, and CR by capability."""
    arguments = [*runs("omnibench"), "--columns", "CR,LC,CR/capability", "--width", "page"]
    text = table(arguments, tmp_path, PAGE)
    assert r"\begin{table*}" in text
    whole = re.sub(r"\s+", " ", text)
    for name in ("CR", "LC", "CR by capability"):
        assert name in whole
    assert "knowledge" in whole.lower() and r"\ci{" in whole


def test_mmbench_table_1(runs: Callable[[str], list[str]], tmp_path: Path) -> None:
    """Models in sections by difficulty, columns by platform and overall."""
    arguments = [re.sub(r"^\w+/", "", one) for one in runs("mmbench-l1")]
    done = omnipilot(
        "table", *arguments, "--columns", "all levels", "--by", "platform", "--rows", "difficulty", "--no-overall",
        "--format", "latex", "--width", "page",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    check_latex(done.stdout, tmp_path, PAGE)
    sections = re.findall(r"\\emph\{(\w+)\}", done.stdout)
    assert sections == ["Easy", "Medium", "Hard"]
    assert all(name in heads(done.stdout) for name in ("Windows", "Linux", "Android", "Web"))


def test_mmbench_table_2(runs: Callable[[str], list[str]], tmp_path: Path) -> None:
    """Grounders by platform, basic and advanced instructions below each, and the average over all."""
    arguments = [*runs("mmbench-l2"), "--columns", "average", "--by", "platform,mode", "--variant", "paper"]
    text = table([*arguments, "--width", "page"], tmp_path, PAGE)
    flat = text.replace("\n", " ")
    assert all(name in flat for name in ("Windows", "macOS", "Linux", "iOS", "Android", "Web", "Basic", "Advanced"))


def test_mmbench_table_3(runs: Callable[[str], list[str]], tmp_path: Path) -> None:
    """SR and EQA below each kind of device, in sections by the limit on steps."""
    arguments = [re.sub(r"^\w+/", "", one) for one in runs("duet")]
    done = omnipilot(
        "table", *arguments, "--columns", "sr,eqa", "--by", "device", "--turns", "15,50", "--format", "latex",
        "--width", "page",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    check_latex(done.stdout, tmp_path, PAGE)
    assert re.findall(r"\\emph\{([^}]*)\}", done.stdout) == ["At most 15 turns", "At most 50 turns"]
    assert heads(done.stdout).count("EQA") >= 2


def test_omniact_table_4(runs: Callable[[str], list[str]], tmp_path: Path) -> None:
    """Models by sequence score, the three penalties and the action score, in one column."""
    text = table([*runs("omniact"), "--columns", "SS,Mp,Kp,Wp,AS"], tmp_path, COLUMN)
    found = tabulars(text)
    assert len(found) == 1 and re.findall(r"\b(SS|Mp|Kp|Wp|AS)\b", found[0]) == ["SS", "Mp", "Kp", "Wp", "AS"]


def test_omnigui_em_by_level(runs: Callable[[str], list[str]], tmp_path: Path) -> None:
    """EM by level and overall, with differences from a model, in one column."""
    text = table([*runs("omnigui"), "--columns", "EM", "--by", "level", "--reference", "noop"], tmp_path, COLUMN)
    assert "Overall" in text and "Holm" in text
    assert "exploratory" in text
