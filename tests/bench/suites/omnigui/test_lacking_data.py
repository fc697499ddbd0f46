"""Steps of OmniGUI whose place or text the data does not tell: they count, and no planner stumbles over them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from omnigui_made import played, put, row

from omnipilot.bench.scoring import Scored
from omnipilot.bench.suites.omnigui.score import OmniGuiScore

TAP = {"action_type": 0, "coordinate": [200, 150]}
SAID = {
    "a": [TAP, TAP],
    "b": [{"action_type": 7, "text": ""}, {"action_type": 8}],
    "c": [TAP, {"action_type": 3, "start_coordinate": [200, 150]}],
}


def data(folder: Path) -> Path:
    """Three episodes of two steps, with a TAP at [-1, -1], an INPUT of nothing and a SWIPE_UP without a place."""
    return put(
        folder,
        row(0, 2, episode_id="a", result_touch_xy="[-1, -1]"),
        row(1, 2, episode_id="a"),
        row(0, 2, episode_id="b", result_action_type=7, result_touch_xy=""),
        row(1, 2, episode_id="b", result_action_type=8, result_touch_xy=""),
        row(0, 2, episode_id="c"),
        row(1, 2, episode_id="c", result_action_type=3, result_touch_xy=None),
    )


def values(found: Scored) -> list[float | None]:
    return [found.figure(name).value for name in ("TM", "EM", "SR", "GP")]


def test_they_match_by_their_kind_and_never_exactly(tmp_path: Path) -> None:
    rows = [
        {"episode_id": id, "step_id": step, "reply": json.dumps(one)}
        for id, steps in SAID.items()
        for step, one in enumerate(steps)
    ]
    (tmp_path / "p.json").write_text(json.dumps(rows))
    found = OmniGuiScore().score(str(data(tmp_path)), tmp_path / "p.json")
    # Exact: the second of a and of b, the first of c; its prefix is all that c gets.
    assert values(found) == pytest.approx([6 / 6, 3 / 6, 0 / 3, (1 / 2) / 3])
    assert (found.bad, found.missing, found.figure("EM").of) == ((), (), 6)
    told = "3 steps can never be an exact match, for the data does not say where or what: "
    assert any(note.startswith(f"{told}1 INPUT and 1 SWIPE_UP and 1 TAP") for note in found.notes)
    # To the letter "" is "".
    paper = OmniGuiScore().score(str(tmp_path), tmp_path / "p.json", "paper")
    assert values(paper) == pytest.approx([6 / 6, 4 / 6, 1 / 3, (1 / 2 + 1 + 1 / 2) / 3])
    assert any(note.startswith("2 steps can never be an exact match") for note in paper.notes)


@pytest.mark.parametrize(("planner", "kinds"), [("oracle", 5), ("rules", None), ("noop", None), ("random", None)])
def test_a_run_goes_through_them(tmp_path: Path, planner: str, kinds: int | None) -> None:
    episodes = played(data(tmp_path), tmp_path / "run", planner)
    assert len(episodes) == 3 and not any(episode.void for episode in episodes)
    found = OmniGuiScore().score(str(tmp_path), tmp_path / "run")
    assert (found.figure("EM").of, found.figure("EM").void) == (6, 0)
    if kinds is not None:
        # The tap that nobody placed is nothing that the oracle could do.
        assert values(found)[:2] == [kinds / 6, 3 / 6]
