"""The stages `tell` and `check` over a pool: graphs become tasks in words, and the words are read back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any, Literal, TypeAlias, TypeVar

from omnipilot.bench import StageModel
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import KEPT, GraphRecord, TaskRecord
from omnipilot.bench.suites.pool.sampling import draw_sample
from omnipilot.bench.suites.pool.suite import compose_graph
from omnipilot.bench.suites.pool.tell.clauses import TaskClause, clauses_of
from omnipilot.bench.suites.pool.tell.condensing import high_text
from omnipilot.bench.suites.pool.tell.intents import (
    ASKED,
    TaskIntent,
    errands_of,
    frames,
    intent_of,
    may_be_errands,
    parts_of,
)
from omnipilot.bench.suites.pool.tell.model_wordings import ModelWriter
from omnipilot.bench.suites.pool.tell.readers import InstructionReader, RuleReader
from omnipilot.bench.suites.pool.tell.topology import Pairs, edges_of, other_orders
from omnipilot.bench.suites.pool.tell.validator import Validation, validate
from omnipilot.bench.suites.pool.tell.wordings import plain_wording
from omnipilot.bench.suites.pool.templates import templates_of
from omnipilot.bench.synthesis.template import Template
from omnipilot.bench.tasks.task import seed_of
from omnipilot.envs import ConfigError
from omnipilot.memory import MalformedReply

TRIES = 3
"""How often a model may write an instruction anew."""
_BATCH = 200
_CHUNK = 20
A = TypeVar("A")
B = TypeVar("B")
ClauseMaker: TypeAlias = Callable[[GraphRecord, int], tuple[tuple[TaskClause, ...], Pairs]]
"""Makes the clauses and edges of an instance of a graph; raises `NoContent`."""


class NoContent(ConfigError):
    """A graph whose content cannot be made in this world."""


@dataclass(frozen=True, slots=True)
class TellOptions:
    """How tasks are told.

    Attributes:
        wording: what the instruction is: "low" says every step, "high" what is to be achieved.
        intents: whether intents are looked for. orders: how many wordings in other orders, where a graph has them.
        seed: of sentences and orders. instance: of the content.
        check: whether the reader by rules reads what rules wrote at once, while the content is there.
        sample: how many of the graphs are told, drawn at random by the seed; 0 for all.
    """

    wording: Literal["low", "high"] = "low"
    intents: bool = True
    orders: int = 3
    seed: int = 0
    instance: int = 0
    check: bool = False
    sample: int = 0


@dataclass
class TellReport:
    """What became of the graphs.

    Attributes:
        graphs: how many there were. told: how many became tasks, now and before. new: now.
        refused: why others did not, with their number. frames: intents, by frame; "" for none.
        low_words, high_words: words of all tasks together.
    """

    graphs: int = 0
    told: int = 0
    new: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    frames: Counter[str] = field(default_factory=Counter)
    low_words: int = 0
    high_words: int = 0


@dataclass
class CheckReport:
    """What the reader made of the tasks.

    Attributes:
        tasks: how many there are. kept: whose graph was read back. same_edges: whose edges were, too.
        rewritten: how many were written anew at least once. refused: why others were dropped, with their number.
    """

    tasks: int = 0
    kept: int = 0
    same_edges: int = 0
    rewritten: int = 0
    refused: Counter[str] = field(default_factory=Counter)


def graph_clauses(pool: PoolFolder) -> ClauseMaker:
    """What makes the clauses and edges of an instance of a graph of this pool.

    Raises:
        ConfigError: the pool has no subtasks. The function raises it where a graph's content cannot be made.
    """
    templates = templates_of(pool)
    effects = {subtask.id: subtask.effect for subtask in pool.subtasks.read()}
    return lambda graph, instance: _clauses(graph, templates, effects, instance)


def tell_pool(pool: PoolFolder, options: TellOptions, writer: ModelWriter | None = None, jobs: int = 1) -> TellReport:
    """Put graphs that are no tasks yet into words, and append the tasks to the pool.

    An agent that plays a graph which was not told gets the words that composing makes: a clause for each subtask.

    Args:
        writer: a model that writes the instructions; where None, they are made by rule.
        jobs: processes side by side.

    Raises:
        ConfigError: the pool has no graphs or subtasks, or the model's budget is spent (what was told is kept).
        ModelUnavailable: the model does not answer.
    """
    graphs, clauses_for = pool.graphs.require(), graph_clauses(pool)
    before = pool.tasks.read()
    report = TellReport(len(graphs), len(before))
    for task in before:
        _count(report, task)
    known = {task.graph for task in before}
    new = [graph for graph in draw_sample(graphs, options.sample, options.seed) if graph.id not in known]
    batch: list[TaskRecord] = []
    here, there = partial(_word, clauses_for, options), partial(_word_in_worker, str(pool.root), options)
    try:
        for graph, words in zip(new, _map(here, there, jobs, new), strict=True):
            if isinstance(words, str):
                report.refused[f"no content: {words}"] += 1
                continue
            try:
                task = _tell(graph, words, options, writer, report.frames)
            except MalformedReply as error:
                report.refused[f"the writer: {error}"] += 1
                if writer is not None:
                    writer.model.provenance()  # Calls that came to nothing are of no line.
                continue
            report.told += 1
            report.new += 1
            _count(report, task)
            if writer is not None:
                pool.tasks.append([task], stage="tell", seed=options.seed, **writer.model.provenance())
                continue
            batch.append(task)
            if len(batch) == _BATCH:
                pool.tasks.append(batch, stage="tell", seed=options.seed, by="rule")
                batch.clear()
    finally:
        pool.tasks.append(batch, stage="tell", seed=options.seed, by="rule")
    return report


def check_pool(
    pool: PoolFolder,
    reader: InstructionReader,
    model: StageModel | None = None,
    writer: ModelWriter | None = None,
    seed: int = 0,
    tries: int = TRIES,
    jobs: int = 1,
) -> CheckReport:
    """Have every task read that was not read yet, and write what was found into the pool.

    Wordings in other orders that the reader by rules does not understand are left out of the tasks.

    Args:
        model: what the reader asks, for the record; None if it reads by rules.
        writer: writes an instruction of a model anew, told what was wrong; where None, it is dropped at once.
        seed: of the order in which the reader is given subtasks.
        tries: how often it is written anew. jobs: processes side by side, for the reader by rules.

    Raises:
        ConfigError: the pool has no tasks, a task is of no graph, or a model's budget is spent (what was checked is
            kept).
        ModelUnavailable: a model does not answer.
    """
    tasks, clauses_for = pool.tasks.require(), graph_clauses(pool)
    graphs = {graph.id: graph for graph in pool.graphs.require()}
    if strangers := [task for task in tasks if task.graph not in graphs]:
        raise ConfigError(
            f"task {strangers[0].id} is of graph {strangers[0].graph}, which is not in {pool.graphs.path}"
        )
    due = [(at, task) for at, task in enumerate(tasks) if not task.checked]
    here = partial(_check, clauses_for, reader, writer, seed, tries)
    there = partial(_check_in_worker, str(pool.root), seed)
    by_rule = isinstance(reader, RuleReader)
    pairs = [(graphs[task.graph], task) for _, task in due]
    changes: dict[int, tuple[TaskRecord, Mapping[str, Any]]] = {}
    try:
        for number, ((at, _), task) in enumerate(
            zip(due, _map(here, there, jobs if by_rule else 1, pairs), strict=True), 1
        ):
            tasks[at] = task
            changes[at] = task, model.provenance() if model else {"by": "rule"}
            if number % (10 * _BATCH) == 0:
                pool.tasks.revise(changes, stage="check", seed=seed)
                changes.clear()
    finally:
        pool.tasks.revise(changes, stage="check", seed=seed)
    report = CheckReport(len(tasks))
    for task in tasks:
        kept = task.is_kept
        report.kept += kept
        report.same_edges += kept and task.same_edges
        report.rewritten += task.tries > 0
        if not kept:
            report.refused[_kind_of(task.checked)] += 1
    return report


def told_tasks(pool: PoolFolder, seed: int = 0) -> Iterator[tuple[Sequence[TaskClause], Pairs]]:
    """Clauses and edges of a pool's graphs in an order drawn by the seed, for measuring a reader; graphs whose content
    cannot be made are left out. A graph that was not played when it was composed is not played now, either."""
    templates = templates_of(pool)
    effects = {subtask.id: subtask.effect for subtask in pool.subtasks.read()}
    graphs = pool.graphs.require()
    for graph in Random(seed_of("told", seed)).sample(graphs, len(graphs)):
        try:
            yield _clauses(graph, templates, effects, 0, played=graph.draw is not None)
        except NoContent:
            continue


def _clauses(
    graph: GraphRecord,
    templates: Mapping[str, Template],
    effects: Mapping[str, tuple[str, ...]],
    instance: int,
    *,
    played: bool = True,
) -> tuple[tuple[TaskClause, ...], Pairs]:
    try:
        return clauses_of(compose_graph(graph, templates, instance, played=played), effects), edges_of(graph)
    except (ConfigError, AssertionError, ValueError) as error:
        # Templates refuse what they are given in their own ways, such as a name that is nobody's.
        raise NoContent(str(error) or type(error).__name__) from error


def _map(here: Callable[[A], B], there: Callable[[A], B], jobs: int, items: Sequence[A]) -> Iterator[B]:
    """What a function makes of each item, in order: `here` in this process, `there` in workers."""
    if jobs <= 1:
        yield from map(here, items)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as workers:
        yield from workers.map(there, items, chunksize=_CHUNK)


@dataclass(frozen=True, slots=True)
class _Words:
    """A graph in words, before it has an intent."""

    clauses: tuple[TaskClause, ...]
    edges: Pairs
    low: str
    high: str
    others: tuple[str, ...]
    reading: Validation | None = None


def _word(clauses_for: ClauseMaker, options: TellOptions, graph: GraphRecord) -> _Words | str:
    """A graph in words; why not, where its content cannot be made."""
    try:
        clauses, edges = clauses_for(graph, options.instance)
    except NoContent as error:
        return str(error)
    reading_order, reader = tuple(range(len(clauses))), RuleReader()
    orders = other_orders(len(clauses), edges, reading_order, options.orders, seed_of(options.seed, graph.id))
    low = plain_wording(clauses, reading_order).text(clauses)
    high = high_text(clauses, edges, reader)
    others = tuple(
        high_text(clauses, edges, reader, order)
        if options.wording == "high"
        else plain_wording(clauses, order).text(clauses)
        for order in orders
    )
    if not options.check:
        return _Words(clauses, edges, low, high, others)
    instruction = low if options.wording == "low" else high
    reading = validate(instruction, clauses, edges, reader, seed_of(options.seed, graph.id, 0))
    return _Words(clauses, edges, low, high, _orders_read(others, clauses, edges), reading)


def _orders_read(texts: Sequence[str], clauses: Sequence[TaskClause], edges: Pairs) -> tuple[str, ...]:
    """Those wordings from which the reader by rules gets the graph back."""
    reader = RuleReader()
    return tuple(text for text in texts if validate(text, clauses, edges, reader).accepted)


@cache
def _maker_of_worker(root: str) -> ClauseMaker:
    return graph_clauses(PoolFolder(Path(root)))


def _word_in_worker(root: str, options: TellOptions, graph: GraphRecord) -> _Words | str:
    return _word(_maker_of_worker(root), options, graph)


def _check_in_worker(root: str, seed: int, pair: tuple[GraphRecord, TaskRecord]) -> TaskRecord:
    return _check(_maker_of_worker(root), RuleReader(), None, seed, 0, pair)


def _tell(
    graph: GraphRecord, words: _Words, options: TellOptions, writer: ModelWriter | None, used: Mapping[str, int]
) -> TaskRecord:
    clauses, edges = words.clauses, words.edges
    seed = seed_of(options.seed, graph.id)
    intent = _intent(graph, clauses, edges, seed, used) if options.intents else None
    instruction, reading = words.low if options.wording == "low" else words.high, words.reading
    if writer is not None:
        instruction, reading = writer.write(clauses, intent.sentence if intent else "", options.wording == "low"), None
    return TaskRecord(
        graph.id,
        graph.id,
        instruction,
        intent.sentence if intent else "",
        words.low,
        words.high,
        words.others,
        options.instance,
        frame=intent.frame if intent else "",
        made_by=f"model {writer.model.name}" if writer else "rule",
        wording=options.wording,
        checked="" if reading is None else reading.describe() or KEPT,
        same_edges=reading is not None and reading.same_edges,
    )


def _intent(
    graph: GraphRecord, clauses: Sequence[TaskClause], edges: Pairs, seed: int, used: Mapping[str, int]
) -> TaskIntent | None:
    if graph.intent and graph.intent not in {frame.name for frame in frames()}:
        return TaskIntent(ASKED, graph.intent)
    named = {frame: count for frame, count in used.items() if frame}
    found = intent_of(parts_of(clauses), edges, seed, named)
    if found is None and may_be_errands(named):
        return errands_of(seed)
    return found


def _check(
    clauses_for: ClauseMaker,
    reader: InstructionReader,
    writer: ModelWriter | None,
    seed: int,
    tries: int,
    pair: tuple[GraphRecord, TaskRecord],
) -> TaskRecord:
    graph, task = pair
    try:
        clauses, edges = clauses_for(graph, task.instance)
    except NoContent as error:
        return replace(task, checked=f"no content: {error}")
    instruction, wrong, same_edges = task.instruction, "", False
    by_model = writer is not None and task.made_by != "rule"
    used = 0
    for attempt in range(tries + 1 if by_model else 1):
        if attempt and writer is not None:
            used = attempt
            try:
                instruction = writer.write(clauses, task.intent, task.wording == "low", instruction, wrong)
            except MalformedReply as error:
                wrong = f"unreadable: {error}"
                continue
        try:
            found = validate(instruction, clauses, edges, reader, seed_of(seed, task.id, attempt))
        except MalformedReply as error:
            wrong = f"not read: {error}"
            continue
        wrong = found.describe()
        same_edges = found.same_edges
        if not wrong:
            break
    orders = _orders_read(task.orders, clauses, edges)
    return replace(
        task, instruction=instruction, orders=orders, checked=wrong or KEPT, same_edges=same_edges, tries=used
    )


def _count(report: TellReport, task: TaskRecord) -> None:
    report.frames[task.frame] += 1
    report.low_words += len(task.low.split())
    report.high_words += len(task.high.split())


def _kind_of(wrong: str) -> str:
    """What was wrong, without the numbers of subtasks."""
    return ", ".join(part.partition(":")[0] for part in wrong.split("; "))
