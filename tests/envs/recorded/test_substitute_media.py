"""Other sound and video in place of the true ones: of the same shape, repeatable, and shown to nobody but the agent."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pytest
from scripted import ScriptedPlanner, ScriptedRecorder, ScriptedWorld, WatchedMemory, agent, brief, decide, play

from omnipilot.agents import SingleAgent, episode
from omnipilot.agents.teacher_forcing import teacher_forced_episode
from omnipilot.envs import (
    Absent,
    AudioClip,
    Capability,
    Click,
    Done,
    Image,
    Modality,
    Observation,
    Point,
    Press,
    Size,
    VideoClip,
    World,
)
from omnipilot.envs.recorded import Noise, RecordedStep, Recording, ReplayWorld, Silence
from omnipilot.envs.recorded.substitute_media import BLOCK, LOUDNESS, StandIn, fitted_film, fitted_sound
from omnipilot.envs.recorded.substitute_world import stood_in
from omnipilot.envs.types import ALL_MODALITIES

RATE = 16_000
SIZE = Size(40, 36)
MEDIA = frozenset({Modality.AUDIO, Modality.VIDEO})


def tone(seconds: float, start: float = 2.5, level: int = 6000) -> AudioClip:
    wave = np.sin(np.arange(round(seconds * RATE)) * 0.3) * level
    return AudioClip.from_array(wave.astype(np.int16), "pc", start)


def film(times: Sequence[float], end: float, size: Size = SIZE, first: int = 10) -> VideoClip:
    """Frames whose shade is `first` more than their number."""
    frames = [Image.raw(size, bytes([first + n]) * size.pixels * 3, "pc", t) for n, t in enumerate(times)]
    return VideoClip(frames, end, "pc")


def shades(clip: VideoClip) -> list[int]:
    return [frame.rgb[0] for frame in clip.frames]


SOUND = tone(1.3)
FILM = film((2.5, 2.6, 3.0, 3.7), 3.8)


@pytest.mark.parametrize("stand_in", [Silence(), Noise(7)])
def test_the_shape_is_that_of_what_is_replaced(stand_in: StandIn) -> None:
    sound, moving = stand_in.sound("pc", SOUND), stand_in.film("pc", FILM)
    assert (sound.start, sound.end, len(sound.pcm), sound.env) == (2.5, SOUND.end, len(SOUND.pcm), "pc")
    assert [frame.start for frame in moving.frames] == [2.5, 2.6, 3.0, 3.7]
    assert (moving.start, moving.end, moving.size, moving.env) == (2.5, 3.8, SIZE, "pc")
    assert sound != SOUND and moving != FILM
    assert stand_in.sound("pc", AudioClip(b"", "pc", 4.0)).seconds == 0.0


def test_silence_is_zeros_and_the_last_frame() -> None:
    assert set(Silence().sound("pc", SOUND).pcm) == {0}
    assert shades(Silence().film("pc", FILM)) == [13] * 4


@pytest.mark.parametrize("level", [200, 6000, 20000])
def test_noise_is_white_and_as_loud_as_what_it_replaces(level: int) -> None:
    true = tone(1.3, level=level)
    noise = Noise(7).sound("pc", true)
    assert noise.loudness() == pytest.approx(true.loudness(), rel=0.01)
    samples = noise.array().astype(float)
    spectrum = np.abs(np.fft.rfft(samples)) ** 2
    thirds = [part.mean() for part in np.array_split(spectrum[1:], 3)]
    assert max(thirds) < 1.15 * min(thirds)


def test_noise_in_place_of_quiet_is_as_loud_as_stated() -> None:
    quiet = AudioClip(bytes(2 * RATE), "pc", 1.0)
    assert Noise(7).sound("pc", quiet).loudness() == pytest.approx(LOUDNESS, rel=0.01)


def test_noise_is_a_function_of_seed_environment_and_time() -> None:
    def noise(seed: int, env: str, start: float) -> AudioClip:
        return Noise(seed).sound(env, AudioClip(bytes(2 * 2 * RATE), env, start))

    assert noise(7, "pc", 1.5) == noise(7, "pc", 1.5)
    assert noise(7, "pc", 1.5) != noise(8, "pc", 1.5) and noise(7, "pc", 1.5) != noise(7, "phone", 1.5)
    one, later = noise(7, "pc", 1.5).slice(2.0, 3.5).array(), noise(7, "pc", 2.0).slice(2.0, 3.5).array()
    assert np.corrcoef(one, later)[0, 1] > 0.9999
    assert Noise(7).film("pc", FILM) == Noise(7).film("pc", FILM) != Noise(8).film("pc", FILM)
    cut = FILM.slice(2.6, 3.8)
    assert Noise(7).film("pc", cut).frames == Noise(7).film("pc", FILM).frames[1:]


def test_pictures_of_noise_are_blocks_that_change() -> None:
    frames = Noise(7).film("pc", film([n / 10 for n in range(20)], 2.0)).frames
    assert len({frame.digest for frame in frames}) > 4
    pixels = frames[0].array()
    assert (pixels[:BLOCK, :BLOCK] == pixels[0, 0]).all() and (pixels[BLOCK, 0] != pixels[0, 0]).any()
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) == 9


def test_sound_is_fitted_by_cutting_and_looping() -> None:
    counting = AudioClip.from_array(np.arange(100, dtype=np.int16), "x", 0.0)
    clip = AudioClip(bytes(2 * 250), "pc", 9.0)
    assert fitted_sound(counting, 0.0, "pc", clip).array().tolist() == [*range(100), *range(100), *range(50)]
    assert fitted_sound(counting, 20 / RATE, "pc", clip).array()[:90].tolist() == [*range(20, 100), *range(20, 30)]
    assert fitted_sound(counting, 0.0, "pc", AudioClip(bytes(60), "pc", 9.0)).array().tolist() == [*range(30)]
    assert fitted_sound(counting, 55.0, "pc", clip).start == 9.0
    assert set(fitted_sound(AudioClip(b""), 0.0, "pc", clip).pcm) == {0}


def test_film_is_fitted_by_time_and_scaled() -> None:
    source = film((0.0, 0.5, 1.0), 1.2, Size(20, 18))
    fitted = fitted_film(source, 0.0, "pc", FILM)
    # 0, 0.1, 0.5 and 1.2 s after its beginning.
    assert shades(fitted) == [10, 10, 11, 12] and fitted.size == SIZE
    assert [frame.start for frame in fitted.frames] == [frame.start for frame in FILM.frames]
    looped = fitted_film(source, 0.0, "pc", film((5.0, 5.9, 6.3, 7.3), 8.0))
    assert shades(looped) == [10, 11, 10, 12]
    assert shades(fitted_film(source, 77.0, "pc", FILM)) == [12] * 4


class Odd(Silence):
    """Cuts what it should keep whole."""

    def sound(self, env: str, clip: AudioClip) -> AudioClip:
        return AudioClip(clip.pcm[2:], env, clip.start)


def look(world: World, modalities: frozenset[Modality] = ALL_MODALITIES) -> Observation:
    return world.envs["pc"].observe(modalities, 0.0)


def test_only_clips_that_the_agent_gets_are_replaced() -> None:
    true = ScriptedWorld(rings=((0.0, 9.0),), moves=((0.0, 9.0),))
    true.wait(2.0)
    plain, shown = look(true), look(stood_in(true, Silence(), MEDIA))
    assert isinstance(shown.audio, AudioClip) and not any(shown.audio.pcm)
    assert isinstance(shown.video, VideoClip) and len(set(shown.video.frames)) == 1
    assert (shown.screenshot, shown.elements, shown.context) == (plain.screenshot, plain.elements, plain.context)
    heard = look(stood_in(true, Silence(), {Modality.VIDEO}))
    assert heard.audio == plain.audio and heard.video == shown.video
    withheld = look(stood_in(true, Silence(), MEDIA), frozenset({Modality.SCREENSHOT}))
    assert withheld == look(true, frozenset({Modality.SCREENSHOT}))
    assert isinstance(withheld.audio, Absent) and withheld.audio.reason == "unasked"
    with pytest.raises(ValueError, match="cannot replace"):
        look(stood_in(true, Odd(), MEDIA))


def test_it_can_do_what_the_world_can_and_tells_nothing_that_is_for_judges() -> None:
    scripted = ScriptedWorld()
    shown = stood_in(scripted, Silence(), MEDIA)
    assert shown.capabilities == {Capability.ENDS} == scripted.capabilities
    shown.envs["pc"].act(Press(("enter",)))
    shown.wait(1.5)
    assert (shown.now, scripted.now, len(scripted.envs["pc"].acted)) == (2.5, 2.5, 1)
    replay = stood_in(ReplayWorld(), Silence(), MEDIA)
    assert replay.capabilities == {Capability.ENDS, Capability.RECORDED}
    assert ReplayWorld().capabilities == {Capability.ENDS, Capability.RECORDED, Capability.STATE}


def test_neither_memory_nor_record_meets_a_true_clip() -> None:
    world = ScriptedWorld(rings=((0.0, 9.0),), moves=((0.0, 9.0),))
    memory, recorder = WatchedMemory(), ScriptedRecorder(frozenset({Modality.AUDIO}))
    acting = agent_of_two_actions(memory)
    play(episode(stood_in(world, Silence(), acting.modalities), acting, brief(world), recorder=recorder))
    assert world.now == 2.0 and len(memory.learnt) == 3
    met = [seen for turn in memory.learnt for seen in turn.observations.values()]
    met += [step.seen for turn in memory.learnt for step in turn.steps if step.seen is not None]
    met += [seen for _, seen, _ in recorder.looks]
    assert sum(seen.has(Modality.AUDIO) and bool(seen.audio.pcm) for seen in met) > 2
    for seen in met:
        assert not any(seen.audio.pcm) and len(set(seen.video.frames)) == 1


def agent_of_two_actions(memory: WatchedMemory) -> SingleAgent:
    press = decide(("pc", Press(("enter",))))
    return agent(ScriptedPlanner(press, press, decide(Done("success"))), memory=memory)


def test_a_recording_is_shown_with_other_clips_and_takes_the_predictions() -> None:
    def moment(env: str, time: float, modalities: Collection[Modality]) -> Observation:
        frames = [Image.raw(SIZE, bytes([n]) * SIZE.pixels * 3, env, time - 1 + n / 4) for n in range(4)]
        clips = AudioClip(bytes([9]) * 2 * RATE, env, time - 1), VideoClip(frames, time, env)
        return Observation(env, time, SIZE, frames[-1], audio=clips[0], video=clips[1]).only(modalities)

    world, memory = ReplayWorld(), WatchedMemory()
    back = Click(Point(0.5, 0.5))
    world.load(Recording("desktop", SIZE, frozenset({"press", "click"}), (RecordedStep(moment, (back,)),) * 2, "pc"))
    acting = agent_of_two_actions(memory)
    shown = stood_in(world, Silence(), acting.modalities)
    steps, ending = play(teacher_forced_episode(shown, acting, brief(ScriptedWorld())))
    assert [step.predicted for step in steps] == [Press(("enter",))] * 2 and ending.reason == "world"
    assert [step.executed for step in steps] == [back] * 2
    assert [one.actions for one in world.state().predictions] == [(Press(("enter",)),)] * 2
    for turn in memory.learnt:
        assert not any(turn.observations["pc"].audio.pcm) and len(set(turn.observations["pc"].video.frames)) == 1
