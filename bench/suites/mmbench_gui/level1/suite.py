"""The suite `mmbench-l1`: MMBench-GUI level 1, multiple-choice questions about one screenshot each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.scoring.data.pictures import picture
from omnipilot.bench.suites.mmbench_gui.level1.data import Mode, ScreenQuestion, load
from omnipilot.bench.suites.mmbench_gui.level1.metrics import Parser, answer_parser, option_of
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo
from omnipilot.envs import Answer, ConfigError, Modality, Observation, Platform, Size, Thinking
from omnipilot.envs.recorded import Prediction, RecordedStep, Recording, ReplayWorld
from omnipilot.memory import Move

ADAPTER = "1"
"""Version of this file's rules; part of a run's identity."""
ENV = "screen"
CLOSING = (
    "Look at the screenshot and choose the right option. Give the letter of that option, and nothing else, as your "
    "answer."
)
_DEVICES: Mapping[str, Platform] = {"os_ios": "phone", "os_android": "phone", "os_web": "browser"}


class MMBenchL1(Suite):
    """The suite: one task per question, one decision each.

    Args:
        data: the folder with `L1_annotations.json` and `offline_images/`, or `hf://OWNER/NAME`.
        mode: all questions, or those of one level.
        parser: which option a reply chooses: as released, `fixed`, or by a function of a model's own, MODULE:FUNCTION
            (see `metrics.option_of`).
        hint: whether hints are told, where the data has any.

    Attributes:
        questions: those that can be asked, in the order of the file. bad: the rest.

    Raises:
        ConfigError: no data, or no such mode or parser.
    """

    name = "mmbench-l1"
    version: str

    def __init__(self, data: str = "", mode: Mode = "all", parser: str = "release", hint: bool = True) -> None:
        read = load(data, mode)
        self.questions = read.loaded.items
        self.bad = read.loaded.bad
        self.version = f"{ADAPTER}-{read.digest}"
        self._by_id = {one.id: one for one in self.questions}
        self._parser, self._hint = answer_parser(parser), hint

    def tasks(self) -> Sequence[TaskInfo]:
        """One task per question; every instance is the same."""
        return [TaskInfo(one.id, one.question, (ENV,), tags(one), seeded=False) for one in self.questions]

    def instantiate(self, task_id: str, instance: int) -> Task:
        """One question."""
        question = self._by_id.get(task_id)
        if question is None:
            raise ConfigError(describe_unknown("mmbench-l1 question", task_id, self._by_id))

        def setup(world: ReplayWorld) -> str:
            world.load(recording(question))
            return question_prompt(question, self._hint)

        return Task(
            task_id,
            instance,
            setup,
            JudgeGraph((Judge("1 ANSWER", judge_choice(question, self._parser), env=ENV),)),
            lambda _: (Move(ENV, Answer(question.answer)),),
            tags=tags(question),
        )

    def world(self, thinking: Thinking) -> ReplayWorld:
        """A world that shows one screenshot after another."""
        return ReplayWorld(thinking)


def question_prompt(question: ScreenQuestion, hint: bool = True) -> str:
    """The prompt: the release's lines, and the form of the answer."""
    lines = [f"Hint: {question.hint}"] if hint and question.hint else []
    lines += [f"Question: {question.question}", "Options:"]
    lines += [f"{letter}. {text}" for letter, text in question.options]
    return "\n".join([*lines, CLOSING])


def recording(question: ScreenQuestion) -> Recording:
    """A single moment: the screenshot, with the right answer as the recorded action."""

    def look(env: str, time: float, modalities: Collection[Modality]) -> Observation:
        if Modality.SCREENSHOT not in modalities:
            return Observation(env, time, Size(*question.size))
        image = picture(question.image, env, time)
        return Observation(env, time, image.size, image)

    step = RecordedStep(look, (Answer(question.answer),))
    platform = _DEVICES.get(question.platform, "desktop")
    return Recording(platform, Size(*question.size), frozenset(), (step,), ENV)


def judge_choice(question: ScreenQuestion, parser: Parser) -> Callable[[Case], Verdict]:
    """Reached if the reply chooses the right option."""

    def ask(case: Case) -> Verdict:
        predictions = case.state.predictions
        if not predictions:
            return Verdict(0.0, "not answered yet")
        reply = reply_of(predictions[0])
        if reply is None:
            return Verdict(0.0, predictions[0].problem or "something else was done than to answer")
        option = option_of(reply, parser)
        return Verdict(float(option == question.answer), f"{reply[:200]!r} is read as {option or 'no option'}")

    return ask


def reply_of(prediction: Prediction) -> str | None:
    """The answer; None if the agent did something else."""
    return next((action.text for action in prediction.actions if isinstance(action, Answer)), None)


def tags(question: ScreenQuestion) -> dict[str, str]:
    """Tags to group questions by; `template` is the screen, shared by three questions."""
    return {
        "platform": question.platform,
        "difficulty": question.difficulty,
        "app": question.app,
        "template": f"screen-{question.screen}",
    }
