"""The voices of `espeak-ng` that the small ears learn from, and those that they are measured with and never hear.

A voice is an accent with a variant, such as "en-gb+f3". Whole variants are held out, by a hash of their name, and so is
a whole accent; and the two voices in which the embedded world speaks, with all that share the variant of the second.
"""

from __future__ import annotations

import hashlib

from omnipilot.bench.training.ears.texts import ONE_IN

ACCENTS = tuple(
    """
    en-us en-gb en-gb-scotland en-gb-x-gbclan en-gb-x-rp en-gb-x-gbcwmd en-029 en-us-nyc
    """.split()
)
VARIANTS = tuple(
    """
    f1 f2 f3 f4 f5 m1 m2 m3 m4 m5 m6 m7 m8 Alex Alicia Andrea Andy Annie Denis Diogo Gene Gene2 Henrique Hugo Jacky
    Lee Marco Mario Michael Mike Nguyen Storm adam anika antonio aunty belinda benjamin boris caleb david ed edward
    edward2 grandma grandpa gustave iven iven2 iven3 john linda marcelo max michel miguel norbert pablo paul pedro
    quincy rob robert sandro shelby steph steph2 steph3 travis victor zac
    """.split()
)
"""Those of espeak-ng 1.51 that sound like people who do not whisper."""
WORLD_VOICES = ("en-us", "en-gb+f3")
"""What the embedded world's recordings en-a and en-b were made with (`envs/speech/make_speech.py`)."""
_HELD_OUT_ACCENTS = ("en-gb-x-rp",)
"""The accent whose name has the smallest SHA-256."""


def all_voices() -> tuple[str, ...]:
    """Every accent by itself, and with each variant."""
    return tuple(f"{accent}+{variant}" if variant else accent for accent in ACCENTS for variant in ("", *VARIANTS))


def is_unheard(voice: str) -> bool:
    """Whether a voice is only measured with."""
    accent, _, variant = voice.partition("+")
    if accent in _HELD_OUT_ACCENTS or voice in WORLD_VOICES:
        return True
    return bool(variant) and (f"en-gb+{variant}" in WORLD_VOICES or _hash(variant) % ONE_IN == 0)


def _hash(name: str) -> int:
    return hashlib.sha256(name.encode()).digest()[0]


TAUGHT_VOICES = tuple(voice for voice in all_voices() if not is_unheard(voice))
UNHEARD_VOICES = tuple(voice for voice in all_voices() if is_unheard(voice))
