"""Experience: examples from earlier runs, with a train/test split that is enforced by template."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from omnipilot.agents.assembly.build import gold_parts
from omnipilot.bench.journal.events import EpisodeEnded, EpisodeStarted, StepTaken
from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.load_runs import load_run
from omnipilot.bench.journal.results import VOID
from omnipilot.bench.spec import ExperienceSpec, RunSpec
from omnipilot.bench.tasks.task import Suite
from omnipilot.envs import ConfigError
from omnipilot.envs.schema import codec
from omnipilot.memory import Recalled
from omnipilot.memory.examples import Example, ExampleIndex
from omnipilot.memory.models.embeddings import LocalEmbeddings, make_embeddings
from omnipilot.memory.window import verb_text


@dataclass(frozen=True, slots=True)
class Experience:
    """The examples that a run may use.

    Attributes:
        index: of what may be given. refused: number of episodes that may not, by why.
        suite: says which templates a task has.
    """

    index: ExampleIndex
    refused: Mapping[str, int]
    suite: Suite
    count: int

    def examples_for(self, task: str, instruction: str) -> tuple[Recalled, ...]:
        """Examples for a task: none that shares a template with it."""
        return self.index.find(instruction, self.count, self.suite.templates_of(task))

    def note(self) -> str:
        """What is used and what is not, in words."""
        given = f"experience: {len(self.index.examples)} episodes of earlier runs"
        if demonstrations := sum(one.demonstration for one in self.index.examples):
            given += f", {demonstrations} of them demonstrations"
        return "; ".join([given, *(f"{number} refused: {why}" for why, number in sorted(self.refused.items()))])


def load_experience(given: ExperienceSpec, suite: Suite, name: str) -> Experience:
    """The examples of earlier runs of a suite that may be used in another run of it.

    Episodes of tasks of the test are refused and counted: whatever run they are in, none of their examples is ever
    given. An example is what its agent proposed and what came of it; of the judges only whether all was solved.

    Args:
        name: of the suite, as settings name it.

    Raises:
        ConfigError: the suite forbids experience or declares no split; a run is of another suite or of a gold part;
            nothing is left; the examples, or the weights that rank them, are others than when the run began; or the
            embeddings are of a server.
        MissingExtra: the embeddings need a package that is not installed.
    """
    if not suite.declares_split:
        raise ConfigError(
            f"suite {name!r} declares no split of its templates (split_of and templates_of) into those for development "
            "and those of the test, so experience from earlier runs could hold what it tests; leave out --experience"
        )
    examples: list[Example] = []
    refused: dict[str, int] = {}
    for folder in map(Path, given.runs):
        run = load_run(folder)
        if run.spec.suite.name != name:
            raise ConfigError(f"{folder} is a run of suite {run.spec.suite.name!r}, not {name!r}; leave it out")
        gold = gold_parts(run.spec.agent)
        if gold and not given.demonstrations:
            raise ConfigError(
                f"{folder} is a run of {' and '.join(gold)}, which is told the solution; add --demonstrations to use "
                "it as demonstrations, or leave it out"
            )
        for example in _examples(folder, suite, bool(gold)):
            if isinstance(example, str):
                refused[example] = refused.get(example, 0) + 1
            else:
                examples.append(example)
    index = ExampleIndex(examples, _meaning(given.embeddings))
    found = Experience(index, refused, suite, given.count)
    if not examples:
        raise ConfigError(f"{found.note()}; nothing can be used: give runs of tasks for development, or leave it out")
    if given.digest and given.digest != index.digest:
        raise ConfigError(
            "the experience is other than when the run began; restore its runs and its embeddings, or choose another "
            "--out"
        )
    return found


def _meaning(text: str) -> LocalEmbeddings | None:
    """The embeddings that find examples: of a model in this process, as its calls are part of no episode's costs."""
    if not text:
        return None
    found = make_embeddings(text)
    if not isinstance(found, LocalEmbeddings):
        raise ConfigError(
            f"--experience-embeddings {text}: examples are found before an episode, and no cost counts that; give a "
            "model in this process: sentence-transformers/FOLDER"
        )
    return found


def with_experience(spec: RunSpec, suite: Suite) -> tuple[RunSpec, str]:
    """The specification with the hash of its experience, and what is used in words; "" without any.

    Raises:
        ConfigError: as in `load_experience`.
    """
    if spec.experience is None:
        return spec, ""
    found = load_experience(replace(spec.experience, digest=""), suite, spec.suite.name)
    return replace(spec, experience=replace(spec.experience, digest=found.index.digest)), found.note()


def _examples(folder: Path, suite: Suite, demonstration: bool) -> list[Example | str]:
    """The finished episodes of a run as examples, or why one is refused."""
    started: dict[tuple[str, int], EpisodeStarted] = {}
    steps: dict[tuple[str, int], list[str]] = {}
    found: dict[str, Example | str] = {}
    for event in read(folder):
        if isinstance(event, EpisodeStarted):
            started[event.key, event.attempt] = event
        elif isinstance(event, StepTaken):
            steps.setdefault((event.key, event.attempt), []).append(_step(event))
        elif isinstance(event, EpisodeEnded) and event.reason != VOID:
            if (task := started.get((event.key, event.attempt))) is None:
                continue
            try:
                split = suite.split_of(task.task)
            except ConfigError:
                found[event.key] = "tasks that the suite does not have"
                continue
            if split != "dev":
                found[event.key] = "tasks of the test" if split == "test" else f"tasks of the split {split}"
                continue
            found[event.key] = Example(
                task.task,
                frozenset(suite.templates_of(task.task)),
                task.instruction,
                event.total > 0 and event.completed == event.total,
                tuple(steps.get((event.key, event.attempt), ())),
                folder.name,
                event.key,
                demonstration,
            )
    return list(found.values())


def _step(event: StepTaken) -> str:
    verb = event.proposed or event.executed
    try:
        words = verb_text(codec.from_json(verb)) if verb else "(a reply that could not be read)"
    except ValueError:  # a verb that the environment adds
        words = str((verb or {}).get("name", "custom"))
    where = f"{event.env}: " if event.env else ""
    failed = "" if event.result in ("done", "control", "forced") else f" ({event.result})"
    return f"{where}{words}{failed}"
