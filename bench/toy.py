"""The smallest complete suite: one task on the toy phone, for tests, examples, and as one to copy."""

from __future__ import annotations

from collections.abc import Sequence

from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo
from omnipilot.envs import Click, ConfigError, Modality, OpenApp, Point, Thinking, TypeText, Wait
from omnipilot.envs.toy import ToyPhone
from omnipilot.envs.toy.screen import list_elements
from omnipilot.memory import Move

TASK = "save-code"
GOAL = "Play the message in Voicemail, and save the code that it says in Notes."


class ToySuite(Suite):
    """One task, which an agent can only solve by hearing: a voice message says a code, to be saved as a note."""

    name = "toy"
    version = "1"
    modalities = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS, Modality.AUDIO, Modality.CONTEXT})
    embedded = True

    def tasks(self) -> Sequence[TaskInfo]:
        """The task."""
        return [TaskInfo(TASK, GOAL, ("phone",))]

    def world(self, thinking: Thinking) -> ToyPhone:
        """A toy phone."""
        return ToyPhone(thinking)

    def instantiate(self, task_id: str, instance: int) -> Task:
        """The task with the code of this instance.

        Raises:
            ConfigError: there is no such task.
        """
        if task_id != TASK:
            raise ConfigError(f"there is no task {task_id!r}; the suite toy has one, {TASK!r}")

        def setup(world: ToyPhone) -> str:
            world.reset(instance)
            return GOAL

        heard = Judge("message played to its end", _was_heard, env="phone")
        saved = Judge("code saved", _is_saved, env="phone")
        return Task(TASK, instance, setup, JudgeGraph.chain([heard, saved]), _solve)


def _was_heard(case: Case) -> bool:
    plays = case.state.plays
    return bool(plays) and case.world.now >= plays[0] + case.state.speech.seconds


def _is_saved(case: Case) -> Verdict:
    note, code = case.state.note, case.state.code
    return Verdict(float(note.strip().upper() == code), f"the note is {note!r}, the code {code!r}")


def _solve(world: ToyPhone) -> Sequence[Move]:
    """A demonstration, from the home screen of a phone whose code may be read."""
    state = world.state()
    return [
        Move("phone", OpenApp("Voicemail")),
        Move("phone", Click(_place("Voicemail", "play"))),
        Move("", Wait(state.speech.seconds)),
        Move("phone", OpenApp("Notes")),
        Move("phone", TypeText(state.code, _place("Notes", "field"), submit=True)),
    ]


def _place(app: str, id: str) -> Point:
    return next(element.box.center for element in list_elements(app, False, "", "", False) if element.id == id)
