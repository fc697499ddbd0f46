"""How fast the timeline is beside a plain scan and a vector library, and how fast streams are read.

Each store is filled and asked in a process of its own, so that its resident memory is its own.
"""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from typing import Any
from zlib import crc32

from peak_memory import peak_memory

from omnipilot.envs import ConfigError, Modality
from omnipilot.memory import Role
from omnipilot.memory.episodic import EpisodicMemory, Scope, StreamReader, Timeline, TimelineEvent, read_file
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
    timeline = Timeline(folder)
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

    def recall(at: int, question: str) -> None:
        assert memory.recall(question, memory.budget, role, ALL.envs)

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
    timeline, reader = Timeline(folder), StreamReader("phone", MediaStore(folder / "media"))
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
_MEASURED: dict[str, Callable[[int, Path], StoreFigures | StreamFigures]] = {
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
