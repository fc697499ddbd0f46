"""The report of runs: one page that opens from the disk, without a server or a network.

`report.html` holds style, script, tables and the list of episodes; a folder beside it, named like the page, holds one
script per episode, loaded when the episode is opened, and others with its timeline, its model calls and the elements of
its screens, loaded when these are looked at. Media stay in the runs' own folders.

The page's template has four placeholders, and its script makes every element from the JSON in it: a template engine
such as jinja2 would have nothing to escape.
"""

from __future__ import annotations

import base64
import filecmp
import hashlib
import json
import os
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from omnipilot.bench.journal.attributions import EXPERIMENT, Cause, read_causes
from omnipilot.bench.journal.calls import CallReader
from omnipilot.bench.journal.events import Event, Interrupted, PersonActed, Repaired, RunStarted, Unreadable
from omnipilot.bench.journal.journal import FILE, MEDIA, read
from omnipilot.bench.journal.load_runs import no_run_words
from omnipilot.bench.report.page_about import about_run, tell_apart
from omnipilot.bench.report.page_data import (
    EpisodeAttempt,
    Gatherer,
    detail,
    has_elements,
    messages,
    screen_elements,
    summary,
)
from omnipilot.bench.report.page_media import Looker
from omnipilot.bench.report.terms import meaning, with_terms
from omnipilot.bench.report.timeline.events import timeline
from omnipilot.envs import ConfigError
from omnipilot.memory import MediaStore
from omnipilot.memory.secrets import scrub_values
from omnipilot.memory.secrets.scrub import scrub_error

if TYPE_CHECKING:
    from omnipilot.bench.tables import Table

SCRIPTS = (
    "dom",
    "loader",
    "rows",
    "screens",
    "channels",
    "judges",
    "recalled",
    "perceived",
    "messages",
    "glance",
    "inspector",
    "beside",
    "episode",
    "timeline_data",
    "lanes",
    "player",
    "timeline",
    "screen_map",
    "groups",
    "overview",
    "help",
    "app",
)
AT_ONCE = 100
"""Items that are made and written at once."""
TIMELINE, MESSAGES, ELEMENTS = "-timeline", "-messages", "-elements"
"""What the names of the scripts with an episode's timeline, model calls and screens' elements end in."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the first page: a heading, a figure as the text of an SVG file ("" for none), and tables below it.

    Attributes:
        words: paragraphs below the heading, such as what the tables show.
    """

    title: str
    tables: tuple[Table, ...]
    svg: str = ""
    words: tuple[str, ...] = ()


def write_report(
    runs: Sequence[Path],
    out: Path | None = None,
    table: Table | None = None,
    sections: Sequence[Section] = (),
    names: Sequence[str] = (),
    conclusion: Sequence[str] = (),
    keys: Collection[str] = (),
) -> Path:
    """Write the page of some run directories, which may be finished, unfinished or still running.

    Args:
        out: the page. Default: `report.html` in the run's directory, of several runs in the folder they share.
        table: shown on the first page. sections: shown below it.
        names: what the runs are called. Default: that in which they differ.
        conclusion: sentences that stand above the table: what the runs came to.
        keys: "task#instance.trial" of the episodes that are shown; empty for all.

    Returns:
        Where the page is.

    Raises:
        ConfigError: no run is named, a directory holds none, or `out` is no place for a page.
        JournalError: a run has no journal.
    """
    page = _page(runs, out)
    folder = page.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    listed: list[dict[str, Any]] = []
    about: list[dict[str, Any]] = []
    for number, run in enumerate(runs):
        causes = read_causes(run)
        calls = CallReader(MediaStore(run / MEDIA))
        episodes = _Episodes(folder, len(listed), number, Looker(run / MEDIA), calls, causes)
        wanted = (event for event in read(run) if not keys or getattr(event, "key", None) in {None, *keys})
        events = [event for event in wanted if not episodes.take(event)]
        shown = episodes.listed(events)
        about.append(about_run(run, [*events, *episodes.damaged], page.parent))
        listed += shown
    tell_apart(about, names)
    _sweep(folder, len(listed))
    index = {
        "folder": quote(folder.name),
        "runs": about,
        "episodes": listed,
        "conclusion": list(conclusion),
        "tables": [] if table is None else _tables([table]),
        "sections": [{"title": s.title, "words": s.words, "svg": s.svg, "tables": _tables(s.tables)} for s in sections],
    }
    _replace(page, [_html(safe_json(index))])
    return page


class _Episodes:
    """Writes the data of a run's episodes while its journal is read.

    Of each episode it keeps the last complete attempt, as the tables do, or an interrupted one if there is no other.
    """

    def __init__(
        self,
        folder: Path,
        first: int,
        run: int,
        look: Looker,
        calls: CallReader,
        causes: Mapping[str, tuple[Cause, str, str]],
    ) -> None:
        self._causes = causes
        self._folder, self._first, self._run, self._look = folder, first, run, look
        self._calls = calls
        self._gatherer = Gatherer()
        self._listed: dict[str, dict[str, Any]] = {}
        self.damaged: list[Unreadable] = []

    def take(self, event: Event) -> bool:
        """Process an event; False if it is about the run as a whole."""
        if isinstance(event, RunStarted | Interrupted | Repaired | Unreadable):
            return False
        if isinstance(event, PersonActed):
            # About the run, and about an episode, too.
            self._gatherer.take(event)
            return False
        if attempt := self._gatherer.take(event):
            self.write(attempt)
        return True

    def listed(self, events: Iterable[Event]) -> list[dict[str, Any]]:
        """The episodes by task, in the suite's order, instance and trial; `events` of the run as a whole."""
        for attempt in self._gatherer.cut():
            if attempt.started.key not in self._listed:
                self.write(attempt)
        order: dict[str, int] = {}
        for event in events:
            if isinstance(event, RunStarted):
                order = {task: rank for rank, task in enumerate(event.tasks)}
        return sorted(
            self._listed.values(),
            key=lambda e: (order.get(e["task"], len(order)), e["task"], e["instance"], e["trial"]),
        )

    def write(self, attempt: EpisodeAttempt) -> None:
        """Write an episode's files; one whose values make no sense is told and left out."""
        key = attempt.started.key
        before = self._listed.get(key)
        try:
            self._write_whole(attempt)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            if before is None:
                self._listed.pop(key, None)
            else:
                self._listed[key] = before
            reason = f"the values of {key} make no sense ({type(error).__name__}: {error})"
            self.damaged.append(Unreadable(0, reason))

    def _write_whole(self, attempt: EpisodeAttempt) -> None:
        key = attempt.started.key
        file = self._listed[key]["file"] if key in self._listed else self._first + len(self._listed)
        cause, why = cause_words(self._causes, key) if not attempt.solved else ("", "")
        self._listed[key] = summary(attempt, self._run, file, cause)
        shown = detail(attempt, self._look, cause, why)
        _replace(self._folder / f"{file}.js", _call("omnipilotEpisode", file, shown))
        played = timeline(attempt, self._look)
        _replace(self._folder / f"{file}{TIMELINE}.js", _call("omnipilotTimeline", file, played))
        said = self._folder / f"{file}{MESSAGES}.js"
        if attempt.calls:
            _replace(said, _call("omnipilotMessages", file, messages(attempt, self._look, self._calls)))
        else:
            said.unlink(missing_ok=True)
        listed = self._folder / f"{file}{ELEMENTS}.js"
        if has_elements(attempt):
            found = screen_elements(attempt, self._look.elements)
            _replace(listed, _call("omnipilotElements", file, found))
        else:
            listed.unlink(missing_ok=True)


def _page(runs: Sequence[Path], out: Path | None) -> Path:
    if not runs:
        raise ConfigError("a report needs at least one run directory")
    for run in runs:
        if not (run / FILE).exists():
            raise ConfigError(no_run_words(run))
    if out is None:
        parents = [run.resolve() if len(runs) == 1 else run.resolve().parent for run in runs]
        out = Path(os.path.commonpath(parents)) / "report.html"
    if out.suffix not in (".html", ".htm"):
        raise ConfigError(f"a report is an HTML page; use --out {out}.html or {out / 'report.html'}")
    if (out.with_suffix("") / FILE).exists():
        raise ConfigError(f"{out.with_suffix('')} is a run's directory and would be filled with the page's data")
    return out


def cause_words(causes: Mapping[str, tuple[Cause, str, str]], key: str) -> tuple[str, str]:
    """Why an episode failed, and what shows it; that a model said so stands with the cause."""
    if key not in causes:
        return "", ""
    cause, why, by = causes[key]
    return str(cause) if by == EXPERIMENT else f"{cause} (by {by})", why


def write_episode(
    folder: Path,
    file: int,
    attempt: EpisodeAttempt,
    look: Looker,
    calls: CallReader,
    causes: Mapping[str, tuple[Cause, str, str]],
) -> None:
    """Write the scripts of one attempt alone, named by the number `file`; none if its values make no sense."""
    _Episodes(folder, file, 0, look, calls, causes).write(attempt)


def served_index(
    about: Mapping[str, Any],
    episodes: Sequence[Mapping[str, Any]],
    folder: str,
    tables: Sequence[Table] = (),
    conclusion: Sequence[str] = (),
) -> dict[str, Any]:
    """What the page of one run shows where a server answers for it.

    Args:
        folder: the address of its episodes' scripts, as seen from the page.
    """
    return {
        "folder": folder,
        "runs": [about],
        "episodes": list(episodes),
        "conclusion": list(conclusion),
        "tables": _tables(tables),
        "sections": [],
    }


def served_page(index: Mapping[str, Any], style: str, scripts: Sequence[str]) -> str:
    """The page as text, for a server that answers what it asks.

    Args:
        style, scripts: addresses, as seen from the page, of what comes after its own.
    """
    page = _html(safe_json(index))
    own = "default-src 'none'; connect-src 'self'; "
    page = page.replace("default-src 'none'; ", own, 1).replace("style-src '", "style-src 'self' '", 1)
    page = page.replace("</head>", f'<link rel="stylesheet" href="{style}">\n</head>', 1)
    # Data hold no `<`.
    tags = "".join(f'<script src="{script}"></script>\n' for script in scripts)
    return page.replace("</body>", f"{tags}</body>", 1)


def _tables(tables: Iterable[Table]) -> list[dict[str, Any]]:
    """Tables with all their notes, and the glossary named once."""
    return [_table(table) for table in with_terms(table.with_methods() for table in tables)]


def _table(table: Table) -> dict[str, Any]:
    return {
        "columns": table.columns,
        "meanings": list(map(meaning, table.columns)),
        "left": table.text_columns(),
        "labels": table.labels,
        "rows": table.rows,
        "notes": table.notes,
    }


def _call(function: str, file: int, data: Mapping[str, Any]) -> Iterator[str]:
    """A script that hands an episode's data over, in pieces: a long episode is never in memory as one text."""
    yield f"{function}({file},{{"
    for name, items in data.items():
        if isinstance(items, Iterator):
            yield f'"{name}":['
            comma = ""
            while some := list(islice(items, AT_ONCE)):
                yield comma + safe_json(some)[1:-1]
                comma = ","
            yield "],"
    # Last, because making the items may have added to the rest.
    yield f"{safe_json({name: value for name, value in data.items() if not isinstance(value, Iterator)})[1:]});\n"


def safe_json(data: Any) -> str:
    """JSON that is safe inside a script tag: ASCII only, and no `<` that could begin a tag or a comment."""
    text = json.dumps(data, separators=(",", ":"))
    if scrub_error(text) != text:
        # A journal of another program or machine may hold a key that this machine knows.
        text = json.dumps(scrub_values(data, error=True), separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _html(index: str) -> str:
    assets = files("omnipilot.bench.viewer") / "static"
    css = (assets / "viewer.css").read_text("utf-8")
    js = "\n".join((assets / f"{name}.js").read_text("utf-8") for name in SCRIPTS)
    # `file:` is for a page on the disk, 'self' for one that somebody serves; no other place can be asked for anything.
    policy = (
        f"default-src 'none'; img-src 'self' file: data:; media-src 'self' file:; style-src '{_hash(css)}'; "
        f"script-src 'self' file: '{_hash(js)}'; base-uri 'none'; form-action 'none'"
    )
    page = (assets / "viewer.html").read_text("utf-8")
    for name, text in (("CSP", policy), ("CSS", css), ("JS", js), ("INDEX", index)):
        page = page.replace(f"%{name}%", text, 1)
    return page


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _replace(path: Path, pieces: Iterable[str]) -> None:
    """Write a file whole or not at all; one that says the same already stays."""
    temp = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        with temp.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)
        if path.exists() and filecmp.cmp(temp, path, shallow=False):
            # Some file systems write a file to the disk at once that takes the place of another.
            temp.unlink()
        else:
            os.replace(temp, path)
    except BaseException:
        temp.unlink(missing_ok=True)
        raise


def _sweep(folder: Path, count: int) -> None:
    """Remove the data of episodes that an earlier, longer report had."""
    for path in folder.glob("*.js"):
        number = path.stem.partition("-")[0]
        if number.isdigit() and int(number) >= count:
            path.unlink()
