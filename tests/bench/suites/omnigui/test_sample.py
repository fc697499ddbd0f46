"""OmniGUI in miniature: repeatable, complete, and critical where it says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from omnigui_made import loaded, miniature

from omnipilot.bench.suites.omnigui.metrics.actions import Primitive
from omnipilot.bench.suites.omnigui.sample import write as mini_omnigui
from omnipilot.bench.suites.omnigui.sample.play import EpisodePlayer, PlayedStep
from omnipilot.bench.suites.omnigui.sample.tasks import EPISODES, SampleEpisode


@pytest.fixture(scope="module")
def mini(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return miniature(tmp_path_factory)


@pytest.mark.slow
def test_it_has_every_primitive_level_dimension_language_and_form_of_a_place(mini: Path) -> None:
    found = loaded(mini)
    assert not found.bad and len(found.items) == len(EPISODES)
    steps = [step for one in found.items for step in one.steps]
    assert {step.action for step in steps} == set(Primitive)
    assert {one.subset for one in found.items} == {"zh", "en"}
    assert len({one.level for one in found.items}) == 3 and len({one.dimension for one in found.items}) == 5
    touches = [step.touch for step in steps if step.touch is not None]
    assert any(touch.point for touch in touches) and any(touch.listed for touch in touches)
    rows = json.loads((mini / "merged_sorted.json").read_text(encoding="utf-8"))
    assert any("result_touch_yx" in one for one in rows)
    assert all(set("你我他的在打开") & set(one.instruction) for one in found.items if one.subset == "zh")
    assert sum(file.stat().st_size for file in mini.rglob("*") if file.is_file()) < 8_000_000


def test_history_is_what_was_done_and_the_earlier_screenshot_that_of_two_steps_before(mini: Path) -> None:
    rows = json.loads((mini / "merged_sorted.json").read_text(encoding="utf-8"))
    for before, row in zip(rows, rows[1:], strict=False):
        if row["step_id"] == 0:
            assert row["action_history"] == [] and row["history_screenshot_path"] == ""
            continue
        assert row["action_history"][:-1] == before["action_history"]
        assert row["action_history"][-1]["action_text"].startswith(Primitive(before["result_action_type"]).name)
        earlier = rows[rows.index(row) - 2]["image_path"] if row["step_id"] >= 2 else ""
        assert row["history_screenshot_path"] == earlier


def test_written_again_it_is_the_same_to_the_byte_but_for_the_coding_of_films(
    mini: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mini_omnigui, "EPISODES", (EPISODES[4], EPISODES[9]))
    mini_omnigui.write(tmp_path)
    every = json.loads((mini / "merged_sorted.json").read_text(encoding="utf-8"))
    again = json.loads((tmp_path / "merged_sorted.json").read_text(encoding="utf-8"))
    assert again == [row for row in every if row["episode_id"] in ("clock_2", "notes_1")]
    files = [file.relative_to(tmp_path) for file in (tmp_path / "benchmark").rglob("*") if file.is_file()]
    assert len(files) >= 8
    # The encoder's threads may spend a byte more or less on the same pictures.
    still = [file for file in files if file.suffix != ".mp4"]
    assert all((tmp_path / file).read_bytes() == (mini / file).read_bytes() for file in still)


def steps_of(episode: SampleEpisode, twin: int) -> list[PlayedStep]:
    return list(EpisodePlayer(episode.task, 0, twin).play(episode))


@pytest.mark.slow
def test_where_it_is_critical_only_the_sound_tells_what_is_right() -> None:
    critical = [one for one in EPISODES if one.level == "AV-Critical"]
    assert [one.id for one in critical] == ["phone_1", "contacts_1"]
    for episode in critical:
        one, other = (steps_of(episode, twin) for twin in (0, 1))
        pairs = list(zip(one, other, strict=True))
        decision = next(at for at, (a, b) in enumerate(pairs) if (a.touch, a.text) != (b.touch, b.text))
        assert all(a.image == b.image and a.action == b.action for a, b in pairs[: decision + 1])
        assert any(a.audio != b.audio for a, b in pairs[: decision + 1])


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_other_seeds_give_other_contents_that_can_be_played(mini: Path, seed: int) -> None:
    for episode in EPISODES:
        player = EpisodePlayer(episode.task, seed)
        assert len(list(player.play(episode))) >= 3
        english, chinese = episode.told(player.instruction)
        assert english and "{" not in chinese
