"""What `omnipilot ground` does: evaluate a grounder on a pointing suite, next to baselines."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import typer

from omnipilot.agents import PartSpec
from omnipilot.agents.assembly import GROUNDERS
from omnipilot.agents.assembly.examine import part_mistakes
from omnipilot.agents.assembly.parts import part_table
from omnipilot.bench.journal.pointing_directory import ANSWERS
from omnipilot.bench.pointing.baselines import BASELINES
from omnipilot.bench.pointing.call_log import CALLS
from omnipilot.bench.pointing.evaluation import STYLES, Passed, Pointing, PointingAnswer, Style, Unasked, evaluate
from omnipilot.bench.pointing.run import DATA, check_folder, point_run
from omnipilot.bench.pointing.tables import abstention_table, cost_table, score_table, unasked_table
from omnipilot.bench.pointing.truth import PointingTruth
from omnipilot.bench.registry import POINTING, SUITES
from omnipilot.bench.report.family_evidence import OURS, prompt_words
from omnipilot.bench.report.method_notes import bound_notes
from omnipilot.bench.report.terminal_tables import plain_tables, render_tables
from omnipilot.bench.run.config import part_of, set_options, suite_of
from omnipilot.bench.run.mistakes import Mistakes
from omnipilot.bench.run.parts import name_of
from omnipilot.bench.run.progress import REDRAW, REPEAT
from omnipilot.bench.scoring.score import first_of
from omnipilot.bench.settings import NO_MESSAGES, RunSettings
from omnipilot.bench.tables import Table
from omnipilot.envs import ConfigError
from omnipilot.envs.installed_plugins import installed_plugins
from omnipilot.grounders import Grounder


@dataclass(frozen=True, slots=True)
class GroundOptions:
    """How a grounder is asked.

    Attributes:
        styles: of instructions, comma-separated. limit: most targets; None for all. concurrency: requests at a time.
        out: the folder of the answers; None to keep none. pictures: most misses that are drawn in it.
        dry: only say how many instructions would be asked; nothing is written, and no model is asked.
        messages: whether `out` keeps what models are sent and answer: "all", also where it is None, or "none".
    """

    styles: str = ",".join(STYLES)
    limit: int | None = None
    concurrency: int = 1
    out: Path | None = None
    pictures: int = 0
    dry: bool = False
    messages: str | None = None


def ground_command(
    suite: str | None,
    grounder: str,
    data: str | None = None,
    options: Sequence[str] = (),
    how: GroundOptions | None = None,
) -> None:
    """Ask, show progress, print the tables, write pictures of misses.

    Args:
        suite: None for the default one. data: where the suite's data is; None for where the suite says.
        options: of suite and grounder, each written PART.KEY=VALUE.
    """
    how = how or GroundOptions()
    limit, concurrency, out = how.limit, how.concurrency, how.out
    mistakes = Mistakes()
    with mistakes.noting():
        if limit is not None and limit < 1:
            raise ConfigError(f"--limit must be at least 1, not {limit}; leave it out for all targets")
    suite = suite or installed_plugins().default("pointing")
    if not suite:
        raise ConfigError("no pointing suite given; name one with --suite (`omnipilot list pointing` shows all)")
    settings = set_options(RunSettings(suite=suite, grounder=grounder, data=data, messages=how.messages), options)
    parts = {"suite": suite_of(settings), "grounder": part_of(settings, "grounder")}
    if suite in SUITES.names() and suite not in POINTING.names():
        raise ConfigError(
            f"{suite} is for agents: use omnipilot run --suite {suite}, or a suite of `omnipilot list pointing`"
        )
    chosen: tuple[Style, ...] = ()
    with mistakes.noting():
        chosen = _styles(how.styles)
    asked, pointer = parts["suite"], parts["grounder"]
    mistakes.add(*part_mistakes(POINTING, asked))
    mistakes.add(*part_mistakes(GROUNDERS, pointer))
    mistakes.refuse()
    screens: Pointing = POINTING.make(asked)
    loaded = Passed(screens)
    truth = PointingTruth(loaded.name)
    finder = GROUNDERS.make(pointer, truth)
    if how.dry:
        typer.echo(_dry(parts, _spec(parts, finder, loaded.version, chosen, limit), out))
        return
    given: list[PointingAnswer] = []
    unasked: list[Unasked] = []
    told = time.monotonic()

    def tell(answer: PointingAnswer) -> None:
        nonlocal told
        given.append(answer)
        drawn = sys.stderr.isatty()
        if time.monotonic() - told >= (REDRAW if drawn else REPEAT):
            told = time.monotonic()
            text = f"{len(given)} asked, {sum(a.hit for a in given)} hit"
            typer.echo(f"\r{text}" if drawn else text, err=True, nl=not drawn)

    if out is None:
        answers = []
        for answer in evaluate(loaded.shots(), finder, (), chosen, limit, concurrency, unasked.append, truth.ask):
            tell(answer)
            answers.append(answer)
    else:
        spec = _spec(parts, finder, loaded.version, chosen, limit)
        kept = settings.messages != NO_MESSAGES
        answers = point_run(
            out, spec, loaded.shots(), finder, limit, concurrency, chosen, tell, unasked.append, truth.ask, kept
        )
    if sys.stderr.isatty() and given:
        typer.echo("", err=True)
    if not answers and not unasked:
        raise ConfigError(
            f"{suite} has no target with an instruction of the styles {', '.join(chosen)}; "
            "choose other --styles, or give the folder of its data with --data DIR"
        )
    _tell_unasked(unasked)
    tables = _own(screens, answers, limit, chosen) or _ours(loaded, answers, limit, chosen, unasked)
    if unasked:
        tables = (*tables, unasked_table(unasked))
    if any(answer.reason for answer in answers):
        tables = (*tables, abstention_table(answers))
    gold = GROUNDERS.gold_names(parts["grounder"])
    notes = bound_notes([(name_of(parts["grounder"], "grounder"), [f"grounder {name}" for name in gold])])
    if words := prompt_words(PartSpec("none"), parts["grounder"]):
        better = "; it may do better in those that it was trained on" if words == OURS else ""
        notes.append(f"prompt: {words}{better}")
    tables = (replace(tables[0], notes=(*tables[0].notes, *notes)), *tables[1:])
    typer.echo(f"\n{render_tables(tables)}\n")
    if out is not None:
        (out / "table.txt").write_text(f"{plain_tables(tables)}\n", encoding="utf-8")
        typer.echo(f"answers: {out / ANSWERS}")
        if (out / CALLS).exists():
            typer.echo(f"model calls: omnipilot show {out}")
        if how.pictures:
            from omnipilot.bench.pointing.miss_pictures import draw_misses

            for path in draw_misses(loaded, answers, out / "misses", how.pictures):
                typer.echo(f"picture: {path}")


def _spec(
    parts: Mapping[str, PartSpec], finder: Grounder, version: str, styles: Sequence[Style], limit: int | None
) -> dict[str, Any]:
    """Everything that can change an answer, and where the data lies."""
    suite, grounder = parts["suite"], parts["grounder"]
    data = suite.options.get(DATA)
    return {
        "suite": {"name": suite.name, "version": version, **_identity(suite.options)},
        "grounder": part_table(grounder, GROUNDERS),
        "styles": list(styles),
        "limit": limit,
        **({"prompts": dict(told)} if (told := finder.identity()) else {}),
        **({DATA: data} if data else {}),
    }


def _dry(parts: Mapping[str, PartSpec], spec: Mapping[str, Any], out: Path | None) -> str:
    """What would be asked of whom, once it is known that it may be. No screen is made, for that may take long."""
    if out is not None:
        check_folder(out, spec)
    targets = "all targets" if spec["limit"] is None else f"at most {spec['limit']} targets"
    return (
        f"{targets} of suite {parts['suite'].name}, version {spec['suite']['version']}, "
        f"with {' and '.join(spec['styles'])} instructions, by grounder {parts['grounder'].name}"
        f"{'' if out is None else f', in {out}'}\nnothing was asked"
    )


def _own(
    screens: Pointing, answers: Sequence[PointingAnswer], limit: int | None, styles: Sequence[Style]
) -> Sequence[Table]:
    """The tables of a benchmark that has its own."""
    scored = screens.scored(answers, limit, styles)
    if scored is None:
        return ()
    from omnipilot.bench.scoring.score import scored_tables

    return (*scored_tables(scored), *([] if not answers else [cost_table(answers)]))


def _ours(
    loaded: Passed,
    answers: Sequence[PointingAnswer],
    limit: int | None,
    styles: Sequence[Style],
    unasked: Sequence[Unasked],
) -> Sequence[Table]:
    # What could not be asked is no question to a baseline either.
    done = {one.key for one in unasked}
    baselines = {name: list(evaluate(loaded.kept, make(), done, styles, limit)) for name, make in BASELINES.items()}
    return (score_table(answers, baselines),)


def _tell_unasked(unasked: Sequence[Unasked]) -> None:
    """Say on standard error which screens could not be shown."""
    if unasked:
        reasons = list(dict.fromkeys(one.reason for one in unasked))
        told = first_of(reasons, "\n  ")
        typer.echo(f"{len(unasked)} instructions could not be asked (void), for their screens:\n  {told}", err=True)


def _identity(options: Mapping[str, Any]) -> dict[str, Any]:
    """What of a suite's options changes answers: not where its data lies, for the version says which data it is."""
    return {key: value for key, value in options.items() if key != DATA}


def _styles(text: str) -> tuple[Style, ...]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names or any(name not in STYLES for name in names):
        raise ConfigError(f"--styles takes {' and '.join(STYLES)}, not {text!r}")
    return tuple(style for style in STYLES if style in names)
