"""Speech from text: recorded words, a command, an endpoint; and what is said where it does not come to that."""

from __future__ import annotations

import io
import json
import sys
import threading
import wave
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import numpy as np
import pytest
from made_parts import make_part

from omnipilot.bench.registry import SPEECH
from omnipilot.bench.speech import CommandSpeech, EndpointSpeech, RecordedSpeech
from omnipilot.bench.speech.synthesis import decode_sound
from omnipilot.envs import ConfigError
from omnipilot.memory.perception import read_sounds

PROGRAM = """
import sys, wave
text = sys.argv[2] if len(sys.argv) > 2 else sys.stdin.read()
with wave.open(sys.argv[1] if sys.argv[1] != "-" else sys.stdout.buffer, "wb") as file:
    file.setnchannels(1), file.setsampwidth(2), file.setframerate(22050)
    file.writeframes(b"\\x00\\x20\\x00\\xe0" * 1000 * len(text))
"""


def beep(rate: int = 16_000, channels: int = 1, seconds: float = 1.0) -> bytes:
    samples = (8000 * np.sin(2 * np.pi * 440 * np.arange(round(seconds * rate)) / rate)).astype("<i2")
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(channels), file.setsampwidth(2), file.setframerate(rate)
        file.writeframes(samples.repeat(channels).tobytes())
    return out.getvalue()


def test_recorded_words_are_spoken_and_others_refused_with_the_cure() -> None:
    clip = RecordedSpeech().speak("the code is 4711.")
    assert {event.kind for event in read_sounds(clip).events} >= {"speech"}
    with pytest.raises(ConfigError, match=r"recordings cannot say .*cannot say 'On'.*--speech .*espeak-ng"):
        RecordedSpeech().speak("On the phone, open Messages.")
    with pytest.raises(ConfigError, match="voice is one of en-a"):
        RecordedSpeech("fr-a")


@pytest.mark.parametrize("words", ["{file} {text}", "- {text}", "{file}", "-"])
def test_a_command_speaks_into_a_file_or_its_output_and_no_shell_reads_the_text(words: str, tmp_path: Path) -> None:
    (tmp_path / "speak it.py").write_text(PROGRAM)
    text = f"it's $(touch {tmp_path}/gone); `x` {{file}}"
    clip = CommandSpeech(f"{sys.executable} '{tmp_path}/speak it.py' {words}").speak(text)
    assert clip.seconds == pytest.approx(2000 * len(text) / 22050, rel=0.01)
    assert not (tmp_path / "gone").exists()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("no-such-program-here {text}", "'no-such-program-here' cannot be run: .*--instruction text"),
        (f"{sys.executable} -c 'import sys; sys.exit(\"no voice\")'", "ended with 1: no voice"),
        (f"{sys.executable} -c 'print(1)'", "is no sound file"),
        ("", "it is empty"),
        ("espeak 'open", "cannot be split"),
    ],
)
def test_a_command_that_does_not_speak_is_named(line: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        CommandSpeech(line).speak("hello")


def test_sound_of_any_rate_and_number_of_channels_becomes_mono_at_16_khz() -> None:
    for rate, channels in ((44_100, 2), (8_000, 1), (16_000, 1)):
        clip = decode_sound(beep(rate, channels), "it")
        assert clip.seconds == pytest.approx(1.0, abs=0.01)
        (tone,) = read_sounds(clip).of("tone")
        assert tone.detail == "440 Hz"
    with pytest.raises(ConfigError, match="it holds no sound"):
        decode_sound(beep(seconds=0), "it")


def test_an_endpoint_is_asked_as_openai_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str | None, dict[str, str]]] = []

    class Server(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((self.path, self.headers["Authorization"], body))
            self.send_response(400 if body["input"] == "fail" else 200)
            self.end_headers()
            self.wfile.write(beep(24_000))

        def log_message(self, *_: object) -> None:
            """Nothing."""

    server = HTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        monkeypatch.setenv("VOICE_KEY", "sk-voice-1234567")
        url = f"http://127.0.0.1:{server.server_port}/v1"
        speech = make_part(SPEECH, "endpoint", {"url": url, "model": "tts", "voice": "ann", "key_env": "VOICE_KEY"})
        assert isinstance(speech, EndpointSpeech) and speech.speak("hello").seconds == pytest.approx(1.0, abs=0.01)
        body = {"model": "tts", "voice": "ann", "input": "hello", "response_format": "wav"}
        assert asked == [("/v1/audio/speech", "Bearer sk-voice-1234567", body)]
        with pytest.raises(ConfigError, match="HTTP 400"):
            speech.speak("fail")
    finally:
        server.shutdown()
        server.server_close()
    for wrong, said in (("localhost:8000", "URL"), ("http://ann:secret@host/v1", "key_env"), ("ftp://host", "URL")):
        with pytest.raises(ConfigError, match=said) as told:
            EndpointSpeech(wrong)
        assert "secret" not in str(told.value)
