"""A model as the rater of the first pass: it is shown still pictures and the history, as a person is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnipilot.bench.annotation.answers import AnswerFile, StepAnswer, check_step_answer
from omnipilot.bench.annotation.page_files import screens_by_name
from omnipilot.bench.annotation.recordings import CapturedEpisode, RecordingFolder
from omnipilot.bench.scoring.data.pictures import picture
from omnipilot.bench.stage_model import StageModel, prompt_text
from omnipilot.envs import Image

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"decided": {"type": "string", "enum": ["yes", "guess", "no"]}, "which": {"type": "string"}},
    "required": ["decided", "which"],
}


def rate_first_pass(recording: RecordingFolder, model: StageModel) -> int:
    """Have a model give the first answer of each step; those that it gave before stay. Each is written at once.

    Returns:
        How many answers it gave now.

    Raises:
        MalformedReply, BudgetSpent, ModelUnavailable, ConfigError: as `StageModel.ask`.
    """
    file = AnswerFile(recording.folder)
    before = file.read()
    given = {(one.episode, one.step) for one in before if isinstance(one, StepAnswer) and one.rater == model.name}
    prompt = prompt_text("first_pass", __package__)
    count = 0
    for episode in recording.episodes:
        for step in range(len(episode.steps)):
            if (episode.id, step) in given:
                continue
            file.append(_answer(model, prompt, episode, step))
            count += 1
    return count


def _answer(model: StageModel, prompt: str, episode: CapturedEpisode, step: int) -> StepAnswer:
    def read(told: Mapping[str, Any]) -> StepAnswer:
        values = {"decided": told["decided"], "which": str(told["which"])[:500], "by": (), "media": False}
        check_step_answer(values)
        return StepAnswer(model.name, episode.id, step, **values)

    return model.ask_parts(prompt, question(episode, step), SCHEMA, read)


def question(episode: CapturedEpisode, step: int) -> list[str | Image]:
    """What is shown of a step in the first pass: the instruction, the actions before, and a picture of each screen."""
    done = [f"{number}. {one.words}" for number, one in enumerate(episode.steps[:step], 1)]
    parts: list[str | Image] = [
        f"Instruction: {episode.instruction}",
        "What was done so far:\n" + ("\n".join(done) or "nothing"),
    ]
    for screen in screens_by_name(episode.steps[step].screens):
        if screen.picture is not None and screen.picture.is_file():
            parts += [f"The {screen.env} now:", picture(screen.picture, screen.env, float(step))]
    return parts
