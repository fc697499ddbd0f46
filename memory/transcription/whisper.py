"""Whisper in this process, by transformers."""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

from omnipilot.envs import AudioClip, ConfigError
from omnipilot.envs.types import SAMPLE_RATE, check_installed, require
from omnipilot.memory.transcription.base import Transcriber

EXTRA = "local"
LONGEST = 30.0
"""Seconds that the model hears at once (Radford et al., "Robust Speech Recognition via Large-Scale Weak Supervision",
2022, §2.2); a longer clip is given in pieces."""


class WhisperTranscriber(Transcriber):
    """Transcribes with a model of the Whisper family, loaded on first use and once per process.

    Args:
        model: a folder, or a hub id such as "openai/whisper-small".
        device: "auto" (the first GPU, or the CPU), "cpu", "cuda", …
        language: of the speech, such as "en"; "" lets the model find out.
        revision: branch, tag or commit on the hub.

    Raises:
        MissingExtra: torch or transformers is not installed.
    """

    def __init__(self, model: str, device: str = "auto", language: str = "", revision: str = "") -> None:
        check_installed(EXTRA, "torch", "transformers")
        self.model = model
        self.device = device
        self.language = language
        self.revision = revision

    def identity(self) -> dict[str, str]:
        """The precision that device `auto` means here, which is another on a GPU than on a CPU."""
        if self.device != "auto":
            return {}
        return {"precision": "float32" if usual_device(require("torch", EXTRA)) == "cpu" else "the checkpoint's"}

    def warm_up(self) -> None:
        """Load the model."""
        _loaded(self.model, self.device, self.revision)

    def transcribe(self, clip: AudioClip) -> str:
        """What is said in a clip; "" for nothing.

        Raises:
            ConfigError: the model cannot be loaded, or does not take the language.
        """
        loaded = _loaded(self.model, self.device, self.revision)
        starts = range(0, max(1, round(clip.seconds * 1000)), round(LONGEST * 1000))
        pieces = (clip.slice(clip.start + at / 1000, clip.start + at / 1000 + LONGEST) for at in starts)
        return " ".join(filter(None, (loaded.transcribe(piece, self.language) for piece in pieces if piece.pcm)))

    def close(self) -> None:
        """Nothing to close: the model stays with the process."""


def usual_device(torch: Any) -> str:
    """The device that `auto` means: the first GPU, or the CPU."""
    return "cuda:0" if torch.cuda.is_available() else "cpu"


class _Whisper:
    """A loaded model; one call at a time."""

    def __init__(self, model: str, device: str, revision: str) -> None:
        self._torch: Any = require("torch", EXTRA)
        hub: Any = require("transformers", EXTRA)
        if device == "auto":
            device = usual_device(self._torch)
        origin = {"revision": revision} if revision else {}
        try:
            self._processor = hub.WhisperProcessor.from_pretrained(model, **origin)
            # Half precision has no convolutions on a CPU.
            dtype = self._torch.float32 if device == "cpu" else "auto"
            loaded = hub.WhisperForConditionalGeneration.from_pretrained(model, dtype=dtype, **origin)
            self._model = loaded.to(device).eval()
        except (OSError, ValueError, RuntimeError, AssertionError) as error:
            said = " ".join(str(error).split())
            raise ConfigError(f"transcriber whisper/{model}: cannot be loaded onto {device}: {said}") from error
        self._name = model
        self._lock = threading.Lock()

    def transcribe(self, clip: AudioClip, language: str) -> str:
        """What is said in at most `LONGEST` seconds."""
        sound = clip.array().astype("float32") / 32_768
        options = {"language": language, "task": "transcribe"} if language else {}
        with self._lock, self._torch.inference_mode():
            heard = self._processor(sound, sampling_rate=SAMPLE_RATE, return_tensors="pt", return_attention_mask=True)
            features = heard.input_features.to(self._model.device, self._model.dtype)
            try:
                tokens = self._model.generate(
                    features, attention_mask=heard.attention_mask.to(self._model.device), **options
                )
            except ValueError as error:
                said = " ".join(str(error).split())[:300]
                raise ConfigError(f"transcriber whisper/{self._name}: {said}") from error
        return str(self._processor.batch_decode(tokens, skip_special_tokens=True)[0]).strip()


@lru_cache(maxsize=2)
def _loaded(model: str, device: str, revision: str) -> _Whisper:
    return _Whisper(model, device, revision)
