"""The drawing surface of the embedded simulator: equal pixels everywhere, and the pixels one expects."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.envs import Size
from omnipilot.envs.sim.render import icons, patches, shapes, text
from omnipilot.envs.sim.render.patches import PatchCache
from omnipilot.envs.sim.render.surface import Canvas

GOLDEN = "864ba7e3decf8eee12b744c06d059dc1b027e64017677b346609804fc74987b1"
WHITE, BLACK, RED, BLUE = (255, 255, 255), (0, 0, 0), (200, 30, 40), (26, 115, 232)
PANGRAM = "Quick wafting zephyrs vex bold Jim — “AVATAR” €5 · Ünïcödé ßÿ → ✓ 漢"


def scene() -> Canvas:
    """Everything that can be drawn, inside and across the edges."""
    canvas = Canvas(Size(640, 480), (236, 240, 245))
    canvas.shadow(20, 20, 400, 300, 16)
    canvas.rect(20, 20, 400, 300, WHITE, 16, (210, 214, 220))
    canvas.shadow(450, 20, 24, 24, 12)
    canvas.rect(450, 20, 60, 25, BLUE, 12, RED)
    canvas.rect(600, 60, 90, 40, RED, 8)
    canvas.rect(-30, 400, 100, 200, (40, 44, 52), 20)
    y = 24
    for size in text.SIZES:
        canvas.text(30, y, f"{size} {PANGRAM}", BLACK, size, width=380)
        canvas.text(430, y, f"{size} {PANGRAM}", BLUE, size, "bold")
        y += text.line_height(size)
    for index, name in enumerate(icons.ICONS):
        canvas.icon(name, 30 + index % 20 * 30, 330 + index // 20 * 30, 16 + index % 3 * 4, (60, 64, 67))
    for index in range(12):
        canvas.line(500, 430, 500 + (index - 6) * 12, 380 + index * 9, RED, 1 + index % 4)
    canvas.circle(100, 430, 33, (251, 188, 4))
    with canvas.clip(200, 400, 100, 60), canvas.clip(250, 380, 100, 60):
        canvas.rect(0, 0, 640, 480, (19, 115, 51))
        canvas.text(240, 410, "clipped", WHITE, 28, "bold")
    canvas.text(10, 455, PANGRAM, BLACK, 12, zoom=(9, 5), width=160)
    canvas.text(310, 445, PANGRAM, BLACK, 14, "bold", 60, (270, 103))
    canvas.shadow(560, 300, 50, 30, 9, (9, 5))
    canvas.rect(560, 300, 50, 30, WHITE, 9, BLUE, 3)
    canvas.veil(540, 280, 60, 40, 104)
    return canvas


def digest() -> str:
    return scene().image("phone", 0.0).digest


def ink(canvas: Canvas) -> tuple[int, int, int, int]:
    """Left, top, right and bottom edge of what is not white."""
    rows, columns = np.nonzero((canvas.pixels != 255).any(axis=2))
    return int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1


def test_pixels_are_those_of_every_other_machine():
    assert digest() == GOLDEN


def test_pixels_do_not_depend_on_the_processor():
    extensions = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    env = {**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(extensions)}
    out = subprocess.run(
        [sys.executable, __file__], env=env, capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert out.split() == [GOLDEN, "0" if extensions else "-"]


def test_threads_that_share_the_cache_draw_the_same():
    with ThreadPoolExecutor(4) as pool:
        assert {*pool.map(lambda _: digest(), range(8))} == {GOLDEN}


def test_image_is_a_copy_of_what_is_drawn():
    canvas = Canvas(Size(8, 6), RED)
    image = canvas.image("desktop", 2.5)
    canvas.rect(0, 0, 8, 6, BLUE)
    assert (image.env, image.start, image.size) == ("desktop", 2.5, Size(8, 6))
    assert (image.array() == RED).all()
    assert (canvas.image("desktop", 3.0).array() == BLUE).all()


@given(st.integers(-20, 60), st.integers(-20, 60), st.integers(-5, 70), st.integers(-5, 70), st.integers(0, 30))
def test_a_rectangle_fills_its_pixels_and_no_other(x: int, y: int, w: int, h: int, radius: int):
    canvas = Canvas(Size(48, 40), WHITE)
    canvas.rect(x, y, w, h, BLACK, radius)
    wanted = np.zeros((200, 200), np.bool_)
    if w > 0 and h > 0:
        wanted[50 + y : 50 + y + h, 50 + x : 50 + x + w] = True
    wanted = wanted[50:90, 50:98]
    assert (canvas.pixels[~wanted] == 255).all()
    if radius == 0:
        assert (canvas.pixels[wanted] == 0).all()


@pytest.mark.parametrize(("w", "h"), [(60, 40), (300, 200)])
def test_a_card_is_the_same_whole_and_in_pieces(w: int, h: int):
    canvas = Canvas(Size(w, h), WHITE)
    canvas.rect(0, 0, w, h, BLUE, 11, RED)
    whole = patches.card(w, h, 11, BLUE, RED)
    assert (canvas.pixels.reshape(h, 3 * w) == (255 * whole.keep.astype(int) + whole.add >> 8)).all()
    assert tuple(canvas.pixels[0, w // 2]) == tuple(canvas.pixels[h // 2, w - 1]) == RED
    assert tuple(canvas.pixels[1, w // 2]) == BLUE and tuple(canvas.pixels[0, 0]) == WHITE


def test_a_circle_has_the_area_of_a_circle_and_is_symmetric():
    cover = shapes.round_rectangle(80, 80, 40).astype(int)
    assert cover.sum() / 256 == pytest.approx(np.pi * 1600, rel=1e-3)
    assert (cover == cover[::-1]).all() and (cover == cover.T).all()


def test_clips_intersect_and_end():
    canvas = Canvas(Size(40, 40), WHITE)
    with canvas.clip(5, 5, 20, 20):
        with canvas.clip(15, 0, 30, 12):
            canvas.rect(0, 0, 40, 40, BLACK)
            canvas.circle(15, 5, 8, BLACK)
        assert ink(canvas) == (15, 5, 25, 12)
        with pytest.raises(RuntimeError, match="drawn badly"), canvas.clip(0, 0, 1, 1):
            raise RuntimeError("drawn badly")
        canvas.rect(0, 0, 40, 40, BLACK)
    assert ink(canvas) == (5, 5, 25, 25)
    canvas.rect(0, 0, 40, 40, BLACK)
    assert ink(canvas) == (0, 0, 40, 40)


def test_what_is_clipped_is_what_is_drawn_there_without_a_clip():
    whole, cut = scene(), Canvas(Size(640, 480), WHITE)
    with cut.clip(33, 44, 301, 255):
        cut.rect(0, 0, 640, 480, (236, 240, 245))
        inside = cut.pixels[44:299, 33:334]
        assert (inside == (236, 240, 245)).all()
        cut.text(30, 120, PANGRAM, BLACK, 28)
    plain = Canvas(Size(640, 480), (236, 240, 245))
    plain.text(30, 120, PANGRAM, BLACK, 28)
    assert (cut.pixels[44:299, 33:334] == plain.pixels[44:299, 33:334]).all()
    assert (whole.pixels[0] == (236, 240, 245)).any()


@pytest.mark.parametrize("size", text.SIZES)
@pytest.mark.parametrize("weight", ["regular", "bold"])
def test_measure_agrees_with_what_is_drawn(size: int, weight: text.Weight):
    for content in ("Hamburg", "minimum", "10:42", "WAVE To", "éàü"):
        canvas = Canvas(Size(500, 80), WHITE)
        canvas.text(20, 10, content, BLACK, size, weight)
        left, top, right, bottom = ink(canvas)
        margin = 2 + size // 8
        assert 20 - 1 <= left <= 20 + margin
        assert 0 <= 20 + text.measure(content, size, weight) - right <= margin
        assert top >= 10 and bottom <= 10 + text.line_height(size)


@pytest.mark.parametrize("size", text.SIZES)
def test_letters_stand_on_one_baseline_and_capitals_are_centred(size: int):
    bottoms = set()
    for letter in "HIEFxnm":
        canvas = Canvas(Size(80, 60), WHITE)
        canvas.text(4, 0, letter, BLACK, size)
        bottoms.add(ink(canvas)[3])
        if letter == "H":
            _, top, _, bottom = ink(canvas)
            assert abs(top + bottom - text.line_height(size)) <= 3
    assert len(bottoms) == 1


@given(st.text(st.characters(codec="utf-8"), max_size=60), st.integers(0, 200), st.sampled_from(text.SIZES))
def test_an_ellipsis_keeps_text_within_its_width(content: str, width: int, size: int):
    short = text.shorten(content, size, "regular", width)
    assert short == content or text.measure(short, size) <= width
    assert short == content or short == "" or (short.endswith("…") and content.startswith(short[:-1]))
    assert (short == content) == (text.measure(content, size) <= width) or content.endswith("…") or content == ""


def test_long_text_is_drawn_with_an_ellipsis_within_its_width():
    canvas = Canvas(Size(300, 30), WHITE)
    canvas.text(10, 2, "Hamburg " * 9, BLACK, 14, width=100)
    left, _, right, _ = ink(canvas)
    assert left >= 10 and 90 <= right <= 110
    other = Canvas(Size(300, 30), WHITE)
    other.text(10, 2, text.shorten("Hamburg " * 9, 14, "regular", 100), BLACK, 14)
    assert (canvas.pixels == other.pixels).all()


@given(st.text("ab iW.-\n", max_size=80), st.integers(1, 120))
def test_wrapped_lines_fit_and_lose_nothing(content: str, width: int):
    lines = text.wrap(content, 14, "regular", width)
    assert all(text.measure(line, 14) <= width or len(line) == 1 for line in lines)
    assert "".join(lines).replace(" ", "") == content.replace(" ", "").replace("\n", "")


def test_wrap_breaks_at_spaces_and_keeps_line_feeds():
    width = text.measure("one two", 14)
    assert text.wrap("one two three\n\nfour", 14, "regular", width) == ["one two", "three", "", "four"]


def test_kerning_and_advances_are_the_font_s():
    assert text.measure("AV" * 10, 40) + 15 < text.measure("A" * 10, 40) + text.measure("V" * 10, 40)
    assert text.measure("W", 40) > 2 * text.measure("i", 40)
    assert text.measure("0" * 20, 14) == text.measure("7" * 20, 14)
    assert text.measure("Hello", 40, "bold") > text.measure("Hello", 40)


def test_unknown_characters_are_boxes_and_known_ones_are_not():
    box = text.render("漢", 16, "regular").mask
    assert (text.render("語", 16, "regular").mask == box).all()
    for known in "".join(map(chr, range(33, 127))) + "éÿß–—‘’“”…•→←✓✗€":
        mask = text.render(known, 16, "regular").mask
        assert mask.any() and (mask.shape != box.shape or (mask != box).any()), known


def test_other_sizes_snap_to_the_nearest_offered():
    assert [text.snap(size) for size in (1, 13, 15, 20, 25, 34, 900)] == [11, 12, 14, 18, 22, 28, 40]
    assert text.measure("Hamburg", 15) == text.measure("Hamburg", 14)


def test_text_without_ink_draws_nothing():
    canvas = Canvas(Size(40, 40), WHITE)
    for blank in ("", " ", "\t\n\u00a0\u200b"):
        canvas.text(0, 0, blank, BLACK)
    assert (canvas.pixels == 255).all()


@pytest.mark.parametrize("name", icons.ICONS)
def test_icons_differ_and_stay_inside_their_square(name: str):
    mask = icons.draw(name, 24)
    assert mask.shape == (24, 24) and mask.max() == 256
    assert not mask[0].any() and not mask[:, 0].any() and not mask[-1].any() and not mask[:, -1].any()
    assert all((icons.draw(other, 24) != mask).sum() > 20 for other in icons.ICONS if other != name)


def test_the_promised_icons_are_there():
    promised = """back home menu close search plus send check bell clock mail message note document edit trash save
        person play pause lamp settings folder reply inbox"""
    assert set(promised.split()) <= set(icons.ICONS)
    with pytest.raises(ValueError, match="mail"):
        Canvas(Size(9, 9), WHITE).icon("mial", 0, 0, 9, BLACK)


def test_lines_reach_both_ends():
    for end in ((30, 5), (5, 30), (30, 30), (30, 12), (0, 2)):
        canvas = Canvas(Size(40, 40), WHITE)
        canvas.line(5, 5, *end, BLACK, 2)
        assert tuple(canvas.pixels[5, 5]) == tuple(canvas.pixels[end[1], end[0]]) == BLACK
        back = Canvas(Size(40, 40), WHITE)
        back.line(*end, 5, 5, BLACK, 2)
        assert (back.pixels == canvas.pixels).all()


def test_a_shadow_surrounds_its_card_and_fades():
    canvas = Canvas(Size(300, 200), WHITE)
    canvas.shadow(60, 60, 180, 80, 12)
    grey = canvas.pixels[:, :, 0].astype(int)
    assert (canvas.pixels[60 + 12 : 140 - 12, 60:240] == 255).all()
    below = grey[140:165, 150]
    assert below[0] < 225 and (np.diff(below) >= 0).all() and below[-1] == 255
    assert grey[139 + 3, 150] < grey[60 - 4, 150] < 255
    assert (grey == grey[:, ::-1]).all()
    assert (grey[[0, -1]] == 255).all() and (grey[:, [0, -1]] == 255).all()


def test_the_cache_keeps_within_its_bytes():
    cache = PatchCache(100_000)
    first = cache.get(patches.disc, 20, RED)
    assert cache.get(patches.disc, 20, RED) is first
    for shade in range(60):
        cache.get(patches.disc, 20, (shade, 0, 0))
        assert cache.bytes <= 100_000
    assert len(cache) < 10
    assert cache.get(patches.disc, 20, RED) is not first


def test_the_font_is_small_and_says_where_it_is_from():
    folder = Path(text.__file__).parent / "fonts"
    assert sum(file.stat().st_size for file in folder.iterdir() if file.is_file()) < 2_200_000
    assert "Apache License" in (folder / "NOTICE.md").read_text(encoding="utf-8")


if __name__ == "__main__":
    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    print(digest(), len(found) if os.environ["NPY_DISABLE_CPU_FEATURES"] else "-")
