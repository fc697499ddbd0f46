"""A paper's table in LaTeX: booktabs, one column wide or two, made to fit before it would ever be too wide.

The width is reckoned from the widths of letters (`font_widths.py`); `choose_layout` takes the first of several layouts
that fits, the most readable first. Nothing is scaled: text has 9 or 8 points, intervals 7.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Literal

from omnipilot.bench.report.paper.abbreviations import abbreviate, legend
from omnipilot.bench.report.paper.font_widths import text_points
from omnipilot.bench.report.paper.latex_text import UNKNOWN, escape, has_unknown
from omnipilot.bench.report.paper.record import (
    DAGGER,
    Bold,
    PaperCell,
    PaperColumn,
    PaperTable,
    number,
)
from omnipilot.envs import ConfigError

COLUMN, PAGE = 234.8, 487.8
"""Widths in TeX points (72.27 to the inch): 3.25 inches, a column of a paper with two, and 6.75 inches, both."""
HIGHEST = 620.0
"""In TeX points: what a page has room for, with the caption."""
_SMALL = 7
"""Size of intervals in points."""
_LEADING = {9: "10.5", 8: "9.5"}
_UNDEFINED = "—"
_SLACK = 0.5
"""In points: what rounding may add."""
_SAFETY = 1.01
"""For what kerning adds."""
_STAR = 4.7
"""Width of a raised star, in points."""
_BESIDE = 2.0
"""Between a number and the interval beside it."""


@dataclass(frozen=True, slots=True)
class LatexLayout:
    """How a table is set.

    Attributes:
        size: of text in points, 9 or 8. gap: half the space between columns, in points.
        intervals: where they stand.
        rounded: their ends have one decimal place less, the lower rounded down, the upper up.
        short: heads are abbreviated, with a legend in the caption.
        wrapped: labels are set in several lines if they are long.
        transposed: rows and columns are exchanged. blocks: number of parts, one below the other.
    """

    size: int = 9
    gap: float = 4.0
    intervals: Literal["beside", "below", "none"] = "beside"
    rounded: bool = False
    short: bool = False
    wrapped: bool = False
    transposed: bool = False
    blocks: int = 1


@dataclass(frozen=True, slots=True)
class LatexOptions:
    """What a user asks of a table in LaTeX.

    Attributes:
        width: in TeX points. wide: it spans both columns of a page (`table*`).
        intervals: whether they are printed. bold: what stands out: the best of each column, the second best underlined
            too, or nothing. caption: instead of what the table says of itself; "" for that. label: for references.
        standalone: write a whole document, to look at.
    """

    width: float = COLUMN
    wide: bool = False
    intervals: bool = True
    bold: Bold = "best"
    caption: str = ""
    label: str = ""
    standalone: bool = False


def latex_table(table: PaperTable, options: LatexOptions | None = None) -> str:
    """The table as a float, with its caption; what it needs stands in comments above it.

    Raises:
        ConfigError: it does not fit; the message says what to leave out.
    """
    options = options or LatexOptions()
    layout = choose_layout(table, options)
    return "\n".join(_document(table, layout, options) if options.standalone else _float(table, layout, options))


def choose_layout(table: PaperTable, options: LatexOptions) -> LatexLayout:
    """The first layout in which the table is not wider than the paper has room for.

    Raises:
        ConfigError: there is none; the message says how wide the narrowest is and what to leave out.
    """
    narrowest, lowest = float("inf"), float("inf")
    for layout in layouts(table, options):
        wide, high = table_width(table, layout, options.bold), table_height(table, layout, options)
        if wide <= options.width - _SLACK:
            if high <= HIGHEST:
                return layout
            lowest = min(lowest, high)
        narrowest = min(narrowest, wide)
    cures = ["--width page"] * (not options.wide)
    cures += ["--no-intervals"] * (options.intervals and _has_intervals(table))
    cures += ["fewer figures (--columns)", "shorter names (NAME=RUN)"]
    why = (
        f"the narrowest way to set it takes {narrowest:.0f} pt"
        if lowest == float("inf")
        else f"it would be {lowest:.0f} pt high, and a page has {HIGHEST:.0f}"
    )
    raise ConfigError(
        f"the table does not fit a width of {options.width:.0f} pt at 8 points: {why}. Try {', or '.join(cures)}"
    )


def layouts(table: PaperTable, options: LatexOptions) -> Iterator[LatexLayout]:
    """All ways to set a table, the most readable first: models stay rows, and words whole, as long as possible."""
    shown = options.intervals and _has_intervals(table)
    beside, below = LatexLayout(), LatexLayout(intervals="below", wrapped=True)
    if not shown:
        beside, below = replace(beside, intervals="none"), replace(below, intervals="none")
    rounded = replace(below, rounded=shown)

    def sizes(layout: LatexLayout) -> Iterator[LatexLayout]:
        yield layout
        yield replace(layout, size=8, gap=3.0)

    for layout in (beside, replace(beside, wrapped=True), below, replace(below, short=True), rounded):
        yield from sizes(layout)
    if len(table.rows) < len(table.columns):
        for layout in (replace(beside, wrapped=True), below, rounded):
            yield from sizes(replace(layout, transposed=True))
    yield from sizes(replace(rounded, short=True))
    for blocks, short in product((2, 3, 4), (False, True)):
        if blocks <= len(table.columns):
            yield from (replace(one, size=8, gap=3.0, short=short, blocks=blocks) for one in (below, rounded))


def _has_intervals(table: PaperTable) -> bool:
    return any(cell.low is not None for line in table.cells for cell in line)


@dataclass(frozen=True, slots=True)
class _SetCell:
    """What stands in a cell: LaTeX and its width in points, of the number and of its interval."""

    value: str
    value_width: float
    interval: str = ""
    interval_width: float = 0.0


@dataclass(frozen=True, slots=True)
class _SetTable:
    """One block, ready to be written.

    Attributes:
        heads: of the columns, each in one line or several. groups: the upper heads with the numbers of their columns.
        labels: in lines. sections: as `PaperTable.sections`. label_width, widths: in points; of a figure with its
            interval beside it, both together. full_heads: the heads, each in one line.
    """

    stub: str
    heads: list[list[str]]
    groups: list[tuple[str, list[int]]]
    labels: list[list[str]]
    sections: list[tuple[str, list[int]]]
    cells: list[list[_SetCell]]
    label_width: float
    widths: list[tuple[float, float]]
    full_heads: list[str]


def table_width(table: PaperTable, layout: LatexLayout, bold: Bold = "best") -> float:
    """How wide the widest block is set, in TeX points, from the widths of letters."""
    return max(_block_width(block, layout) for block in _blocks(table, layout, bold))


def table_height(table: PaperTable, layout: LatexLayout, options: LatexOptions) -> float:
    """About how high the table is set with its caption, in TeX points."""
    line = float(_LEADING[layout.size])
    caption = text_points(_caption(table, layout, options), 10) / options.width + 1
    total = 12.0 * caption
    for block in _blocks(table, layout, options.bold):
        heads = max(map(len, block.heads), default=1) + any(name for name, _ in block.groups)
        titles = sum(1.5 for name, _ in block.sections if name)
        total += line * (heads + titles) + 18.0
        for labels, cells in zip(block.labels, block.cells, strict=True):
            below = layout.intervals == "below" and any(cell.interval for cell in cells)
            lines = max(len(labels), 1 + below)
            total += line * lines + (0.5 if lines > 1 else 0.0)
    return total


def _block_width(block: _SetTable, layout: LatexLayout) -> float:
    """The sum of the columns, those that stand under a wide upper head as wide as it is."""
    total = block.label_width
    for head, columns in block.groups:
        inner = sum(_column_width(block, at, layout) for at in columns) + 2 * layout.gap * (len(columns) - 1)
        total += 2 * layout.gap + max(inner, text_points(head, layout.size) if head else 0.0)
    words = max((text_points(name, layout.size) for name, _ in block.sections), default=0.0)
    return _SAFETY * max(total, words)


def _column_width(block: _SetTable, at: int, layout: LatexLayout) -> float:
    return max(_inner(*block.widths[at], layout), _widest(block.heads[at], layout.size))


def _blocks(table: PaperTable, layout: LatexLayout, bold: Bold) -> list[_SetTable]:
    """The table in its parts, each with the labels of all rows."""
    ranks = table.ranks() if bold != "none" else [[0] * len(table.columns) for _ in table.rows]
    if layout.transposed:
        return [_set_transposed(table, ranks, layout, bold)]
    blocks = []
    for columns in _column_blocks(table, layout.blocks):
        some = [[line[at] for at in columns] for line in ranks]
        blocks.append(_set(table.part(columns), some, layout, bold))
    return blocks


def _column_blocks(table: PaperTable, blocks: int) -> Iterator[list[int]]:
    """The columns in so many parts of about one size; groups are not split unless they are too large."""
    units = [columns for _, columns in table.groups()]
    if max(map(len, units)) > -(-len(table.columns) // blocks):
        units = [[at] for at in range(len(table.columns))]
    edges = [round(len(units) * part / blocks) for part in range(blocks + 1)]
    for first, last in pairwise(edges):
        yield [at for columns in units[first:last] for at in columns]


def _set(table: PaperTable, ranks: Sequence[Sequence[int]], layout: LatexLayout, bold: Bold) -> _SetTable:
    cells = [
        [
            _cell(cell, column, rank, layout, bold, _marks_of(table, at))
            for at, (cell, column, rank) in enumerate(zip(line, table.columns, of, strict=True))
        ]
        for line, of in zip(table.cells, ranks, strict=True)
    ]
    widths = [_widths([line[at] for line in cells]) for at in range(len(table.columns))]
    heads = _heads([_head(column, table) for column in table.columns], widths, layout)
    marked = [row.label + DAGGER * row.unfinished for row in table.rows]
    return _in_lines(table.stub, heads, table.groups(), marked, list(table.sections()), cells, widths, layout)


def _set_transposed(table: PaperTable, ranks: Sequence[Sequence[int]], layout: LatexLayout, bold: Bold) -> _SetTable:
    """Figures as rows, models as columns."""
    labels = [_head(column, table) for column in table.columns]
    marked = [row.label + DAGGER * row.unfinished for row in table.rows]
    cells = [
        [
            _cell(line[at], column, of[at], layout, bold, (_marks_of(table, at)[0], table.any_significant))
            for line, of in zip(table.cells, ranks, strict=True)
        ]
        for at, column in enumerate(table.columns)
    ]
    widths = [_widths([line[at] for line in cells]) for at in range(len(table.rows))]
    groups: list[tuple[str, list[int]]] = [(name, rows) for name, rows in table.sections() if name]
    groups = groups or [("", [at]) for at in range(len(table.rows))]
    sections: dict[str, list[int]] = {}
    for name, columns in table.groups():
        sections.setdefault(name, []).extend(columns)
    return _in_lines("", marked, groups, labels, list(sections.items()), cells, widths, layout)


def _in_lines(
    stub: str,
    heads: Sequence[str],
    groups: list[tuple[str, list[int]]],
    labels: Sequence[str],
    sections: list[tuple[str, list[int]]],
    cells: list[list[_SetCell]],
    widths: list[tuple[float, float]],
    layout: LatexLayout,
) -> _SetTable:
    """Heads and labels in lines that are no wider than need be."""
    stacked = []
    for head, pair in zip(heads, widths, strict=True):
        stacked.append(_wrap(head, _inner(*pair, layout), layout.size))
    most = 75.0 if layout.wrapped else float("inf")
    shown = [_wrap(label, most, layout.size) if layout.wrapped else [label] for label in labels]
    indent = layout.size * 0.88 if any(name for name, _ in sections) else 0.0
    wide = max((text_points(line, layout.size) for lines in [*shown, [stub]] for line in lines), default=0.0)
    return _SetTable(stub, stacked, groups, shown, sections, cells, wide + indent, widths, list(heads))


def _wrap(text: str, most: float, size: int) -> list[str]:
    """Words in lines of at most `most` points where that is possible; the last line may be short."""
    if text_points(text, size) <= most:
        return [text]
    lines: list[str] = []
    for word in _parts(text):
        longer = lines[-1] + word if lines else word
        if lines and text_points(longer.strip(), size) <= most:
            lines[-1] = longer
        else:
            lines.append(word)
    return [line.strip() for line in lines]


def _parts(text: str) -> list[str]:
    """Words, each with the space before it; long names may break after a hyphen, a slash or a dot in the middle."""
    found: list[str] = []
    for word in text.split(" "):
        start = f" {word}" if found else word
        at = 0
        while len(start) - at > 12:
            cut = max(start.rfind(sign, at + 4, at + 14) for sign in "-/_,")
            if cut < 0:
                break
            found.append(start[at : cut + 1])
            at = cut + 1
        found.append(start[at:])
    return found


def _heads(names: Sequence[str], widths: Sequence[tuple[float, float]], layout: LatexLayout) -> list[str]:
    """The heads, abbreviated where that is asked for and some are wider than what stands below them."""
    inner = [_inner(*pair, layout) for pair in widths]
    fit = all(
        _widest(_wrap(name, wide, layout.size), layout.size) <= wide for name, wide in zip(names, inner, strict=True)
    )
    return abbreviate(names) if layout.short and not fit else list(names)


def _inner(value: float, interval: float, layout: LatexLayout) -> float:
    """The width of a number with its interval."""
    return value + _BESIDE + interval if layout.intervals == "beside" and interval else max(value, interval)


def _widest(lines: Sequence[str], size: int) -> float:
    return max(text_points(line, size) for line in lines)


def _head(column: PaperColumn, table: PaperTable) -> str:
    """A head, with the unit where columns differ in theirs."""
    if table.unit_words() or not column.unit:
        return column.head
    return f"{column.head} {column.unit}" if column.unit == "%" else f"{column.head} ({column.unit})"


def _marks_of(table: PaperTable, at: int) -> tuple[int, bool]:
    """Of a column: the most digits before the point, and whether any number has a mark."""
    cells = [line[at] for line in table.cells]
    shown = [number(abs(cell.estimate), 0) for cell in cells if cell.estimate is not None]
    return max(map(len, shown), default=1), any(cell.delta is not None and cell.delta.significant for cell in cells)


def _cell(
    cell: PaperCell, column: PaperColumn, rank: int, layout: LatexLayout, bold: Bold, among: tuple[int, bool]
) -> _SetCell:
    """The number with its marks, padded so that points stand below each other where columns are centred."""
    long, marks = among
    if cell.estimate is None:
        return _SetCell(escape(_UNDEFINED), text_points(_UNDEFINED, layout.size))
    plain = number(cell.estimate, column.digits)
    text = escape(plain)
    wide = text_points(plain, layout.size, bold=rank == 1)
    if rank == 1:
        text = rf"\textbf{{{text}}}"
    elif rank == 2 and bold == "second":
        text = rf"\underline{{{text}}}"
    if layout.intervals != "beside" and (short := long - len(number(abs(cell.estimate), 0))) > 0:
        text = rf"\phantom{{{'0' * short}}}{text}"
        wide += text_points("0" * short, layout.size)
    star = cell.delta is not None and cell.delta.significant
    if layout.intervals == "beside":
        text += "$^{*}$" if star else r"\phantom{$^{*}$}" if marks else ""
        wide += _STAR * marks
    elif marks:
        # In the gap between columns, so that the number stands in the middle.
        text += r"\rlap{$^{*}$}" if star else ""
        wide += max(0.0, 2 * (_STAR - layout.gap))
    return _SetCell(text, wide, *_interval(cell, column, layout))


def _interval(cell: PaperCell, column: PaperColumn, layout: LatexLayout) -> tuple[str, float]:
    """An interval and its width; nothing if there is none."""
    if layout.intervals == "none" or cell.low is None or cell.high is None:
        return "", 0.0
    digits = column.digits
    low, high = cell.low, cell.high
    if layout.rounded and digits:
        digits -= 1
        low, high = math.floor(low * 10**digits) / 10**digits, math.ceil(high * 10**digits) / 10**digits
    pair = number(low, digits), number(high, digits)
    wide = text_points("[{},{}]".format(*pair), _SMALL) + 1.2
    return r"\ci{{{}}}{{{}}}".format(*map(escape, pair)), wide


def _widths(cells: Sequence[_SetCell]) -> tuple[float, float]:
    return max(cell.value_width for cell in cells), max(cell.interval_width for cell in cells)


def _float(table: PaperTable, layout: LatexLayout, options: LatexOptions) -> Iterator[str]:
    environment = "table*" if options.wide else "table"
    yield from _comments(table, layout, options)
    yield rf"\begin{{{environment}}}[t]"
    yield r"\centering"
    yield r"\setlength{\belowcaptionskip}{4pt}"
    yield rf"\caption{{{_caption(table, layout, options)}}}"
    if options.label:
        yield rf"\label{{{options.label}}}"
    yield rf"\fontsize{{{layout.size}}}{{{_LEADING[layout.size]}}}\selectfont"
    yield rf"\setlength{{\tabcolsep}}{{{layout.gap:g}pt}}"
    if layout.intervals != "none":
        yield rf"\def\ci#1#2{{{{\fontsize{{{_SMALL}}}{{8}}\selectfont[#1,\kern.1em#2]}}}}%"
    for at, block in enumerate(_blocks(table, layout, options.bold)):
        if at:
            yield r"\par\medskip"
        yield from _tabular(block, layout)
    yield rf"\end{{{environment}}}"


def _comments(table: PaperTable, layout: LatexLayout, options: LatexOptions) -> Iterator[str]:
    yield r"% Needs \usepackage{booktabs}."
    wide = table_width(table, layout, options.bold)
    yield f"% About {wide:.0f} pt wide at {layout.size} points, of {options.width:.0f} pt."
    names = [one for row in table.rows for one in (row.label, row.section)] + [one.name for one in table.columns]
    if any(has_unknown(name) for name in names):
        yield f"% {UNKNOWN} stands for letters that pdflatex has no picture of; NAME=RUN gives a row another name."
    if layout.short:
        yield "% Heads are abbreviated to fit; the caption says what they stand for."


def _caption(table: PaperTable, layout: LatexLayout, options: LatexOptions) -> str:
    """What was asked for, or what the table says of itself; then what a reader must know."""
    said = [options.caption or table.about, *table.sentences(layout.intervals != "none", options.bold)]
    if layout.rounded:
        said.append("Ends of intervals are rounded outwards")
    if layout.short:
        heads = [_head(column, table) for column in table.columns]
        shown = [head for block in _blocks(table, layout, options.bold) for head in block.full_heads]
        said.append(legend(heads, shown) if len(shown) == len(heads) else "")
    return " ".join(_sentence(text) for text in said if text)


def _sentence(text: str) -> str:
    started = text[:1].upper() + text[1:] if text[1:2].islower() or text.startswith("a ") else text
    return escape(started if text.endswith((".", "!", "?")) else f"{started}.")


def _tabular(block: _SetTable, layout: LatexLayout) -> Iterator[str]:
    beside = [layout.intervals == "beside" and interval > 0 for _, interval in block.widths]
    form = "".join(rf"r@{{\hspace{{{_BESIDE:g}pt}}}}l" if pair else ("c" if layout.intervals == "below" else "r")
                   for pair in beside)  # fmt: skip
    at = [2 + sum(1 + pair for pair in beside[:column]) for column in range(len(beside))]
    """The first of the columns of LaTeX that a figure takes, counted from 1."""
    yield rf"\begin{{tabular}}{{@{{}}l{form}@{{}}}}"
    yield r"\toprule"
    if any(name for name, _ in block.groups):
        yield from _upper_heads(block, beside, at)
    spans = [_spanning(_stack(lines), pair) for lines, pair in zip(block.heads, beside, strict=True)]
    yield " & ".join([escape(block.stub), *spans]) + r" \\"
    yield r"\midrule"
    every = 1 + sum(1 + pair for pair in beside)
    for first, (name, rows) in enumerate(block.sections):
        if first:
            yield r"\addlinespace"
        if name:
            yield rf"\multicolumn{{{every}}}{{@{{}}l@{{}}}}{{\emph{{{escape(name)}}}}} \\"
        for row in rows:
            yield from _row(block, row, beside, layout, indented=bool(name))
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _upper_heads(block: _SetTable, beside: Sequence[bool], at: Sequence[int]) -> Iterator[str]:
    cells, rules = [""], []
    for name, columns in block.groups:
        last = at[columns[-1]] + beside[columns[-1]]
        count = last - at[columns[0]] + 1
        cells.append(rf"\multicolumn{{{count}}}{{c}}{{{escape(name)}}}" if name or count > 1 else "")
        if name:
            rules.append(rf"\cmidrule(lr){{{at[columns[0]]}-{last}}}")
    yield " & ".join(cells) + r" \\"
    yield " ".join(rules)


def _spanning(text: str, pair: bool) -> str:
    """A head over the columns of its figure, centred."""
    return rf"\multicolumn{{{1 + pair}}}{{c}}{{{text}}}"


def _stack(lines: Sequence[str]) -> str:
    if len(lines) == 1:
        return escape(lines[0])
    inner = r"\\".join(map(escape, lines))
    return rf"\begin{{tabular}}[b]{{@{{}}c@{{}}}}{inner}\end{{tabular}}"


def _row(block: _SetTable, row: int, beside: Sequence[bool], layout: LatexLayout, indented: bool) -> Iterator[str]:
    """The lines of a row: its label may take several, and an interval below takes a second."""
    start = r"\hspace{.8em}" if indented else ""
    cells = block.cells[row]
    labels = [start + escape(line) for line in block.labels[row]]
    lines = [[labels[0]]]
    for cell, pair in zip(cells, beside, strict=True):
        lines[0] += [cell.value, cell.interval] if pair else [cell.value]
    below = layout.intervals == "below" and any(cell.interval for cell in cells)
    if below:
        lines.append(["", *(cell.interval for cell in cells)])
    for number_, label in enumerate(labels[1:], 1):
        if number_ == len(lines):
            lines.append(["", *[""] * (len(lines[0]) - 1)])
        lines[number_][0] = label
    *inner, last = lines
    for line in inner:
        yield " & ".join(line).rstrip() + r" \\*[-1pt]"
    yield " & ".join(last).rstrip() + (r" \\[1.5pt]" if inner else r" \\")


def _document(table: PaperTable, layout: LatexLayout, options: LatexOptions) -> Iterator[str]:
    yield r"\documentclass[10pt]{article}"
    yield r"\usepackage[utf8]{inputenc}"
    yield r"\usepackage{booktabs}"
    yield r"\pagestyle{empty}"
    yield rf"\setlength{{\textwidth}}{{{options.width:g}pt}}\setlength{{\columnwidth}}{{\textwidth}}"
    yield r"\setlength{\oddsidemargin}{0pt}\setlength{\hoffset}{-36pt}\setlength{\parindent}{0pt}"
    yield r"\begin{document}"
    yield from _float(table, layout, replace(options, wide=False))
    yield r"\end{document}"
