"""What doors that speak in words say: how a task opens, what a screen holds, what came of a verb."""

from __future__ import annotations

import json

from omnipilot.bench.session import Acted, Opening
from omnipilot.envs import Absent, Observation
from omnipilot.envs.schema import element_to_json
from omnipilot.memory import drop_plain_origin


def introduce_task(opening: Opening) -> str:
    """The instruction, and what each device can do."""
    lines = [opening.instruction, ""] if opening.instruction else []
    for name, verbs in opening.envs.items():
        size = f", {verbs.size.width}×{verbs.size.height} pixels" if verbs.size is not None else ""
        lines.append(f"device {name} ({verbs.platform}{size}): {', '.join(sorted(verbs.kinds - {'custom'}))}")
        lines += [f"  {kind}: {custom.description}" for kind, custom in verbs.custom.items()]
    asking = ", ask_user (a question, which the user answers)" if opening.asks else ""
    lines.append(f"everywhere: wait, answer, done{asking}")
    return "\n".join(lines)


def describe_elements(seen: Observation) -> str:
    """The elements of a screen, one JSON object a line."""
    if isinstance(seen.elements, Absent):
        return f"{seen.env}: no elements: {seen.elements.reason}"
    items = "\n".join(
        json.dumps(element_to_json(drop_plain_origin(one)), ensure_ascii=False) for one in seen.elements.items
    )
    return f"{seen.env}, elements:\n{items or '(there are none)'}"


def outcome_words(acted: Acted) -> str:
    """What came of a verb, and whether the episode is over."""
    told = f"{acted.result}: {acted.message}" if acted.message else acted.result
    return f"{told} (the episode is over: {acted.ended})" if acted.ended else told
