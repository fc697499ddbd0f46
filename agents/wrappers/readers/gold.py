"""The reader `gold`: what was spoken and what is written, from the truth."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

from omnipilot.agents.wrappers.readers.agent import Reader
from omnipilot.envs import Absent, ConfigError, Heard, Modality, Observation
from omnipilot.memory import TEXTS, TRANSCRIPT, TakesTruth

PARTS = (TRANSCRIPT, TEXTS)


class GoldReader(TakesTruth, Reader):
    """Tells what was heard and what is written, from the truth: a perfect speech recogniser and a perfect OCR.

    It stands in for hearing and reading, and so is given to a planner whatever it is granted: with audio withheld, it
    is the condition "hears nothing, and is told every word". A transcript covers the time since the environment's
    observation in the turn before: each word once it has been spoken, and once. A longer sound is told when it is first
    heard, and when it is over. Substitutes for the agent's sound (`--stand-in`) leave the transcript as it is.

    Args:
        what: `transcript`, `texts`, or both with a comma: these must be known wherever it is used; or `all` for what
            is known.

    Raises:
        ConfigError: `what` names something else; while running, that nothing knows it.
    """

    main_option = "what"
    part = "readers 'gold'"
    reads: frozenset[Modality] = frozenset()

    def __init__(self, what: str = "all") -> None:
        named = tuple(part.strip() for part in what.split(",") if part.strip())
        self._needed = () if named == ("all",) else named
        self.what = PARTS if named == ("all",) else named
        if not self.what or (strangers := set(self.what) - set(PARTS)):
            told = ", ".join(map(repr, sorted(strangers))) if self.what else "nothing"
            raise ConfigError(f"{self.part}: what is all, {' or '.join(PARTS)}, or both with a comma, not {told}")
        self._told: dict[tuple[str, str, str, float], bool] = {}

    def begin(self) -> None:
        """Forget which sounds were told."""
        self._told = {}

    def fork(self) -> GoldReader:
        """Another that was told the same so far."""
        other = copy(self)
        other._told = dict(self._told)
        return other

    def read(self, seen: Observation, since: float) -> Iterator[tuple[str, str]]:
        """The transcript since `since`, if anything was heard, and the texts on the screen, if there are any.

        Raises:
            ConfigError: nothing knows what is asked for, or nothing knows anything.
        """
        missing: list[Absent] = []
        if TRANSCRIPT in self.what:
            heard = self._truth.transcript(seen.env, since, seen.time)
            if isinstance(heard, Absent):
                missing.append(self._require(TRANSCRIPT, heard))
            elif new := [one for one in heard if self._is_new(seen.env, one)]:
                yield TRANSCRIPT, "\n".join(map(sound_words, new))
        if TEXTS in self.what:
            texts = self._truth.texts(seen.env)
            if isinstance(texts, Absent):
                missing.append(self._require(TEXTS, texts))
            elif texts.items:
                yield TEXTS, " | ".join(text.name for text in texts)
        if len(missing) == len(self.what):
            raise ConfigError(f"{self.part}: {' and '.join(one.detail for one in missing)}; leave it out here")

    def _require(self, what: str, absent: Absent) -> Absent:
        if what in self._needed:
            told = absent.detail or absent.reason
            raise ConfigError(f"{self.part}: {told}; leave it out, or tell what is known with readers.what=all")
        return absent

    def _is_new(self, env: str, heard: Heard) -> bool:
        """Whether to tell of a sound: it is first heard, or is over by now."""
        key = env, heard.kind, heard.words, heard.start
        going_on = self._told.get(key)
        self._told[key] = heard.continues
        return going_on is None or (going_on and not heard.continues)


def sound_words(heard: Heard) -> str:
    """A sound in a line: "3.4 s to 4.9 s, speech (voice en-a): the code is 4711"."""
    what = f"{heard.kind} (voice {heard.voice})" if heard.voice else heard.kind
    words = f"{heard.words} …" if heard.continues and heard.kind in ("speech", "digits") else heard.words
    until = "and goes on" if heard.continues and heard.kind not in ("speech", "digits") else f"to {heard.end:.1f} s"
    return f"{heard.start:.1f} s {until}, {what}: {words}"
