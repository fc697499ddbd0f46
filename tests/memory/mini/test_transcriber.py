"""The ears as a transcriber: silence, times of words, how an option names them, and what a reader makes of them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from small_ears import write_small_ears

from omnipilot.envs import AudioClip, ConfigError
from omnipilot.memory.mini import EarsTranscriber, encode_text
from omnipilot.memory.mini import transcriber as module
from omnipilot.memory.transcription import join_pieces, make_transcriber

RATE = 16_000


def clip(samples: np.ndarray, start: float = 0.0) -> AudioClip:
    return AudioClip((samples * 32767).astype("<i2").tobytes(), "phone", start)


class Parrot:
    """In place of a network: writes one text, whatever it is given, a sign at every second output."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.config = type("Config", (), {"penalty": 0.0})()

    def scores(self, features: np.ndarray) -> np.ndarray:
        scores = np.full((2 * math.ceil(len(features) / 4), 66), -30.0, np.float32)
        scores[:, 0] = 0.0
        for number, sign in enumerate(encode_text(self.text)):
            scores[2 * number + 1] = -30.0
            scores[2 * number + 1, sign] = 0.0
        return scores


@pytest.fixture
def ears(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EarsTranscriber:
    made = EarsTranscriber(str(write_small_ears(tmp_path)))
    monkeypatch.setattr(module, "_loaded", lambda folder, changed: (Parrot(" the code is  47AB"), frozenset()))
    return made


def test_words_have_their_times_and_no_spaces_of_their_own(ears: EarsTranscriber) -> None:
    said = ears.transcribe_words(clip(np.full(2 * RATE, 0.1), 7.0))
    assert [one.text for one in said] == ["the", " code", " is", " 47AB"]
    assert join_pieces(said) == ears.transcribe(clip(np.full(2 * RATE, 0.1))) == "the code is 47AB"
    # Signs stand at outputs 3 to 7, 11 to …, and an output is 20 ms long.
    assert (said[0].start, said[0].end) == (7.06, 7.16)
    assert all(7.0 <= one.start < one.end <= 9.0 for one in said)


@pytest.mark.parametrize("samples", [np.zeros(0), np.zeros(2 * RATE), np.full(2 * RATE, 0.001), np.full(800, 0.5)])
def test_silence_and_what_is_too_short_are_not_listened_to(ears: EarsTranscriber, samples: np.ndarray) -> None:
    assert ears.transcribe_words(clip(samples)) == () and ears.transcribe(clip(samples)) == ""


def test_the_same_clip_is_heard_alike_again(tmp_path: Path) -> None:
    ears = EarsTranscriber(str(write_small_ears(tmp_path)))
    noise = clip(np.random.default_rng(0).normal(0, 0.1, RATE).clip(-1, 1))
    assert ears.transcribe_words(noise) == ears.transcribe_words(noise)
    ears.close()
    ears.close()


def test_an_option_names_the_ears_and_their_folder(tmp_path: Path) -> None:
    write_small_ears(tmp_path)
    made = make_transcriber(f"mini-ears/{tmp_path}")
    assert isinstance(made, EarsTranscriber) and made.folder == tmp_path and made.times_words
    assert isinstance(make_transcriber(f"mini-ears/{tmp_path}", cassette=str(tmp_path / "kept")), EarsTranscriber)
    with pytest.raises(ConfigError, match="omnipilot train ears"):
        make_transcriber(f"mini-ears/{tmp_path / 'nowhere'}")


def test_whoever_misspells_them_is_told_what_there_is() -> None:
    with pytest.raises(ConfigError, match="mini-ears"):
        make_transcriber("mini-eers")


def test_other_weights_have_another_identity(tmp_path: Path) -> None:
    first = EarsTranscriber(str(write_small_ears(tmp_path / "one"))).identity()
    second = write_small_ears(tmp_path / "two") / "model.safetensors"
    second.write_bytes(second.read_bytes()[:-4] + b"\0\0\0\0")
    assert set(first) == {"weights"} and first != EarsTranscriber(str(tmp_path / "two")).identity()
