"""An episode as a strip of pictures: what was seen at some of its steps, where was pointed, and what was done."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.bench.journal.attempts import RecordedAttempt, RecordedTurn, attempt_events
from omnipilot.bench.journal.events import StepTaken
from omnipilot.bench.journal.journal import MEDIA
from omnipilot.bench.journal.kept_media import not_kept_note
from omnipilot.bench.report.action_words import action, ending
from omnipilot.bench.report.figure_kinds.chosen_episodes import episodes_of_task
from omnipilot.bench.report.figure_kinds.kind import FigureRequest, RunFigure, figure_kind
from omnipilot.bench.report.figures.records import Block, FigureSpec, PictureStrip, StripFrame
from omnipilot.envs import ConfigError
from omnipilot.envs.types import read_file
from omnipilot.memory.store.index import Kind, media_path

MOST = 8
"""Steps that are shown where none are chosen."""
HEAD = "row run episode step turn env x y proposed result message reached screenshot shown".split()


@dataclass(frozen=True, slots=True)
class _Look:
    """A step with what was seen when it was decided."""

    number: int
    turn: int
    step: StepTaken
    seen: Mapping[str, Any]

    @property
    def at(self) -> tuple[float, float] | None:
        """Where it pointed, as shares of the screen's sides."""
        place = (self.step.executed or {}).get("at")
        if isinstance(place, Mapping) and {"x", "y"} <= set(place):
            return float(place["x"]), float(place["y"])
        return None

    @property
    def reached(self) -> list[str]:
        """The sub-goals that it reached."""
        return [str(one["node"]) for one in self.step.changes if one.get("completed")]


@figure_kind("task", "instance", "trial", "steps")
def strip(request: FigureRequest) -> RunFigure:
    """An episode as a strip of screens: where was pointed, what was done, and which sub-goals that reached.

    Without --steps, it shows eight: the first and the last, those that reached a sub-goal or failed, and between these
    such as lie far apart.

    Raises:
        ConfigError: as `episodes_of_task`; a step that is not there, or an episode without one.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    blocks: list[Block] = []
    chosen = episodes_of_task(request)
    for source, episodes in chosen:
        episode = episodes[0]
        attempt = RecordedAttempt.of_events(attempt_events(source.folder, episode.key, episode.attempt))
        looks = list(_looks(attempt.turns))
        if not looks:
            raise ConfigError(f"{episode.key} of {source.folder} has no step to show; name another --task")
        if absent := [number for number in request.steps if not 1 <= number <= len(looks)]:
            raise ConfigError(f"{episode.key} has {len(looks)} steps, and no step {absent[0]}; choose from these")
        shown = [looks[number - 1] for number in request.steps] or _usual(looks)
        for look in looks:
            x, y = look.at or ("", "")
            told = (source.label, source.folder.name, episode.key, look.number, look.turn, look.step.env, x, y)
            done = (action(look.step.proposed), look.step.result, look.step.message, "+".join(look.reached))
            writer.writerow((*told, *done, look.seen.get("screenshot", ""), int(look in shown)))
        frames = [_frame(look, source.folder / MEDIA) for look in shown]
        end = ending(episode.reason, episode.status, episode.success)
        words = f"{end}: {episode.completed} of {episode.total} sub-goals, {len(looks)} steps"
        about = f"{episode.instruction}\n{words}"
        title = f"{source.label}: {episode.key}" if len(chosen) > 1 else episode.key
        blocks.append(PictureStrip(title, frames, about))
    caption: tuple[str, ...] = (
        "Each picture is what was seen before the step below it; a ring marks where was pointed",
    )
    caption += tuple(note for source, _ in chosen if (note := not_kept_note(source.folder)))
    return RunFigure(FigureSpec(tuple((block,) for block in blocks)), out.getvalue().rstrip("\n"), caption)


def _looks(turns: Sequence[RecordedTurn]) -> list[_Look]:
    found: list[_Look] = []
    last = ""
    for number, turn in enumerate(turns, 1):
        for step in turn.steps:
            # What is done on no device, such as waiting, is shown on the one before.
            there = turn.taken.observations
            last = step.env or (last if last in there else next(iter(there), ""))
            seen = step.look or there.get(last) or {}
            found.append(_Look(len(found) + 1, number, step, seen))
    return found


def _usual(looks: Sequence[_Look]) -> list[_Look]:
    """At most so many: what matters first, then what is farthest from those that are shown."""
    told = [0, len(looks) - 1]
    told += [at for at, look in enumerate(looks) if look.reached]
    told += [at for at, look in enumerate(looks) if look.step.result not in ("done", "control")]
    chosen = list(dict.fromkeys(told))[:MOST]
    while len(chosen) < min(MOST, len(looks)):
        rest = [at for at in range(len(looks)) if at not in chosen]
        chosen.append(max(rest, key=lambda at: min(abs(at - other) for other in chosen)))
    return [looks[at] for at in sorted(chosen)]


def _frame(look: _Look, media: Path) -> StripFrame:
    width, high = look.seen.get("size") or (16, 9)
    picture = _picture(media, str(look.seen.get("screenshot") or ""))
    words = action(look.step.proposed) or "nothing"
    words += "".join(f" ✓ {name}" for name in look.reached)
    failed = look.step.result not in ("done", "control")
    fault = f"{look.step.result}: {look.step.message}".rstrip(": ") if failed else ""
    head = f"{look.number}" + (f" · {look.step.env}" if look.step.env else "")
    return StripFrame(picture, (int(width), int(high)), head, words, look.at, fault)


def _picture(media: Path, digest: str) -> bytes | None:
    """A screenshot from a run's store; None if it was not kept."""
    kinds: tuple[Kind, ...] = ("image", "jpeg")
    for kind in kinds if digest else ():
        try:
            return read_file(media / media_path(digest, kind))
        except FileNotFoundError:
            continue
    return None
