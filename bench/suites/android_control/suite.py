"""The suite `android-control`: AndroidControl's recorded episodes, teacher-forced.

AndroidControl: Li et al. 2024 (arXiv 2406.03679). Steps match as OS-Atlas scores them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypeAlias, get_args

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.scoring.data.pictures import picture
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.scoring.steps.actions import lines_of, reply_of
from omnipilot.bench.scoring.steps.rules import after_header, compare
from omnipilot.bench.suites.android_control.accessibility import read_tree
from omnipilot.bench.suites.android_control.data import GET, SPLITS, AndroidControlEpisode, RecordedAction, Split, load
from omnipilot.bench.suites.android_control.unpack import tree_file
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo
from omnipilot.envs import ConfigError, Elements, Modality, Observation, Thinking
from omnipilot.envs.recorded import RecordedStep, Recording, ReplayWorld
from omnipilot.memory import Move

ADAPTER = "1"
"""Version of this file's rules; part of a run's identity."""
SUITES = (
    "android-control",
    "omnipilot.bench.suites.android_control.suite:AndroidControl",
    "omnipilot.bench.suites.android_control:AndroidControl",
)
"""What the suite is called in a run's specification."""
ENV = "phone"
VERBS = frozenset(("click", "long_press", "scroll", "swipe", "type", "open_app", "system"))
Setting: TypeAlias = Literal["high", "low"]
History: TypeAlias = Literal["actions", "instructions"]
Variant: TypeAlias = Literal["release", "strict"]


@dataclass(frozen=True, slots=True)
class _Unit:
    """One task: an episode, or one step of it."""

    id: str
    instruction: str
    episode: AndroidControlEpisode
    first: int
    steps: tuple[RecordedAction, ...]


class AndroidControl(Suite):
    """The suite.

    Args:
        data: a folder with the official export or a mirror of it as rows, or hf://OWNER/NAME. split: whose episodes.
        setting: `high`: one task an episode, told its goal; `low`: one task a step, told the goal and the step's
            instruction.
        history: how earlier steps are told in the setting `high`: by what was done, or by their instructions, as
            OS-Atlas's prompts tell them.
        variant: when a step counts as right: as released, or with whole texts compared (`strict`).

    Attributes:
        bad: episodes that cannot be read.

    Raises:
        ConfigError: no data there, or no such split, setting, history or variant.
    """

    name = "android-control"
    version: str

    def __init__(
        self,
        data: str = "",
        setting: Setting = "high",
        split: Split = "test",
        history: History = "actions",
        variant: Variant = "release",
    ) -> None:
        for kind, value, known in (
            ("setting", setting, get_args(Setting)),
            ("split", split, SPLITS),
            ("history", history, get_args(History)),
            ("variant", variant, get_args(Variant)),
        ):
            if value not in known:
                raise ConfigError(describe_unknown(kind, value, known))
        episodes = load(Source.open(data, GET), split)
        self.bad = episodes.loaded.bad
        self._units = {unit.id: unit for episode in episodes.loaded.items for unit in _units(episode, setting)}
        self._words = history == "instructions"
        self._variant = variant
        self.version = f"{ADAPTER}-{episodes.digest}"

    def tasks(self) -> Sequence[TaskInfo]:
        """The tasks of the split, in the order of the data."""
        return [TaskInfo(unit.id, unit.instruction, (ENV,), _tags(unit), False) for unit in self._units.values()]

    def instantiate(self, task_id: str, instance: int) -> Task:
        """One task; every instance is the same.

        Raises:
            ConfigError: no such task.
        """
        if task_id not in self._units:
            raise ConfigError(describe_unknown("android-control task", task_id, self._units))
        unit = self._units[task_id]
        steps = tuple(
            RecordedStep(_look(step), (step.action,), step.instruction if self._words else "", tree=_tree(step))
            for step in unit.steps
        )
        recording = Recording("phone", unit.steps[0].size, VERBS, steps, ENV)

        def setup(world: ReplayWorld) -> str:
            world.load(recording)
            return unit.instruction

        graph = JudgeGraph(tuple(_judge(number, step, self._variant) for number, step in enumerate(unit.steps)))
        moves = [Move(ENV, step.action) for step in unit.steps]
        return Task(task_id, instance, setup, graph, lambda _: moves, tags=_tags(unit))

    def world(self, thinking: Thinking) -> ReplayWorld:
        """A world that plays recordings."""
        return ReplayWorld(thinking)


def truth_of(step: RecordedAction) -> str:
    """The recorded action in OS-Atlas's notation."""
    return "\n".join(lines_of(step.action))


def _units(episode: AndroidControlEpisode, setting: Setting) -> list[_Unit]:
    if setting == "high":
        return [_Unit(episode.key, episode.goal, episode, 0, episode.steps)]
    return [
        _Unit(episode.step_key(number), f"{episode.goal} You need to: {step.instruction}", episode, number, (step,))
        for number, step in enumerate(episode.steps)
    ]


def _tags(unit: _Unit) -> Mapping[str, str]:
    kind = {"action": truth_of(unit.steps[0]).split()[0]} if unit.id != unit.episode.key else {}
    return {"part": unit.episode.part or "none", "platform": "phone", "template": unit.episode.key, **kind}


def _judge(number: int, step: RecordedAction, variant: Variant) -> Judge:
    truth = truth_of(step)

    def ask(case: Case) -> Verdict:
        predictions = case.state.predictions
        if len(predictions) <= number:
            return Verdict(0.0, "not there yet")
        reply = reply_of(predictions[number].actions, predictions[number].problem)
        said = after_header(reply)
        match = compare(truth, said, "android_control") if said else None
        right = match is not None and (match.strict if variant == "strict" else match.full)
        return Verdict(float(right), f"{said or predictions[number].problem or 'nothing'}; recorded: {truth}")

    return Judge(f"{number + 1} {truth.split()[0]}", ask, env=ENV)


def _tree(step: RecordedAction) -> Callable[[], Elements] | None:
    """What reads the true elements of a step, if its tree is there; agents are not shown them."""
    file = tree_file(step.image)
    return partial(read_tree, file, step.size) if file.is_file() else None


def _look(step: RecordedAction) -> Callable[[str, float, Collection[Modality]], Observation]:
    def look(env: str, time: float, modalities: Collection[Modality]) -> Observation:
        if Modality.SCREENSHOT not in modalities:
            return Observation(env, time, step.size)
        image = picture(step.image, env, time)
        return Observation(env, time, image.size, screenshot=image)

    return look
