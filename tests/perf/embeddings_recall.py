"""What embeddings find beside full text: questions to memories, and examples for tasks.

    python tests/perf/embeddings_recall.py FOLDER [--instances 4] [--out build/embeddings-recall]

FOLDER holds a model of sentence-transformers, such as all-MiniLM-L6-v2.

**Questions.** The past of tasks of `duet-memory` is played (10 and 100 turns, elements and what was said, in words),
those whose fact stands in one text: a code that was spoken or written, a price, a room. Each fact is asked for in three
ways: in words of the text that tells it; in other words; and by its own value ("what was 7394"), to which what it is
of is the answer. `recall@k`: the share of questions for which one of the first k answers of `omnipilot memory --ask`
holds what was asked for. 95 % intervals; the questions of one template are one cluster.

**Examples.** An index holds an example of each task of `duet` for development. It is asked with the task's instruction
at another instance, and with what somebody else might say for it. `recall@k`: that task's example is among the first k.
"""

from __future__ import annotations

import argparse
import re
import resource
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import typer
from numpy.typing import NDArray
from said_otherwise import COLORS, PRODUCTS, TASKS

from omnipilot.bench.journal.journal import MEDIA
from omnipilot.bench.journal.replayed_memory import find_episode
from omnipilot.bench.run import run
from omnipilot.bench.run.config import layer_settings, set_options, spec_from
from omnipilot.bench.run.execution import RunExecution
from omnipilot.bench.run.progress import Progress
from omnipilot.bench.run.read_settings import parse_settings
from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.intervals import mean_interval
from omnipilot.bench.suites.duet import Duet
from omnipilot.bench.suites.duet_memory import DuetMemory
from omnipilot.bench.suites.duet_memory.proofs import Lived
from omnipilot.bench.tables import Table
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.memory import MediaStore, Role, Usage
from omnipilot.memory.episodic import EpisodicMemory, TimelineEvent
from omnipilot.memory.episodic.ranking import SIGNALS, EpisodicPolicy
from omnipilot.memory.examples import Example, ExampleIndex
from omnipilot.memory.models.embeddings import Embeddings, make_embeddings

KS = (1, 3, 10)
ASKER = Role("asker", ALL_MODALITIES)
OWN, OTHER, VALUE = "words of the text", "other words", "a code or a price"
ROWS: Mapping[str, tuple[str, bool]] = {
    "full text": ("text", False),
    "embeddings": ("", True),
    "full text and embeddings": ("text", True),
    "all signals": (",".join(SIGNALS), False),
    "all signals and embeddings": (",".join(SIGNALS), True),
}
"""By name: the signals that are weighed, and whether embeddings are."""
SPOKEN = ("spoken-for-phone", "spoken-for-desktop", "voice-over-music", "changed-code")
PRICED, LOCKED, ROOM = ("price-seen", "price-to-mail"), ("code-beside-noise", "code-beside-voice"), "changed-room"
EVENTS = 10_000
"""Events that times and memory are stated for."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question, of what sort it is, and what an answer holds that is right: all of these, each as a whole."""

    sort: str
    words: str
    right: tuple[str, ...]

    def is_answered(self, text: str) -> bool:
        """Whether a text holds what was asked for."""
        return all(re.search(rf"(?<![\w.]){re.escape(one.casefold())}(?![\w])", text.casefold()) for one in self.right)


def questions_of(template: str, name: str, value: str) -> tuple[Question, ...]:
    """The three questions for a fact.

    Args:
        name: of the fact, as the suite states it. value: that is right.
    """
    if template in SPOKEN:
        (color,) = [one for one in COLORS if f"{one} door" in name]
        own, told = f"what is the code for {color}", color
        other = f"which digits did somebody read aloud about the {COLORS[color]} entrance"
    elif template in PRICED:
        (told,) = [one for one in PRODUCTS if f'"{one}"' in name]
        own, other = f"what is the price of {told}", f"how much would I have paid for the {PRODUCTS[told]}"
    elif template in LOCKED:
        own, told = "what opens the key box", "key box"
        other = "which combination unlocks the little safe by the entrance"
    else:
        own, told = "in which room is the review", "review"
        other = "where does the assessment of our work take place"
    return (
        Question(OWN, own, (value,)),
        Question(OTHER, other, (value,)),
        Question(VALUE, f"what was {value}", (value, told)),
    )


class KeptEmbeddings(Embeddings):
    """Embeds each text once in this process, as streams of one suite say much the same."""

    def __init__(self, inner: Embeddings) -> None:
        self.inner = inner
        self._kept: dict[str, NDArray[np.float32]] = {}

    def embed(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], Usage]:
        """See `Embeddings`."""
        if missing := [text for text in dict.fromkeys(texts) if text not in self._kept]:
            self._kept |= dict(zip(missing, self.inner.embed(missing)[0], strict=True))
        return np.stack([self._kept[text] for text in texts]) if texts else np.zeros((0, 1), np.float32), Usage()


@dataclass(frozen=True, slots=True)
class Stream:
    """The past of one task: its events, what is asked about it, and where its media lie."""

    template: str
    events: tuple[TimelineEvent, ...]
    questions: tuple[Question, ...]
    media: Path


def streams(instances: int, out: Path) -> Iterator[Stream]:
    """The past of each task, played where it is not there yet."""
    suite = DuetMemory("all")
    wanted = (*SPOKEN, *PRICED, *LOCKED, ROOM)
    tasks = [one for one in suite.tasks() if one.tags["template"] in wanted and int(one.tags["distance"]) <= 100]
    given: dict[str, Any] = {"suite": "duet-memory", "planner": "noop", "memory": "episodic", "readers": "gold"}
    given |= {"tasks": [one.id for one in tasks], "instances": instances, "modalities": "elements,context,audio"}
    settings = layer_settings(parse_settings(given), parse_settings({}))
    run(spec_from(set_options(settings, ["suite.split=all"])), out, RunExecution(1, on_progress=Progress(sys.stderr)))
    for task in tasks:
        for instance in range(instances):
            fact = Lived(suite, task.id, instance).fact
            past = tuple(one for one in find_episode(out, task.id, instance).remembered if one.turn < 0)
            template = task.tags["template"]
            yield Stream(template, past, questions_of(template, fact.name, str(fact.value)), out / MEDIA)


@dataclass
class Measured:
    """What was found: by row and sort of question, for each k, 1 or 0 for each question, with its template.

    Attributes:
        seconds: of a core, to take in the longest stream. events, lines: in that stream, and its distinct lines.
    """

    hits: dict[tuple[str, str], list[tuple[str, dict[int, float]]]]
    seconds: float = 0.0
    events: int = 0
    lines: int = 0


def measure(every: Sequence[Stream], embeddings: Embeddings) -> Measured:
    """Ask every question of every stream in every way."""
    found = Measured({(row, sort): [] for row in ROWS for sort in (OWN, OTHER, VALUE)})
    longest = max(every, key=lambda one: len(one.events))
    memory = _memory(longest)
    began = time.process_time()
    policy = EpisodicPolicy("", embeddings)
    memory.policies = (policy,)
    memory.answer("what was it", ASKER, ("phone", "desktop"), 1)
    found.seconds, found.events = time.process_time() - began, len(longest.events)
    assert policy.meaning is not None
    found.lines = len(policy.meaning)
    kept = KeptEmbeddings(embeddings)
    for stream in every:
        memory = _memory(stream)
        for row, (use, meaning) in ROWS.items():
            memory.policies = (EpisodicPolicy(use, kept if meaning else None),)
            for question in stream.questions:
                answers = memory.answer(question.words, ASKER, ("phone", "desktop"), max(KS))
                ranks = [at for at, one in enumerate(answers, 1) if question.is_answered(one.text)]
                hit = {k: float(bool(ranks) and ranks[0] <= k) for k in KS}
                found.hits[row, question.sort].append((stream.template, hit))
    return found


def _memory(stream: Stream) -> EpisodicMemory:
    memory = EpisodicMemory()
    memory.take_store(MediaStore(stream.media))
    memory.restore(stream.events, 0)
    return memory


def questions_table(found: Measured) -> Table:
    """Recall by sort of question."""
    rows = []
    for (row, sort), hits in found.hits.items():
        shares = [_share([(template, hit[k]) for template, hit in hits]) for k in KS]
        rows.append((sort, row, str(len(hits)), *shares))
    sorts = [OWN, OTHER, VALUE]
    rows.sort(key=lambda row: sorts.index(row[0]))
    return Table(("asked in", "found by", "n", *(f"recall@{k}" for k in KS)), tuple(rows), labels=2)


def _share(hits: Sequence[tuple[str, float]]) -> str:
    names = [str(at) for at in range(len(hits))]
    groups = cluster(names, [{template} for template, _ in hits])
    return mean_interval(np.array([hit for _, hit in hits]), groups).text(0)


def examples_table(embeddings: Embeddings) -> Table:
    """Recall of the example of the same task."""
    suite = Duet("dev")
    tasks = [one.id for one in suite.tasks()]

    def instruction(task: str, instance: int) -> str:
        return suite.composed(task, instance).instruction

    examples = [Example(one, frozenset(), instruction(one, 1), True, (), "run", f"{one}#1.0") for one in tasks]
    asked = {"another instance": {one: instruction(one, 0) for one in tasks}, "other words": TASKS}
    kept = KeptEmbeddings(embeddings)

    class NoWords(ExampleIndex):
        """By meaning alone."""

        def _by_words(self, words: Sequence[str]) -> list[int]:
            return []

    indexes = {
        "full text": ExampleIndex(examples),
        "embeddings": NoWords(examples, kept),
        "full text and embeddings": ExampleIndex(examples, kept),
    }
    rows = []
    for sort, queries in asked.items():
        for name, index in indexes.items():
            hits: dict[int, list[float]] = {k: [] for k in KS}
            for task, query in queries.items():
                found = [one.why.split("; ")[-1].split("#")[0] for one in index.find(query, max(KS), (), 10**9)][::-1]
                rank = found.index(task) + 1 if task in found else 10**9
                for k in KS:
                    hits[k].append(float(rank <= k))
            shares = [_share(list(zip(queries, hits[k], strict=True))) for k in KS]
            rows.append((sort, name, str(len(queries)), *shares))
    return Table(("asked by", "found by", "n", *(f"recall@{k}" for k in KS)), tuple(rows), labels=2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python tests/perf/embeddings_recall.py", description=__doc__)
    parser.add_argument("folder", help="of a model of sentence-transformers")
    parser.add_argument("--instances", type=int, default=4)
    parser.add_argument("--out", type=Path, default=Path("build/embeddings-recall"), help="where the past is kept")
    options = parser.parse_args(arguments)
    embeddings = make_embeddings(f"sentence-transformers/{options.folder}")
    every = list(streams(options.instances, options.out))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    embeddings.warm_up()
    loaded = time.process_time() - began
    found = measure(every, embeddings)
    typer.echo(questions_table(found).text() + "\n")
    typer.echo(examples_table(embeddings).text() + "\n")
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    seconds = found.seconds * EVENTS / found.events
    typer.echo(f"seconds of a core: {loaded:.1f} to load the model, {seconds:.0f} for {EVENTS:,} events, once")
    typer.echo(f"({found.lines:,} distinct lines of {found.events:,} events in {found.seconds:.1f} s)")
    typer.echo(f"the process grew by {(after - before) / 1000:,.0f} MB: library, model and what was asked")
    return 0


if __name__ == "__main__":
    sys.exit(main())
