"""Icons by their likeness to labelled pictures: structural similarity (SSIM) with all pictures of a pack at once.

Source: Z. Wang et al., "Image quality assessment: from error visibility to structural similarity", 2004, with its
Gaussian window and constants.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from omnipilot.envs import ConfigError

SIDE = 48
"""Pixels of a side at which pictures are compared."""
WINDOW, SIGMA, K1, K2 = 11, 1.5, 0.01, 0.03
ALIKE = 0.95
"""Minimum SSIM of a region and a template of the same function."""
SHORTLIST = 12
"""Templates of which the SSIM is computed for a region: those that correlate best with it, in any of its forms."""
_FAINT = 0.28
"""Difference from the background, as a share of the greatest one, up to which a pixel is background."""
_LEAST_CONTRAST = 0.04
"""Greatest difference from the background, in 0..1, up to which a region is blank."""
_RIMS = (0.0, 0.14, 0.22)
"""Shares of each side that are cut off before something is cut out: the rim of a button around its icon."""
_SLIM = 3.0
"""Longer side of a region, in shorter ones, above which nothing is cut out of it: it is a row."""
_ENDINGS = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif")

Grey = NDArray[np.float32]
"""Brightness in 0..1, shape (height, width)."""


@dataclass(frozen=True, slots=True)
class IconMatch:
    """What a region looks like: the name of a template, and the SSIM with it, at most 1."""

    name: str
    likeness: float


@dataclass(frozen=True, slots=True)
class _Form:
    """One way to look at a region: as it is, inverted, or what is cut out of it.

    Attributes:
        region: its number. picture: of `SIDE` x `SIDE`. cut: side in pixels of what was cut out; 0 for a whole region.
    """

    region: int
    picture: Grey
    cut: int = 0


class IconPack:
    """Labelled pictures of icons, and the best of them for a region.

    Args:
        pictures: name and picture of each template, RGB or RGBA of shape (height, width, 3 or 4), uint8.
        strict: compare regions as they are only, as in the paper. Otherwise also their inverse, and what stands out
            from their background, cut out, whatever its colour.

    Raises:
        ConfigError: there is no picture.
    """

    def __init__(self, pictures: Sequence[tuple[str, NDArray[np.uint8]]], strict: bool = False) -> None:
        if not pictures:
            raise ConfigError("a pack of icons needs at least one picture")
        self.names = tuple(name for name, _ in pictures)
        self.strict = strict
        greys = [_grey(picture) for _, picture in pictures]
        self._plain = np.stack([_resize(grey, SIDE) for grey in greys])
        self._cuts = [] if strict else [_or_blank(cut_out(grey)) for grey in greys]
        whole = [_standardise(self._plain)]
        self._matrices = (
            whole if strict else [*whole, _standardise(np.stack([_resize(cut, SIDE) for cut in self._cuts]))]
        )
        digest = hashlib.sha256()
        for name, picture in pictures:
            digest.update(f"{name} {picture.shape} ".encode() + picture.tobytes())
        self.digest = digest.hexdigest()

    @classmethod
    def read(cls, folder: str | Path, strict: bool = False) -> IconPack:
        """The pack in a folder: each picture is named by what it does, `trash.png`; further pictures of one icon end in
        a number, `trash-2.png`.

        Raises:
            ConfigError: there is no such folder, or no picture in it.
        """
        from PIL import Image as pil

        place = Path(folder).expanduser()
        found = []
        for file in sorted(place.iterdir()) if place.is_dir() else ():
            if file.suffix.lower() in _ENDINGS:
                with pil.open(file) as picture:
                    found.append((_function(file.stem), np.asarray(picture.convert("RGBA"))))
        if not found:
            raise ConfigError(
                f"there is no picture of an icon in {str(folder)!r}; name a folder of them, each called by what it "
                "does, such as trash.png"
            )
        return cls(found, strict)

    def match(self, regions: Sequence[NDArray[np.uint8]]) -> list[IconMatch]:
        """The best template for each region, however unlike it is.

        Args:
            regions: parts of a screenshot, shape (height, width, 3), uint8; at least one pixel each.
        """
        forms = [form for number, region in enumerate(regions) for form in self._forms(number, _grey(region))]
        best = [IconMatch("", -1.0)] * len(regions)
        for form, templates in self._shortlist(forms):
            pictures = (
                self._plain[templates] if not form.cut else np.stack([self._coarse(n, form.cut) for n in templates])
            )
            likeness = ssim(form.picture, pictures)
            top = int(likeness.argmax())
            if likeness[top] > best[form.region].likeness:
                best[form.region] = IconMatch(self.names[templates[top]], float(likeness[top]))
        return best

    def _forms(self, number: int, grey: Grey) -> Iterator[_Form]:
        plain = _resize(grey, SIDE)
        yield _Form(number, plain)
        if self.strict:
            return
        yield _Form(number, np.asarray(1 - plain, np.float32))
        if max(grey.shape) > _SLIM * min(grey.shape):
            return
        for rim in _RIMS:
            cut = cut_out(_without_rim(grey, rim))
            if cut is not None:
                yield _Form(number, _resize(cut, SIDE), len(cut))

    def _shortlist(self, forms: Sequence[_Form]) -> Iterator[tuple[_Form, list[int]]]:
        """For each region its forms with the templates that correlate best with them, `SHORTLIST` of all forms."""
        near: dict[int, list[tuple[float, int, int]]] = {}
        count = min(SHORTLIST, len(self.names))
        for kind, matrix in enumerate(self._matrices):
            of_kind = [at for at, form in enumerate(forms) if bool(form.cut) == bool(kind)]
            if not of_kind:
                continue
            correlations = _standardise(np.stack([forms[at].picture for at in of_kind])) @ matrix.T
            chosen = np.argpartition(-correlations, count - 1, axis=1)[:, :count]
            for row, at in enumerate(of_kind):
                near.setdefault(forms[at].region, []).extend(
                    (float(correlations[row, template]), at, int(template)) for template in chosen[row]
                )
        for candidates in near.values():
            by_form: dict[int, list[int]] = {}
            for _, at, template in sorted(candidates, reverse=True)[:count]:
                by_form.setdefault(at, []).append(template)
            yield from ((forms[at], templates) for at, templates in by_form.items())

    def _coarse(self, template: int, side: int) -> Grey:
        """A cut template as coarse as a region of `side` pixels: a small icon has lost the same details."""
        cut = self._cuts[template]
        return _resize(_resize(cut, min(side, len(cut))), SIDE)


def ssim(one: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float64]:
    """Mean SSIM of a picture with others, at most 1 each.

    Args:
        one: brightness in 0..1, shape (height, width), both at least `WINDOW`.
        others: shape (count, height, width).
    """
    c1, c2 = K1**2, K2**2
    mean, means = _blur(one), _blur(others)
    variance, variances = _blur(one * one) - mean * mean, _blur(others * others) - means * means
    covariance = _blur(one * others) - mean * means
    alike = (2 * mean * means + c1) * (2 * covariance + c2)
    alike /= (mean * mean + means * means + c1) * (variance + variances + c2)
    return np.asarray(alike.mean(axis=(-2, -1), dtype=float))


def cut_out(grey: Grey) -> Grey | None:
    """What stands out from the background, as a square around its middle: 0 for the background, 1 for the strongest.

    Neither its colour nor whether it is lighter or darker counts. None for a blank picture.
    """
    rim = np.concatenate([grey[0], grey[-1], grey[:, 0], grey[:, -1]])
    difference = np.abs(grey - np.median(rim))
    most = float(difference.max())
    if most <= _LEAST_CONTRAST:
        return None
    ink = difference > _FAINT * most
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    part = np.where(ink, difference, 0)[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] / most
    high, wide = part.shape
    side = max(high, wide)
    square = np.zeros((side, side), np.float32)
    top, left = (side - high) // 2, (side - wide) // 2
    square[top : top + high, left : left + wide] = part
    return square


def _without_rim(grey: Grey, share: float) -> Grey:
    down, across = (int(share * side) for side in grey.shape)
    return grey[down : grey.shape[0] - down, across : grey.shape[1] - across]


def _function(stem: str) -> str:
    """The name of an icon, from that of its file: words, without a number at the end."""
    return " ".join(re.sub(r"[-_ ]?\d+$", "", stem).replace("_", " ").replace("-", " ").split()) or stem


def _grey(picture: NDArray[np.uint8]) -> Grey:
    """Brightness; what is transparent lies on white."""
    part = picture.astype(np.float32) / 255
    if part.shape[2] == 4:
        part = part[..., :3] * part[..., 3:] + (1 - part[..., 3:])
    return np.asarray(part @ np.array([0.299, 0.587, 0.114], np.float32))


def _resize(grey: Grey, side: int) -> Grey:
    """A picture stretched to a square of `side` pixels."""
    from PIL import Image as pil

    if grey.shape == (side, side):
        return grey
    how = pil.Resampling.BOX if grey.shape[0] > side else pil.Resampling.BILINEAR
    return np.asarray(pil.fromarray(np.ascontiguousarray(grey, np.float32)).resize((side, side), how))


def _or_blank(cut: Grey | None) -> Grey:
    return np.zeros((SIDE, SIDE), np.float32) if cut is None else cut


def _standardise(pictures: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows of mean 0 and length 1, whose products are correlations."""
    flat = pictures.reshape(len(pictures), -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6))


@lru_cache(maxsize=8)
def _window(side: int) -> NDArray[np.float32]:
    """The Gaussian window as a matrix that blurs a line, shape (side - WINDOW + 1, side): never beyond its ends."""
    weights = np.exp(-((np.arange(WINDOW) - WINDOW // 2) ** 2) / (2 * SIGMA**2))
    weights /= weights.sum()
    matrix = np.zeros((side - WINDOW + 1, side), np.float32)
    for row in range(len(matrix)):
        matrix[row, row : row + WINDOW] = weights
    return matrix


def _blur(pictures: NDArray[np.float32]) -> NDArray[np.float32]:
    height, width = pictures.shape[-2:]
    return np.asarray(_window(height) @ pictures @ _window(width).T)
