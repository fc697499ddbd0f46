"""Evaluators by a model: JSON that names checks, read into judges and never run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal, TypeAlias, get_args

from omnipilot.bench import StageModel
from omnipilot.bench.judges import load_judge
from omnipilot.bench.suites.pool.records import Evaluator
from omnipilot.bench.suites.pool.verify.discrimination import graph_for
from omnipilot.bench.suites.pool.verify.instances import SubtaskInstance
from omnipilot.bench.suites.pool.verify.model_trajectories import prompt_of
from omnipilot.envs import ConfigError

Terms: TypeAlias = Literal["paper", "state"]
"""Which checks a model may use: those that OmniBench names, or those and the state of the world."""
PAPER_CHECKS = (
    "check_mouse_clicks",
    "check_keyboard_types",
    "check_text_exists_via_control",
    "check_text_exists_via_ocr",
    "check_text_exists",
    "check_text_under_cursor",
)
STATE_CHECKS = ("check_state", "check_untouched", "check_app_in_front")
EXAMPLES: Mapping[str, Mapping[str, Any]] = {
    "check_mouse_clicks": {"text": "Save"},
    "check_keyboard_types": {"text": "{text}"},
    "check_text_exists_via_control": {"text": "{title}"},
    "check_text_exists_via_ocr": {"text": "{title}"},
    "check_text_exists": {"text": "{title}"},
    "check_text_under_cursor": {"text": "Send"},
    "check_state": {"path": 'account.alarms[new, label="{label}"].at', "op": "=", "value": "{time}"},
    "check_untouched": {"path": "account.alarms[id not in {claimed.alarms}]"},
    "check_app_in_front": {"app": "Clock"},
}
EVALUATOR_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"evaluator": {"type": "object"}},
    "required": ["evaluator"],
}


def evaluator_by_model(
    model: StageModel,
    instance: SubtaskInstance,
    terms: Terms = "state",
    feedback: Sequence[str] = (),
    controls: Sequence[str] = (),
    temperature: float = 0.0,
) -> Evaluator:
    """Ask a model for the evaluator of a subtask.

    Args:
        terms: which checks it is told of. feedback: what was wrong with its earlier ones.
        controls: names of controls on the way; none behind the information barrier.

    Raises:
        MalformedReply: its answers are no evaluator. BudgetSpent: the money is spent.
        ModelUnavailable: it does not answer.
    """
    allowed = PAPER_CHECKS if terms == "paper" else (*PAPER_CHECKS, *STATE_CHECKS)
    data = model.ask_parts(
        prompt_of("judge").replace("{checks}", "\n".join(describe_check(name) for name in allowed)),
        (_question(instance, feedback, controls),),
        EVALUATOR_SCHEMA,
        partial(_read, instance=instance, allowed=allowed),
        temperature,
    )
    return Evaluator(instance.template.id, data, f"model {model.name}, {terms}", barrier=not controls)


def check_terms(terms: str) -> Terms:
    """The terms of this name.

    Raises:
        ConfigError: there are none.
    """
    for known in get_args(Terms):
        if terms == known:
            found: Terms = known
            return found
    raise ConfigError(f"terms are {' or '.join(get_args(Terms))}, not {terms!r}")


def describe_check(name: str) -> str:
    """A line for a kind of check: its name, its parameters, what it is about, and an example."""
    kind = load_judge(name)
    parameters = ", ".join(kind.parameters)
    example = json.dumps({"check": name, "args": EXAMPLES[name]}, ensure_ascii=False)
    return f"- {name}({parameters}): {kind.about} Example: {example}"


def _question(instance: SubtaskInstance, feedback: Sequence[str], controls: Sequence[str]) -> str:
    values = dict(instance.values)
    lines = [
        f"Task: {instance.template.instruction}",
        f"In this instance: {instance.instruction}",
        f"Values of the holes here: {json.dumps(values, ensure_ascii=False)}",
    ]
    if controls:
        lines.append(f"Controls on the way: {json.dumps(list(controls), ensure_ascii=False)}")
    if feedback:
        lines += ["Earlier evaluators failed:", *(f"- {one}" for one in feedback)]
    return "\n".join(lines)


def _read(answer: Mapping[str, Any], instance: SubtaskInstance, allowed: Sequence[str]) -> Mapping[str, Any]:
    data = answer["evaluator"]
    if strangers := sorted(checks_named(data) - set(allowed)):
        raise ValueError(f"there is no check {strangers[0][:60]!r}; choose from {', '.join(allowed)}")
    try:
        graph_for(data, instance)
    except ConfigError as error:
        raise ValueError(str(error)) from None
    found: Mapping[str, Any] = data
    return found


def checks_named(data: Any) -> set[str]:
    """The names of all checks in an evaluator."""
    if isinstance(data, Mapping):
        own = {data["check"]} if isinstance(data.get("check"), str) else set()
        return own.union(*(checks_named(inner) for inner in data.values()))
    return set().union(*(checks_named(inner) for inner in data)) if isinstance(data, list) else set()
