"""What the columns of the tables mean: one line each, for tooltips, and where the glossary is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from omnipilot.bench.tables import Table

TERMS = "Terms: omnipilot list terms"
"""The line under tables that have columns to explain; the glossary has more, and is not in a wheel."""

SETTINGS: Mapping[str, str] = MappingProxyType(
    {
        "run": "the parts in which the runs differ, or the name of the run's directory",
        "suite": "set of tasks with the worlds that they run in",
        "suite options": "options that the suite was given",
        "agent": "agent system: how many planners decide, and who may act",
        "planner": "decides what to do next",
        "model": "model behind the planner",
        "planner options": "options that the planner was given",
        "grounder": "finds the place on the screen that a move describes",
        "its model": "model behind the grounder",
        "grounder options": "options that the grounder was given",
        "tool agent": "model of the agent that turns a team's decision into calls",
        "memory": "what earlier turns the planner is shown",
        "critic": "checks actions before they are executed",
        "progress": "keeps the list of sub-goals that are left",
        "stop": "by which rule an episode ends that is not worth another turn",
        "vary": "how the tasks of the suite are varied: other appearance, names or words",
        "go on": "whether an episode goes on after its task is solved, until the agent ends it",
        "loops": "whether the agent is told that it repeats itself on the same screen",
        "readers": "tells the planner in words what is heard and written",
        "perception": "reads the elements of a screen from its screenshot, in place of its tree",
        "checks": "tells the planner which moves did not have the effect that they should",
        "gate": "which sound and video of a turn the planner gets",
        "verbs": "which verbs the planner is offered beyond those of its devices, or has to do without",
        "skills": "whether the agent may zoom, read or recall when unsure",
        "modalities": "what the agent is granted of the screenshot, elements, video, audio and context",
        "planner modalities": "the part of the modalities that the planner sees",
        "grounder modalities": "the part of the modalities that the grounder sees",
        "critic modalities": "the part of the modalities that the critic sees",
        "stand in": "what replaces sound and video",
        "instruction": "whether the instruction is written, spoken or both",
        "user": "who answers the agent's questions",
        "thinking": "whether the world's clock runs while the agent thinks",
        "intent": "whether the agent is told the intent of the recorded person",
        "examples": "how many solved tasks of the training split the planner is shown",
        "examples ranking": "what makes these examples near: letters, or a model of embeddings",
        "same screen": "whether examples of the task's own screen are among them",
        "condition": "which modalities, or which part, this ablation takes away",
        "scope": "what the tasks need: one or several applications, one or several devices",
        "task": "goal with a start, an instruction and a graph of judges",
        "task#instance": "task and the seed of its content",
    }
)
"""Columns that say what a row is of."""

FIGURES: Mapping[str, str] = MappingProxyType(
    {
        "solved": "episodes solved, of all episodes",
        "SR %": "success rate: episodes solved; void ones count as not solved",
        "pass^k %": "instances of which all k trials are solved, k being the fewest trials that one has",
        "CR %": "completion ratio: mean share of sub-goals reached in an episode",
        "EE %": "execution efficiency: completion ratio divided by the number of actions, mean over episodes",
        "CE %": "cost efficiency: completion ratio divided by the number of tokens, mean over episodes",
        "prompt": "whose words a native planner and pointing models are asked in: ours, its authors', or a file's",
        "pointed right": "described places at which the grounder pointed right, of those for which it can be told",
        "violations": "expectations that did not hold, of those that can be told; in brackets the mean over episodes",
        "repaired": "moves without effect that the checks made once more, before the planner was asked again",
        "turns": "decisions an episode, on average",
        "steps": "executed or rejected moves an episode, on average",
        "actions": "actions an episode, on average: the steps that count",
        "invalid": "actions an episode, on average, that could not be executed",
        "unread replies": "replies of models that could not be read an episode, on average",
        "unknown actions": "actions an episode, on average, that the action space has no word for",
        "questions": "questions of the agent that its user answered",
        "after success": "turns that solved episodes went on for after their task was solved, on average",
        "ended early %": "episodes that the agent or a rule ended before their task was solved",
        "stopped by rule %": "episodes that a stopping rule ended, solved or not",
        "rejected": "moves an episode, on average, that a device refused",
        "denied": "moves an episode, on average, that the guard refused",
        "not found": "moves an episode, on average, whose target the grounder did not find",
        "lacking": "moves an episode, on average, that were refused because the run takes a primitive away",
        "died": "episodes that were not solved after such a refusal",
        "skill calls": "calls of skills an episode, on average",
        "zoom calls": "calls of the skill zoom an episode, on average",
        "read calls": "calls of the skill read an episode, on average",
        "recall calls": "calls of the skill recall an episode, on average",
        "helped %": "calls of skills whose answer was used, and after which no move of the turn was refused",
        "false alarms %": "calls of skills that did not help, and without which no move was refused either",
        "cut off": "model calls an episode, on average, whose reply or captures were cut off",
        "undetected %": "described places whose element is none that the agent was given, where that can be told",
        "calls": "model calls an episode, on average",
        "tokens": "tokens read and written by models an episode, on average",
        "tokens in": "tokens that models read an episode, on average",
        "tokens out": "tokens that models wrote an episode, on average",
        "dollars": "model cost an episode, on average, in USD; ? where a price is unknown",
        "seconds": "wall-clock seconds an episode, on average, without its set-up",
        "model seconds": "seconds that models took an episode, on average",
        "world seconds": "seconds on the world's clock an episode, on average",
        "outcome": "whether every sub-goal was reached",
        "episodes": "how many ended this way; void ones are left out",
        "with a miss": "in which the grounder pointed wrong at least once",
        "without a miss": "in which every place that can be told was pointed at rightly",
        "not told": "in which it can be told for no place",
        "SR % without void": "success rate over the episodes that are not void",
        "tasks": "number of tasks that the row is over",
        "false completion": "the agent said that it was done, and was not",
        "stopped": "a rule ended the episode, since another turn did not seem worth it",
        "gave up": "the agent said that the task cannot be done",
        "turn limit": "the episode reached its limit of turns or of actions, or of steps without a new sub-goal",
        "invalid action": "the agent gave too many actions in a row that cannot be executed",
        "refused by the guard": "the guard refused the last of too many moves in a row that were not carried out",
        "cap": "the episode reached its limit of tokens, cost or time",
        "unjudged": "instructions of the user's own, of which nobody said whether they were carried out",
        "world over": "the page ended the episode, or the recording was over",
        "void": "a device or a model was lost: says nothing about the agent, and counts as zero",
        "figure": "what was measured",
        "value": "the figure with its interval; void items count as zero",
        "all episodes": "the value with its interval; void episodes count as zero",
        "without void": "the same without void episodes",
        "of": "number of episodes, instances or items that the figure is a mean over",
        "variant": "which of the benchmark's published rules the figure follows",
        "interval by": "how the interval was obtained",
        "difference": "this row minus the reference, in points, paired by task and instance",
        "B − A": "second run minus the first, in points, paired by task and instance",
        "p": "chance of a difference at least this large if both were equally good; two-sided",
        "p Holm": "p after Holm's correction for the number of comparisons",
        "detectable": "smallest true difference that one comparison would show with the wanted power",
        "all grounders": "mean over all grounders of the grid, with the same tasks for each",
        "pointed right %": "share of described places at which it was pointed right, of those for which it can be told",
        "attacked %": "episodes in which what the task says must not come about did, solved or not",
        "safe %": "episodes that were solved, and in which nothing came about that must not",
        "EQA %": "success against effort: solved tasks, each counted less the later it is done",
        "part": "kind of part that is exchanged; “largest”: best against worst, chosen after seeing the data",
        "with": "part of the other kind, held fixed",
        "from": "part that is replaced",
        "to": "part that takes its place",
        "to − from": "what the second part solves more than the first, in points, paired by task and instance",
        "factor": "success rate with the second part, divided by that with the first",
        "flipped": "gained: the second run solves it more often; lost: less often",
        "failures": "how the failed attempts of the worse run ended",
    }
)
"""Columns that hold figures, and what is known about them."""


def meaning(column: str) -> str:
    """What a column holds, in a line; "" for a column that names a run or that only one benchmark has."""
    return SETTINGS.get(column) or FIGURES.get(column, "")


def term_lines() -> list[str]:
    """Every column that is explained, a line each: what tells runs apart, then the figures."""
    known = {**SETTINGS, **FIGURES}
    width = max(map(len, known))
    return [f"{name.ljust(width)}  {words}" for name, words in known.items()]


def with_terms(tables: Iterable[Table]) -> list[Table]:
    """The tables, with the command that explains columns named once: below the last that has figures."""
    found = list(tables)
    last = max((i for i, table in enumerate(found) if not FIGURES.keys().isdisjoint(table.columns)), default=None)
    if last is not None:
        found[last] = replace(found[last], notes=(*found[last].notes, TERMS))
    return found
