"""The events of an attempt on one time axis, for the report page, as plain JSON values.

What was captured, decided and done comes from turns and steps, so that every run has a timeline. What a memory read out
of it (texts, sounds, speech, motion, anchors, checks, …) comes from what it remembered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from omnipilot.bench.report.action_words import action
from omnipilot.bench.report.timeline.screen_map import Json, screen_map
from omnipilot.envs import AskUser
from omnipilot.memory import MOTION, TEXTS, TRANSCRIPT

if TYPE_CHECKING:
    from omnipilot.bench.journal.events import PastTurn, Remembered, StepTaken, TurnTaken
    from omnipilot.bench.report.page_data import EpisodeAttempt, Look

RECORDED = frozenset({"screen", "audio", "video", "thought", "note", "action", "outcome"})
"""Kinds that turns and steps hold already: a memory's own are not shown a second time."""
_READ = {TRANSCRIPT: "transcript", TEXTS: "text", MOTION: "motion"}
"""Kinds of what readers told, by their source."""


def timeline(attempt: EpisodeAttempt, look: Look) -> Json:
    """Everything on the time axis of an attempt.

    Returns:
        `events` by start, each with `kind`, `env`, `start`, `end` (seconds on the world's clock), `turn` (negative
        before the episode) and, unless empty, `text`, `step`, `media` ({kind, digest, start, end}), `wave` of a sound
        (see `peaks`), `frames` of a film ([time, digest], where the picture changes), `size` of a screen, `modality`,
        `app`, `page`, `place` ([left, top, right, bottom], shares) and `detail`. `start`, `end`: of all. `map`: see
        `screen_map`; None if no screen said which one it is.
    """
    gathered = _Events(look)
    for _, past in sorted(attempt.past.items()):
        gathered.past(past)
    steps: dict[int, list[StepTaken]] = {}
    for step in attempt.steps:
        steps.setdefault(step.turn, []).append(step)
    for _, turn in sorted(attempt.turns.items()):
        gathered.turn(turn, steps.get(turn.turn, ()))
    if attempt.ended is not None:
        gathered.looks(max(attempt.turns, default=0), attempt.ended.observations)
    for kept in attempt.remembered:
        gathered.remembered(kept)
    events = sorted(gathered.events, key=lambda event: event["start"])
    return {
        "events": events,
        "start": min((event["start"] for event in events), default=0.0),
        "end": max((event["end"] for event in events), default=0.0),
        "map": screen_map(events),
    }


class _Events:
    """Gathers events; what is the same as before on a screen is not told again."""

    def __init__(self, look: Look) -> None:
        self.events: list[Json] = []
        self._look = look
        self._screens: dict[str, str] = {}
        self._places: dict[str, Mapping[str, Any]] = {}
        self._told: set[tuple[str, str, int, str]] = set()
        self._reached: set[str] = set()

    def past(self, past: PastTurn) -> None:
        """A turn that was played before the episode."""
        self.looks(past.turn, past.observations)
        for one in past.actions:
            words = action(one.get("action"))
            self._add("action", one.get("env", ""), past.start, past.turn, words, end=past.end)

    def turn(self, turn: TurnTaken, steps: Sequence[StepTaken]) -> None:
        """A turn and its steps."""
        self.looks(turn.turn, turn.observations)
        time = max((seen["time"] for seen in turn.observations.values()), default=steps[0].start if steps else 0.0)
        if turn.thought:
            self._add("thought", "", time, turn.turn, turn.thought)
        for note in turn.notes:
            self._add("note", "", time, turn.turn, note)
        for told in turn.told:
            self._tell(_READ.get(told["source"], "told"), told["env"], time, turn.turn, told["text"], told["source"])
        for one in turn.gated:
            self._gate(one, time, turn.turn)
        for step in steps:
            self._step(step)

    def looks(self, turn: int, observations: Mapping[str, Any]) -> None:
        """What was seen and heard."""
        for env, seen in observations.items():
            self._seen(env, turn, self._look(seen))

    def remembered(self, kept: Remembered) -> None:
        """What a memory made of a turn."""
        for event in kept.events:
            kind, env, text = str(event.get("kind", "")), event.get("env", ""), event.get("text", "")
            if kind in RECORDED or (kind == "context" and env in self._places):
                continue
            if kind in ("told", *_READ.values()):
                if (kind, env, event["turn"], text) in self._told:
                    continue
                self._told.add((kind, env, event["turn"], text))
            more = {name: event[name] for name in ("modality", "app", "page", "place", "detail") if event.get(name)}
            if media := event.get("media"):
                more["media"] = dict(zip(("digest", "kind", "start", "end"), media, strict=False))
            more["step"] = event.get("detail", {}).get("step")
            self._add(kind, env, event["start"], event["turn"], text, end=event["end"], **more)

    def _seen(self, env: str, turn: int, seen: Json) -> None:
        time = seen["time"]
        if (digest := seen.get("screenshot")) and digest != self._screens.get(env):
            self._screens[env] = digest
            media = {"kind": "image", "digest": digest, "start": time, "end": time}
            self._add("screen", env, time, turn, media=media, size=seen["size"])
        if (audio := seen.get("audio")) and audio["end"] > audio["start"] and audio["wave"] != "":
            self._clip("audio", env, turn, audio, wave=audio["wave"])
        if video := seen.get("video"):
            frames = [
                frame
                for number, frame in enumerate(video["frames"])
                if not number or frame[1] != video["frames"][number - 1][1]
            ]
            if len(frames) > 1:
                self._clip("video", env, turn, video, frames=frames)
        where = seen.get("context")
        if where and where != self._places.get(env):
            self._places[env] = where
            app, title, url = (str(where.get(name) or "") for name in ("app", "title", "url"))
            words = " · ".join(dict.fromkeys(filter(None, (app, title, url))))
            self._add("context", env, time, turn, words, app=app, page=title or url, modality="context")

    def _clip(self, kind: str, env: str, turn: int, clip: Json, **more: Any) -> None:
        media = {"kind": kind, **{name: clip[name] for name in ("digest", "start", "end")}}
        self._add(kind, env, clip["start"], turn, end=clip["end"], media=media, modality=kind, **more)

    def _step(self, step: StepTaken) -> None:
        if step.look:
            self._seen(step.env or next(iter(self._screens), ""), step.turn, self._look(step.look))
        words = action(step.executed or step.proposed)
        if words:
            detail = {"result": step.result} | ({"message": step.message} if step.message else {})
            self._add("action", step.env, step.start, step.turn, words, end=step.end, step=step.step, detail=detail)
        if step.result not in ("done", "control", "forced", "skipped"):
            text = f"{step.result}: {step.message}".removesuffix(": ")
            self._add("outcome", step.env, step.end, step.turn, text, step=step.step)
        elif (step.executed or {}).get("kind") == AskUser.kind:
            self._add("outcome", step.env, step.end, step.turn, f"the user: {step.message}", step=step.step)
        for change in step.changes:
            name = change["node"]
            if change["completed"]:
                self._reached.add(name)
            elif name in self._reached:
                self._reached.remove(name)
            else:
                continue
            text = f"{name} {'reached' if change['completed'] else 'holds no more'}"
            text += f": {change['reason']}" if change["reason"] else ""
            self._add("goal", "", step.end, step.turn, text, step=step.step)

    def _tell(self, kind: str, env: str, time: float, turn: int, text: str, source: str) -> None:
        self._told.add((kind, env, turn, text))
        self._add(kind, env, time, turn, text, detail={"source": source})

    def _gate(self, one: Mapping[str, Any], time: float, turn: int) -> None:
        said = "sent" if one.get("sent") else "withheld"
        text = f"{one.get('modality', '')} {said}" + (f": {one['why']}" if one.get("why") else "")
        detail = {name: one[name] for name in ("sent", "found", "levels") if one.get(name) not in (None, [], {})}
        start = one.get("start", time)
        end = one.get("end", start)
        self._add("gate", one.get("env", ""), start, turn, text, end, modality=one.get("modality"), detail=detail)

    def _add(
        self, kind: str, env: str, start: float, turn: int, text: str = "", end: float | None = None, **more: Any
    ) -> None:
        event = {"kind": kind, "env": env, "start": start, "end": start if end is None else end, "turn": turn}
        event |= {"text": text} if text else {}
        self.events.append(event | {name: value for name, value in more.items() if value not in (None, "", {})})
