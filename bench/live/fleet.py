"""What a run's workers do now and wait for, how long is left and what it will cost: said once, shown by `omnipilot
status` and by the live page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from omnipilot.bench.live.ongoing import OngoingRun
from omnipilot.bench.run.executors.workers_file import FleetState, WorkerState


def fleet(run: OngoingRun, state: FleetState | None, going: bool, now: float) -> dict[str, Any]:
    """How a run stands, as plain JSON values.

    Args:
        state: what its workers say; None if they say nothing. going: whether somebody plays it.
        now: seconds since the epoch.

    Returns:
        The figures of `OngoingRun.figures`; `workers`, those that play first, each with what it is `doing`, its
        episode's `key`, `attempt`, `turn`, `steps`, `seconds` and `limits`, what it does in `words`, since how many
        seconds that is so (`since`), which `endpoint` it waits for, that in words (`waits`, "" for none), and for how
        many seconds it has been `quiet`, and on which other machine it is
        (`host`); and `endpoints`, each with its `base` URL, requests `in_flight` and
        `waiting`, how many may be in flight (`window`), and requests and tokens a minute (`rpm`, `tpm`).
        None for what cannot be said.
    """
    said = state if state is not None and going else FleetState(())
    figures = run.figures(going, now, sum(one.doing != "starts" for one in said.workers))
    return {
        **figures,
        "workers": list(_workers(run, said.workers, now)) if going else [],
        "endpoints": [asdict(one) for one in said.endpoints],
    }


def _workers(run: OngoingRun, states: tuple[WorkerState, ...], now: float) -> Iterator[dict[str, Any]]:
    """What each worker does: what the journal has of its episode, and what it says itself, maybe a second ago."""
    by_attempt = {(one.key, one.attempt): one for one in states}
    for attempt, doing in run.doing.items():
        state = by_attempt.get(attempt)
        told = {**run.worker(doing, now), "doing": "plays", "endpoint": "", "waits": "", "quiet": None, "host": ""}
        yield {**told, **(_said(state) if state else {})}
    for state in states:
        if (state.key, state.attempt) not in run.doing:
            yield {"key": state.key, "attempt": state.attempt, **_said(state)}


def _said(state: WorkerState) -> dict[str, Any]:
    wait = "to ask" if state.queued else "for an answer of"
    return {
        "doing": state.doing,
        "endpoint": state.endpoint,
        "waits": f"waits {wait} {state.endpoint}" if state.endpoint else "",
        "quiet": None if state.quiet < 0 else state.quiet,
        "host": state.host,
    }
