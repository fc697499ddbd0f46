"""A pool as OmniGUI's steps: our own reader takes them, and the recorded actions lie in their boxes."""

from __future__ import annotations

from pathlib import Path

import export_pools
import pytest

from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.omnigui.data import load
from omnipilot.bench.suites.omnigui.media import seconds_of
from omnipilot.bench.suites.omnigui.metrics.actions import Primitive
from omnipilot.bench.suites.omnigui.moves import reply_of, step_action
from omnipilot.bench.suites.omnigui.suite import exact
from omnipilot.bench.suites.pool.export.omnigui import export_omnigui
from omnipilot.bench.suites.pool.export.source import ExportSource
from omnipilot.bench.suites.pool.records import GraphRecord
from omnipilot.envs import AudioClip
from omnipilot.envs.recorded import Prediction

VOICE = GraphRecord("voice", ("spoken-code",), seed=5)
"""A code that is only heard."""


@pytest.mark.slow
@pytest.mark.needs("omnipilot[video]")
def test_phone_tasks_are_episodes_that_our_reader_takes_and_scores_exactly(tmp_path: Path) -> None:
    pool = export_pools.write(tmp_path / "pool", (*export_pools.GRAPHS, VOICE))
    made = export_omnigui(ExportSource.open(pool, orders=1), tmp_path / "out")
    assert made.bad == []
    assert (made.episodes, made.left_out["tasks that need more than the phone"]) == (3, 2)
    found = load(Source.open(str(tmp_path / "out"), ""))
    assert {episode.episode for episode in found.items} == {"g1_0-1", "g3_0-2-1", "voice_0"}
    for episode in found.items:
        assert episode.level == ("AV-Critical" if episode.episode == "voice_0" else "AV-Present")
        assert (episode.subset, episode.dimension != "") == ("en", True)
        assert episode.steps[-1].action is Primitive.TASK_COMPLETE
        for at, step in enumerate(episode.steps):
            assert step.image is not None
            assert seconds_of(step.video, step.audio) >= 0.9, "no clip is empty"
            prediction = Prediction((step_action(step),), "")
            assert reply_of(prediction.actions)
            assert exact(episode, at, prediction, "paper"), step
    (voice,) = [episode for episode in found.items if episode.episode == "voice_0"]
    heard = voice.steps[-1].audio
    assert heard is not None
    assert AudioClip.from_wav(heard.read_bytes()).loudness() > 0.01, "the voice is in the clip of the wait"
