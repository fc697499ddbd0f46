"""What `omnipilot status` does: print how runs stand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from omnipilot.bench.live.status import run_status
from omnipilot.bench.run.progress import duration

LONGEST = 60
"""Characters of what a worker does."""


def status_command(folders: Sequence[Path], as_json: bool = False) -> None:
    """Print how each run stands, and all of several together.

    Raises:
        ConfigError: a directory holds no run. JournalError: it has no journal.
    """
    found = [run_status(folder) for folder in folders]
    if as_json:
        typer.echo("\n".join(json.dumps(one, ensure_ascii=False) for one in found))
        return
    for one in found:
        typer.echo("\n".join(status_lines(one)))
    if len(found) > 1:
        typer.echo(f"all {len(found)}: {_figures(_total(found))}")


def status_lines(told: Mapping[str, Any]) -> list[str]:
    """How a run stands, in lines: two for the run, and one for each worker and for each endpoint."""
    shard = f", shard {told['shard']}" if told["shard"] else ""
    head = f"{told['run']} ({told['name']}{shard}): {told['state']}"
    rows = [_worker(worker) for worker in told["workers"]]
    widths = [max((len(row[at]) for row in rows), default=0) for at in range(4)]
    aligned = ("  ".join(cell.ljust(width) for cell, width in zip(row, (*widths, 0), strict=True)) for row in rows)
    places = [_endpoint(endpoint) for endpoint in told["endpoints"]]
    return [head, f"  {_figures(told)}", *(f"  {line.rstrip()}" for line in (*aligned, *places))]


def _figures(told: Mapping[str, Any]) -> str:
    unjudged = f", {told['unjudged']} unjudged" if told.get("unjudged") else ""
    parts = [
        f"{told['done']} of {told['planned']} played, {told['left_episodes']} left",
        f"{told['solved']} solved, {told['failed']} failed, {told['void']} void{unjudged}",
    ]
    if told["seconds"]:
        parts.append(f"{duration(told['seconds'])} so far")
    if told["left"] is not None:
        parts.append(f"about {duration(told['left'])} to go")
    elif told["seconds"] and told["left_episodes"] and told.get("state") == "going":
        parts.append("how long is left is unknown until an episode ends")
    if told["paid"] or told["expected"]:
        all_of_it = (
            "" if told["expected"] is None or not told["left_episodes"] else f", about ${told['expected']:,.2f} in all"
        )
        parts.append(f"${told['paid']:,.2f} spent{all_of_it}")
    if told["unpriced"]:
        parts.append(f"the price of {told['unpriced']:,} calls is unknown and in no sum")
    return " · ".join(parts)


def _worker(told: Mapping[str, Any]) -> tuple[str, str, str, str, str]:
    if "turn" not in told:
        doing = {"starts": "starts", "waits": "waits for an episode"}.get(
            told["doing"], f"{told['doing']} {told['key']}"
        )
        return doing, "", "", _quiet(told), ""
    most = told["limits"].get("turns")
    turn = f"turn {told['turn']}{f' of {most}' if most else ''}"
    played = f"for {duration(told['seconds'])}" + (f" on {told['host']}" if told["host"] else "")
    return told["key"], turn, played, _quiet(told), told["waits"] or told["words"][:LONGEST]


def _endpoint(told: Mapping[str, Any]) -> str:
    most = f" of {told['window']}" if told["window"] is not None else ""
    parts = [f"{told['base']}: {told['in_flight']}{most} in flight, {told['waiting']} waiting"]
    parts += [
        f"{told[name]:,} {what} a minute" for name, what in (("rpm", "requests"), ("tpm", "tokens")) if told[name]
    ]
    return " · ".join(parts)


def _quiet(told: Mapping[str, Any]) -> str:
    return "" if told["quiet"] is None else f"quiet {duration(told['quiet'])}"


def _total(found: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The figures of several runs together: they go on side by side, so the time left is that of the slowest."""
    names = ("done", "planned", "left_episodes", "solved", "failed", "void", "paid", "unpriced")
    total: dict[str, Any] = {name: sum(one[name] for one in found) for name in names}
    known = [one["expected"] for one in found]
    total["expected"] = None if None in known else sum(known)
    left = [one["left"] for one in found if one["left_episodes"]]
    total["left"] = max(left) if left and None not in left else None
    return {**total, "seconds": None}
