"""The signs in which the small ears write, and how words are written with them.

A capital is a letter that was spelled, a digit one that was said or is part of a number: "the code is 47AB", "9:30".
"""

from __future__ import annotations

import string

BLANK = 0
"""The output of the network that writes nothing (Graves et al. 2006, connectionist temporal classification)."""
SIGNS = " :'" + string.ascii_lowercase + string.ascii_uppercase + string.digits
"""Output n of the network, from 1 on, is `SIGNS[n - 1]`."""
OUTPUTS = len(SIGNS) + 1
_NUMBERS = {sign: number for number, sign in enumerate(SIGNS, 1)}


def encode_text(text: str) -> list[int]:
    """The outputs that write a text.

    Raises:
        KeyError: a sign of it is none of `SIGNS`.
    """
    return [_NUMBERS[sign] for sign in text]
