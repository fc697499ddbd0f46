"""The suite `omniact`: OmniACT's tasks, each a screenshot for which an agent writes a whole script.

OmniACT: Kapoor et al. 2024 (arXiv 2402.17553).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Literal, get_args

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.scoring.data.pictures import picture
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.omniact.data import GET, SPLITS, ScriptTask, Split, load, read_findings
from omnipilot.bench.suites.omniact.examples import examples_of, wording_of
from omnipilot.bench.suites.omniact.metrics.scores import OmniActSample, Variant, score_sample
from omnipilot.bench.suites.omniact.script import VERBS, actions_of, respell, script_of
from omnipilot.bench.suites.omniact.unpack import unpack
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo
from omnipilot.envs import Absent, Box, ConfigError, Element, Elements, Modality, Observation, Platform, Thinking
from omnipilot.envs.recorded import Prediction, RecordedStep, Recording, ReplayWorld
from omnipilot.memory import Move
from omnipilot.memory.examples import Example

ADAPTER = "1"
"""Version of this file's rules; part of a run's identity."""
SUITES = ("omniact", "omnipilot.bench.suites.omniact.suite:OmniAct", "omnipilot.bench.suites.omniact:OmniAct")
"""What the suite is called in a run's specification."""
ENV = "device"
PLATFORMS: dict[str, Platform] = {"web": "browser", "desktop": "desktop"}
Offered = Literal["none", "detact"]


class OmniAct(Suite):
    """The suite.

    Args:
        data: a folder or hf://Writer/omniact. split: whose tasks.
        variant: by whose rules a script counts as solved: its sequence matches and no penalty is due.
        elements: "detact" offers what the data's OCR, icon and colour files say is on the screen, as the paper's models
            were given it: texts, icons and colours with their middles, boxes without extent. The files of boxes name
            the targets and are never offered.

    Attributes:
        bad: tasks that cannot be read.

    Raises:
        ConfigError: no data there, or no such split, variant or kind of elements.
    """

    name = "omniact"
    version: str

    def __init__(
        self, data: str = "", split: Split = "test", variant: Variant = "release", elements: Offered = "none"
    ) -> None:
        for kind, value, known in (
            ("split", split, SPLITS),
            ("variant", variant, get_args(Variant)),
            ("kind of elements", elements, get_args(Offered)),
        ):
            if value not in known:
                raise ConfigError(describe_unknown(kind, value, known))
        source = unpack(Source.open(data, GET))
        loaded = load(source, split)
        self.bad = loaded.bad
        self._items = {item.id: item for item in loaded.items}
        self._source, self._split = source, split
        self._variant = variant
        self._elements = elements
        offered = {path for item in loaded.items for path in (item.ocr, item.icon, item.color) if path is not None}
        files = {path for item in loaded.items for path in item.files} | (offered if elements == "detact" else set())
        self.version = f"{ADAPTER}-{source.digest(files)}"

    def tasks(self) -> Sequence[TaskInfo]:
        """The tasks of the split, in the order of its list."""
        return [TaskInfo(item.id, item.instruction, (ENV,), tags(item), False) for item in self._items.values()]

    def instantiate(self, task_id: str, instance: int) -> Task:
        """One task; every instance is the same.

        Raises:
            ConfigError: no such task.
        """
        item = self._item(task_id)
        done = actions_of(item.script, item.size)
        step = RecordedStep(_look(item, self._elements), done or ())
        recording = Recording(PLATFORMS[item.part], item.size, VERBS, (step,), ENV, script=True)

        def setup(world: ReplayWorld) -> str:
            world.load(recording)
            return item.instruction

        # Asked at the end: a script's moves are steps of one moment, and all of them belong into the journal.
        judge = Judge("script", judge_script(item, self._variant), when="end", env=ENV)
        solution = None if done is None else lambda _: [Move(ENV, action) for action in done]
        return Task(task_id, instance, setup, JudgeGraph((judge,)), solution, tags=tags(item))

    def templates_of(self, task_id: str) -> Collection[str]:
        """What all wordings of a task have in common.

        Raises:
            ConfigError: no such task.
        """
        return (wording_of(self._item(task_id)),)

    def screen_of(self, task_id: str) -> str:
        """The screen, which many tasks share.

        Raises:
            ConfigError: no such task.
        """
        return self._item(task_id).screen

    def examples(self) -> Sequence[Example]:
        """The tasks of the training split that can be read.

        Raises:
            ConfigError: the run's own tasks are of that split, or the data has no list of it.
        """
        if self._split == "train":
            raise ConfigError(
                "the tasks of split 'train' are the examples themselves; leave out --examples, or choose split test or "
                "val"
            )
        return examples_of(load(self._source, "train").items, elements)

    def _item(self, task_id: str) -> ScriptTask:
        if task_id not in self._items:
            raise ConfigError(describe_unknown("omniact task", task_id, self._items))
        return self._items[task_id]

    def world(self, thinking: Thinking) -> ReplayWorld:
        """A world that shows one screenshot."""
        return ReplayWorld(thinking)


def tags(item: ScriptTask) -> dict[str, str]:
    """The part, the app, and the screen, which many tasks share; the group where it is known."""
    group = {"group": item.group} if item.group else {}
    return {"part": item.part, "app": item.app, "platform": PLATFORMS[item.part], "template": item.screen, **group}


def predicted_script(item: ScriptTask, prediction: Prediction) -> str:
    """A run's prediction as a script, in the recorded script's spelling where both do the same."""
    script = script_of(prediction.actions, item.size, prediction.problem)
    return respell(script, item.script, item.size)


def judge_script(item: ScriptTask, variant: Variant) -> Callable[[Case], Verdict]:
    """Reached if the functions match the recorded sequence and no penalty applies; otherwise the remaining score."""

    def ask(case: Case) -> Verdict:
        if not case.state.predictions:
            return Verdict(0.0, "nothing was predicted yet")
        script = predicted_script(item, case.state.predictions[0])
        found = score_sample(OmniActSample(item.text, item.boxes, script), variant)
        if not found.matched:
            return Verdict(0.0, f"other functions than the recorded script's: {script!r}")
        told = f"penalties: click {found.click:.2f}, press {found.press:.2f}, write {found.write:.2f}"
        return Verdict(found.action, f"the sequence matches; {told}")

    return ask


def _look(item: ScriptTask, offered: Offered) -> Callable[[str, float, Collection[Modality]], Observation]:
    def look(env: str, time: float, modalities: Collection[Modality]) -> Observation:
        seen = Observation(env, time, item.size)
        if Modality.SCREENSHOT in modalities:
            image = picture(item.image, env, time)
            seen = Observation(env, time, image.size, screenshot=image)
        if Modality.ELEMENTS in modalities and offered == "detact":
            seen = Observation(env, time, seen.size, seen.screenshot, elements(item))
        return seen

    return look


def elements(item: ScriptTask) -> Elements | Absent:
    """DetACT's findings on a screen: texts, then icons, then colours, each kind from top to bottom and left to right.

    Each is a point, that is, a box of zero size.
    """
    items: list[Element] = []
    try:
        for path, role, source in _findings(item):
            found = [(y, x, name) for name, places in read_findings(path) for x, y in places]
            for y, x, name in sorted(found):
                box = Box.from_pixels(x, y, x, y, item.size)
                items.append(Element(role, name, box, source=source))  # type: ignore[arg-type]
    except (OSError, ValueError, TypeError) as error:
        return Absent("failed", f"the data's own elements cannot be read: {error}")
    if not any(_findings(item)):
        return Absent("unsupported", "the data has no OCR, icon or colour file for this screen")
    return Elements(tuple(items))


def _findings(item: ScriptTask) -> list[tuple[Path, str, str]]:
    """The files of what DetACT found on a screen, each with the role and the source of its elements."""
    files = ((item.ocr, "text", "ocr"), (item.icon, "image", "detector"), (item.color, "color", "detector"))
    return [(path, role, source) for path, role, source in files if path is not None]
