"""`make bench`: the speeds that are promised, measured here and now, as ratios wherever a ratio is meant.

`make bench AREA=harness`, or AREA="sim marks", measures only what these modules (speed_harness.py, …) measure.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError

if TYPE_CHECKING:
    from speed_memory import SearchFigures


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure. `kept` is None where nothing is promised."""

    name: str
    value: str
    promise: str = ""
    kept: bool | None = None


def at_least(name: str, value: float, least: float, unit: str, note: str = "") -> Figure:
    """A figure that must not be smaller."""
    return Figure(name, f"{value:.3g} {unit}{note}", f"≥ {least:g} {unit}", value >= least)


def at_most(name: str, value: float, most: float, unit: str, note: str = "") -> Figure:
    """A figure that must not be larger."""
    return Figure(name, f"{value:.3g} {unit}{note}", f"≤ {most:g} {unit}", value <= most)


def start_up() -> Iterator[Figure]:
    """Median of seven starts of the command line, each a new process."""
    times = []
    for _ in range(7):
        began = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", "from omnipilot.bench.cli.app import main; main()", "--help"],
            check=True,
            capture_output=True,
            timeout=60,
        )
        times.append(time.perf_counter() - began)
    yield at_most("omnipilot --help", sorted(times)[3], 0.3, "s")


def graph() -> Iterator[Figure]:
    """The evaluator's own time a step."""
    from speed_graph import graph_step_seconds

    for nodes in (10, 100, 400):
        yield at_most(
            f"graph evaluator, {nodes} nodes, judges apart", 1e3 * graph_step_seconds(nodes), 0.1, "ms a step"
        )


def simulator() -> Iterator[Figure]:
    """Raw steps of the embedded world, of the processor's time and of the clock's; encoding apart."""
    from speed_sim import FILMED, SEEN, film_steps_a_second, steps_a_second, wav_seconds, work

    actions = work()
    for what, rate, least in (
        ("no capture", steps_a_second(actions, frozenset()), 3000),
        ("screenshot + elements + sound", steps_a_second(actions, SEEN), 300),
        ("the same + ten frames of video", steps_a_second(actions, FILMED), 40),
        ("the same while a film plays", film_steps_a_second(), 40),
    ):
        note = f"  ({rate.wall:.3g} by the clock)"
        yield at_least(f"embedded world, {what}", rate.cpu, least, "steps/s of CPU", note)
    yield Figure("encoding: WAV of 1 s", f"{1e3 * wav_seconds():.3g} ms")


def harness() -> Iterator[Figure]:
    """What a step costs beyond environments, models and media encoding; and what a second process brings."""
    from speed_harness import harness_overhead, kept_messages, two_jobs_speedup, verdict_seconds

    yield at_most("harness, beyond environments, models and media", 1e3 * harness_overhead(), 2, "ms a step")
    yield at_most("whether it was pointed right, 40 elements", 1e3 * verdict_seconds(), 0.5, "ms a place")
    kept = kept_messages()
    yield at_most("messages kept: 30 turns of 4 kB, 27 tools", kept["ms"], 3, "ms of CPU a turn")
    yield at_most("messages kept: on disk, captures apart", kept["bytes"] / 1e3, 8, "kB a turn")
    yield at_most("messages kept: the last ten turns against ten before", kept["growth"], 1.1, "times")
    yield at_least("two jobs against one, embedded world", two_jobs_speedup(), 1.8, "times")


def scale() -> Iterator[Figure]:
    """Many episodes at once against a model server that takes three seconds a call, and one more worker."""
    from speed_scale import DELAY, TURNS, further_worker, together

    for jobs in (32, 64):
        found = together(jobs)
        note = (
            f"  ({found.seconds:.3g} s with the start, {found.cpu:.3g} s of CPU; {found.load:.2g} processes wanted one "
            f"of {os.cpu_count()})"
        )
        name = f"{jobs} episodes at once, {TURNS} turns of {DELAY:g} s, against the ideal"
        yield at_least(name, found.ideal, 0.9, "times", note)
        yield at_most(f"{jobs} episodes at once: memory of all processes", found.shared / 1000, 2, "GB")
    one = further_worker()
    yield at_most("one more worker: until it is ready", one.seconds, 0.15, "s")
    yield at_most("one more worker: memory, shared pages divided", one.shared, 40, "MB")


def ray() -> Iterator[Figure]:
    """Workers of a Ray cluster on this machine beside our own; where `make ray` has been run."""
    from speed_ray import BUSY, BUSY_JOBS, DELAY, TURNS, WAITING, beside

    interpreter = os.environ.get("OMNIPILOT_RAY", "")
    if not interpreter:
        yield Figure("Ray beside our own workers", "not measured: run `make ray` first")
        return
    found = beside(interpreter)
    for what, ours, theirs in (
        (f"{BUSY} oracle episodes, {BUSY_JOBS} jobs", found.busy, found.busy_ray),
        (f"{WAITING} episodes of {TURNS} turns of {DELAY:g} s, {WAITING} jobs", found.waiting, found.waiting_ray),
    ):
        for name, one in (("our own workers", ours), ("Ray", theirs)):
            note = f"{one.apart:.2g} s before and after, {one.shared / 1000:.2g} GB"
            yield Figure(f"{what}: {name}", f"{one.seconds:.3g} s  ({note})")
        yield Figure(f"{what}: Ray against our own workers", f"{theirs.seconds / ours.seconds:.3g} times")


def pictures() -> Iterator[Figure]:
    """The encoder of pictures, and recorded runs with it, against Pillow's in the same process; and their store."""
    from speed_pictures import encodings, recorded_runs, stored

    ours, pillow = encodings()
    yield at_least(
        "PNG of 1280x800 against Pillow",
        pillow.seconds / ours.seconds,
        5,
        "times",
        f"  ({1e3 * ours.seconds:.2g} and {1e3 * pillow.seconds:.3g} ms of CPU, {ours.size / 1e3:.0f} and "
        f"{pillow.size / 1e3:.0f} kB)",
    )
    new, again = stored()
    note = f"  ({1e3 * again:.2g} and {1e3 * new:.2g} ms of CPU)"
    yield at_most("a screenshot that is stored already against a new one", again / new, 1, "times", note)
    run, slow = recorded_runs()
    yield at_least(
        f"{run.episodes} recorded episodes of duet against Pillow",
        slow.cpu / run.cpu,
        1.5,
        "times",
        f"  ({run.cpu:.3g} and {slow.cpu:.3g} s of CPU; {run.wall:.3g} and {slow.wall:.3g} by the clock)",
    )


def kept_media() -> Iterator[Figure]:
    """Episodes of duet by what is kept of their captures, against keeping all in the episode's own time."""
    from speed_media import AT_ONCE, play_by_media

    found = dict(play_by_media())
    before = found.pop(AT_ONCE)
    for keep, played in found.items():
        name = f"{played.episodes} oracle episodes of duet, --media {keep}, against all at once"
        note = (
            f"  ({played.cpu:.3g} and {before.cpu:.3g} s of CPU; {played.wall:.3g} and {before.wall:.3g} by the clock; "
            f"{played.size / 1e6:.0f} and {before.size / 1e6:.0f} MB)"
        )
        ratio = played.wall / before.wall
        yield at_most(name, ratio, 0.5, "times", note) if keep == "all" else Figure(name, f"{ratio:.3g} times{note}")
    rate = found["none"].a_minute
    yield at_least("the same with --media none, on two processors", rate, 1_000, "episodes a minute of CPU")


def web() -> Iterator[Figure]:
    """Real pages, against the package's own Gymnasium environment in the same run."""
    from speed_miniwob import compare

    figures = compare()
    yield at_least(
        "miniwob against its own environment",
        figures.ratio,
        2,
        "times",
        f"  ({figures.ours:.1f} and {figures.theirs:.1f} steps/s)",
    )


def grounders() -> Iterator[Figure]:
    """Reading answers of models, and what the client of model servers adds to their time."""
    import speed_grounders as speed

    parses, slowest, its = speed.parses_a_second()
    note = f"  (slowest: {slowest}, {its / 1e3:.3g})"
    yield at_least("answers of models read, every family", parses / 1e3, 10, "thousand/s", note)
    yield Figure("screenshot of full HD to the bytes that are sent", f"{1e3 * speed.preparing_seconds():.3g} ms")
    for picture in (speed.desktop(), speed.photograph()):
        calls = speed.client_overhead(picture)
        yield at_most(
            f"grounder vllm against a bare loop, 16 at once, {calls.kilobytes:.0f} kB each",
            calls.ratio,
            1.05,
            "times",
            f"  ({calls.ours:.1f} and {calls.bare:.1f} ms a call)",
        )


def planners() -> Iterator[Figure]:
    """What the planner `function-calling` adds to its model's time."""
    from speed_planners import turn_cost

    slow = turn_cost(0.05, 16)
    yield at_most(
        f"planner's turn against a bare loop, 16 at once, {slow.kilobytes:.0f} kB each",
        slow.ratio,
        1.1,
        "times",
        f"  ({slow.ours:.1f} and {slow.bare:.1f} ms a turn)",
    )
    instant = turn_cost(0.0, 1, turns=100)
    yield Figure(
        "planner's turn beyond an instant server, one at a time",
        f"{instant.ours - instant.bare:.3g} ms  ({instant.ours:.2f} and {instant.bare:.2f} ms a turn)",
    )


def served() -> Iterator[Figure]:
    """What questions about one screenshot share in the prefix cache of a real vLLM server."""
    from speed_vllm import QUESTIONS, prefix_cache

    shared = prefix_cache()
    note = f"  (first question {shared.first:.2g} s, the others {shared.later:.2g} s)"
    name = f"prefix cache, {QUESTIONS} questions about one screenshot"
    yield at_least(name, 100 * shared.rate, 80, "% of the tokens", note)


def marks() -> Iterator[Figure]:
    """Set-of-Marks on a screen of full HD."""
    from speed_marks import marks_seconds

    for what, seconds in marks_seconds().items():
        yield Figure(f"marks on 1920x1080: {what}", f"{1e3 * seconds:.3g} ms of CPU")


def detact() -> Iterator[Figure]:
    """DetACT: a screen of 1280 x 800, and icons against a pack of 1,600."""
    from speed_detact import REGIONS, TEMPLATES, detact_seconds, icons_seconds

    took = detact_seconds()
    modules = ", ".join(f"{name} {seconds:.2g}" for name, seconds in took.modules.items())
    yield at_most("DetACT on 1280x800: a new screen", took.new, 2.5, "s of CPU", f"  (by the clock: {modules} s)")
    yield at_most("DetACT on 1280x800: a known screen", took.known, 0.15, "s of CPU")
    yield at_most(f"{TEMPLATES:,} icon templates against {REGIONS} regions", icons_seconds(), 0.2, "s of CPU")


def metrics() -> Iterator[Figure]:
    """OmniBench's largest coherence of 24 subtasks, and OmniGUI's score of 100,000 steps."""
    from speed_metrics import coherence_seconds
    from speed_metrics_gui import gui_metrics

    found = coherence_seconds()
    yield at_most("coherence of 24 subtasks, median", 1e3 * found["median"], 10, "ms")
    yield at_most("coherence of 24 subtasks, adversarial", found["adversarial"], 0.5, "s")
    yield from gui_metrics()


def search_rows(
    name: str, found: SearchFigures, most: float | None, agreement: float | None = None
) -> Iterator[Figure]:
    """What a search costs over all events, with what it costs over some kinds and what an event costs to add."""
    note = (
        f"  (95 %: {found.every[1]:.3g}; two kinds: {found.some[0]:.3g}, 95 %: {found.some[1]:.3g}; "
        f"an event {found.add:.3g} µs; {found.resident:.0f} MB"
        + (f"; finds {100 * agreement:.0f} % of ours)" if agreement is not None else ")")
    )
    if most is None:
        yield Figure(name, f"{found.every[0]:.3g} ms of CPU{note}")
    else:
        yield at_most(name, found.every[0], most, "ms of CPU", note)


def memory() -> Iterator[Figure]:
    """The timeline at 10⁶ events beside a plain scan and a vector library, streams, and a step with `episodic`."""
    import speed_memory as speed
    from speed_harness import harness_overhead

    ours = speed.measure("timeline")
    note = f"  (one in a thousand takes over {1e3 * ours.worst_append:.3g})"
    yield at_most("timeline: append", 1e3 * ours.append, 0.5, "ms of CPU", note)
    yield at_most("timeline: recall from 10⁶ events", 1e3 * ours.recall, 100, "ms of CPU")
    for number, words, limit in ((10**4, "10⁴", None), (10**5, "10⁵", 10), (10**6, "10⁶", 100)):
        index = speed.search_figures("index", number)
        yield from search_rows(f"search in {words} events", index, limit)
        for engine in ("fts5", "fts5-rare"):
            other = speed.search_figures(engine, number)
            yield from search_rows(f"search in {words} events, {engine}", other, None, speed.agreement(index, other))
    yield at_most("timeline: resident with 10⁶ events", ours.resident, 300, "MB")
    for number, words, most in ((10**5, "10⁵", 10), (10**6, "10⁶", 100)):
        whole = speed.measure("memory", number)
        note = f"  ({whole.resident:.0f} MB)"
        yield at_most(f"episodic: recall from {words} events", 1e3 * whole.recall, most, "ms of CPU", note)
    for store, name, least in (("scan", "a scan of the texts in memory", 10.0), ("faiss", "faiss (exact, 64-d)", None)):
        try:
            rival = speed.measure(store)
        except ConfigError as error:
            yield Figure(f"timeline: recall against {name}", f"not measured: {error}")
            continue
        note = f"  ({1e3 * rival.recall:.3g} and {1e3 * ours.recall:.3g} ms; {rival.resident:.0f} MB)"
        name, ratio = f"timeline: recall against {name}", rival.recall / ours.recall
        yield Figure(name, f"{ratio:.3g} times{note}") if least is None else at_least(name, ratio, least, "times", note)
    stream = speed.stream_figures()
    note = f"  ({stream.keys} key frames, {stream.events} events, {stream.resident:.0f} MB)"
    yield at_least("video of 1280x800 at 30/s with sound", stream.speed, 3, "times real time on one core", note)
    plain, episodic = (harness_overhead(300, memory, time.process_time) for memory in ("window", "episodic"))
    note = f"  ({1e3 * episodic:.3g} and {1e3 * plain:.3g} ms)"
    yield at_most("harness with episodic beyond window, readers apart", 1e3 * (episodic - plain), 3, "ms of CPU", note)


def sweeps() -> Iterator[Figure]:
    """What a sweep costs a cell beyond its runs."""
    from speed_sweep import sweep_overhead

    found = sweep_overhead()
    note = f"  (and {1e3 * found.page:.3g} for its page)"
    yield at_most("sweep, a complete cell of 100 episodes", 1e3 * found.complete, 100, "ms of CPU", note)
    yield at_most("sweep, a cell that is run, beyond a bare run", 1e3 * found.begun, 20, "ms of CPU")


def reports() -> Iterator[Figure]:
    """A report of one very long episode and of very many, and the second start of a complete run."""
    import speed_reports as speed

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        speed.write_many_episodes(folder / "small", 3)
        few, many = (speed.long_report(folder / f"{turns}", turns) for turns in (500, 2000))
        note = f"  ({many.seconds:.3g} s; {few.seconds:.3g} s for 500)"
        ratio = many.seconds / few.seconds / 4
        yield at_most("report of 2,000 turns in one episode: a turn, against 500", ratio, 1.3, "times", note)
        grown = 1024 * (many.resident - few.resident) / 1500
        note = f"  ({many.resident:.0f} MB in all)"
        yield at_most("report of 2,000 turns in one episode: memory beyond 500", grown, 60, "kB a turn", note)
        found = speed.many_reports(folder / "many", 2000)
        note = f"  ({found.start.seconds:.3g} s, {found.start.resident:.0f} MB)"
        start = found.start.seconds / found.parsing
        yield at_most("2,000 episodes started again, against parsing their journal", start, 5, "times", note)
        note = f"  ({found.report.seconds:.3g} s, {found.report.resident:.0f} MB)"
        report = found.report.seconds / found.parsing
        yield at_most("2,000 episodes reported, against parsing their journal", report, 20, "times", note)


def devices() -> Iterator[Figure]:
    """Real devices: looks by modality, elements by program, steps, starts, six desktops, pages, phones."""
    from speed_devices import desktop, elements, inputs, looks, pages, phones, side_by_side, starts, steps_a_second
    from speed_remote import large_observation, observations, small_call_seconds

    with desktop("mousepad") as (_, env):
        for what, took in looks(env).items():
            name = f"desktop of 1280×800: one look, {what}"
            if what == "screenshot and PNG":
                yield at_most(name, 1e3 * took, 25, "ms")
            else:
                yield Figure(name, f"{1e3 * took:.3g} ms")
        yield Figure("desktop: a click, screenshot and elements", f"{steps_a_second(env):.3g} steps/s")
    for program, (took, number) in elements().items():
        yield Figure(f"desktop: elements of {program}", f"{1e3 * took:.3g} ms  ({number} elements)")
    up, ready, down = starts()
    yield Figure("desktop: start, until its first picture, end", f"{up:.2g} s, {ready:.2g} s, {down:.2g} s")
    one, six = side_by_side()
    yield Figure("desktops: looks at six in turns, against one", f"{six / one:.2f} times  ({one:.3g} looks/s at one)")
    try:
        ours, theirs = inputs()
        yield Figure(
            "desktop: a move through PyAutoGUI, against XTEST", f"{theirs / ours:.2f} times  ({1e3 * ours:.2g} ms)"
        )
    except ConfigError as error:
        yield Figure("desktop: a move through PyAutoGUI, against XTEST", f"not measured: {error}")
    rate, times = pages()
    of_looks = ", ".join(f"{name} {1e3 * took:.3g} ms" for name, took in times.items())
    yield Figure("web page: a click, screenshot and elements", f"{rate:.3g} steps/s  ({of_looks})")
    found = phones()
    for way, (picture, tree, rate) in found.items():
        note = f"  (screenshot {1e3 * picture:.3g} ms, elements {1e3 * tree:.3g} ms)"
        yield Figure(f"embedded phone {way}: an app opened, screenshot and elements", f"{rate:.3g} steps/s{note}")
    there, here = found["over adb"], found["in process"]
    yield Figure("embedded phone: a step over adb, against in process", f"{here[2] / there[2]:.3g} times")
    yield at_most("world over HTTP: a request and an answer of 1 KB", 1e3 * small_call_seconds(), 1, "ms")
    large = large_observation()
    yield Figure(f"world over HTTP: a new screenshot of {large.size / 1e6:.1f} MB", f"{1e3 * large.remote:.3g} ms")
    for name, beside in observations():
        value = f"{1e3 * beside.remote:.3g} ms  ({1e3 * beside.local:.3g} ms in process)"
        yield Figure(f"world over HTTP: a new {name} of 1280×800", value)


def sessions() -> Iterator[Figure]:
    """Forks, steps of single sessions, of a vector of 1,024 and of groups, and 10,000 live worlds with screenshots."""
    import speed_sessions as speed

    forked = speed.fork()
    yield at_most("a fork of a session", forked.microseconds, 50, "µs of CPU")
    yield at_most("a fork of a session: memory", forked.bytes / 1024, 4, "KB")
    for what, looks, worlds in (
        ("judged", speed.JUDGED, speed.VECTOR),
        ("with elements", speed.ELEMENTS, speed.VECTOR),
        # With 1,024, this row alone takes minutes of a processor.
        ("with pictures", speed.PICTURES, speed.VECTOR // 4),
    ):
        one, many = speed.singles(looks, worlds), speed.vector(looks, worlds)
        note = f"{one.each:.2g} MB a world, {one.solved} of {one.worlds} solved"
        yield Figure(f"worlds with caches of their own, {what}", f"{one.rate:.3g} steps/s of CPU  ({note})")
        note = f"  ({many.rate:.3g} steps/s of CPU, {many.solved} of {many.worlds} solved)"
        yield at_least(
            f"{worlds:,} worlds in two processes against that, {what}", many.rate / one.rate, 0.9, "times", note
        )
        memory = f"{worlds:,} worlds, {what}: memory of each against that"
        yield at_most(memory, many.each / one.each, 0.1, "times", f"  ({many.each:.2g} MB)")
    for what, looks, least in (
        ("judged", speed.JUDGED, 10_000),
        ("with elements", speed.ELEMENTS, None),
        ("with pictures", speed.PICTURES, None),
    ):
        alike = speed.groups(looks)
        name = f"40 groups of {speed.GROUP} that play alike, {what}"
        note = f"  ({alike.each:.2g} MB a world, {alike.solved} of {alike.worlds} solved)"
        if least is None:
            yield Figure(name, f"{alike.rate:.3g} steps/s of CPU{note}")
        else:
            yield at_least(name, alike.rate, least, "steps/s of CPU", note)
    ten = speed.live()
    note = f"  ({ten.rate:.3g} steps/s of CPU, elements and pictures of both devices, {speed.TURNS} act each)"
    yield at_most("10,000 live worlds with their screenshots: memory", ten.resident / 1024, 2, "GB", note)


def composing() -> Iterator[Figure]:
    """Task graphs of a whole pool, over all cells of OmniBench's five complexities."""
    from speed_compose import GRAPHS, composing_seconds, subtask_pools

    for kind, subtasks in subtask_pools().items():
        made = composing_seconds(subtasks)
        note = f"  ({made.alike} graphs alike; about a fifth more while other work runs)"
        yield at_most(f"{GRAPHS:,} task graphs of {len(subtasks)} {kind} subtasks", made.seconds, 10, "s of CPU", note)
        yield at_least(f"cells with graphs of {kind} subtasks", made.cells, 67, "cells of 67")
        yield Figure(f"the most used of the {kind} subtasks", f"{made.most_used:.2g} times the mean")


def nearest() -> Iterator[Figure]:
    """The nearest of OmniACT's training split, by each ranking."""
    from speed_examples import EXAMPLES, RandomVectors, nearest_seconds

    for way, embeddings in (("letters", None), ("meaning", RandomVectors())):
        took = nearest_seconds(way, embeddings)
        what = "meaning, its model apart" if embeddings else way
        note = f"  (95th percentile {1e3 * took.slow:.2g} ms; the index is made in {took.made:.2g} s)"
        yield at_most(f"5 nearest of {EXAMPLES:,} examples by {what}", 1e3 * took.typical, 5, "ms of CPU", note)


AREAS: dict[str, Callable[[], Iterator[Figure]]] = {
    "start": start_up,
    "graph": graph,
    "sim": simulator,
    "harness": harness,
    "scale": scale,
    "ray": ray,
    "pictures": pictures,
    "media": kept_media,
    "miniwob": web,
    "grounders": grounders,
    "planners": planners,
    "vllm": served,
    "marks": marks,
    "detact": detact,
    "metrics": metrics,
    "memory": memory,
    "sweep": sweeps,
    "reports": reports,
    "sessions": sessions,
    "devices": devices,
    "compose": composing,
    "examples": nearest,
}
"""What is measured, by the module that measures it: `sim` is what speed_sim.py measures. `start` is measured here."""


def choose_areas(names: Sequence[str]) -> list[str]:
    """The areas of these names, each once, in the order in which they are measured; all where none is named.

    Raises:
        ConfigError: there is no area of a name; the message lists the areas.
    """
    unknown = [name for name in names if name not in AREAS]
    if unknown:
        raise ConfigError(f"there is no area {unknown[0]!r} to measure; the areas are {', '.join(AREAS)}")
    return [name for name in AREAS if name in names or not names]


def main(names: Sequence[str]) -> None:
    """Print the table of these areas, or of all; exit with 1 where a promise was not kept, with 2 at a wrong name."""
    try:
        chosen = choose_areas(names)
    except ConfigError as error:
        typer.echo(str(error), err=True)
        sys.exit(2)
    figures: list[Figure] = []
    for name in chosen:
        part = AREAS[name]
        typer.echo(f"measuring: {(part.__doc__ or '').splitlines()[0]}", err=True)
        try:
            for figure in part():
                # Some areas take minutes; what was measured is seen although one breaks off.
                typer.echo(f"  {figure.name}: {figure.value}", err=True)
                figures.append(figure)
        except ConfigError as error:
            figures.append(Figure(name, f"not measured: {error}"))
    marks = {True: "kept", False: "NOT KEPT", None: ""}
    rows = tuple((f.name, f.value, f.promise, marks[f.kept]) for f in figures)
    typer.echo(Table(("what", "measured", "promised", ""), rows, labels=4).text())
    if any(figure.kept is False for figure in figures):
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
