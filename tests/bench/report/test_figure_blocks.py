"""Blocks of figures of runs: nothing lies on anything else, with one series to eight, long names and gaps."""

from __future__ import annotations

import io

import pytest
from figure_checks import check, look
from PIL import Image

from omnipilot.bench.report.figures.draw import DOUBLE, SINGLE, figure_bytes
from omnipilot.bench.report.figures.node_graph import _rows
from omnipilot.bench.report.figures.records import (
    FigureSpec,
    GraphNode,
    MapCell,
    MapColumn,
    MapRow,
    NodeGraph,
    PictureStrip,
    Radar,
    StackBar,
    Stacks,
    StripFrame,
    ValueMap,
)
from omnipilot.bench.report.figures.sheet import shade, text_width, wrap, wrap_at_most
from omnipilot.bench.report.figures.stacks import FILLS

NAMES = [f"hosted_vllm/Qwen/Qwen2.5-VL-72B-Instruct-AWQ · window(turns={n}) <b>$\\frac&" for n in range(8)]
CAPABILITIES = [
    *("parallel planning", "long-range planning", "long-sequence reasoning", "long instruction following"),
    *("sequential decision-making", "cross-domain decision-making", "subtask identification"),
    *("dependency identification", "cross-domain knowledge", "domain-specific knowledge"),
]


def png(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), "#336699").save(out, "PNG")
    return out.getvalue()


def numbers(rows: int, columns: int) -> list[list[MapCell]]:
    cells = [MapCell(), MapCell(100.0, 78.5, 100.0), MapCell(57.25), MapCell(0.0, 0.0, 11.7)]
    return [[cells[(row + column) % 4] for column in range(columns)] for row in range(rows)]


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 8])
def test_a_map_fits_with_any_number_of_rows_and_groups(count: int) -> None:
    groups = [
        ("L1: questions", "easy medium hard"),
        ("L2: pointing", "basic advanced"),
        ("L3, L4: tasks", "one several"),
    ]
    columns = [MapColumn(f"{head} apps", name, "n = 1,194") for name, heads in groups for head in heads.split()]
    rows = [MapRow(NAMES[at], "models" if at < 4 else "people") for at in range(count)]
    words = check(FigureSpec(((ValueMap("Score", columns, rows, numbers(count, len(columns))),),)))
    assert {"100.0", "L1: questions", "—", "[78, 100]", "n = 1,194"} <= set(words) or count == 1
    assert "57.2" in words or count == 1, "an estimate without an interval"


@pytest.mark.slow
@pytest.mark.parametrize("count", [3, 10])
@pytest.mark.parametrize("runs", [1, 3, 8])
def test_a_radar_fits_and_its_numbers_stand_below(count: int, runs: int) -> None:
    axes = CAPABILITIES[:count]
    values = [[None if (at + run) % 4 == 0 else (at + run) % 5 / 4 for at in range(count)] for run in range(runs)]
    below = ValueMap(
        "",
        [MapColumn("", series=run) for run in range(runs)],
        [MapRow(name, note="n = 12") for name in axes],
        numbers(count, runs),
        shaded=False,
        names=NAMES[:runs],
    )
    for width in (SINGLE, DOUBLE):
        look(FigureSpec(((Radar("CR by capability, %", axes, values),), (below,))), width)
    check(FigureSpec(((below,),)))


@pytest.mark.parametrize("count", [3, 4, 7, 10])
def test_no_label_of_a_radar_lies_on_another(count: int) -> None:
    words = check(FigureSpec(((Radar("CR by capability, %", CAPABILITIES[:count], []),),)))
    assert "50" in words and not any("…" in word for word in words)


@pytest.mark.slow
@pytest.mark.parametrize("runs", [1, 2, 8])
def test_stacked_bars_fit_and_count(runs: int) -> None:
    parts = ["Success", "False completion", "Turn limit", "Invalid action", "Gave up", "Cap", "World over", "Void"]
    bars = [
        StackBar(NAMES[run], [(run + at) % 4 * 5 for at in range(len(parts))], group, "40 · 85.3 [65, 95]")
        for group in ("Ubuntu", "Android", "All tasks")
        for run in range(runs)
    ]
    bars.append(StackBar("none", [0] * len(parts), "All tasks", "0 · —"))
    words = check(FigureSpec(((Stacks("How episodes ended", parts, bars, "n · CR %"),),)))
    assert "15" in words and "none" in words and "40 · 85.3 [65, 95]" in words
    assert ("Success" in words) == (runs > 1), "a part of which there is none has no place in the legend"
    assert len(set(FILLS)) == len(FILLS) >= 9


def test_a_graph_is_drawn_from_top_to_bottom_without_crossing() -> None:
    names = [f"{n} something happened" for n in range(6)]
    edges = [
        (names[0], names[2]),
        (names[1], names[3]),
        (names[2], names[5]),
        (names[3], names[5]),
        (names[0], names[5]),
    ]
    nodes = [GraphNode(name, "phone · turn 3", n % 3 / 2, n != 4) for n, name in enumerate(names)]
    graph = NodeGraph("A task", nodes, edges, "2 of 6 sub-goals reached")
    rows = _rows(graph)
    depth = {name: number for number, row in enumerate(rows) for name in row}
    assert all(depth[before] < depth[after] for before, after in edges)
    assert f"{names[0]}→{names[5]}" in rows[1], "an edge over a row passes it"
    for width in (SINGLE, DOUBLE):
        look(FigureSpec(((graph,),)), width)
    assert "A task" in check(FigureSpec(((graph,),)))


def test_a_wide_and_a_long_graph_fit() -> None:
    sinks = [f"{n} note written" for n in range(7)]
    wide = NodeGraph("wide", [GraphNode(name, "phone · not reached") for name in sinks], [(sinks[0], sinks[6])])
    chain = NodeGraph("chain", [GraphNode(name) for name in sinks], list(zip(sinks, sinks[1:], strict=False)))
    assert not any("…" in word for word in check(FigureSpec(((wide, chain),))))


@pytest.mark.slow
def test_a_strip_fits_with_pictures_of_any_form_and_without() -> None:
    frames = [
        StripFrame(png(41, 92), (412, 916), "1 · phone", 'Click “the "Play" button” ✓ 1 message heard', (0.5, 0.5)),
        StripFrame(
            png(128, 80), (1280, 800), "2 · desktop", "Type “" + "very long words " * 20 + "”", None, "rejected: " * 9
        ),
        StripFrame(None, (412, 916), "3 · phone", "Wait 1 s"),
    ]
    words = check(FigureSpec(((PictureStrip("A strip", frames * 2, "What is asked. " * 40 + "\nSolved"),),)))
    assert "no picture" in words and "Solved" in words


@pytest.mark.slow
def test_a_pictures_pixels_are_no_more_than_are_printed() -> None:
    strip = PictureStrip("", [StripFrame(png(4000, 3000), (4000, 3000), "1", "Wait")])
    assert len(figure_bytes(FigureSpec(((strip,),)), ".pdf", SINGLE)) < 400_000


def test_shades_are_one_hue_and_text_on_them_is_read() -> None:
    assert shade(0.0)[0] == "#ffffff" and shade(1.0) == ("#004488", "white")
    darks = [sum(int(shade(n / 10)[0][at : at + 2], 16) for at in (1, 3, 5)) for n in range(11)]
    assert darks == sorted(darks, reverse=True)
    assert {shade(n / 20)[1] for n in range(21)} == {"white", "#1a1a1a"}


def test_lines_break_after_hyphens_where_a_word_is_too_long() -> None:
    room = text_width("decision-", 6.0) + 0.1
    assert wrap("decision-making", room, 6.0, bold=False) == ["decision-", "making"]
    assert wrap("decision-making", 2 * room, 6.0, bold=False) == ["decision-making"]
    assert len(wrap_at_most("one two three four five", 8.0, 2)) == 2
