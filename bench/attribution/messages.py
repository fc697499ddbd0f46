"""What was lost between the agents of a team: values that were needed and seen, and not in what the main agent said.

The measure after CRAB's analysis of its multi-agent systems (C.2), counted from a run's journal, by string and by the
normal form of a code, time, price and so on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from omnipilot.bench.attribution.search import ORACLE
from omnipilot.bench.journal.attempts import RecordedAttempt, RecordedTurn, attempt_events
from omnipilot.bench.journal.attributions import Attribution, Cause, NeededValue
from omnipilot.bench.journal.journal import MEDIA
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.recorder import elements_from_text
from omnipilot.bench.journal.results import Episode
from omnipilot.bench.tables import Table
from omnipilot.memory import MediaStore
from omnipilot.memory.episodic.anchors import entities_in
from omnipilot.memory.store import MediaError

BY_FUNCTION, BY_ENVIRONMENT = "by-function", "by-environment"
TEAMS = (BY_FUNCTION, BY_ENVIRONMENT)
"""Systems in which a main agent tells others what to do."""
TYPED = ("type", "answer")
"""Kinds of actions with a text that somebody has to know."""
Texts = Callable[[Mapping[str, Any]], str]
"""The text on a recorded observation."""


def values_between_agents(
    folder: Path, system: str, attribution: Attribution, episode: Episode
) -> tuple[NeededValue, ...]:
    """The values that an episode's moves needed and its main agent saw.

    Needed are those that the episode's own moves typed or answered, and those that a demonstration typed or answered
    where an experiment found that one still solves the task.

    Args:
        folder: the run's directory. system: of its agent.

    Returns:
        Empty for an agent that is no team.
    """
    if system not in TEAMS:
        return ()
    record = RecordedAttempt.of_events(attempt_events(folder, episode.key, episode.attempt))
    shown = [one for one in attribution.findings if one.name == ORACLE and one.repairs]
    demonstrated: list[tuple[str, str]] = []
    if shown:
        fork = Path(min(shown, key=lambda one: one.turn).run)
        solved = next(one for one in load_run(fork).episodes if one.success)
        played = RecordedAttempt.of_events(attempt_events(fork, solved.key, solved.attempt))
        demonstrated = list(_typed(turn for turn in played.turns if not turn.taken.replayed))
    return count_values(record, system, texts_of(folder), demonstrated)


def count_values(
    record: RecordedAttempt, system: str, texts: Texts, demonstrated: Sequence[tuple[str, str]] = ()
) -> tuple[NeededValue, ...]:
    """The values needed in an attempt, as far as its main agent saw them or was told them by the instruction.

    A value that an agent of a device reads on its own screen need not be told to it, and is left out.

    Args:
        system: one of `TEAMS`. texts: reads a recorded observation.
        demonstrated: (environment, text) of moves that solve the task; "" for an answer.
    """
    own = list(_typed(iter(record.turns)))
    reached = {(env, _key(value)) for env, text in own for value in _values(text)}
    needed = {(env, _key(value)): value for env, text in (*own, *demonstrated) for value in _values(text)}
    seen_by_turn = [_seen(turn, texts) for turn in record.turns]
    found = []
    for (env, key), value in needed.items():
        if system == BY_ENVIRONMENT and env and any(holds(seen.get(env, ""), value) for seen in seen_by_turn):
            continue
        seen = 1 if holds(record.started.instruction, value) else _first(seen_by_turn, value)
        if seen is None:
            continue
        said = _first([{"": turn.taken.thought} for turn in record.turns], value)
        found.append(NeededValue(value, env, seen, said, (env, key) in reached))
    return tuple(found)


def holds(text: str, value: str) -> bool:
    """Whether a text has a value in it: as whole words, or written otherwise, as 14:30 for 2:30 pm."""
    words = " ".join(value.split())
    if re.search(rf"(?<!\w){re.escape(words)}(?!\w)", " ".join(text.split()), re.IGNORECASE):
        return True
    keys = {one.key for one in entities_in(value)}
    return bool(keys) and not keys.isdisjoint(one.key for one in entities_in(text))


def texts_of(folder: Path) -> Texts:
    """Reads the elements of the observations of a run; what is missing in its store has no text."""
    store = MediaStore(folder / MEDIA)

    @lru_cache(maxsize=500)
    def read(digest: str) -> str:
        try:
            items = elements_from_text(store.get_json(digest)).items
        except (MediaError, ValueError, KeyError, TypeError):
            return ""
        return "\n".join(text for one in items for text in (one.name, one.value) if text)

    def text(observation: Mapping[str, Any]) -> str:
        elements = observation.get("elements")
        return read(elements["digest"]) if elements else ""

    return text


def losses_table(found: Sequence[Attribution], episodes: Sequence[Episode]) -> Table:
    """For each failure of a team: its needed values, which of them were lost, invalid actions, and a false claim.

    Args:
        found: at least one.
    """
    played = {one.key: one for one in episodes}
    rows = []
    for one in found:
        lost = [value for value in one.values if value.lost]
        rows.append(
            (
                one.key,
                str(len(one.values)),
                str(sum(value.said is not None for value in one.values)),
                str(len(lost)),
                str(played[one.key].invalid) if one.key in played else "—",
                "yes" if one.cause is not Cause.ENVIRONMENT and _claims(played.get(one.key)) else "",
                "; ".join(f"{value.value} (turn {value.seen})" for value in lost),
            )
        )
    whole = [value for one in found for value in one.values]
    notes = (
        f"lost between agents: {sum(one.lost for one in whole)} of {len(whole)} values that a move needed and the main "
        "agent had seen were in none of its messages and in no move; in brackets: the turn in which it saw one first",
    )
    head = ("episode", "needed and seen", "said", "lost", "invalid actions", "false completion", "what was lost")
    return Table(head, tuple(rows), notes, words=("false completion", "what was lost"))


def _claims(episode: Episode | None) -> bool:
    return episode is not None and episode.status == "success" and not episode.success


def _typed(turns: Iterator[RecordedTurn]) -> Iterator[tuple[str, str]]:
    """Environment and text of what was typed or answered."""
    for turn in turns:
        for step in turn.steps:
            done = step.executed or {}
            text = str(done.get("text") or "")
            if done.get("kind") in TYPED and text.strip():
                yield ("" if done["kind"] == "answer" else step.env), text


def _values(text: str) -> list[str]:
    """The codes, times, names of files and so on in a text; the whole text where it has none."""
    return [one.value for one in entities_in(text)] or [text.strip()]


def _key(value: str) -> str:
    return next((one.key for one in entities_in(value)), " ".join(value.casefold().split()))


def _seen(turn: RecordedTurn, texts: Texts) -> dict[str, str]:
    """The text that the main agent had in a turn, by environment; "" has what belongs to none."""
    found: dict[str, list[str]] = {"": []}
    for env, observation in turn.taken.observations.items():
        found.setdefault(env, []).append(texts(observation))
    for one in (*turn.taken.told, *turn.taken.recalled):
        found.setdefault(str(one.get("env") or ""), []).append(str(one.get("text") or ""))
    return {env: "\n".join(parts) for env, parts in found.items()}


def _first(texts: Sequence[Mapping[str, str]], value: str) -> int | None:
    """The first turn, from 1, in which a text holds the value."""
    return next((n for n, by in enumerate(texts, 1) if any(holds(text, value) for text in by.values())), None)
