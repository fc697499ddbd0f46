"""Results as plain JSON values and as data frames: numbers stay numbers, and what is printed stands apart."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from omnipilot.bench.stats.intervals import Interval
from omnipilot.bench.stats.paired import Difference
from omnipilot.bench.tables import Table
from omnipilot.envs.types import require
from omnipilot.memory.secrets import scrub_values
from omnipilot.memory.secrets.scrub import scrub_error

EXTRA = "frames"


def interval_numbers(found: Interval | None, name: str) -> dict[str, Any]:
    """An interval as `NAME`, `NAME_low` and `NAME_high`, in its own unit; None where it is undefined."""
    if found is None:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    return {name: found.estimate, f"{name}_low": found.low, f"{name}_high": found.high}


def interval_record(found: Interval | None) -> dict[str, Any] | None:
    """An interval with all that is known of it."""
    return None if found is None else asdict(found)


def difference_record(found: Difference | None) -> dict[str, Any] | None:
    """A difference with its interval and its test."""
    if found is None:
        return None
    more = {"p": found.p, "test": found.test, "detectable": found.detectable}
    return {**(interval_record(found.interval) or {}), **more}


def make_frame(records: Sequence[Mapping[str, Any]]) -> Any:
    """Records as a `pandas.DataFrame`, one row each, without keys.

    Raises:
        MissingExtra: pandas is not installed.
    """
    pandas: Any = require("pandas", EXTRA)
    return pandas.DataFrame([scrub_values(dict(one)) for one in records])


def table_html(
    columns: Sequence[str], rows: Sequence[Sequence[str]], above: str = "", notes: Sequence[str] = ()
) -> str:
    """A table for a notebook, all of it escaped and without keys.

    Args:
        above: a sentence above it. notes: lines below it.
    """
    head = "".join(f"<th>{_escaped(one)}</th>" for one in columns)
    body = "".join(f"<tr>{''.join(f'<td>{_escaped(cell)}</td>' for cell in row)}</tr>" for row in rows)
    said = f"<p>{_escaped(above)}</p>" if above else ""
    below = "".join(f"<br>{_escaped(note)}" for note in notes)
    small = f"<small>{below.removeprefix('<br>')}</small>" if below else ""
    return f"{said}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{small}"


def tables_html(tables: Iterable[Table], above: str = "") -> str:
    """Tables for a notebook, one below the other, as `table_html` has them."""
    said = f"<p>{_escaped(above)}</p>" if above else ""
    return said + "".join(table_html(one.columns, one.rows, notes=one.notes) for one in tables)


def _escaped(text: str) -> str:
    return html.escape(scrub_error(text))
