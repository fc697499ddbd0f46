"""What the page on comparing prints of plans is what the command prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from omnipilot.bench.cli.commands.plan import PlanOptions, plan_command
from omnipilot.bench.experiments import designs
from omnipilot.bench.experiments.plan import Assumptions, assumed_basis
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.stats.power import detectable
from omnipilot.bench.stats.sign_flips import fewest

PAGE = Path(__file__).resolve().parents[2] / "docs/comparing.md"


@pytest.mark.exhibit("duet")
def test_the_page_shows_what_the_command_says_of_a_suite(capsys: pytest.CaptureFixture[str]) -> None:
    plan_command(10, how=PlanOptions(suite=RunSettings(suite="duet")))
    said = capsys.readouterr().out.splitlines()[0]
    assert said in PAGE.read_text(encoding="utf-8").splitlines()


def test_the_page_says_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert "omnipilot plan --difference 10 --rate 0.4 --cost 0.05 --seconds 90" in page
    plan_command(10, assumed={"rate": 0.4, "cost": 0.05, "seconds": 90})
    table = [line.split() for line in capsys.readouterr().out.splitlines()[4:13]]
    assert [table[n] for n in (0, 1, -1)] == [
        ["257", "1", "1", "514", "25.70", "12.8"],
        ["180", "2", "1", "720", "36.00", "18.0"],
        ["115", "5", "5", "5750", "287.50", "143.8"],
    ]
    assert "257 tasks, once under each system, for 25.70 dollars and 12.8 hours" in page
    assert "180 tasks with two instances of each (36.00 dollars), down to 115 with five of each" in page
    smallest = [100 * (detectable(0.0, n - 1, n, 0.95, 0.8) or 1.0) for n in (10, 20, 40, 100)]
    assert "{:.0f} points of 10 tasks, {:.0f} of 20, {:.0f} of 40, and {:.0f} of 100".format(*smallest) in page
    alike = Assumptions(rate=0.7, agreement=1.0, noise=0.0, content=0.0)
    assert designs(0.2, assumed_basis(alike, 0.2))[0].tasks == 39 and "it takes 39 tasks" in page
    assert (
        any("correlates with 0.51," in line for line in assumed_basis(alike, 0.2).lines)
        and "correlate with 0.51" in page
    )
    assert (fewest(), fewest(1 - 0.05 / 20)) == (6, 10) and "fewer than six (ten, for the first of 20" in page
