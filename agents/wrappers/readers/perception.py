"""The reader `perception`: what can be made out of the sound, the screenshot and the film without a model."""

from __future__ import annotations

from collections.abc import Iterator

from omnipilot.agents.wrappers.readers.agent import Reader
from omnipilot.envs import AudioClip, ConfigError, Image, Modality, Observation, VideoClip
from omnipilot.memory import MOTION, TEXTS, TRANSCRIPT
from omnipilot.memory.episodic.excerpts import JOINT
from omnipilot.memory.perception import OcrReader, SoundEvent, motion_lines, read_sounds, shared_reader
from omnipilot.memory.perception.audio.reader import IDLE
from omnipilot.memory.warm_up import warm_up

PARTS = (TRANSCRIPT, TEXTS, MOTION)


class PerceptionReader(Reader):
    """Tells what the readers of sounds, text and motion make of what the planner is granted; no model is asked.

    Of speech it tells when somebody speaks, not what is said.

    Args:
        what: `transcript` (from the audio), `texts` (from the screenshot), `motion` (from the video; letters and
            numbers in it are read by the OCR), or several with commas.
        ocr: the OCR reader; None for the one shared by the process.

    Raises:
        ConfigError: `what` names something else. MissingExtra: `texts` or `motion` is chosen and RapidOCR is not
            installed.
    """

    main_option = "what"

    def __init__(self, what: str = "transcript,texts", ocr: OcrReader | None = None) -> None:
        self.what = tuple(part.strip() for part in what.split(",") if part.strip())
        if not self.what or not set(self.what) <= set(PARTS):
            raise ConfigError(
                f"readers 'perception': what is {', '.join(PARTS[:-1])} or {PARTS[-1]}, or several with commas, not "
                f"{what!r}"
            )
        self._ocr = (ocr or shared_reader()) if {TEXTS, MOTION} & set(self.what) else None

    @property
    def needs(self) -> frozenset[Modality]:
        """The modalities that it cannot work without."""
        return self.reads

    @property
    def reads(self) -> frozenset[Modality]:
        """The modalities that it looks at."""
        of = {TRANSCRIPT: Modality.AUDIO, TEXTS: Modality.SCREENSHOT, MOTION: Modality.VIDEO}
        return frozenset(of[part] for part in self.what)

    def warm_up(self) -> None:
        """Load the models of the OCR."""
        warm_up(self._ocr)

    def begin(self) -> None:
        """Nothing to forget."""

    def read(self, seen: Observation, since: float) -> Iterator[tuple[str, str]]:
        """What was heard and what moved since `since` and what is written, as far as it can be made out."""
        if TRANSCRIPT in self.what and isinstance(seen.audio, AudioClip) and seen.audio.seconds > 0:
            clip = seen.audio.slice(max(since, seen.audio.start), seen.audio.end)
            if lines := self.hear(clip):
                yield TRANSCRIPT, "\n".join(line for _, line in sorted(lines))
        if MOTION in self.what and isinstance(seen.video, VideoClip) and (moved := motion_lines(seen.video)):
            yield MOTION, "\n".join(moved)
        if TEXTS in self.what and self._ocr is not None and isinstance(seen.screenshot, Image):
            texts = [line.name for line in self._ocr.read(seen.screenshot).elements]
            if texts:
                yield TEXTS, JOINT.join(texts)

    def hear(self, clip: AudioClip) -> list[tuple[float, str]]:
        """What can be made out of a new piece of sound: of each sound its start, and a line."""
        return [(one.start, sound_line(one)) for one in read_sounds(clip).events if one.kind not in IDLE]


def sound_line(event: SoundEvent, words: str = "") -> str:
    """A sound in a line: "3.4 s to 4.9 s, speech: the code is 4711".

    Args:
        words: what it says; "" for the event's own detail.
    """
    told = words or event.detail
    return f"{event.start:.1f} s to {event.end:.1f} s, {event.kind}{f': {told}' if told else ''}"
