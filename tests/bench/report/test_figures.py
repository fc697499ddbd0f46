"""Figures: what they say, that files open and are the same each time, and that nothing lies on anything else."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest
from figure_checks import check, look, svg_words
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from omnipilot.bench import write_report
from omnipilot.bench.report import forest, save_figure
from omnipilot.bench.report.figures.draw import DOUBLE, SINGLE, FigureFiles, figure_bytes, figure_files
from omnipilot.bench.report.figures.records import Curves, Dot, FigureSpec, Forest, Panel, Scatter, Series, Spot
from omnipilot.bench.report.figures.scatter import CROWD
from omnipilot.bench.report.figures.sheet import HUES, round_ticks, shorten, shorten_apart, text_width, tick_text
from omnipilot.bench.report.page import Section
from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError, MissingExtra

EVIL = '</text><script>alert("1")</script> $\\frac & <b>"\x00\ud800'
LONG = "hosted_vllm/Qwen/Qwen2.5-VL-72B-Instruct-AWQ · window(turns=12, images=4) · no video, no audio"
NOTES = ("EQA 41.2 % (the area)", "SR 60.0 %", "60 % of the budget used")
RISING = [(n / 20, min(0.6, n / 20)) for n in range(21)]


def one(title: str = "x") -> FigureSpec:
    return forest(title, [Dot("rules", 0.625, 0.41, 0.801)])


def panels(*shown: Panel) -> FigureSpec:
    return FigureSpec(((Forest(shown),),))


# Files


@pytest.mark.parametrize("width", [SINGLE, DOUBLE])
def test_files_open_and_are_as_wide_as_asked(tmp_path: Path, width: float) -> None:
    for ending in ("svg", "pdf", "png"):
        save_figure(one("Success rate"), tmp_path / f"new/f.{ending}", width)
    svg = (tmp_path / "new/f.svg").read_text()
    points = re.search(r'width="([\d.]+)pt"', svg)
    assert points and float(points[1]) == pytest.approx(width / 25.4 * 72, abs=0.1)
    assert {"Success rate", "rules", "62.5 [41.0, 80.1]", "%"} <= set(svg_words(svg))
    with Image.open(tmp_path / "new/f.png") as image:
        assert image.width == pytest.approx(width / 25.4 * 300, abs=2)
        assert image.getpixel((0, 0))[:3] == (255, 255, 255) and len(set(image.convert("L").tobytes())) > 10
    pdf = (tmp_path / "new/f.pdf").read_bytes()
    box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+)", pdf)
    assert box and float(box[1]) == pytest.approx(width / 25.4 * 72, abs=0.1)
    # TrueType (type 42), embedded: what journals ask for. Type 3 is what they refuse.
    assert b"/FontFile2" in pdf and b"/Type3" not in pdf and b"DejaVuSans" in pdf


@pytest.mark.parametrize("ending", [".svg", ".pdf", ".png"])
def test_a_figure_drawn_again_is_the_same_file(ending: str) -> None:
    first = figure_bytes(one(), ending)
    assert first == figure_bytes(one(), ending)
    assert b"CreationDate" not in first and b"<dc:date>" not in first


def test_other_endings_and_widths_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"f\.jpg: a figure is an SVG, PDF or PNG file"):
        figure_files([Path("f.jpg")], "double")
    with pytest.raises(ConfigError, match="--figure-width is single, double or a number"):
        figure_files([], "triple")
    with pytest.raises(ConfigError, match="a figure 5 mm wide; choose 60 to 500 mm"):
        figure_files([Path("f.pdf")], "5")
    assert figure_files([Path("f.PDF")], "85mm").width == SINGLE == figure_files([], "single").width


def test_without_matplotlib_a_line_says_what_draws_the_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "f.svg").write_text("of an earlier call")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    svg, told = FigureFiles().write(tmp_path / "f.svg", one())
    assert svg == "" and not (tmp_path / "f.svg").exists()
    assert told == ["no figure: 'matplotlib' is not installed; run: pip install 'omnipilot[figures]'"]
    with pytest.raises(MissingExtra, match="figures"):
        figure_files([tmp_path / "f.pdf"], "double")


@pytest.mark.slow
def test_matplotlib_is_loaded_only_to_draw() -> None:
    code = (
        "import sys, omnipilot.bench.report.sweep_figure, omnipilot.bench.report.figures.draw as d; from pathlib import"
        " Path; d.figure_files([Path('f.pdf')], 'single'); assert 'matplotlib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
@pytest.mark.web
def test_a_section_of_the_report_shows_its_figure(tmp_path: Path, chromium_path: str) -> None:
    from playwright.sync_api import sync_playwright
    from run_writer import Writer

    Writer(tmp_path / "x").journal.close()
    table = Table(("cell", "SR %"), (("<b>rules", "62.5"),), ("by Wilson",))
    svg = figure_bytes(forest(EVIL, [Dot("<b>rules", 0.625, 0.4, 0.8)])).decode()
    page_file = write_report([tmp_path / "x"], sections=[Section("Sweep", (table,), svg)], names=["my run"])
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium_path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        said: list[str] = []
        page.on("console", lambda line: said.append(line.text))
        page.goto(page_file.resolve().as_uri())
        page.wait_for_function("() => document.querySelector('.figure-file')?.naturalWidth > 600")
        shown = page.inner_text(".overview")
        browser.close()
    assert said == []
    for text in ("Sweep", "<b>rules", "62.5", "by Wilson", "my run"):
        assert text in shown, text


# Colours


def test_the_first_colours_differ_in_grey_and_all_differ_without_red_and_green() -> None:
    def linear(hue: str) -> list[float]:
        parts = [int(hue[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]

    def lightness(hue: str) -> float:
        r, g, b = linear(hue)
        return 116 * (0.2126 * r + 0.7152 * g + 0.0722 * b) ** (1 / 3) - 16

    first = sorted(map(lightness, HUES[:3]))
    assert first[1] - first[0] >= 12 and first[2] - first[1] >= 12
    assert max(map(lightness, HUES)) < 70, "light colours vanish on white"

    def deutan(hue: str) -> tuple[float, float, float]:
        """As somebody without green cones sees it (Machado, Oliveira and Fernandes 2009), roughly even in steps."""
        r, g, b = linear(hue)
        rows = ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969))
        seen = [max(0.0, x * r + y * g + z * b) ** (1 / 2.2) for x, y, z in rows]
        return seen[0], seen[1], seen[2]

    for n, hue in enumerate(HUES[:6]):
        for other in HUES[:n]:
            apart = sum((a - b) ** 2 for a, b in zip(deutan(hue), deutan(other), strict=True)) ** 0.5
            assert apart > 0.1, (hue, other)


# Forests


@pytest.mark.slow
def test_many_rows_with_long_labels_in_groups() -> None:
    dots = [
        Dot(f"{LONG} {i}", i / 20, max(0, i / 20 - 0.2), min(1, i / 20 + 0.2), f"group {i % 3} {LONG}", f"p = 0.{i:03}")
        for i in range(20)
    ]
    shown = panels(Panel("Success rate", dots), Panel("Difference", dots, zero=True, unit="points"))
    words = check(shown)
    assert sum("…" in text for text in words) >= 40
    assert len(look(shown).marks) == 40


def test_groups_stand_together_whatever_the_order() -> None:
    dots = [Dot(name, 0.5, 0.4, 0.6, group) for name, group in (("a", "one"), ("b", "two"), ("c", "one"))]
    texts = [text for text in look(forest("x", dots)).texts if text.words in ("one", "two", "a", "b", "c")]
    assert [text.words for text in sorted(texts, key=lambda text: -text.top)] == ["one", "a", "c", "two", "b"]


def test_differences_have_signs_and_lie_on_both_sides_of_zero() -> None:
    shown = forest("x", [Dot("a", -0.125, -0.25, 0.0), Dot("b", 0.0, -0.1, 0.3)], zero=True, unit="points")
    assert {"−12.5 [−25.0, 0.0]", "0.0 [−10.0, +30.0]", "points"} <= set(check(shown))
    looked = look(shown)
    (zero,) = [text for text in looked.texts if text.words == "0"]
    left, on = looked.marks
    assert (on.left + on.right) / 2 == pytest.approx((zero.left + zero.right) / 2, abs=0.2) and left.right < on.left


def test_what_is_not_known_is_not_drawn() -> None:
    shown = forest("x", [Dot("none", None, None, None), Dot("no ends", 0.4, None, None)])
    assert {"—", "40.0 [—]"} <= set(check(shown)) and len(look(shown).marks) == 1
    check(forest("nothing at all", [], zero=True))


def test_small_figures_keep_their_digits() -> None:
    assert "0.0123 [0.0100, 0.0150]" in check(forest("CE", [Dot("a", 0.000123, 0.0001, 0.00015)]))


def test_labels_are_words_and_neither_markup_nor_formulas() -> None:
    shown = forest(EVIL, [Dot(EVIL, 0.5, 0.4, 0.6, EVIL, EVIL)], unit=EVIL[:20])
    svg = figure_bytes(shown).decode()
    assert "<script" not in svg and "<b>" not in svg
    assert any("alert" in words for words in look(shown).words)


def test_in_one_column_long_labels_stand_whole_above_their_intervals() -> None:
    shown = forest("x", [Dot("chat:openai/gpt-4o-mini", 0.5, 0.4, 0.6, note="p = 0.031 (Holm)")])
    check(forest("x", [Dot("x" * 120, 0.5, 0.4, 0.6, note="note " * 20)]))
    words = look(shown, SINGLE).words
    assert "chat:openai/gpt-4o-mini" in words and "p = 0.031 (Holm)" in words


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=6), st.floats(25, 150))
def test_an_axis_holds_its_values_at_round_numbers_apart(values: list[float], length: float) -> None:
    ticks = round_ticks([0.0, *values], length)
    assert ticks[0] <= min(0.0, *values) + 1e-6 and ticks[-1] >= max(0.0, *values) - 1e-6 and len(ticks) >= 2
    labels = [tick_text(tick, ticks) for tick in ticks]
    assert len(set(labels)) == len(labels)


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@example([("", 0.0, "\x1f" * 3)], False)
@example([("", 0.0, "0"), ("", 0.0, "\U00013149")], False)
@example([("", 0.0, "0"), ("", 0.0, "\U0001d242")], False)
@given(st.lists(st.tuples(st.text(max_size=60), st.floats(-1, 1), st.text(max_size=30)), max_size=5), st.booleans())
def test_nothing_overlaps_whatever_it_is_called(rows: list[tuple[str, float, str]], zero: bool) -> None:
    check(forest("t", [Dot(name, value, value - 0.1, value + 0.1, "", note) for name, value, note in rows], zero))


@pytest.mark.slow
def test_text_is_shortened_in_its_middle_and_stays_told_apart() -> None:
    short = shorten(LONG, 40)
    assert text_width(short) <= 40.1
    assert short.startswith("hosted") and short.endswith("no audio") and "…" in short
    assert shorten("short", 40) == "short"
    same = "x" * 40
    for texts in (
        [f"{LONG} {i}" for i in range(12)],
        [f"{i} {same}" for i in "abc"],
        [f"{same}{i}{same}" for i in "abc"],
    ):
        shown = shorten_apart(texts, 30)
        assert set(shown) == set(texts) and len(set(shown.values())) == len(texts)
        assert all(text_width(text) <= 30.2 for text in shown.values())


# Curves


@pytest.mark.parametrize(
    "series",
    [
        [Series("a", RISING, NOTES, (0.6, 0.6))],
        [Series("a", RISING, NOTES, (0.6, 0.6)), Series("b", RISING, NOTES, (0.6, 0.6))],
        [Series("a", [(0.0, 0.0), (1.0, 0.0)], NOTES, (1.0, 0.0))],
        [Series("some/very/long/folder/with/run " * 3 + end, RISING, NOTES) for end in "ab"],
        [Series(str(n), [(0.0, 0.0), (1.0, n / 500)], NOTES) for n in range(5)],
    ],
)
def test_curves_have_their_names_and_notes(series: list[Series]) -> None:
    words = check(FigureSpec(((Curves("Success", series, "across", "up"),),)))
    assert {"Success", "across", "up"} <= set(words) and words.count("SR 60.0 %") == len(series)


def test_a_curve_is_where_its_axes_say() -> None:
    points = [(0.0, 0.0), (0.5, 0.3), (1.0, 0.3)]
    looked = look(FigureSpec(((Curves("Success", [Series("a", points)], "across", "up"),),)))
    (axes,) = looked.drawing.axes
    lines = [line.get_xydata().tolist() for line in axes.lines if line.get_zorder() == 3]
    assert lines == [[[0, 0], [50, 30], [100, 30]]] and axes.get_ylim() == (0, 30)


# Points


def spot(x: float, y: float, label: str = "a", series: int = 0) -> Spot:
    return Spot(x, y, (max(0.0, x - 0.1), min(1.0, x + 0.1)), (max(0.0, y - 0.1), min(1.0, y + 0.1)), label, series)


def plot(spots: list[Spot], names: list[str]) -> FigureSpec:
    return FigureSpec(((Scatter("Success", "pointed right, %", "SR, %", spots, names),),))


shares = st.floats(0, 1)
spots = st.builds(spot, shares, shares, st.text("abc:0.5", min_size=1, max_size=30), st.integers(0, 3))


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(st.lists(spots, min_size=1, max_size=20))
def test_labels_overlap_nothing_wherever_the_points_are(some: list[Spot]) -> None:
    check(plot(some, ["planner " * 9, *"bcd"]))


def test_points_that_coincide_share_a_label_as_far_as_there_is_room() -> None:
    both = [spot(1.0, 1.0, name, series) for series in (0, 1) for name in ("gold", "elements")]
    assert [text for text in check(plot(both, ["p", "q"])) if "gold" in text] == ["gold, elements"]
    words = check(plot([spot(0.5, 0.5, f"grounder {number}") for number in range(12)], ["p"]))
    (label,) = [text for text in words if text.startswith("grounder")]
    assert label.startswith("grounder 0, grounder 1, ") and label.endswith(" more")


def test_in_a_crowd_only_the_first_series_is_labelled() -> None:
    some = [spot(n / 14, n / 14, f"g{n}", n % 2) for n in range(CROWD + 1)]
    labels = [text for text in check(plot(some, ["p", "q"])) if re.fullmatch(r"g\d+", text)]
    assert labels and all(int(label[1:]) % 2 == 0 for label in labels)


def test_equal_accuracies_have_an_axis() -> None:
    words = check(plot([Spot(1.0, 0.5, None, None, "gold", 0), Spot(1.0, 0.7, None, None, "gold", 1)], ["p", "q"]))
    assert "90" in words and "100" in words and "105" not in words


def test_blocks_of_a_row_stand_side_by_side_where_there_is_room() -> None:
    row = FigureSpec(((Forest((Panel("one", [Dot("a", 0.5, 0.4, 0.6)]),)), Forest((Panel("two", []),))),))
    wide, narrow = ({t.words: t for t in look(row, width).texts} for width in (DOUBLE, SINGLE))
    assert wide["one"].top == pytest.approx(wide["two"].top) and narrow["one"].bottom > narrow["two"].top


def test_png_files_are_drawn_in_colour() -> None:
    with Image.open(io.BytesIO(figure_bytes(one(), ".png"))) as image:
        assert (0x00, 0x44, 0x88) in {colour[:3] for _, colour in image.convert("RGB").getcolors(1 << 24) or ()}
