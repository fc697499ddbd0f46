"""Whisper in this process: what is asked of faster-whisper and made of its answers, and what real weights hear."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from omnipilot.envs import AudioClip, ConfigError
from omnipilot.envs.types.media import SAMPLE_RATE
from omnipilot.memory.transcription import SpokenPiece, Transcriber, WhisperTranscriber, make_transcriber, whisper


def clip(seconds: float, start: float = 0.0) -> AudioClip:
    draw = np.random.default_rng(3)
    return AudioClip.from_array((draw.normal(0, 3000, round(seconds * SAMPLE_RATE))).astype(np.int16), "phone", start)


def words(*said: tuple[str, float, float]) -> SimpleNamespace:
    """A segment of faster-whisper."""
    return SimpleNamespace(
        words=[SimpleNamespace(word=word, start=np.float64(a), end=np.float64(b)) for word, a, b in said]
    )


class StandIn:
    """In place of faster-whisper: remembers what models were loaded and what was asked of them."""

    def __init__(self) -> None:
        self.loaded: list[tuple[str, dict[str, Any]]] = []
        self.asked: list[tuple[int, dict[str, Any]]] = []
        self.downloaded: list[tuple[str, str | None]] = []
        self.gpus = 0
        self.answer: list[SimpleNamespace] = []
        self.hub: Path | None = None
        stand_in = self

        class WhisperModel:
            def __init__(self, folder: str, **options: Any) -> None:
                if options["compute_type"] == "int4":
                    raise ValueError("Invalid compute type: int4")
                stand_in.loaded.append((folder, options))

            def transcribe(self, sound: Any, **options: Any) -> tuple[Iterator[SimpleNamespace], None]:
                if options["language"] == "klingon":
                    raise ValueError("'klingon' is not a valid language code")
                assert sound.dtype == np.float32 and np.abs(sound).max() <= 1
                stand_in.asked.append((len(sound), options))
                return iter(stand_in.answer), None

        def download_model(model: str, revision: str | None = None) -> str:
            stand_in.downloaded.append((model, revision))
            if stand_in.hub is None:
                raise OSError("cannot reach the hub")
            return str(stand_in.hub)

        self.module = ModuleType("faster_whisper")
        self.module.WhisperModel, self.module.download_model = WhisperModel, download_model  # type: ignore[attr-defined]


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    one = StandIn()
    runs = ModuleType("ctranslate2")
    runs.get_cuda_device_count = lambda: one.gpus  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "faster_whisper", one.module)
    monkeypatch.setitem(sys.modules, "ctranslate2", runs)
    whisper._loaded.cache_clear()
    yield one
    whisper._loaded.cache_clear()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that has the files of a model in CTranslate2's form."""
    for name in (whisper.WEIGHTS, whisper.TOKENS):
        (tmp_path / name).write_bytes(b"weights")
    return tmp_path


def test_words_come_with_their_times_on_the_worlds_clock(library: StandIn, folder: Path) -> None:
    library.answer = [words((" The", 0.2, 0.5), (" code", 0.5, 0.9)), words((" 4", 1.2, 1.5), ("-7", 1.5, 2.0))]
    transcriber = make_transcriber(f"whisper/{folder},language=en,beam=2,prompt=Codes: 4 7 1 1.")
    assert transcriber.transcribe_words(clip(3.0, start=10.0)) == (
        SpokenPiece(" The", 10.2, 10.5), SpokenPiece(" code", 10.5, 10.9), SpokenPiece(" 4", 11.2, 11.5),
        SpokenPiece("-7", 11.5, 12.0),
    )  # fmt: skip
    assert transcriber.transcribe(clip(3.0)) == "The code 4-7"
    (samples, options), _ = library.asked
    assert samples == 3 * SAMPLE_RATE and (options["beam_size"], options["language"]) == (2, "en")
    assert options["initial_prompt"] == "Codes: 4 7 1 1." and options["vad_filter"] and options["temperature"] == 0.0
    assert not options["condition_on_previous_text"] and len(library.loaded) == 1


def test_nothing_is_asked_about_what_holds_no_word(library: StandIn, folder: Path) -> None:
    transcriber = WhisperTranscriber(str(folder))
    for silent in (AudioClip(b"", "phone"), AudioClip(bytes(2 * SAMPLE_RATE), "phone"), clip(whisper.SHORTEST / 2)):
        assert transcriber.transcribe_words(silent) == () and transcriber.transcribe(silent) == ""
    library.answer = [SimpleNamespace(words=None)]
    assert transcriber.transcribe(clip(1.0)) == "" and len(library.asked) == 1


def test_two_of_one_model_load_it_once_and_another_precision_once_more(library: StandIn, folder: Path) -> None:
    for options in ("", ",language=zh", ",precision=float32"):
        make_transcriber(f"whisper/{folder}{options}").transcribe(clip(0.5))
    assert [options["compute_type"] for _, options in library.loaded] == ["int8", "float32"]
    library.gpus = 1
    WhisperTranscriber(str(folder)).warm_up()
    _, options = library.loaded[-1]
    assert (options["device"], options["compute_type"]) == ("cuda", "float16")


def test_the_identity_holds_the_weights_and_the_precision(library: StandIn, folder: Path) -> None:
    one = WhisperTranscriber(str(folder))
    before = one.identity()
    assert before["precision"] == "int8" and len(before["weights"]) == 64
    library.gpus = 1
    assert one.identity() == {**before, "precision": "float16"}
    (folder / whisper.WEIGHTS).write_bytes(b"others")
    assert one.identity()["weights"] != before["weights"]


def test_a_model_of_the_hub_is_downloaded_in_its_revision(library: StandIn, folder: Path) -> None:
    library.hub = folder
    WhisperTranscriber("small", revision="v1").warm_up()
    assert library.downloaded[0] == ("small", "v1") and library.loaded[0][0] == str(folder)
    library.hub = None
    with pytest.raises(ConfigError, match=r"no such folder, and the hub gives none: cannot reach the hub; .*Systran"):
        WhisperTranscriber("no/such").identity()


def test_a_folder_of_transformers_is_told_how_to_be_converted(library: StandIn, tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    (tmp_path / "config.json").write_text(json.dumps({"architectures": ["WhisperForConditionalGeneration"]}))
    with pytest.raises(ConfigError, match=rf"ct2-transformers-converter --model {tmp_path} --output_dir"):
        WhisperTranscriber(str(tmp_path)).transcribe(clip(0.5))


def test_what_cannot_be_asked_says_so(library: StandIn, folder: Path) -> None:
    with pytest.raises(ConfigError, match="klingon"):
        WhisperTranscriber(str(folder), language="klingon").transcribe(clip(0.5))
    with pytest.raises(ConfigError, match="cannot be loaded onto cpu in int4: Invalid compute type"):
        WhisperTranscriber(str(folder), precision="int4").transcribe(clip(0.5))
    for options, told in (("beam=0", "beam must be at least 1"), ("beam=x", "beam is a number"), ("vad=no", "vad is")):
        with pytest.raises(ConfigError, match=told):
            make_transcriber(f"whisper/{folder},{options}")


def test_a_transcriber_without_times_tells_one_piece_as_long_as_the_clip() -> None:
    class Plain(Transcriber):
        def transcribe(self, clip: AudioClip) -> str:
            return " call back " if clip.pcm else ""

        def close(self) -> None: ...

    assert Plain().transcribe_words(clip(1.0, start=4.0)) == (SpokenPiece("call back", 4.0, 5.0),)
    assert Plain().transcribe_words(AudioClip(b"", "phone")) == () and not Plain.times_words


def test_a_cassette_answers_without_the_model_wherever_on_the_clock(
    library: StandIn, folder: Path, tmp_path: Path
) -> None:
    library.answer = [words((" The", 0.2, 0.5), (" code", 0.5, 0.9))]
    text, cassette = f"whisper/{folder},language=en", str(tmp_path / "cassette")
    recorded = make_transcriber(text, cassette)
    assert recorded.times_words and recorded.transcribe(clip(1.0)) == "The code"
    before = recorded.identity()
    (folder / whisper.WEIGHTS).unlink()
    replayed = make_transcriber(f"{text},device=cuda", cassette, replay=True)
    assert replayed.transcribe_words(clip(1.0, start=7.0)) == (
        SpokenPiece(" The", 7.2, 7.5), SpokenPiece(" code", 7.5, 7.9),
    )  # fmt: skip
    assert replayed.identity() == before and len(library.asked) == 1
    with pytest.raises(ConfigError, match="has no answer"):
        replayed.transcribe(clip(2.0))
    with pytest.raises(ConfigError, match="has no answer"):
        make_transcriber(f"whisper/{folder},language=zh", cassette, replay=True).transcribe(clip(1.0))
