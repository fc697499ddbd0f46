"""Text as LaTeX sets it: every special character escaped, and none that pdflatex would stop at."""

from __future__ import annotations

import unicodedata

_SIGNS = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "→": r"$\rightarrow$",
    "←": r"$\leftarrow$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "Δ": r"$\Delta$",
    "²": "$^2$",
    "³": "$^3$",
    "¹": "$^1$",
    "°": r"$^\circ$",
    "µ": r"$\mu$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "γ": r"$\gamma$",
    "δ": r"$\delta$",
    "ε": r"$\varepsilon$",
    "λ": r"$\lambda$",
    "π": r"$\pi$",
    "σ": r"$\sigma$",
    "τ": r"$\tau$",
    "[": "{[}",
    "*": "{*}",
    "—": "---",
    "–": "--",
    "…": r"\dots{}",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "†": r"$^\dagger$",
    "\u00a0": "~",
    "\u202f": r"\,",
}
_ACCENTS = frozenset("\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327")
"""Those that every encoding of fonts can put over a letter."""
_WHOLE = frozenset("ßæœøłÆŒØŁı")
UNKNOWN = "?"
"""In place of a letter that pdflatex has no picture for."""


def escape(text: str) -> str:
    """Text that LaTeX prints as it is, in any encoding of fonts.

    "[" and "*" are in braces, since they would be read as arguments at the start of a row. Latin letters keep their
    accents; of others, which pdflatex would stop at, `UNKNOWN` is printed.
    """
    return "".join(map(_sign, " ".join(text.split())))


def has_unknown(text: str) -> bool:
    """Whether a letter of the text is not printed."""
    return any(_sign(letter) == UNKNOWN and letter != UNKNOWN for letter in text)


def _sign(letter: str) -> str:
    if letter in _SIGNS:
        return _SIGNS[letter]
    if letter.isascii():
        return letter if letter.isprintable() else " "
    if letter in _WHOLE:
        return letter
    plain = unicodedata.normalize("NFKD", letter)
    if len(plain) > 1 and plain[0].isalpha() and plain[0].isascii() and _ACCENTS.issuperset(plain[1:]):
        return letter if letter < "\u0180" else plain[0]
    known = "".join(_SIGNS.get(one, one) for one in plain if not unicodedata.combining(one))
    return known if known.isascii() and known.isprintable() and known else UNKNOWN
