"""Findings by rule: from what judges read, from the instruction, and from the order of the demonstration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from omnipilot.bench.audit.reading import JudgeReading
from omnipilot.bench.audit.records import AuditFinding, Verb
from omnipilot.bench.audit.stage import AuditStage, PlayedDemonstration
from omnipilot.bench.audit.variants import is_told
from omnipilot.bench.audit.winners import Examiner
from omnipilot.bench.judges.matching import fold_text

ORDERED = re.compile(r"\bthen\b|\bafterwards\b|\bafter that\b|\bfirst\b.*\bsecond\b", re.IGNORECASE | re.DOTALL)
"""Words by which an instruction wants an order."""
WEAK = frozenset({"clipboard", "window", "draft", "screen", "clock", "existence", "file URL"})
"""What an agent can bring about by hand without doing what a task asks for."""


def findings_by_rule(
    stage: AuditStage, examiner: Examiner, readings: Mapping[str, JudgeReading]
) -> Iterator[AuditFinding]:
    """What follows from the readings of a task's judges."""

    def finding(kind: str, reason: str, verbs: tuple[Verb, ...] = ()) -> AuditFinding:
        return AuditFinding(kind, stage.task_id, stage.instance, "rule", reason, verbs)

    words = fold_text(stage.opening.instruction)
    if not any(one.unread for one in readings.values()):
        reason = _blind(examiner, readings)
        if reason:
            yield finding("blind", reason)
    for name, one in readings.items():
        if one.unread:
            continue
        if one.host:
            yield finding("host", f"{name!r} reads {', '.join(sorted(one.host))}, which no task can be about")
        if "existence" in one.sources and "content" not in one.sources and _is_all(one, {"existence"}):
            yield finding("host", f"{name!r} asks only whether a file exists, not what is in it")
        if "file URL" in one.sources and "file:" not in words:
            yield finding("host", f"{name!r} believes an address that begins with file:, which anybody can open")
        if _is_all(one, {"answers"}):
            told = sorted(text for text in one.texts if len(text) > 1 and is_told(text, words))
            if told:
                yield finding("answer", f"{name!r} wants the answer {told[0]!r}, which the instruction tells")


def order_findings(stage: AuditStage) -> Iterator[AuditFinding]:
    """Whether the demonstration, with two parts exchanged, is judged successful although the instruction wants an
    order, and the graph has no edge at all: of one with some it cannot be told which of them the words are about."""
    shown, graph = stage.demonstration, stage.task.graph
    if shown is None or not shown.solved or not stage.can_fork or not ORDERED.search(stage.opening.instruction):
        return
    if graph.edges:
        return
    blocks = _blocks(shown)
    for order in _orders(len(blocks)):
        verbs = tuple(verb for at in order for verb in blocks[at])
        if stage.solves(verbs):
            yield AuditFinding(
                "order",
                stage.task_id,
                stage.instance,
                "rule",
                "the instruction wants an order, and the demonstration is judged successful in another one",
                verbs,
            )
            return


def suspicions(readings: Mapping[str, JudgeReading]) -> list[str]:
    """Sub-goals that read only what an agent can bring about by hand; for worlds whose state cannot be compared."""
    return [
        f"{name!r} reads only {one.words()}"
        for name, one in readings.items()
        if not one.unread and one.sources and one.sources <= WEAK
    ]


def _blind(examiner: Examiner, readings: Mapping[str, JudgeReading]) -> str:
    """Why the judges cannot know whether the demonstration's effects are there; "" where they can."""
    changed = [word for effect in examiner.wanted for word in _fields(effect.place)]
    if not changed or any("content" in one.sources for one in readings.values()):
        return ""
    read = {name for one in readings.values() for name in one.names}
    if any(_named(word, read) for word in changed):
        return ""
    told = sorted({source for one in readings.values() for source in one.sources}) or ["nothing of the state"]
    return f"the demonstration changes {', '.join(sorted(set(changed)))}, and the judges read {', '.join(told)} alone"


def _fields(place: str) -> list[str]:
    return [part for part in re.split(r"[.\[\]]+", place) if part.isidentifier()]


def _named(word: str, read: set[str]) -> bool:
    return bool({word, word.removesuffix("s"), f"{word}s", word.removesuffix("es")} & read)


def _is_all(one: JudgeReading, sources: set[str]) -> bool:
    return one.sources == sources and not one.host


def _orders(count: int) -> Iterator[tuple[int, ...]]:
    """Other orders of so many parts: two neighbours exchanged, or the later ones first."""
    every = tuple(range(count))
    for at in range(count - 1):
        yield (*every[:at], at + 1, at, *every[at + 2 :])
    for at in range(1, count):
        yield (*every[at:], *every[:at])


def _blocks(shown: PlayedDemonstration) -> list[tuple[Verb, ...]]:
    """The demonstration, cut where sub-goals were reached."""
    blocks, start, before = [], 0, 0
    for at, count in enumerate(shown.reached):
        if count > before:
            blocks.append(shown.verbs[start : at + 1])
            start, before = at + 1, count
    if start < len(shown.verbs) and blocks:
        blocks[-1] = (*blocks[-1], *shown.verbs[start:])
    return blocks
