"""Helpers for planners of one environment: choosing it, feedback on moves, and missing screenshots."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.envs import Absent, AskUser, ConfigError, Image, Modality, Platform, Screenshot, Size
from omnipilot.memory import Move
from omnipilot.memory.quoting import quote
from omnipilot.planners.base import Brief, Decision, Feedback, Request


def feedback_text(feedback: Sequence[Feedback]) -> str:
    """Feedback on the last actions for the model: failures, and answers of the user."""
    lines = []
    for told_of in feedback:
        if told_of.outcome.failed or told_of.outcome.result == "skipped":
            what = "The last reply" if told_of.move is None else f"The action {told_of.move.intent.kind}"
            why = told_of.outcome.message or told_of.outcome.result
            # What a device or a grounder says may hold words of a page.
            why = quote(why) if told_of.outcome.result in ("rejected", "not_found", "denied") else why
            lines.append(f"{what} was not carried out: {why}")
        elif told_of.move is not None and isinstance(told_of.move.intent, AskUser):
            lines.append(f"The user answers: {told_of.outcome.message}")
    return "\n".join(lines)


def recorded_action(feedback: Sequence[Feedback]) -> str:
    """The action at the last moment of a recording, "" in a live world."""
    return "; ".join(told_of.outcome.message for told_of in feedback if told_of.outcome.result == "forced")


def actions_so_far(done: Sequence[str], request: Request) -> list[str]:
    """The actions so far; in a recording, the last one is the recorded action, not the proposal."""
    was = recorded_action(request.feedback)
    return [*done[: request.turn - 1], was] if was else list(done)


def operated_env(brief: Brief, env: str, planner: str) -> str:
    """The environment that a planner of one environment operates.

    Raises:
        ConfigError: it is ambiguous which.
    """
    if env in brief.envs:
        return env
    if not env and len(brief.envs) == 1:
        return next(iter(brief.envs))
    problem = f"has no environment {env!r}" if env else "has several"
    raise ConfigError(
        f"planner {planner!r} operates one environment, but the task {problem}; "
        f"set the planner's option env to one of {', '.join(brief.envs) or 'none'}"
    )


def operated_envs(brief: Brief, env: str, planner: str) -> tuple[str, ...]:
    """The environments that a planner operates: the one that is named, or all of the task.

    Raises:
        ConfigError: the task has no such environment, or none at all.
    """
    return (operated_env(brief, env, planner),) if env or len(brief.envs) < 2 else tuple(brief.envs)


def without_sight(shot: Absent, planner: str, needs: Modality = Modality.SCREENSHOT) -> Decision:
    """The decision of a planner when what it works from is not there, such as its screenshot.

    Raises:
        ConfigError: it is not granted the modality.
    """
    if shot.reason == "ablated":
        raise ConfigError(f"planner {planner!r} works from the {needs.value} only; grant it the modality {needs.value}")
    return Decision((Move("", Screenshot()),), f"There is no {needs.value} ({shot.detail or shot.reason}); look again.")


def placeholder_screen(env: str, platform: Platform) -> Image:
    """A white screen of a common size, for previewing a prompt without a device."""
    size = Size(1080, 2400) if platform == "phone" else Size(1920, 1080)
    return Image.raw(size, bytes([255]) * (size.pixels * 3), env)
