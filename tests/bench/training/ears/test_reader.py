"""The reader `mini-ears`: what it tells a planner of speech, of other sounds and of silence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from command_line import omnipilot
from small_ears import write_small_ears

from omnipilot.agents.assembly.teams import READERS
from omnipilot.agents.wrappers.readers import Reader
from omnipilot.bench.training.ears.reader import EarsReader
from omnipilot.envs import AudioClip, ConfigError, Modality
from omnipilot.envs.sim.audio.sound import Sound, mix
from omnipilot.memory.transcription import SpokenPiece


class Listener:
    """In place of the ears: hears one text in whatever it is given."""

    times_words = True

    def __init__(self) -> None:
        self.asked: list[float] = []

    def transcribe_words(self, clip: AudioClip) -> tuple[SpokenPiece, ...]:
        self.asked.append(clip.seconds)
        return (SpokenPiece("the", clip.start, clip.start + 0.1), SpokenPiece(" code", clip.start, clip.start + 0.3))

    def close(self) -> None: ...


@pytest.fixture
def reader(tmp_path: Path) -> EarsReader:
    made = EarsReader(str(write_small_ears(tmp_path)))
    made.transcriber = Listener()  # type: ignore[assignment]
    made.begin()
    return made


def heard(reader: EarsReader, sounds: list[Sound], end: float = 4.0) -> list[str]:
    return [line for _, line in reader.hear(mix(sounds, "phone", 0.0, end))]


def test_speech_is_told_in_words_when_it_is_over(reader: EarsReader) -> None:
    lines = heard(reader, [Sound("speech:en-a:the code is 4711", 0.2, 3.5)], 6.0)
    assert len(lines) == 1 and "speech: the code" in lines[0]


@pytest.mark.parametrize("sounds", [[], [Sound("alarm", 0.0, 3.0)], [Sound("noise:white:-40", 0.0, 4.0)]])
def test_nothing_that_is_no_speech_is_listened_to(reader: EarsReader, sounds: list[Sound]) -> None:
    lines = heard(reader, sounds)
    assert reader.transcriber.asked == []  # type: ignore[attr-defined]
    assert not any("speech" in line for line in lines) and bool(lines) == any(one.name == "alarm" for one in sounds)


def test_it_is_a_reader_like_any_other_and_its_folder_is_its_main_option(tmp_path: Path) -> None:
    write_small_ears(tmp_path)
    assert "mini-ears" in READERS.names()
    made = EarsReader(str(tmp_path))
    assert isinstance(made, Reader) and made.main_option == "model" and made.reads == {Modality.AUDIO}
    assert set(made.identity()) == {"weights"}


def test_a_folder_that_there_is_not_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="omnipilot train ears"):
        EarsReader(str(tmp_path / "nowhere"))
    done = omnipilot(
        *("run", "--suite", "toy", "--planner", "noop", "--readers", f"mini-ears:{tmp_path / 'nowhere'}"),
        *("--out", str(tmp_path / "out")),
    )
    assert done.returncode != 0 and "omnipilot train ears" in done.stderr + done.stdout


def test_samples_that_are_drawn_never_break_it(tmp_path: Path) -> None:
    made = EarsReader(str(write_small_ears(tmp_path)))
    made.begin()
    loud = np.random.default_rng(0).integers(-32768, 32767, 16_000).astype("<i2")
    assert isinstance(made.hear(AudioClip(loud.tobytes(), "phone", 0.0)), list)
