"""How fast the timeline is beside a plain scan and a vector library, and how fast streams are read.

Each store is filled and asked in a process of its own, so that its resident memory is its own.
"""

from __future__ import annotations

import itertools
import json
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any, TypeAlias
from zlib import crc32

from peak_memory import peak_memory

from omnipilot.envs import ConfigError, Modality
from omnipilot.memory import Budget, Role
from omnipilot.memory.episodic import EpisodicMemory, Scope, StreamReader, Timeline, TimelineEvent, read_file
from omnipilot.memory.episodic.event_index import terms_of
from omnipilot.memory.episodic.events import EventKind
from omnipilot.memory.store import MediaStore

EVENTS = 1_000_000
QUERIES, WORDS, FOUND = 50, 8, 50
"""Questions asked, words of a question, and events wanted of each."""
DIMENSIONS = 64
_KINDS: tuple[tuple[EventKind, Modality | None, int], ...] = (
    ("action", None, 6),
    ("text", Modality.ELEMENTS, 40),
    ("sound", Modality.AUDIO, 3),
    ("thought", None, 15),
    ("transcript", Modality.AUDIO, 10),
    ("motion", Modality.VIDEO, 2),
    ("context", Modality.CONTEXT, 4),
)
ALL = Scope(frozenset({"phone", "desktop"}), frozenset(Modality))


def vocabulary() -> tuple[list[str], list[float]]:
    """Words, and their cumulative weights: the n-th is 1/n as frequent as the first (Zipf's law)."""
    parts = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in ("a", "e", "i", "o", "u", "ai", "ou") for c in "bdfgklmnpr"]
    words = [a + b for a in parts for b in parts[:24]]
    Random(0).shuffle(words)
    return words, list(itertools.accumulate(1 / (n + 1) for n in range(len(words))))


def made_events(number: int) -> Iterator[TimelineEvent]:
    """Events of two devices, ten a turn."""
    draw = Random(1)
    words, weights = vocabulary()
    for i in range(number):
        kind, modality, length = _KINDS[i % len(_KINDS)]
        text = " ".join(draw.choices(words, cum_weights=weights, k=length))
        start = i * 0.1
        yield TimelineEvent(kind, ("phone", "desktop")[i % 2], start, start + (i % 3), i // 10, text, modality)


def questions(number: int = QUERIES) -> list[str]:
    """Questions of words that are as common as those of the events."""
    draw = Random(2)
    words, weights = vocabulary()
    return [" ".join(draw.choices(words, cum_weights=weights, k=WORDS)) for _ in range(number)]


@dataclass(frozen=True, slots=True)
class StoreFigures:
    """Of one store: seconds of the processor's time for an append (mean, and the one in a thousand) and for a recall
    (median), and its greatest resident memory in MB."""

    append: float
    worst_append: float
    recall: float
    resident: float


def measure(store: str, events: int = EVENTS) -> StoreFigures:
    """Fill and ask a store ("timeline", "memory", "scan" or "faiss") in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, store, str(events)], capture_output=True, text=True, timeout=1200, check=False
    )
    if done.returncode:
        raise ConfigError(done.stderr.strip().splitlines()[-1])
    return StoreFigures(**json.loads(done.stdout))


def _timeline(events: int, folder: Path) -> StoreFigures:
    timeline = Timeline()
    taken = []
    for event in made_events(events):
        began = time.process_time()
        timeline.append(event)
        taken.append(time.process_time() - began)
    taken.sort()

    def recall(at: int, question: str) -> None:
        timeline.search(question, ALL, FOUND)
        timeline.latest(ALL, FOUND)
        start = events * 0.1 * at / QUERIES
        timeline.between(ALL, start, start + 5.0)

    asked = _asked(recall)
    timeline.close()
    return StoreFigures(sum(taken) / len(taken), taken[int(0.999 * len(taken))], asked, peak_memory())


def _memory(events: int, folder: Path) -> StoreFigures:
    """The whole of `episodic`, but for anchors, which are no part of the timeline: search, ranking, packing."""
    memory, role = EpisodicMemory(anchors=False), Role("planner")
    began = time.process_time()
    memory.restore(made_events(events), events // 10 + 1)
    append = (time.process_time() - began) / events

    budget = memory.budget or Budget()

    def recall(at: int, question: str) -> None:
        assert memory.recall(question, budget, role, ALL.envs)

    return StoreFigures(append, append, _asked(recall), peak_memory())


def _scan(events: int, folder: Path) -> StoreFigures:
    """Every text in a list, looked through for each question, best by the number of words that it holds."""
    texts, taken = list[tuple[str, float, float]](), []
    for event in made_events(events):
        began = time.process_time()
        texts.append((event.text, event.start, event.end))
        taken.append(time.process_time() - began)

    def recall(at: int, question: str) -> None:
        held = re.compile(rf"\b(?:{'|'.join(question.split())})\b").findall
        best = sorted(((len(set(held(text))), i) for i, (text, _, _) in enumerate(texts)), reverse=True)[:FOUND]
        start = events * 0.1 * at / QUERIES
        between = [text for text, began, ended in texts if began < start + 5.0 and ended > start]
        assert best and between and texts[-FOUND:]

    return StoreFigures(sum(taken) / len(taken), max(taken), _asked(recall, 5), peak_memory())


def _faiss(events: int, folder: Path) -> StoreFigures:
    """Exact inner products of faiss over vectors of the texts: each word a random vector of its own, summed.

    A real embedding would cost a model's time on top; the events themselves and their times are not kept.
    """
    import faiss
    import numpy as np

    faiss.omp_set_num_threads(1)
    known: dict[str, Any] = {}

    def vector(text: str) -> Any:
        for word in (words := text.split()):
            if word not in known:
                known[word] = np.random.default_rng(crc32(word.encode())).normal(size=DIMENSIONS).astype(np.float32)
        whole = np.sum([known[word] for word in words], axis=0)
        return whole / np.linalg.norm(whole)

    index, taken, batch = faiss.IndexFlatIP(DIMENSIONS), [], []
    for event in made_events(events):
        batch.append(vector(event.text))
        if len(batch) == 64:
            began = time.process_time()
            index.add(np.stack(batch))
            taken.append((time.process_time() - began) / 64)
            batch.clear()

    def recall(at: int, question: str) -> None:
        index.search(vector(question)[None], FOUND)

    return StoreFigures(sum(taken) / len(taken), max(taken), _asked(recall), peak_memory())


def _asked(recall: Callable[[int, str], None], number: int = QUERIES) -> float:
    """Median seconds of the processor's time for a recall, each of another question."""
    taken = []
    for at, question in enumerate(questions(number)):
        began = time.process_time()
        recall(at, question)
        taken.append(time.process_time() - began)
    return median(taken)


# -- the search itself, beside SQLite's FTS5 with its bm25() ---------------------------------------------------------

Search: TypeAlias = Callable[[str, frozenset[EventKind]], list[int]]
"""From a question and the kinds that are admitted (all if empty) to ids, best first."""
SPOKEN: frozenset[EventKind] = frozenset({"text", "transcript"})
RARE = 100
"""`fts5-rare` leaves out words that more than one in so many events hold."""


@dataclass(frozen=True, slots=True)
class SearchFigures:
    """Of one engine: microseconds of the processor's time for an event that is added; milliseconds for a search, the
    median and the 95th percentile, over all events and over `SPOKEN` kinds alone; its greatest resident memory in MB;
    and the ids that it found, for each question."""

    add: float
    every: tuple[float, float]
    some: tuple[float, float]
    resident: float
    found: tuple[tuple[int, ...], ...]


def search_figures(engine: str, events: int) -> SearchFigures:
    """Fill and ask an engine ("index", "fts5" or "fts5-rare") in a process of its own.

    Raises:
        ConfigError: it failed; the message is its last line.
    """
    done = subprocess.run(
        [sys.executable, __file__, engine, str(events)], capture_output=True, text=True, timeout=1200, check=False
    )
    if done.returncode:
        raise ConfigError(done.stderr.strip().splitlines()[-1])
    figures = json.loads(done.stdout)
    return SearchFigures(**figures | {"found": tuple(tuple(ids) for ids in figures["found"])})


def agreement(one: SearchFigures, other: SearchFigures) -> float:
    """The share of what one engine found that the other found too, over all questions."""
    pairs = list(zip(one.found, other.found, strict=True))
    return sum(len(set(a) & set(b)) for a, b in pairs) / sum(len(a) for a, _ in pairs)


def _search_figures(add: Callable[[TimelineEvent], object], search: Search, events: int) -> SearchFigures:
    spent = 0.0
    for event in made_events(events):
        began = time.process_time()
        add(event)
        spent += time.process_time() - began
    spans, found = list[tuple[float, float]](), list[tuple[int, ...]]()
    for kinds in (frozenset[EventKind](), SPOKEN):
        taken = []
        for question in questions():
            began = time.process_time()
            ids = search(question, kinds)
            taken.append(1e3 * (time.process_time() - began))
            found.append(tuple(ids))
        spans.append((median(taken), quantiles(taken, n=20)[-1]))
    return SearchFigures(1e6 * spent / events, spans[0], spans[1], peak_memory(), tuple(found))


def _index(events: int, folder: Path) -> SearchFigures:
    timeline = Timeline()

    def search(question: str, kinds: frozenset[EventKind]) -> list[int]:
        return [id for id, _ in timeline.index.search(question, ALL, FOUND, kinds)]

    return _search_figures(timeline.append, search, events)


def _fts5(events: int, folder: Path, rare: bool = False) -> SearchFigures:
    """A temporary database with the lines in one table and the words, in the form in which ours are indexed, in
    another: of all tables of FTS5 whose bm25() is not 0, the smallest."""
    db = sqlite3.connect("", isolation_level=None)
    db.executescript(
        "PRAGMA cache_size = -32768; PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;"
        "CREATE TABLE events (id INTEGER PRIMARY KEY, env TEXT, modality TEXT, kind TEXT, start REAL, end REAL,"
        " line BLOB);"
        "CREATE VIRTUAL TABLE texts USING fts5 (text, content = '', tokenize = 'ascii');"
        "CREATE VIRTUAL TABLE vocabulary USING fts5vocab (texts, 'row');"
    )
    waiting: list[tuple[int, TimelineEvent]] = []
    number = itertools.count(1)

    def write() -> None:
        db.execute("BEGIN")
        for id, one in waiting:
            modality = one.modality and one.modality.value
            row = (id, one.env, modality, one.kind, one.start, one.end, one.to_line())
            db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            db.execute("INSERT INTO texts (rowid, text) VALUES (?, ?)", (id, " ".join(set(terms_of(one.text)))))
        db.execute("COMMIT")
        waiting.clear()

    def add(event: TimelineEvent) -> None:
        waiting.append((next(number), event))
        if len(waiting) == 64:
            write()

    def search(question: str, kinds: frozenset[EventKind]) -> list[int]:
        write()
        words = dict.fromkeys(terms_of(question))
        if rare:
            held = {word: db.execute("SELECT doc FROM vocabulary WHERE term = ?", (word,)).fetchone() for word in words}
            words = dict.fromkeys(word for word in words if held[word] is not None and held[word][0] * RARE <= events)
        match = " OR ".join(f'"{word}"' for word in words)
        if not match:
            return []
        if not kinds:
            sql = "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?"
        else:
            sql = (
                "SELECT events.id FROM texts JOIN events ON events.id = texts.rowid WHERE texts MATCH ? AND kind IN"
                f" ({', '.join(repr(kind) for kind in sorted(kinds))}) ORDER BY bm25(texts) LIMIT ?"
            )
        return [id for (id,) in db.execute(sql, (match, FOUND))]

    return _search_figures(add, search, events)


@dataclass(frozen=True, slots=True)
class StreamFigures:
    """Of reading a file: its seconds for each second of the processor's time, events, key frames, resident MB."""

    speed: float
    events: int
    keys: int
    resident: float


def stream_figures(seconds: int = 120) -> StreamFigures:
    """Read a made video of 1280x800 at 30 frames a second with sound, in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, "stream", str(seconds)], capture_output=True, text=True, timeout=1200, check=False
    )
    if done.returncode:
        raise ConfigError(done.stderr.strip().splitlines()[-1])
    return StreamFigures(**json.loads(done.stdout))


def _stream(seconds: int, folder: Path) -> StreamFigures:
    sys.path.append(str(Path(__file__).resolve().parents[1] / "fixtures"))
    # In another process: the encoder's memory is not the reader's.
    subprocess.run(
        [sys.executable, "-c", _WRITE, str(folder / "stream.mp4"), str(seconds)],
        check=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    timeline, reader = Timeline(), StreamReader("phone", MediaStore(folder / "media"))
    began = time.process_time()
    for chunk in read_file(folder / "stream.mp4", "phone"):
        timeline.extend(reader.feed(chunk))
    timeline.extend(reader.finish())
    spent = time.process_time() - began
    wanted: tuple[EventKind, ...] = ("screen",)
    keys = timeline.between(ALL, kinds=wanted)
    return StreamFigures(seconds / spent, len(timeline), len(keys), peak_memory())


_WRITE = """
import sys
from pathlib import Path
from made_streams import write_video
write_video(Path(sys.argv[1]), int(sys.argv[2]))
"""
_MEASURED: dict[str, Callable[[int, Path], StoreFigures | StreamFigures | SearchFigures]] = {
    "index": _index,
    "fts5": _fts5,
    "fts5-rare": partial(_fts5, rare=True),
    "timeline": _timeline,
    "memory": _memory,
    "scan": _scan,
    "faiss": _faiss,
    "stream": _stream,
}


def main(store: str, number: str) -> None:
    """Print the figures of one store as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        figures = _MEASURED[store](int(number), Path(folder))
    sys.stdout.write(json.dumps({name: getattr(figures, name) for name in figures.__slots__}))


if __name__ == "__main__":
    main(*sys.argv[1:])
