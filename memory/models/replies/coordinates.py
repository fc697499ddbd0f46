"""Coordinates as models write them. Strict: a broken coordinate is no place."""

from __future__ import annotations

import re

# Every quantifier is possessive or bounded: matching is linear in the text, whatever the text.
NUMBER = r"[-+]?(?:\d++\.\d*+|\d++|\.\d++)"
_GAP = r"(?:\s*+[,，;]\s*+|\s++|\s*+[)\]）］]\s*+[,，]?+\s*+[(\[（［]\s*+)"
_VALUE = re.compile(
    rf"([\s(\[（［]*+)({NUMBER}){_GAP}({NUMBER})(?:{_GAP}({NUMBER}){_GAP}({NUMBER}))?+([\s)\]）］]*+)", re.ASCII
)
_TAG = re.compile(r"<[^<>]{0,64}>")
LONGEST = 400
"""Characters of a written coordinate."""


def written(text: str) -> tuple[float, ...] | None:
    """Two numbers (a place) or four (two corners) that are all there is in `text`, tags, brackets and quotes aside.

    `(1.1)`, `[]`, the empty string, three numbers, or an opening bracket without a closing one are None. A number of
    too many digits is infinite.
    """
    if len(text) > LONGEST:
        return None
    match = _VALUE.fullmatch(_TAG.sub(" ", text).strip().strip("'\""))
    if match is None or (match[1].strip() and not match[6].strip()):
        return None
    return tuple(float(number) for number in match.groups()[1:5] if number is not None)
