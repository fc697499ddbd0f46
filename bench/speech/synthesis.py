"""Speech from text: the shipped recordings of words, a command of the user's, or an endpoint."""

from __future__ import annotations

import json
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import Protocol

from omnipilot.envs import AudioClip, ConfigError, EnvLost
from omnipilot.envs.speech import VOICES, synthesize
from omnipilot.envs.types import SAMPLE_RATE, read_sound
from omnipilot.memory import ModelUnavailable
from omnipilot.memory.models import LlmEndpoint
from omnipilot.memory.models.endpoint_calls import EndpointCalls

SECONDS = 120.0
"""How long a command or an endpoint may take for one text."""
CURE = (
    'name a speech synthesis with --speech, such as --speech "command:espeak-ng -w {file} {text}" or '
    "--speech endpoint:http://HOST:PORT/v1, or give the instruction as --instruction text"
)


class Synthesizer(Protocol):
    """Speaks texts."""

    def speak(self, text: str) -> AudioClip:
        """The text as speech, from second 0.

        Raises:
            ConfigError: it cannot be spoken; the message says what to do.
        """
        ...


class RecordedSpeech:
    """Speaks with the recorded words that are shipped; they are few, and are meant for tasks written in them.

    Args:
        voice: en-a, en-b, zh-a or zh-b.
    """

    main_option = "voice"

    def __init__(self, voice: str = "en-a") -> None:
        if voice not in VOICES:
            raise ConfigError(f"speech 'recordings': voice is one of {', '.join(VOICES)}, not {voice!r}")
        self.voice = voice

    def speak(self, text: str) -> AudioClip:
        """The text in recorded words."""
        try:
            spoken = synthesize(f"{self.voice}:{text.rstrip(' .')}")
        except ValueError as error:
            raise ConfigError(
                f"the shipped recordings cannot say the instruction {text!r:.80}: {error}; {CURE}"
            ) from None
        return AudioClip.from_array(spoken.samples().clip(-32768, 32767).astype("int16"))


class CommandSpeech:
    """Speaks with a program, which is run without a shell.

    Args:
        line: the command, split as a shell would; {file} stands for the WAV or other sound file that it writes, {text}
            for the text. Without {file} its standard output is the sound; without {text} it reads the text there.
    """

    main_option = "line"

    def __init__(self, line: str) -> None:
        try:
            self.words = shlex.split(line)
        except ValueError as error:
            raise ConfigError(f"speech 'command': {line!r} cannot be split into words: {error}") from None
        if not self.words:
            raise ConfigError("speech 'command': it is empty; write such as \"command:espeak-ng -w {file} {text}\"")

    def speak(self, text: str) -> AudioClip:
        """What the program makes of the text."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "speech.wav"
            run = [word.replace("{file}", str(file)).replace("{text}", text) for word in self.words]
            asks = any("{text}" in word for word in self.words)
            try:
                done = subprocess.run(
                    run, input=None if asks else text.encode(), capture_output=True, timeout=SECONDS, check=False
                )
            except (OSError, subprocess.TimeoutExpired) as error:
                raise ConfigError(f"speech 'command': {self.words[0]!r} cannot be run: {error}; {CURE}") from None
            if done.returncode:
                told = done.stderr.decode(errors="replace").strip()[-300:]
                raise ConfigError(f"speech 'command': {self.words[0]!r} ended with {done.returncode}: {told}")
            sound = file.read_bytes() if file.exists() else done.stdout
        return decode_sound(sound, f"what {self.words[0]!r} wrote")


class EndpointSpeech:
    """Speaks with a server that has OpenAI's `/audio/speech`.

    Args:
        url: base URL, such as http://127.0.0.1:8000/v1. model, voice: as the server calls them.
        key_env: environment variable that holds the key; "" for none.

    Raises:
        ConfigError: the URL is none, or holds a secret; or the variable of the key holds none.
        MissingExtra: urllib3 is not installed.
    """

    main_option = "url"

    def __init__(self, url: str, model: str = "tts-1", voice: str = "alloy", key_env: str = "") -> None:
        endpoint = LlmEndpoint(f"openai-compatible/{model}", url, key_env, SECONDS, SECONDS, retries=2)
        self._calls = EndpointCalls(endpoint)
        self.url, self.model, self.voice, self.key_env = url, model, voice, key_env

    def speak(self, text: str) -> AudioClip:
        """What the server makes of the text."""
        asked = {"model": self.model, "voice": self.voice, "input": text, "response_format": "wav"}
        body = json.dumps(asked).encode()
        try:
            sound = self._calls.post("/audio/speech", "application/json", [body], lambda answer: answer).value
        except ModelUnavailable as error:
            raise ConfigError(f"speech 'endpoint': {self.url} did not speak the instruction: {error}") from None
        return decode_sound(sound, f"the reply of {self.url}")


def decode_sound(file: bytes, what: str) -> AudioClip:
    """The sound of an audio file as mono at 16,000 samples a second.

    Raises:
        ConfigError: it is no sound, or there is none in it.
    """
    import numpy as np
    from scipy.signal import resample_poly  # type: ignore[import-untyped]

    try:
        samples, rate = read_sound(file, what)
    except EnvLost as error:
        raise ConfigError(f"{what} is no sound file: {error}") from None
    mono = samples.mean(axis=1, dtype=np.float64)
    if not mono.size or not np.abs(mono).max() > 0:
        raise ConfigError(f"{what} holds no sound")
    if rate != SAMPLE_RATE:
        shared = int(np.gcd(rate, SAMPLE_RATE))
        mono = resample_poly(mono, SAMPLE_RATE // shared, rate // shared)
    return AudioClip.from_array(np.rint(32767 * mono.clip(-1, 1)).astype(np.int16))
