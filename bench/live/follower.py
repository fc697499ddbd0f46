"""The page of one run, made from its journal while that grows: only what is new is read."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from omnipilot.bench.journal.attributions import read_causes
from omnipilot.bench.journal.calls import CallReader
from omnipilot.bench.journal.control import BUDGET, ControlFile, RunCommand
from omnipilot.bench.journal.events import (
    EpisodeEnded,
    EpisodeStarted,
    Event,
    Interrupted,
    JournalError,
    PersonActed,
    Repaired,
    RunStarted,
    UnknownEvent,
    Unreadable,
    event_from_json,
)
from omnipilot.bench.journal.journal import FILE, MEDIA
from omnipilot.bench.journal.lock import is_locked
from omnipilot.bench.journal.run import Run
from omnipilot.bench.live.fleet import fleet
from omnipilot.bench.live.ongoing import OngoingRun
from omnipilot.bench.live.tail import JournalTail
from omnipilot.bench.report.main_table import main_table
from omnipilot.bench.report.page import cause_words, served_index, write_episode
from omnipilot.bench.report.page_about import about_run, tell_apart
from omnipilot.bench.report.page_data import EpisodeAttempt, Gatherer, summary
from omnipilot.bench.report.page_media import Looker
from omnipilot.bench.report.run_sentences import run_sentences
from omnipilot.bench.run.executors.workers_file import read_fleet
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import OmnipilotError
from omnipilot.envs.schema import parse_json
from omnipilot.memory import MediaStore

SCRIPTS = "report"
"""The address of an episode's scripts, as seen from its run's page."""
SHOWN = 50
"""Void episodes, and acts of persons, that are listed."""
_SCRIPT = re.compile(r"([0-9]{1,9})(-[a-z]+)?\.js")
_SENSELESS = (KeyError, TypeError, ValueError, AttributeError, OverflowError)


@dataclass(slots=True)
class _Listed:
    """An episode in the list of the page.

    Attributes:
        file: the number of its scripts, new each time that it changed. changed: the version of the page since when.
        begin, end: where its ended attempt lies in the journal, in bytes; both 0 while it is played.
    """

    attempt: int
    file: int
    changed: int
    entry: dict[str, Any]
    begin: int = 0
    end: int = 0


class RunFollower:
    """Follows a run; may be asked by several threads.

    Args:
        run: its directory. scratch: an empty folder for the scripts of episodes that were opened.
    """

    def __init__(self, run: Path, scratch: Path) -> None:
        self.run = run
        self._scratch = scratch
        self._lock = threading.Lock()
        self._tail = JournalTail(run)
        self._version = 0
        self._files = 0
        self._forget()

    def _forget(self) -> None:
        self._begun = self._tail.begun
        self._ongoing = OngoingRun()
        self._gatherer = Gatherer()
        self._looker = Looker(self.run / MEDIA)
        self._calls = CallReader(MediaStore(self.run / MEDIA))
        self._causes: Mapping[str, Any] = {}
        with suppress(OmnipilotError, OSError, *_SENSELESS):
            self._causes = read_causes(self.run)
        self._whole: list[Event] = []
        self._listed: dict[str, _Listed] = {}
        self._keys: dict[int, str] = {}
        self._ended: dict[str, _Listed] = {}
        self._starts: dict[tuple[str, int], int] = {}
        self._number = 0
        self._changed: set[tuple[str, int]] = set()
        self._summed = self._version
        self._watched = False
        self._control = ControlFile(self.run)
        self._asked: list[RunCommand] = []

    def index(self) -> dict[str, Any]:
        """What the page shows now, with its `version`, and `live`: what goes on."""
        with self._lock:
            self._read()
            episodes = sorted((one.entry for one in self._listed.values()), key=self._place)
            return {**self._sum_up(episodes), "version": self._version, "live": self._live()}

    def changes(self, since: int) -> dict[str, Any]:
        """What changed after a version of the page: `episodes`, and `whole` (tables and facts; None if they stayed)."""
        with self._lock:
            self._read()
            changed = [one.entry for one in self._listed.values() if one.changed > since]
            whole = self._sum_up([]) if self._summed > since else None
            if whole is not None:
                del whole["episodes"], whole["folder"]
            return {"version": self._version, "episodes": changed, "whole": whole, "live": self._live()}

    def script(self, name: str) -> bytes | None:
        """One of an episode's scripts, such as "12-messages.js"; None if there is none."""
        named = _SCRIPT.fullmatch(name)
        if named is None:
            return None
        number, path = named[1], self._scratch / name
        with self._lock:
            # A number that is older than the list asks for the same episode as it is now.
            listed = self._listed.get(self._keys.get(int(number), ""))
            if listed is not None and not (self._scratch / f"{number}.js").exists():
                attempt = self._attempt(listed)
                if attempt is not None:
                    write_episode(self._scratch, int(number), attempt, self._looker, self._calls, self._causes)
            # Before it makes way for that of the episode as it goes on.
            return path.read_bytes() if path.is_file() else None

    def _attempt(self, listed: _Listed) -> EpisodeAttempt | None:
        key = listed.entry["key"]
        if not listed.end:
            return self._gatherer.going(key, listed.attempt)
        gatherer = Gatherer()
        for line in self._tail.between(listed.begin, listed.end):
            event = _event(0, line)
            ended = gatherer.take(event) if event is not None else None
            if ended is not None and (ended.started.key, ended.started.attempt) == (key, listed.attempt):
                return ended
        return None

    def _place(self, entry: Mapping[str, Any]) -> tuple[int, str, int, int]:
        order = self._ongoing.fold.order
        return order.get(entry["task"], len(order)), entry["task"], entry["instance"], entry["trial"]

    def _read(self) -> None:
        """Take in what was written since the last time."""
        version, number = self._version + 1, self._number
        try:
            for begin, line in self._tail.new():
                if self._tail.begun != self._begun:
                    self._forget()
                self._number += 1
                event = _event(self._number, line)
                if event is not None:
                    try:
                        self._take(begin, event, version)
                    except _SENSELESS as error:
                        self._whole.append(Unreadable(self._number, f"its values make no sense ({error})", event.event))
        except OSError as error:
            raise JournalError(f"{self.run / FILE} cannot be read: {error.strerror or error}") from None
        going = is_locked(self.run)
        if self._ongoing.doing and not going:
            # Whoever played them is gone.
            self._changed |= self._ongoing.doing.keys()
            self._ongoing.doing.clear()
        self._list_open(version, going)
        answered = {act.command for act in self._ongoing.fold.acts}
        self._asked = [one for one in (*self._asked, *self._control.new()) if one.id not in answered]
        if self._number != number or self._changed:
            self._version = version
        self._changed.clear()
        self._watched = True

    def _take(self, begin: int, event: Event, version: int) -> None:
        if isinstance(event, RunStarted):
            self._changed |= self._ongoing.doing.keys()
        self._ongoing.take(self._number, event, self._watched)
        if isinstance(event, RunStarted | Interrupted | Repaired | Unreadable | PersonActed):
            self._whole.append(event)
            self._summed = version
        which = getattr(event, "key", ""), getattr(event, "attempt", 0)
        if isinstance(event, EpisodeStarted):
            self._starts[which] = begin
        ended = self._gatherer.take(event)
        if isinstance(event, EpisodeEnded):
            self._summed = version
            self._changed.discard(which)
            if ended is not None:
                self._list(ended, version, self._starts.pop(which, begin), self._tail.at)
        elif which in self._starts:
            self._changed.add(which)

    def _list(self, attempt: EpisodeAttempt, version: int, begin: int = 0, end: int = 0, mark: str = "") -> None:
        key = attempt.started.key
        before = self._listed.get(key)
        try:
            cause = "" if attempt.solved else cause_words(self._causes, key)[0]
            self._files += 1
            entry = summary(attempt, 0, self._files, cause)
        except _SENSELESS as error:
            self._whole.append(Unreadable(0, f"the values of {key} make no sense ({type(error).__name__}: {error})"))
            return
        if before is not None:
            for path in (self._scratch / f"{before.file}.js", *self._scratch.glob(f"{before.file}-*.js")):
                path.unlink(missing_ok=True)
        entry["mark"] = mark or entry["mark"]
        self._keys[self._files] = key
        self._listed[key] = _Listed(attempt.started.attempt, self._files, version, entry, begin, end)
        if end:
            self._ended[key] = self._listed[key]

    def _list_open(self, version: int, going: bool) -> None:
        """List episodes that have no end yet, and those whose attempt was cut off."""
        for key, number in list(self._changed):
            attempt = self._gatherer.going(key, number)
            listed = self._listed.get(key)
            played = going and (key, number) in self._ongoing.doing
            if not played and key in self._ended:
                # The last one that came to an end counts, as in the report.
                self._listed[key] = replace(self._ended[key], changed=version)
            elif attempt is not None and (played or listed is None or not listed.end):
                self._list(attempt, version, mark="going" if played else "")

    def _sum_up(self, episodes: list[dict[str, Any]]) -> dict[str, Any]:
        about = about_run(self.run, self._whole, self.run)
        about["media"] = f"{MEDIA}/"
        tell_apart([about])
        try:
            run = self._loaded()
        except (OmnipilotError, *_SENSELESS):
            return served_index(about, episodes, SCRIPTS)
        # The note on what is left is for runs that do not go on.
        shown = replace(run, planned=len(run.episodes)) if is_locked(self.run) else run
        tables = [main_table([shown])] if run.episodes else []
        return served_index(about, episodes, SCRIPTS, tables, run_sentences([run]))

    def _loaded(self) -> Run:
        found, start = self._ongoing.fold.survey(), self._ongoing.fold.last_start
        if start is None:
            raise JournalError("nothing was started")
        spec = RunSpec.from_json(start.spec)
        made = found.made_with
        return Run(self.run.name, spec, found.episodes, found.planned, 0, (), made, self.run, found.acts)

    def _live(self) -> dict[str, Any]:
        """What goes on, as plain JSON values."""
        now, fold = time.time(), self._ongoing.fold
        voids = [one for one in fold.episodes.values() if one.void and one.key not in fold.requeued]
        return {
            "begun": self._begun,
            **fleet(self._ongoing, read_fleet(self.run), is_locked(self.run), now),
            "voids": [{"key": one.key, "why": one.detail[:300]} for one in voids[:SHOWN]],
            "acts": [_act_words(act) for act in fold.acts[-SHOWN:]][::-1],
            "asked": [{"action": one.action, "key": one.key} for one in self._asked],
        }


def _event(number: int, line: bytes) -> Event | None:
    try:
        data = parse_json(line)
        if not isinstance(data, dict):
            raise JournalError("expected a JSON object")
        return event_from_json(data)
    except UnknownEvent:
        return None
    except (ValueError, JournalError) as error:
        return Unreadable(number, str(error))


def _act_words(act: PersonActed) -> dict[str, Any]:
    """An act of a person for the page; `words` end "Ada …"."""
    limit = f"the limit on {act.limit} of {'the run' if act.limit == BUDGET else act.key}"
    change = f" to {act.after:g}" if act.after is not None else ""
    if act.refused:
        asked = {
            "pause": "pause the run",
            "resume": "let the run go on",
            "cancel": f"cancel {act.key}",
            "requeue": f"play {act.key} again",
            "raise": f"raise {limit}{change}",
        }.get(act.action, act.action)
        return {"wall": act.wall, "who": act.who, "words": f"asked to {asked}, in vain: {act.refused}", "refused": True}
    change = f" from {act.before:g}{change}" if act.before is not None else change
    did = {
        "pause": "paused the run",
        "resume": "let the run go on",
        "cancel": f"cancelled {act.key}",
        "requeue": f"has {act.key} played again",
        "raise": f"raised {limit}{change}",
    }.get(act.action, act.action)
    return {"wall": act.wall, "who": act.who, "words": did, "refused": False}
