"""What docs/evidence.md says of labels and ratings: its commands run in their order, with a person at the page."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from command_line import omnipilot
from page_commands import commands

from omnipilot.bench.annotation.annotate_page import AnnotationPage
from omnipilot.bench.annotation.checks import KINDS
from omnipilot.bench.annotation.levels import PAPER_SHARES
from omnipilot.bench.annotation.rate_page import TrajectoryRatingPage
from omnipilot.bench.local_page import LocalPage

pytestmark = pytest.mark.exhibit("duet", "rules", "omnigui")
TEXT = (Path(__file__).parents[2] / "docs/evidence.md").read_text(encoding="utf-8")
PART = TEXT[TEXT.index("\n## Label what decided") :].split("\n## ")
OURS = "\n## ".join(PART[:3])


def test_tables_and_shares_are_those_of_the_code() -> None:
    assert tuple(re.findall(r"^\| (\w+) \| ", OURS[OURS.index("what is wrong") :], re.M)) == KINDS
    shares = "{:.1f}, {:.1f} and {:.1f} %".format(*(100 * share for share in PAPER_SHARES.values()))
    assert shares in OURS


@pytest.mark.slow
def test_the_commands_run_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def person(page: LocalPage) -> None:
        """Labels or rates everything, and presses Ctrl-C; lee takes every episode for decided."""
        if isinstance(page, AnnotationPage):
            for episode in page.episodes:
                heard = [
                    page.rater != "lee" and "voicemail" in episode.id and one.primitive == "INPUT"
                    for one in episode.steps
                ]
                for step, needs in enumerate(heard):
                    page.take("first", {"episode": episode.id, "step": step, "decided": "no" if needs else "yes"})
                for step, needs in enumerate(heard):
                    by = ["speech" if needs else "screen"]
                    page.take("second", {"episode": episode.id, "step": step, "decided": "yes", "by": by})
                page.take("dimension", {"episode": episode.id, "dimension": "Localization"})
        else:
            assert isinstance(page, TrajectoryRatingPage)
            for one in page.trajectories:
                page.take("ratings", {"episode": one.id, "completion": 100, "logic": 90})
        raise KeyboardInterrupt

    monkeypatch.setattr(LocalPage, "wait", person)
    lines = commands(OURS)
    assert len(lines) == 10
    told = {}
    for line in lines:
        done = omnipilot(*shlex.split(line)[1:])
        assert done.returncode == 0, f"{line}: {done.stderr}{done.stdout}"
        told[line] = done.stdout
    assert "1 episodes to label" in told["omnipilot annotate runs/recorded --rater max --third"]
    labels = told["omnipilot annotate runs/recorded"]
    assert "29.8 %" in labels and "Cohen's κ" in labels and "as proved: 3 of 3" in labels
    assert "nothing wrong" in told["omnipilot annotate runs/recorded --check"]
    assert "3 of 3 trajectories rated (kim 3)" in told["omnipilot rate runs/recorded"]
    assert (tmp_path / "recorded-omnigui/merged_sorted.json").exists() and (tmp_path / "ratings.csv").exists()
