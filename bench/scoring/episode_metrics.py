"""The engine's own metrics: CRAB's four figures (§4.3), and what episodes took."""

from __future__ import annotations

import math

from omnipilot.bench.journal.results import Episode
from omnipilot.bench.scoring.metrics import metric
from omnipilot.bench.tasks.figures import efficiency


def _completion(episode: Episode) -> float | None:
    if episode.unjudged:
        return None
    return episode.completed / episode.total if episode.total else 0.0


@metric("solved", name="solved", scale=1, most=1, void="zero", form="of")
def success_count(episode: Episode) -> float | None:
    """Episodes that were solved, of all that were judged."""
    return None if episode.unjudged else float(episode.success)


@metric("SR", name="sr", scale=100, void="zero")
def success_rate(episode: Episode) -> float | None:
    """Success rate: the share of episodes in which every sub-goal was reached; a void one counts as failed."""
    return None if episode.unjudged else float(episode.success)


@metric("CR", name="cr", scale=100, void="zero")
def completion_ratio(episode: Episode) -> float | None:
    """Completion ratio: the mean share of sub-goals reached."""
    return _completion(episode)


@metric("EE", name="ee", scale=100, void="zero", needs=lambda one: one.actions)
def execution_efficiency(episode: Episode) -> float | None:
    """Execution efficiency: the mean of completion per action (CRAB's paper)."""
    reached = _completion(episode)
    return None if reached is None else efficiency(reached, episode.actions)


@metric("EE", name="ee", scale=100, void="zero", needs=lambda one: one.actions)
def released_efficiency(episode: Episode) -> float | None:
    """Execution efficiency as in CRAB's released code, which counts one action more."""
    reached = _completion(episode)
    return None if reached is None else efficiency(reached, episode.actions, "release")


@metric("CE", name="ce", scale=100, digits=4, most=math.inf, void="zero", needs=lambda one: one.tokens)
def cost_efficiency(episode: Episode) -> float | None:
    """Cost efficiency: the mean of completion per token."""
    reached = _completion(episode)
    return reached if reached is None else reached / episode.tokens if episode.tokens else 0.0


@metric("turns", better="lower")
def turns(episode: Episode) -> float:
    """Decisions of the agent."""
    return episode.turns


@metric("steps", better="lower")
def steps(episode: Episode) -> float:
    """Moves, executed or not."""
    return episode.steps


@metric("actions", better="lower")
def actions(episode: Episode) -> float:
    """Moves that were carried out."""
    return episode.actions


@metric("invalid", name="invalid", better="lower")
def invalid_moves(episode: Episode) -> float:
    """Moves that could not be carried out: unreadable, rejected, or their target not found."""
    return episode.invalid


@metric("unread replies", name="unread", better="lower")
def unread_replies(episode: Episode) -> float:
    """Replies of models that could not be read, those that were asked for again too."""
    return episode.unread


@metric("unknown actions", name="unknown", better="lower")
def unknown_actions(episode: Episode) -> float:
    """Actions that the model asked for and the action space has no word for."""
    return episode.unknown


@metric("questions", name="questions", better="lower")
def user_questions(episode: Episode) -> float:
    """Questions of the agent that its user answered."""
    return episode.verbs.get("ask_user", 0)


@metric("rejected", name="rejected", better="lower")
def rejected_moves(episode: Episode) -> float:
    """Moves that a device refused."""
    return episode.results.get("rejected", 0)


@metric("denied", name="denied", better="lower")
def denied_moves(episode: Episode) -> float:
    """Moves that the guard refused."""
    return episode.results.get("denied", 0)


@metric("after success", name="after-success", better="lower")
def turns_after_success(episode: Episode) -> float | None:
    """Turns that solved episodes went on for after every sub-goal was reached (`--go-on`)."""
    if not episode.success or episode.solved_turn is None:
        return None
    return max(0, episode.turns - episode.solved_turn)


@metric("ended early", name="ended-early", scale=100, better="lower")
def ended_early(episode: Episode) -> float:
    """Share of episodes that the agent or a stopping rule ended before the task was solved."""
    return float(not episode.success and episode.reason in ("done", "stopped"))


@metric("stopped by rule", name="stopped", scale=100, better="")
def stopped_by_rule(episode: Episode) -> float:
    """Share of episodes that a stopping rule ended, solved or not."""
    return float(bool(episode.stopped))


@metric("skill calls", name="skill-calls", better="")
def skill_calls(episode: Episode) -> float:
    """Calls of skills by an agent that was unsure, or by one that always asks."""
    return episode.skills.get("calls", 0)


@metric("zoom calls", name="skill-zoom", better="")
def zoom_calls(episode: Episode) -> float:
    """Calls of the skill zoom."""
    return episode.skills.get("zoom", 0)


@metric("read calls", name="skill-read", better="")
def read_calls(episode: Episode) -> float:
    """Calls of the skill read."""
    return episode.skills.get("read", 0)


@metric("recall calls", name="skill-recall", better="")
def recall_calls(episode: Episode) -> float:
    """Calls of the skill recall."""
    return episode.skills.get("recall", 0)


@metric("helped", name="skill-helped", unit="calls", scale=100)
def helpful_calls(episode: Episode) -> tuple[float, float]:
    """Share of calls of skills whose answer was used, and after which no move of the turn was refused."""
    return episode.skills.get("helped", 0), episode.skills.get("calls", 0)


@metric("false alarms", name="skill-false", unit="calls", scale=100, better="lower")
def needless_calls(episode: Episode) -> tuple[float, float]:
    """Share of calls of skills that did not help, and without which no move of the turn was refused either."""
    return episode.skills.get("needless", 0), episode.skills.get("calls", 0)


@metric("lacking", name="lacking", better="lower")
def lacking_verbs(episode: Episode) -> float:
    """Moves that were refused because the run takes a primitive away (`--verbs without:NAMES`)."""
    return episode.lacking


@metric("died", name="died", scale=1, most=1, form="of", better="lower")
def died_of_lack(episode: Episode) -> float:
    """Episodes that were not solved after a move was refused because the run takes its primitive away."""
    return float(episode.lacking > 0 and not episode.success)


@metric("not found", name="not-found", better="lower")
def missed_targets(episode: Episode) -> float:
    """Moves whose target the grounder did not find."""
    return episode.results.get("not_found", 0)


@metric("cut off", name="cut", better="lower")
def cut_calls(episode: Episode) -> float:
    """Model calls that were cut off: the reply at its greatest length, or captures left out of the request."""
    return episode.cut


@metric("undetected", name="undetected", scale=100, unit="described places", better="lower")
def undetected_places(episode: Episode) -> tuple[float, float]:
    """Described places whose element is none that the agent was given, of those for which that can be told."""
    return episode.undetected, episode.looked


@metric("calls", better="lower")
def calls(episode: Episode) -> float:
    """Calls of models."""
    return episode.usage.calls


@metric("tokens", digits=0, better="lower")
def tokens(episode: Episode) -> float:
    """Tokens of all model calls, input and output."""
    return episode.tokens


@metric("tokens in", digits=0, better="lower")
def tokens_in(episode: Episode) -> float:
    """Input tokens of all model calls."""
    return episode.usage.tokens_in


@metric("tokens out", digits=0, better="lower")
def tokens_out(episode: Episode) -> float:
    """Output tokens of all model calls."""
    return episode.usage.tokens_out


@metric("dollars", digits=4, better="lower")
def dollars(episode: Episode) -> float:
    """What the model calls cost; unknown where a price is."""
    return math.nan if episode.cost is None else episode.cost


@metric("seconds", better="lower")
def seconds(episode: Episode) -> float:
    """Wall time."""
    return episode.wall_seconds


@metric("model seconds", better="lower")
def model_seconds(episode: Episode) -> float:
    """Wall time of the model calls."""
    return episode.usage.seconds


@metric("world seconds", better="lower")
def world_seconds(episode: Episode) -> float:
    """Time on the world's clock."""
    return episode.world_seconds


@metric("void", better="lower", void="asked", form="sum", most=1)
def void(episode: Episode) -> float:
    """Episodes in which a device, a model or a worker was lost."""
    return float(episode.void)
