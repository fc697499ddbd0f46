"""Figures: what they say, and that nothing in them lies on anything else."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from figure_checks import SVG, check, read, words
from hypothesis import example, given
from hypothesis import strategies as st

from omnipilot.bench import write_report
from omnipilot.bench.report import forest
from omnipilot.bench.report.figure import Dot, Panel, axis_of, panels
from omnipilot.bench.report.figure_text import escape_text, shorten, shorten_apart, width
from omnipilot.bench.report.page import Section
from omnipilot.bench.tables import Table

EVIL = '</text><script>alert("1")</script> & <b>"\x00\ud800'
LONG = "hosted_vllm/Qwen/Qwen2.5-VL-72B-Instruct-AWQ · window(turns=12, images=4) · no video, no audio"


def test_one_row() -> None:
    texts = check(forest("Success rate", [Dot("rules", 0.625, 0.41, 0.801)], zero=False))
    assert words(texts)[0] == "Success rate"
    assert {"rules", "62.5 [41.0, 80.1]", "%", "0"} <= set(words(texts))


def test_sixty_rows_with_long_labels_in_groups() -> None:
    dots = [
        Dot(
            f"{LONG} {i}",
            i / 60,
            max(0, i / 60 - 0.2),
            min(1, i / 60 + 0.2),
            f"group {i % 3} {LONG}",
            f"p = 0.{i:03} (Holm)",
        )
        for i in range(60)
    ]
    svg = panels([Panel("Success rate", dots, zero=False), Panel("Difference", dots, zero=True, unit="points")])
    texts = check(svg)
    assert sum("…" in text.words for text in texts) >= 120
    root, _ = read(svg)
    tips = [node.text for node in root.iter(f"{SVG}title")]
    assert f"{LONG} 59" in tips
    assert len(list(root.iter(f"{SVG}circle"))) == 120


def test_groups_stand_together_whatever_the_order() -> None:
    dots = [Dot(name, 0.5, 0.4, 0.6, group) for name, group in (("a", "one"), ("b", "two"), ("c", "one"))]
    found = [text for text in words(check(forest("x", dots, zero=False))) if text in ("one", "two", "a", "b", "c")]
    assert found == ["one", "a", "c", "two", "b"]


def test_differences_have_signs_and_a_line_at_zero() -> None:
    svg = forest("x", [Dot("a", -0.125, -0.25, 0.0), Dot("b", 0.0, -0.1, 0.3)], zero=True, unit="points")
    texts = words(check(svg))
    assert "−12.5 [−25.0, 0.0]" in texts and "0.0 [−10.0, +30.0]" in texts and "points" in texts
    root, _ = read(svg)
    (zero,) = [node for node in root.iter(f"{SVG}path") if node.get("class") == "zero"]
    dots = [float(node.get("cx", "")) for node in root.iter(f"{SVG}circle")]
    assert f"M{dots[1]:.1f} " in zero.get("d", "") and dots[0] < dots[1]
    assert 'class="zero"' not in forest("x", [Dot("a", 0.5, 0.4, 0.6)], zero=False)


def test_what_is_not_known_is_not_drawn() -> None:
    svg = forest("x", [Dot("none", None, None, None), Dot("no ends", 0.4, None, None)], zero=False)
    assert {"—", "40.0 [—]"} <= set(words(check(svg)))
    assert svg.count("<circle") == 1 and 'whisker" d' not in svg
    check(forest("nothing at all", [], zero=True))


def test_small_figures_keep_their_digits() -> None:
    texts = words(check(forest("CE", [Dot("a", 0.000123, 0.0001, 0.00015)], zero=False)))
    assert "0.0123 [0.0100, 0.0150]" in texts


def test_everything_is_escaped() -> None:
    svg = forest(EVIL, [Dot(EVIL, 0.5, 0.4, 0.6, EVIL, EVIL)], zero=False, unit=EVIL[:20])
    assert "<script" not in svg and "<b>" not in svg
    assert "alert" in " ".join(words(read(svg)[1]))
    svg.encode("utf-8")
    assert escape_text("a\tb\x07") == "a b�"


def test_light_dark_and_self_contained() -> None:
    svg = forest("x", [Dot("a", 0.5, 0.4, 0.6)], zero=False)
    assert "prefers-color-scheme:dark" in svg
    assert "http" not in svg.replace('xmlns="http://www.w3.org/2000/svg"', "")
    # Programs that make a page of paper know no variables.
    assert "var(" not in svg


@given(st.lists(st.floats(-1e3, 1e3), max_size=6), st.floats(140, 500))
def test_an_axis_holds_its_values_at_round_numbers_apart(values: list[float], wide: float) -> None:
    axis = axis_of(values, 10, 10 + wide)
    assert axis.ticks[0] <= min(values, default=0) + 1e-6 and axis.ticks[-1] >= max(values, default=0) - 1e-6
    assert 0 in axis.ticks and len(axis.ticks) >= 2
    labels = [axis.label(tick) for tick in axis.ticks]
    assert len(set(labels)) == len(labels)
    shown = [(axis.at(tick), width(text, 11.5)) for tick, text in zip(axis.ticks, labels, strict=True)]
    if len(shown) > 2:
        for (x, one), (y, other) in itertools.pairwise(shown):
            assert x + one / 2 < y - other / 2


@example([("", 0.0, "\x1f" * 3)], False)
@given(st.lists(st.tuples(st.text(max_size=60), st.floats(-1, 1), st.text(max_size=30)), max_size=5), st.booleans())
def test_nothing_overlaps_whatever_it_is_called(rows: list[tuple[str, float, str]], zero: bool) -> None:
    check(forest("t", [Dot(name, value, value - 0.1, value + 0.1, "", note) for name, value, note in rows], zero))


def test_text_is_shortened_in_its_middle_and_stays_told_apart() -> None:
    short = shorten(LONG, 13, 200)
    assert width(short, 13) <= 200
    assert short.startswith("hosted") and short.endswith("no audio") and "…" in short
    assert shorten("short", 13, 200) == "short"
    same = "x" * 40
    for texts in (
        [f"{LONG} {i}" for i in range(12)],
        [f"{i} {same}" for i in "abc"],
        [f"{same}{i}{same}" for i in "abc"],
    ):
        found = shorten_apart(texts, 13, 150)
        assert set(found) == set(texts) and len(set(found.values())) == len(texts)
        assert all(width(text, 13) <= 150 for text in found.values())


@pytest.mark.web
def test_a_browser_draws_text_no_wider_than_is_thought(chromium_path: str) -> None:
    from playwright.sync_api import sync_playwright

    dots = [Dot(LONG[i:], i / 40, i / 50, min(1, i / 30), LONG[: i + 1], f"p = 0.{i} (Holm)") for i in range(0, 40, 3)]
    svg = forest("WWW mmm @@@ %%% #&+<=>^~ " + LONG, dots, zero=True, unit="points")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium_path, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_content(svg)
        boxes = "() => [...document.querySelectorAll('text')].map(t => [t.firstChild.data, t.getBBox().width])"
        measured: list[Any] = page.evaluate(boxes)
        browser.close()
    _, texts = read(svg)
    assert len(measured) == len(texts) > 40
    for (said, wide), text in zip(measured, texts, strict=True):
        assert said == text.words and wide <= text.right - text.left, said


@pytest.mark.web
def test_a_section_of_the_report_shows_its_figure(tmp_path: Path, chromium_path: str) -> None:
    from playwright.sync_api import sync_playwright
    from run_writer import Writer

    Writer(tmp_path / "x").journal.close()
    table = Table(("cell", "SR %"), (("<b>rules", "62.5"),), ("by Wilson",))
    svg = forest("Success rate", [Dot("<b>rules", 0.625, 0.4, 0.8)], zero=False)
    page_file = write_report([tmp_path / "x"], sections=[Section("Sweep", (table,), svg)], names=["my run"])
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium_path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        said: list[str] = []
        page.on("console", lambda line: said.append(line.text))
        page.goto(page_file.resolve().as_uri())
        page.wait_for_function("() => document.querySelector('.figure-file')?.naturalWidth === 800")
        shown = page.inner_text(".overview")
        browser.close()
    assert said == []
    for text in ("Sweep", "<b>rules", "62.5", "by Wilson", "my run"):
        assert text in shown, text
