"""What the agent hears of a spoken instruction, and what stays true."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import pytest
from scripted import ScriptedPlanner, ScriptedWorld, agent, brief, decide, play

from omnipilot.agents import PartSpec, episode
from omnipilot.bench.experiments.ablation import conditions
from omnipilot.bench.journal.events import EpisodeStarted, TurnTaken
from omnipilot.bench.journal.journal import read
from omnipilot.bench.run.config import spec_from
from omnipilot.bench.run.runner import run
from omnipilot.bench.settings import RunSettings
from omnipilot.bench.speech import RecordedSpeech
from omnipilot.bench.speech.spoken import (
    LOUDNESS,
    PAUSE,
    SpokenInstruction,
    announcement,
    device_for,
    mix_over,
    speaking,
)
from omnipilot.envs import Absent, AudioClip, Done, Modality, Observation, Wait
from omnipilot.envs.types.media import SAMPLE_RATE
from omnipilot.memory.perception import read_sounds

SPEECH = RecordedSpeech().speak("the code is 4711")


def tone(seconds: float, level: float = 0.1, start: float = 0.0) -> AudioClip:
    times = np.arange(round(seconds * SAMPLE_RATE)) / SAMPLE_RATE
    return AudioClip.from_array((32767 * level * np.sin(2 * np.pi * 700 * times)).astype(np.int16), "phone", start)


def rms(samples) -> float:
    return float(np.sqrt(np.mean(np.asarray(samples, np.float64) ** 2)))


@pytest.mark.parametrize("level", [0, 10, 20])
def test_speech_is_as_much_louder_as_the_level_says_and_nothing_is_clipped(level: float) -> None:
    noise = np.random.default_rng(1).normal(size=10 * SAMPLE_RATE)
    noise /= rms(noise)
    for loud in (0.01, 0.5):
        clip = tone(5.0, loud)
        mixed = mix_over(clip, noise, level).array().astype(np.float64)
        assert np.abs(mixed).max() <= 32767
        # Where the tone went, by its projection; what is left is speech.
        wave = clip.array().astype(np.float64)
        share = float(mixed @ wave / (wave @ wave))
        speech = mixed - share * wave
        assert 20 * math.log10(rms(speech) / rms(share * wave)) == pytest.approx(level, abs=0.6)
        assert (share < 0.85) == (loud == 0.5)


def test_speech_lies_over_what_sounds_alone_and_goes_on_from_clip_to_clip() -> None:
    speech = np.random.default_rng(2).normal(size=3 * SAMPLE_RATE)
    quiet = AudioClip(bytes(2 * SAMPLE_RATE), "phone", 0.0)
    assert mix_over(quiet, speech, 10) == quiet
    ring = tone(1.0)
    late = AudioClip(bytes(2 * SAMPLE_RATE) + ring.pcm + bytes(SAMPLE_RATE), "phone", 4.0)
    mixed = mix_over(late, speech, 10)
    assert mixed.slice(4.0, 4.99).loudness() == 0 == mixed.slice(6.01, 6.5).loudness() and mixed.start == 4.0
    whole = mix_over(tone(6.0), speech, 40).array()
    halves = [mix_over(tone(3.0, start=at), speech, 40).array() for at in (0.0, 3.0)]
    for at, half in enumerate(halves):
        part = whole[at * 3 * SAMPLE_RATE : (at + 1) * 3 * SAMPLE_RATE]
        assert np.corrcoef(part, half)[0, 1] > 0.99
    loop = round((3 + PAUSE) * SAMPLE_RATE)
    assert np.corrcoef(whole[: SAMPLE_RATE], whole[loop : loop + SAMPLE_RATE])[0, 1] > 0.99  # fmt: skip


def test_it_is_heard_whole_before_the_first_turn_on_its_device_alone() -> None:
    spoken = SpokenInstruction(SPEECH, "phone")
    world = ScriptedWorld(("phone", "pc"), rings=((2.0, 3.0),))
    planner = ScriptedPlanner(decide(Wait(4)), decide(Done()))
    play(episode(speaking(world, spoken), agent(planner), brief(world)))
    first, second = (request.observations for request in planner.requests)
    heard = first["phone"].audio
    assert heard.end == pytest.approx(0.0) and heard.seconds == pytest.approx(SPEECH.seconds)
    assert rms(heard.array()) / 32768 == pytest.approx(LOUDNESS, rel=0.5)
    assert {event.kind for event in read_sounds(heard).events} >= {"speech"}
    assert first["pc"].audio.seconds == 0 and first["phone"].screenshot == first["pc"].screenshot
    assert second["phone"].audio == second["pc"].audio and second["phone"].audio.seconds == 4


def test_with_a_level_it_is_heard_over_what_sounds_too_and_where_a_device_has_no_sound_it_is_the_only_one() -> None:
    spoken = SpokenInstruction(SPEECH, "phone", 10.0)
    silent = Observation("phone", 2.0, ScriptedWorld().envs["pc"].size, audio=Absent("unsupported"))
    unasked = Observation("phone", 2.0, silent.size, audio=Absent("unasked"))
    assert spoken.hear(unasked) is unasked
    first = spoken.hear(silent)
    assert isinstance(first.audio, AudioClip) and first.audio.end == pytest.approx(2.0)
    assert spoken.hear(silent) is silent
    rung = Observation("phone", 5.0, silent.size, audio=tone(3.0, 0.1, 2.0))
    kinds = {event.kind for event in read_sounds(spoken.hear(rung).audio).events}
    assert {"speech", "tone"} <= kinds


def test_a_phone_hears_the_user_before_any_other_device() -> None:
    world = ScriptedWorld(("pc", "mobile"))
    assert device_for(world) == "pc"
    world.envs["mobile"].platform = "phone"
    assert device_for(world) == "mobile"
    assert announcement("mobile").startswith("The instruction is spoken: listen to the sound of mobile")


PROGRAM = """
import sys, wave
with wave.open(sys.argv[1], "wb") as file:
    file.setnchannels(1), file.setsampwidth(2), file.setframerate(16000)
    file.writeframes((b"\\x00\\x20" * 9 + b"\\x00\\xe0" * 9) * 1778)
"""


@pytest.mark.exhibit("duet", "rules")
@pytest.mark.parametrize(("form", "solved"), [("both:10", True), ("speech", False)])
def test_a_run_speaks_the_instruction_and_its_journal_keeps_the_true_one(
    form: str, solved: bool, tmp_path: Path
) -> None:
    (tmp_path / "say.py").write_text(PROGRAM)
    settings = RunSettings(
        suite="duet",
        planner="rules",
        tasks=["send-message"],
        instruction=form,
        speech=f"command:{sys.executable} {tmp_path}/say.py {{file}} {{text}}",
        gate="events",
        jobs=0,
    )
    result = run(spec_from(settings), tmp_path / "run")
    assert (result.episodes[0].success, len(result.episodes)) == (solved, 1)
    events = list(read(tmp_path / "run"))
    (started,) = (event for event in events if isinstance(event, EpisodeStarted))
    assert "Running ten minutes late" in started.instruction
    turn = next(event for event in events if isinstance(event, TurnTaken))
    assert turn.observations["phone"]["audio"]["start"] == pytest.approx(-2.0, abs=0.01)
    (gated,) = (one for one in turn.gated if one["modality"] == Modality.AUDIO)
    assert gated["sent"] and gated["found"]


def test_an_ablation_with_a_speech_synthesis_has_a_condition_for_each_form_and_level() -> None:
    plain = conditions(spec_from(RunSettings(suite="toy", planner="noop")))
    spec = spec_from(RunSettings(suite="toy", planner="noop", speech="command:say {text}"))
    found = conditions(spec)
    assert found[: len(plain)] == plain
    spoken = found[len(plain) :]
    assert [(one.slug, one.kind, one.spec.instruction) for one in spoken[:4]] == [
        ("speech", "spoken", "speech"),
        ("speech-20-dB", "spoken", "speech:20"),
        ("speech-10-dB", "spoken", "speech:10"),
        ("speech-0-dB", "spoken", "speech:0"),
    ]
    assert [one.spec.instruction for one in spoken[4:]] == ["both", "both:20", "both:10", "both:0"]
    assert all(one.spec.speech == PartSpec("command", {"line": "say {text}"}) for one in spoken)
    deaf = spec_from(
        RunSettings(suite="toy", planner="noop", speech="command:say {text}", modalities="screenshot,elements")
    )
    assert not [one for one in conditions(deaf) if one.kind == "spoken"]
