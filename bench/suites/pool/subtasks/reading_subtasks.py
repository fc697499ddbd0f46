"""From screens to subtasks that yield a fact: prove what a screen tells, then try it on other content."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from omnipilot.bench.suites.pool.records import Reveal, SubtaskRecord
from omnipilot.bench.suites.pool.subtasks.analysis import (
    EXISTING,
    content,
    draft_of,
    item_type,
    sets_of_parameters,
    with_fixed_texts,
)
from omnipilot.bench.suites.pool.subtasks.candidates import SubtaskCandidate
from omnipilot.bench.suites.pool.subtasks.making import FACT, PathPlayer, app_of
from omnipilot.bench.suites.pool.subtasks.naming import is_said_by_item
from omnipilot.bench.suites.pool.subtasks.readings import (
    COMPUTED,
    Proof,
    bookkeeping_of,
    prove_readings,
    shorten_to,
    variants_of,
)
from omnipilot.bench.suites.pool.subtasks.replay import HOLE, is_command
from omnipilot.bench.suites.pool.subtasks.resource_types import ResourceTypes
from omnipilot.bench.suites.pool.subtasks.telling import PERSON
from omnipilot.bench.tasks.task import seed_of

ATTEMPTS = 3
"""Screens from which a reading is tried on other content before it is given up."""
VERBS: Mapping[str, tuple[str, str]] = {
    "screen": ("open", "read"),
    "sound": ("play", "listen for"),
    "speech": ("play", "listen for"),
    "motion": ("play", "watch for"),
}
DIMENSIONS = {
    "screen": "localisation",
    "sound": "cross-modal discrimination",
    "speech": "semantic understanding",
    "motion": "temporal reasoning",
}


@dataclass(frozen=True, slots=True)
class ProvedReading:
    """A reading that was proved where it was found.

    Attributes:
        reveal: as a pool records it. subtasks: what came of it. reason: why nothing did.
    """

    reveal: Reveal
    subtasks: tuple[SubtaskRecord, ...]
    reason: str = ""


def readings_of(
    candidate: SubtaskCandidate, types: ResourceTypes, seen: Counter[tuple[str, ...]], seed: int = 0
) -> Iterator[ProvedReading]:
    """The readings of one screen that are not known yet.

    Args:
        seen: how often something was proved on other screens of the app; what is proved is added.
    """
    draft = draft_of(candidate)
    player = PathPlayer(draft, types)
    holes = {hole: entry for hole in candidate.holes if (entry := player.entry(hole)) is not None}
    state = content(candidate.instance)
    for proof in prove_readings(candidate.path, candidate.bindings, holes, state, draft.env):
        command = candidate.path[-1].text if proof.computed else ""
        key = (candidate.app, proof.kind, proof.field, proof.channel, command)
        if seen[key] >= ATTEMPTS:
            continue
        path = shorten_to(proof, candidate.path, candidate.bindings, state, draft.env)
        reading = _tried(replace(candidate, path=path), proof, types, seed)
        seen[key] += ATTEMPTS if reading.subtasks else 1
        yield reading


def _tried(candidate: SubtaskCandidate, proof: Proof, types: ResourceTypes, seed: int) -> ProvedReading:
    state = content(candidate.instance)
    draft = with_fixed_texts(draft_of(candidate), candidate)
    if not types.fact(proof.kind, proof.field).words:
        kind = types.of_field(proof.kind, proof.field)
        reveal = Reveal(
            candidate.situation, f"{proof.kind}.{proof.field}", kind, proof.channel, proof.level, candidate.evidence
        )
        return ProvedReading(reveal, (), "cannot be told in words")
    ignored = bookkeeping_of(candidate.path, candidate.bindings, state)
    found: list[SubtaskRecord] = []
    reasons: list[str] = []
    variants = variants_of(proof, types)
    known: dict[str, str] | None = None
    for type, planted, variant in variants:
        channel = variant if proof.field == "sound" and planted else proof.channel
        subtask = replace(
            draft,
            effect=(),
            ignored=ignored,
            reveals=(f"{proof.kind}.{proof.field}",),
            source=f"{{{proof.hole}}}" if proof.hole else "",
            output_resources=(f"{type}/{EXISTING}" if type == PERSON else type,),
            channel=channel,
            level=proof.level,
            dimension=DIMENSIONS[channel],
            plants=planted,
            computed=proof.computed,
            constants={f"{proof.kind}.kind": variant} if proof.field == "fact" else {},
        )
        if known is None:
            known = _inputs(subtask, types, seed)
        subtask = replace(subtask, inputs=known, input_resources=tuple(dict.fromkeys(known.values())))
        subtask = replace(subtask, instruction_template=reading_instruction(subtask, proof, types, variant))
        subtask = replace(subtask, id=_name(subtask, proof))
        sets, reason = sets_of_parameters(subtask, types, seed)
        if sets is None:
            reasons.append(reason)
        else:
            found.append(replace(subtask, available_parameters=sets))
            turned = finding(found[-1], proof, types)
            sets = sets_of_parameters(turned, types, seed)[0] if turned is not None else None
            if turned is not None and sets is not None:
                found.append(replace(turned, available_parameters=sets))
    general = variants[0][0] if variants else types.of_field(proof.kind, proof.field)
    reveal = Reveal(
        candidate.situation,
        f"{proof.kind}.{proof.field}",
        general,
        proof.channel,
        proof.level,
        candidate.evidence,
    )
    return ProvedReading(reveal, tuple(found), "" if found else (reasons or ["cannot be told in words"])[0])


def _inputs(subtask: SubtaskRecord, types: ResourceTypes, seed: int) -> dict[str, str]:
    player = PathPlayer(replace(subtask, id="draft"), types)
    return {
        hole: f"{entry.type}/{EXISTING}"
        for hole in subtask.holes
        if (entry := player.entry(hole)) is not None and item_type(player, hole, entry, seed)
    }


def finding(reading: SubtaskRecord, proof: Proof, types: ResourceTypes) -> SubtaskRecord | None:
    """The reading turned round: to find the item that tells a fact, which another subtask may yield.

    None where the fact is not one to look for by.
    """
    entry = PathPlayer(reading, types).entry(proof.hole) if proof.hole else None
    words = types.fact(proof.kind, proof.field)
    whole = types.holds_a_text(proof.kind, proof.field)
    if entry is None or not entry.type or reading.channel != "screen" or reading.plants or HOLE.search(words.words):
        return None
    if reading.computed:
        return None
    if whole or words.find:
        clause = f"find the {entry.noun} {words.find or f'that says {{{FACT}}}'} and open it"
    elif words.words.startswith("the ") and proof.shown and not proof.shown.isdigit():
        name = words.words.removeprefix("the ")
        verb = "are" if re.search(r"[^s]s$", name) else "is"
        clause = f"find the {entry.noun} whose {name} {verb} {{{FACT}}} and open it"
    else:
        return None
    type = "text" if whole else words.type
    inputs = {} if words.find and not whole else {FACT: type}
    found = replace(
        reading,
        instruction_template=f"on the {reading.env}, in {reading.application}, {clause}",
        inputs=inputs,
        input_resources=tuple(inputs.values()),
        output_resources=(f"{entry.type}/{EXISTING}",),
        dimension="localisation",
    )
    return replace(found, id=_name(found, proof).replace("-read-", "-find-"))


def reading_instruction(subtask: SubtaskRecord, proof: Proof, types: ResourceTypes, variant: str = "") -> str:
    """The instruction of a reading: what to open or play, and what to look or listen for."""
    app = app_of(subtask)
    first, second = VERBS[subtask.channel]
    what = _fact_words(subtask, proof, types, variant)
    place = f"on the {subtask.env}, in {subtask.application}, "
    if is_command(subtask.path[-1]):
        line = subtask.path[-1].text
        things = [f"{{{hole}}}" for hole in dict.fromkeys(HOLE.findall(line))]
        words = f" with {' and '.join(things[:-1])}" if len(things) > 1 else ""
        return f'{place}run "{" ".join(HOLE.sub("", line).split())}"{words} on {things[-1]} and read {what}'
    if proof.hole:
        others = [
            f" in {{{hole}}}"
            for hole, spec in subtask.holes.items()
            if hole != proof.hole and spec.startswith("item ") and not is_said_by_item(subtask, hole, types)
        ]
        thing = f"the conversation with {{{proof.hole}}}" if app == "messages" else f"{{{proof.hole}}}"
        return f"{place}{first} {thing}{''.join(others)} and {second} {what}"
    steps = [part for part in subtask.path[-1].control.split("/")[1:] if not HOLE.search(part)]
    if subtask.channel == "screen":
        return f"{place}open {_last_words(steps)} and read {what}" if steps else f"{place}read {what}"
    return f"{place}{steps[-1] if steps else 'play'} the {steps[0] if steps else 'sound'} and {second} {what}"


def _fact_words(subtask: SubtaskRecord, proof: Proof, types: ResourceTypes, variant: str) -> str:
    if proof.field == "sound" and subtask.plants:
        return next(
            one.words for one in types.heard if (one.type, one.channel) == (subtask.plants, subtask.channel)
        ).partition(" (")[0]
    if subtask.plants == PERSON:
        return "who is named in it"
    if subtask.plants:
        return f"{types.words_for(subtask.plants)} in it"
    return types.fact(proof.kind, proof.field, COMPUTED if proof.computed else variant).words


def _last_words(steps: list[str]) -> str:
    return f'"{steps[-1].replace("-", " ").capitalize()}"'


def _name(subtask: SubtaskRecord, proof: Proof) -> str:
    line = subtask.path[-1].text if subtask.computed else ""
    words = ["d"] if subtask.env == "desktop" else []
    words += [app_of(subtask), "read", proof.kind, proof.field, line.partition(" ")[0]]
    words += [(subtask.plants or "").rpartition("/")[2]]
    words += [str(value) for value in subtask.constants.values()]
    holes, inputs = sorted(subtask.holes.items()), sorted(subtask.inputs)
    detail = repr(
        (subtask.reveals, inputs, subtask.plants, subtask.channel, holes, subtask.constants, *([line] if line else ()))
    )
    return "-".join(word for word in words if word) + f"-{seed_of(detail) % 16**4:04x}"
