"""How wide text is set in LaTeX, without LaTeX: the wider of Computer Modern and Times, so that a table fits in both.

Widths of Computer Modern are those of cmr10.tfm, of Times those of Times-Roman.afm, both in thousandths of the size.
Below ten points Computer Modern is drawn wider, by the factors of cmr9.tfm, cmr8.tfm and cmr7.tfm.
"""

from __future__ import annotations

import unicodedata

WIDER = {10: 1.0, 9: 1.03, 8: 1.065, 7: 1.14}
"""By size in points, how much wider than cmr10 scaled; at 7 points single letters are up to 1.16 times as wide."""
BOLD = 1.16
"""How much wider digits are in bold."""
_GROUPS = {
    278: ",.:;il|",
    306: "j",
    333: " !'-[]`f",
    361: "I",
    389: "()t",
    392: "r",
    394: "s",
    444: "cez†‡",
    472: "?",
    500: '"$*/0123456789^_ago{}–',
    514: "J",
    528: "kqvxy",
    541: "~",
    556: "Sbdhnpu",
    611: "Z\\",
    625: "L",
    653: "F",
    681: "EP",
    708: "B",
    722: "CTw",
    736: "R",
    750: "AHNUVXY",
    764: "D",
    778: "&+<=>KOQ−±×≤≥",
    785: "G",
    833: "#%m",
    917: "M",
    921: "@",
    1000: "—→←",
    1028: "W",
}
_WIDTHS = {letter: width for width, letters in _GROUPS.items() for letter in letters}
_AVERAGE, _WIDE = 560, 1000
"""Of letters that are in neither font."""


def text_points(text: str, size: int, bold: bool = False) -> float:
    """The width of a line of text, in TeX points.

    Args:
        size: of the font: 7, 8, 9 or 10 points.
    """
    return sum(map(_letter, text)) * size / 1000 * WIDER[size] * (BOLD if bold else 1.0)


def _letter(letter: str) -> int:
    """The width of a letter; one with an accent is as wide as without it."""
    if letter in _WIDTHS:
        return _WIDTHS[letter]
    plain = unicodedata.normalize("NFKD", letter)[0]
    return _WIDTHS.get(plain, _WIDE if unicodedata.east_asian_width(letter) in "WF" else _AVERAGE)
