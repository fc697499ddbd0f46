"""Suite `omnigui`: OmniGUI's recorded episodes, teacher-forced, for any agent; each episode is a task.

At each recorded step the agent receives the recorded screen and sound and predicts an action; the recording continues
with the recorded action. A step is judged by exact match, so an episode succeeds if all its steps do (SR), and the
share of reached judges is its goal progress as the paper defines it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.scoring.data.pictures import picture
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.omnigui.data import GET, EpisodeRecord, Language, files_of, load
from omnipilot.bench.suites.omnigui.media import VideoSampling, film, seconds_of, sound
from omnipilot.bench.suites.omnigui.metrics.reply import Variant
from omnipilot.bench.suites.omnigui.metrics.scores import Coordinates, ScoredStep, score_step
from omnipilot.bench.suites.omnigui.moves import VERBS, reply_of, step_action
from omnipilot.bench.suites.omnigui.steps import StepRecord
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.bench.tasks.task import Suite, Task, TaskInfo
from omnipilot.envs import Absent, ConfigError, Modality, Observation, Size, Thinking
from omnipilot.envs.recorded import Prediction, RecordedStep, Recording, ReplayWorld
from omnipilot.envs.types import check_installed
from omnipilot.memory import Move

ADAPTER = "2"
"""Version of these files' rules; part of a run's identity."""
DEVICE = "phone"
_RECORDED = (Modality.SCREENSHOT, Modality.AUDIO, Modality.VIDEO)
Subset: TypeAlias = Literal["all", "zh", "en"]


class OmniGui(Suite):
    """The suite.

    Args:
        data: the folder of the data, or hf://OWNER/NAME. subset: only the Chinese or the English applications.
        language: of the instruction: `own`, the application's, or `en` for all.
        variant: whose rules decide if a step is right, see `omnipilot.bench.suites.omnigui.metrics.scores`.
        fps, frames, side: how a video is sampled, see `VideoSampling`.

    Attributes:
        bad: unusable records, and why.

    Raises:
        ConfigError: no data, or an invalid option.
    """

    name = "omnigui"

    def __init__(
        self,
        data: str = "",
        subset: Subset = "all",
        language: Language = "own",
        variant: Variant = "release",
        fps: float = 4.0,
        frames: int = 32,
        side: int = 960,
    ) -> None:
        for what, value, kinds in (
            ("subset", subset, Subset),
            ("language", language, Language),
            ("variant", variant, Variant),
        ):
            if value not in get_args(kinds):
                raise ConfigError(describe_unknown(what, value, get_args(kinds)))
        self.sampling = VideoSampling(fps, frames, side)
        self.variant: Variant = variant
        source = Source.open(data, GET)
        loaded = load(source, language)
        self.bad = loaded.bad
        self._episodes = {one.id: one for one in loaded.items if subset in ("all", one.subset)}
        if not self._episodes:
            why = f"; the first of {len(self.bad)} bad records: {self.bad[0]}" if self.bad else ""
            raise ConfigError(f"{source.root} contains no usable episode (subset {subset}){why}")
        self._digest = source.digest(files_of(source))

    @property
    def version(self) -> str:
        """The version of this adapter and a digest of the data."""
        return f"{ADAPTER}-{self._digest}"

    def tasks(self) -> Sequence[TaskInfo]:
        """One task per episode, in file order."""
        return [TaskInfo(one.id, one.instruction, (DEVICE,), one.tags, False) for one in self._episodes.values()]

    def instantiate(self, task_id: str, instance: int) -> Task:
        """One episode; all instances are equal because it is a recording.

        Raises:
            ConfigError: no such episode.
        """
        if task_id not in self._episodes:
            raise ConfigError(describe_unknown("omnigui episode", task_id, self._episodes))
        episode = self._episodes[task_id]

        def setup(world: ReplayWorld) -> str:
            world.load(recording(episode, self.sampling))
            return episode.instruction

        judges = [
            Judge(f"{at} {step.action.name}", _exact(episode, at - 1, self.variant), env=DEVICE)
            for at, step in enumerate(episode.steps, 1)
        ]
        return Task(task_id, instance, setup, JudgeGraph(tuple(judges)), lambda _: moves(episode), tags=episode.tags)

    def conditions(self, shown: frozenset[Modality]) -> Mapping[str, str]:  # noqa: ARG002
        """Nothing that could differ: how long a step with a film lasted is read from the film, whoever sees it.

        Raises:
            MissingExtra: an episode has a film, and PyAV is not installed.
        """
        if any(step.video is not None for episode in self._episodes.values() for step in episode.steps):
            check_installed("video", "av")
        return {}

    def world(self, thinking: Thinking) -> ReplayWorld:
        """A world that plays recordings."""
        return ReplayWorld(thinking)


def recording(episode: EpisodeRecord, sampling: VideoSampling) -> Recording:
    """An episode as a recording; its files are read on first use."""
    steps = tuple(
        RecordedStep(_look(step, sampling), (step_action(step),), step.words, seconds_of(step.video, step.audio) or 1.0)
        for step in episode.steps
    )
    return Recording("phone", Size(*episode.steps[0].size), VERBS, steps, DEVICE)


def moves(episode: EpisodeRecord) -> Sequence[Move]:
    """The recorded actions, step by step."""
    return [Move(DEVICE, step_action(step)) for step in episode.steps]


def metric_step(episode: EpisodeRecord, at: int, reply: str | None, void: bool = False) -> ScoredStep:
    """A step of an episode and the reply to it, as input to the metrics."""
    step = episode.steps[at]
    return ScoredStep(
        episode.episode,
        step.number,
        step.action,
        reply,
        step.touch,
        step.lift,
        step.text,
        step.size,
        episode.subset,
        void,
        episode.level,
        episode.dimension,
        episode.app,
    )


def exact(
    episode: EpisodeRecord,
    at: int,
    prediction: Prediction,
    variant: Variant,
    coordinates: Coordinates = "normalized",
) -> bool:
    """Whether the prediction for a step is an exact match."""
    return score_step(metric_step(episode, at, reply_of(prediction.actions)), variant, coordinates).exact_match


def _exact(episode: EpisodeRecord, at: int, variant: Variant) -> Callable[[Case], Verdict]:
    def ask(case: Case) -> Verdict:
        predictions = case.state.predictions
        if at >= len(predictions):
            return Verdict(0.0, "this moment has not come")
        said = reply_of(predictions[at].actions) or predictions[at].problem or "no action of OmniGUI"
        return Verdict(float(exact(episode, at, predictions[at], variant)), f"predicted: {said}")

    return ask


def _look(step: StepRecord, sampling: VideoSampling) -> Callable[[str, float, Collection[Modality]], Observation]:
    def look(env: str, time: float, modalities: Collection[Modality]) -> Observation:
        assert step.image is not None
        # Its size is part of every observation, so its head is read in any case.
        image = picture(step.image, env, time)
        given: dict[str, Any] = {
            modality.value: Absent("ablated") for modality in _RECORDED if modality not in modalities
        }
        if Modality.SCREENSHOT in modalities:
            given["screenshot"] = image
        if Modality.AUDIO in modalities and step.audio is not None:
            given["audio"] = sound(step.audio, env, time)
        if Modality.VIDEO in modalities and step.video is not None:
            given["video"] = film(step.video, env, time, sampling)
        return Observation(env, time, image.size, **given)

    return look
