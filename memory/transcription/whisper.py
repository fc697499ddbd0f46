"""Whisper in this process, by faster-whisper: CTranslate2 runs the model, and Silero's detector finds the speech."""

from __future__ import annotations

import hashlib
import os
import threading
from functools import lru_cache
from pathlib import Path
from typing import Any

from omnipilot.envs import AudioClip, ConfigError
from omnipilot.envs.types import check_installed, require
from omnipilot.memory.transcription.base import SpokenPiece, Transcriber, join_pieces

EXTRA = "speech"
SHORTEST = 0.1
"""Seconds of the shortest clip that is listened to; nothing is said in shorter ones."""
PRECISIONS = {"cpu": "int8", "cuda": "float16"}
"""What the precision `auto` means on a device."""
WEIGHTS, TOKENS = "model.bin", "tokenizer.json"
"""The files without which a folder is no model in CTranslate2's form."""
_CONVERT = (
    "ct2-transformers-converter --model {} --output_dir FOLDER --copy_files tokenizer.json preprocessor_config.json"
)


class WhisperTranscriber(Transcriber):
    """Transcribes with a model of the Whisper family, loaded on first use and once per process.

    Speech is sought first, and only that is transcribed: on silence and noise alone, Whisper invents sentences. Equal
    clips give equal words: it is never asked again at a higher temperature.

    Args:
        model: a folder in CTranslate2's form; or, from the hub, a size such as "small", or an id such as
            "Systran/faster-whisper-small".
        device: "auto" (a GPU with CUDA, or else the CPU), "cpu" or "cuda".
        language: of the speech, such as "en" (ISO 639-1); "" lets the model find out, for each utterance.
        revision: branch, tag or commit on the hub.
        beam: number of hypotheses that are followed, from 1.
        precision: of the weights as they are computed with, "int8", "float16", "float32", …; "auto" is `PRECISIONS`.
        prompt: a text that Whisper takes for what was said before: names, and how numbers are to be written ("The code
            is 4 7 1 1.").
        vad: whether speech is sought first, by Silero's detector.

    Raises:
        ConfigError: a beam below 1. MissingExtra: faster-whisper is not installed.
    """

    times_words = True

    def __init__(
        self,
        model: str,
        device: str = "auto",
        language: str = "",
        revision: str = "",
        beam: int = 5,
        precision: str = "auto",
        prompt: str = "",
        vad: bool = True,
    ) -> None:
        check_installed(EXTRA, "faster_whisper", "ctranslate2")
        if beam < 1:
            raise ConfigError(f"transcriber whisper/{model}: beam must be at least 1, not {beam}")
        self.model = model
        self.device = device
        self.language = language
        self.revision = revision
        self.beam = beam
        self.precision = precision
        self.prompt = prompt
        self.vad = vad

    def identity(self) -> dict[str, str]:
        """The weights, by SHA-256, and the precision, which is another on a GPU than on a CPU where it is "auto".

        A model of the hub is downloaded, unless it is there.

        Raises:
            ConfigError: there is no such model, or it is not in CTranslate2's form.
        """
        weights = _folder(self.model, self.revision) / WEIGHTS
        return {"weights": _digest(weights, weights.stat().st_mtime_ns), "precision": self._chosen()[1]}

    def warm_up(self) -> None:
        """Load the model."""
        self._load()

    def transcribe(self, clip: AudioClip) -> str:
        """What is said in a clip, of any length; "" for nothing.

        Raises:
            ConfigError: the model cannot be loaded, or does not take the language.
        """
        return join_pieces(self.transcribe_words(clip))

    def transcribe_words(self, clip: AudioClip) -> tuple[SpokenPiece, ...]:
        """What is said in a clip, of any length, word by word; empty for nothing.

        Whisper writes a number as one word or as several. Times are good to some tenths of a second; but the first word
        after a pause of seconds may be given the time of the last one before it.

        Raises:
            ConfigError: as in `transcribe`.
        """
        if clip.seconds < SHORTEST or not clip.pcm.strip(b"\0"):
            return ()
        options = {"beam_size": self.beam, "vad_filter": self.vad, "initial_prompt": self.prompt or None}
        try:
            said = self._load().listen(clip, self.language, options)
        except ValueError as error:
            raise ConfigError(f"transcriber whisper/{self.model}: {_one_line(error)}") from error
        return tuple(
            SpokenPiece(text, round(clip.start + start, 2), round(clip.start + end, 2)) for text, start, end in said
        )

    def close(self) -> None:
        """Nothing to close: the model stays with the process."""

    def _chosen(self) -> tuple[str, str]:
        """The device and the precision that are meant on this machine."""
        device = self.device
        if device == "auto":
            device = "cuda" if require("ctranslate2", EXTRA).get_cuda_device_count() else "cpu"
        return device, PRECISIONS.get(device, "default") if self.precision == "auto" else self.precision

    def _load(self) -> _LoadedWhisper:
        return _loaded(self.model, self.revision, *self._chosen())


class _LoadedWhisper:
    """A loaded model; one call at a time."""

    def __init__(self, model: str, revision: str, device: str, precision: str) -> None:
        library: Any = require("faster_whisper", EXTRA)
        folder = _folder(model, revision)
        threads = min(4, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
        try:
            self._model = library.WhisperModel(
                str(folder), device=device, compute_type=precision, cpu_threads=threads, local_files_only=True
            )
        except (OSError, ValueError, RuntimeError) as error:
            raise ConfigError(
                f"transcriber whisper/{model}: cannot be loaded onto {device} in {precision}: {_one_line(error)}"
            ) from error
        self._lock = threading.Lock()

    def listen(self, clip: AudioClip, language: str, options: dict[str, Any]) -> list[tuple[str, float, float]]:
        """The words of a clip with their starts and ends, in seconds from its start.

        Raises:
            ValueError: the model does not know the language.
        """
        sound = clip.array().astype("float32") / 32_768
        with self._lock:
            # Without an earlier text to go on from, no error is repeated; at temperature 0, nothing is drawn by lot.
            segments, _ = self._model.transcribe(
                sound,
                language=language or None,
                temperature=0.0,
                condition_on_previous_text=False,
                word_timestamps=True,
                **options,
            )
            return [
                (str(word.word), float(word.start), float(word.end))
                for segment in segments
                for word in segment.words or ()
            ]


def _folder(model: str, revision: str) -> Path:
    """The folder of a model: itself, or where one of the hub was downloaded to.

    Raises:
        ConfigError: there is none, or it is not in CTranslate2's form; the message says how to get or convert it.
    """
    folder = Path(model)
    if not folder.is_dir():
        library: Any = require("faster_whisper", EXTRA)
        try:
            folder = Path(library.download_model(model, revision=revision or None))
        except Exception as error:  # the hub's client raises what its transport raises
            raise ConfigError(
                f"transcriber whisper/{model}: there is no such folder, and the hub gives none: {_one_line(error)}; "
                "name a folder in CTranslate2's form, a size such as small, or an id such as "
                "Systran/faster-whisper-small"
            ) from error
    missing = [name for name in (WEIGHTS, TOKENS) if not (folder / name).is_file()]
    if missing:
        raise ConfigError(
            f"transcriber whisper/{model}: {missing[0]} is missing, so it is not in CTranslate2's form; convert it: "
            f"{_CONVERT.format(model)}"
        )
    return folder


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]


@lru_cache(maxsize=8)
def _digest(path: Path, changed: int) -> str:  # noqa: ARG001 a file that was changed is read again
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@lru_cache(maxsize=2)
def _loaded(model: str, revision: str, device: str, precision: str) -> _LoadedWhisper:
    return _LoadedWhisper(model, revision, device, precision)
