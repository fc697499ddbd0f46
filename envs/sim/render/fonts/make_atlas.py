"""Render the glyph atlas that ships beside this script: `atlas.png` (grey masks) and `atlas.json` (metrics).

Run it only to change the offered sizes or characters; the simulator's golden pixels change with it.

    apt-get install fonts-roboto-unhinted
    pip install freetype-py fonttools numpy pillow
    python make_atlas.py /usr/share/fonts/truetype/roboto/unhinted/RobotoTTF

Glyphs are rendered at four times their width and snapped to the pixel grid in height only, so that text can be placed
at quarters of a pixel and still has crisp stems and baselines.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

SIZES = (11, 12, 14, 16, 18, 22, 28, 40)
WEIGHTS = {"regular": "Roboto-Regular.ttf", "bold": "Roboto-Bold.ttf"}
ATLASES = {
    "atlas": ((1, 1), 4, 15),
    "atlas-9-5": ((9, 5), 2, 9),
    "atlas-270-103": ((270, 103), 1, 12),
    "atlas-27-10": ((27, 10), 1, 12),
}
"""Files: how much larger than their size the glyphs are (a fraction), columns for one pixel of width, and grey levels
kept; the columns of a pixel are added up, so more remain."""
ATLAS_WIDTH = 2048
CHARACTERS = [chr(c) for c in (*range(32, 127), *range(161, 173), *range(174, 256))] + list("–—‘’‚“”„…•‹›€™−")
KERNED = [chr(c) for c in range(33, 127)] + list("–—‘’“”…")
UNKNOWN = "\ufffd"

# Characters that the font lacks, as strokes through points of a 1000-unit em, y upwards from the baseline.
STROKES: dict[str, tuple[int, list[list[tuple[int, int]]]]] = {
    "→": (960, [[(100, 330), (860, 330)], [(570, 600), (860, 330), (570, 60)]]),
    "←": (960, [[(860, 330), (100, 330)], [(390, 600), (100, 330), (390, 60)]]),
    "↑": (700, [[(350, 0), (350, 700)], [(90, 440), (350, 700), (610, 440)]]),
    "↓": (700, [[(350, 700), (350, 0)], [(90, 260), (350, 0), (610, 260)]]),
    "✓": (860, [[(110, 330), (330, 90), (760, 620)]]),
    "✗": (760, [[(120, 610), (640, 90)], [(640, 610), (120, 90)]]),
    UNKNOWN: (640, [[(90, 0), (550, 0), (550, 711), (90, 711), (90, 0)]]),
}
STROKE_WIDTHS = {"regular": 86, "bold": 130}


def draw_outline(face: Any, freetype: Any, character: str, size: int, across: int) -> tuple[np.ndarray, int, int]:
    """A character of the font at a size in 64ths of a pixel: mask, left (columns), top (pixels above the baseline)."""
    face.set_char_size(0, size, 72 * across, 72)
    face.load_char(character, freetype.FT_LOAD_RENDER | freetype.FT_LOAD_TARGET_LIGHT | freetype.FT_LOAD_FORCE_AUTOHINT)
    slot = face.glyph
    bitmap = slot.bitmap
    rows = np.array(bitmap.buffer, np.uint8).reshape(bitmap.rows, bitmap.pitch)[:, : bitmap.width]
    return rows, slot.bitmap_left, slot.bitmap_top


def draw_strokes(character: str, weight: str, size: float, across: int) -> tuple[np.ndarray, int, int]:
    """The same for a character of `STROKES`."""
    fine, (advance, lines) = 16, STROKES[character]
    width, above, below = int(size * advance / 1000) + 2, int(size + 1), int(size / 2 + 1)
    picture = Image.new("L", (width * fine, (above + below) * fine))
    draw = ImageDraw.Draw(picture)
    thick = int(STROKE_WIDTHS[weight] * size * fine / (2000 if character == UNKNOWN else 1000))
    for line in lines:
        points = [(x * size * fine / 1000, above * fine - y * size * fine / 1000) for x, y in line]
        draw.line(points, 255, thick, "curve")
        for x, y in points:
            draw.ellipse((x - thick / 2, y - thick / 2, x + thick / 2, y + thick / 2), 255)
    mask = np.asarray(picture, np.float64).reshape(above + below, fine, width * across, fine // across).mean((1, 3))
    rows, columns = np.nonzero(mask.any(1))[0], np.nonzero(mask.any(0))[0]
    cut = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return cut.round().astype(np.uint8), int(columns[0]), above - int(rows[0])


def kerning(font: Any) -> dict[str, int]:
    """Pairs of `KERNED` that are set closer or wider, in units of the font."""
    names = font.getBestCmap()
    glyphs = {names[ord(c)]: c for c in KERNED}
    table = font["GPOS"].table
    lookups = {i for r in table.FeatureList.FeatureRecord if r.FeatureTag == "kern" for i in r.Feature.LookupListIndex}
    pairs: dict[str, int] = {}
    for part in [part for i in sorted(lookups) for part in table.LookupList.Lookup[i].SubTable]:
        for index, first in enumerate(part.Coverage.glyphs):
            if first not in glyphs:
                continue
            if part.Format == 1:
                found = {r.SecondGlyph: r.Value1 for r in part.PairSet[index].PairValueRecord}
            else:
                row = part.Class1Record[part.ClassDef1.classDefs.get(first, 0)].Class2Record
                found = {second: row[part.ClassDef2.classDefs.get(second, 0)].Value1 for second in glyphs}
            for second, value in found.items():
                if second in glyphs and value is not None:
                    pairs.setdefault(glyphs[first] + glyphs[second], getattr(value, "XAdvance", 0))
    return {pair: units for pair, units in sorted(pairs.items()) if units}


def main(folder: Path, out: Path) -> None:
    """Render every character in every weight and size and write two files for each of `ATLASES` to `out`."""
    for name in ATLASES:
        atlas(folder, out, name)


def atlas(folder: Path, out: Path, name: str) -> None:
    """Write one of them."""
    freetype, tables = importlib.import_module("freetype"), importlib.import_module("fontTools.ttLib")
    (over, under), across, levels = ATLASES[name]
    masks: list[tuple[np.ndarray, list[int]]] = []
    metrics: dict[str, Any] = {"across": across, "weights": {}}
    for weight, file in WEIGHTS.items():
        face, font = freetype.Face(str(folder / file)), tables.TTFont(folder / file)
        names, unit = font.getBestCmap(), font["head"].unitsPerEm
        advances = {c: font["hmtx"][names[ord(c)]][0] for c in CHARACTERS}
        advances |= {c: advance * unit // 1000 for c, (advance, _) in STROKES.items()}
        sizes: dict[str, dict[str, list[int]]] = {}
        for size in SIZES:
            sizes[str(size)] = glyphs = {}
            for c in advances:
                if c in STROKES:
                    mask, left, top = draw_strokes(c, weight, size * over / under, across)
                else:
                    mask, left, top = draw_outline(face, freetype, c, (size * 64 * over + under // 2) // under, across)
                if mask.size:
                    mask = (mask.astype(np.int64) * levels + 127) // 255 * 255 // levels
                    glyphs[c] = [0, 0, mask.shape[1], mask.shape[0], left, top]
                    masks.append((mask.astype(np.uint8), glyphs[c]))
        metrics["unit"] = unit
        metrics["weights"][weight] = {"advances": advances, "kerning": kerning(font), "sizes": sizes}
    x = y = shelf = 0
    for mask, place in sorted(masks, key=lambda item: item[0].shape):
        if x + mask.shape[1] > ATLAS_WIDTH:
            x, y, shelf = 0, y + shelf, 0
        place[:2] = [x, y]
        x, shelf = x + mask.shape[1], max(shelf, mask.shape[0])
    sheet = np.zeros((y + shelf, ATLAS_WIDTH), np.uint8)
    for mask, (left, top, wide, high, *_) in masks:
        sheet[top : top + high, left : left + wide] = mask
    Image.fromarray(sheet).save(out / f"{name}.png", optimize=True)
    (out / f"{name}.json").write_text(json.dumps(metrics, ensure_ascii=True, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python make_atlas.py FOLDER_OF_ROBOTO_TTF_FILES")
    main(Path(sys.argv[1]), Path(__file__).resolve().parent)
