"""A model as the one who writes questions of level 1, and further calls that check them, as MMBench-GUI's A.4 says."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnipilot.bench import StageModel, prompt_text
from omnipilot.bench.suites.mmbench_gui.level1.data import LETTERS, LEVELS, ScreenQuestion
from omnipilot.bench.suites.mmbench_gui.level1.question_checks import question_mistake
from omnipilot.bench.suites.mmbench_gui.level1.sample import (
    picture_name,
    read_annotations,
    write_annotations,
    write_screen,
)
from omnipilot.envs import Image
from omnipilot.envs.types import fold
from omnipilot.memory import MalformedReply

PACKAGE = __name__.rpartition(".")[0]
FEWEST, MOST = 4, 6
"""Options of a question."""
SYSTEMS = {
    "os_windows": "Windows",
    "os_mac": "macOS",
    "os_linux": "Linux",
    "os_ios": "iOS",
    "os_android": "Android",
    "os_web": "a web page",
}
_QUESTION: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "difficulty": {"type": "string", "enum": list(LEVELS)},
        "question": {"type": "string"},
        "options": {"type": "array", "items": {"type": "string"}},
        "answer": {"type": "string"},
        "explanation": {"type": "string"},
    },
    "required": ["difficulty", "question", "options", "answer", "explanation"],
    "additionalProperties": False,
}
_JUDGED: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "difficulty": {"type": "string", "enum": list(LEVELS)},
        "valid": {"type": "boolean"},
        "why": {"type": "string"},
        "replacement": {"anyOf": [_QUESTION, {"type": "null"}]},
    },
    "required": ["difficulty", "valid", "why", "replacement"],
    "additionalProperties": False,
}


def _many(one: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        "type": "object",
        "properties": {"questions": {"type": "array", "items": one}},
        "required": ["questions"],
        "additionalProperties": False,
    }


class NotAccepted(ValueError):
    """A screen gets no questions; the message says why."""


@dataclass(frozen=True, slots=True)
class QuestionWriter:
    """Has a model write the three questions of a screen, and others check and replace them in turn.

    Attributes:
        model: writes. checkers: check, one after the other; each sees what the one before it left.
    """

    model: StageModel
    checkers: Sequence[StageModel]

    def write(self, png: bytes, platform: str, app: str, rng: random.Random) -> tuple[list[dict[str, Any]], int]:
        """The questions of a screen as the annotations have them, and how many of them a checker wrote.

        What the last checker replaced, it has to find valid when it is asked once more.

        Args:
            png: the screenshot. app: "" where it is not known. rng: draws the order of options.

        Raises:
            NotAccepted: an answer cannot be read, or a question does not hold.
            BudgetSpent: the money is spent. ModelUnavailable: a model does not answer.
        """
        picture = Image.encoded(png)
        told = f"Operating system: {SYSTEMS[platform]}. Application: {app or 'not known'}."
        try:
            found = self.model.ask_parts(
                prompt_text("questions", PACKAGE), (told, picture), _many(_QUESTION), lambda one: _written(one, app)
            )
            replaced: set[str] = set()
            last: set[str] = set()
            for checker in self.checkers:
                last = _check(checker, told, picture, app, found)
                replaced |= last
            if last and _check(self.checkers[-1], told, picture, app, found):
                raise NotAccepted("the last checker finds its own replacement not valid")
        except MalformedReply as error:
            raise NotAccepted(str(error)) from None
        groups = []
        for level in LEVELS:
            group = _group(found[level], rng)
            if wrong := question_mistake(_question(group, platform, app)):
                raise NotAccepted(f"{level}: {wrong}")
            groups.append(group)
        return groups, len(replaced)


def write_by_model(
    out: Path, screens: Iterable[tuple[str, str, bytes, tuple[int, int]]], writer: QuestionWriter, seed: int
) -> Iterator[str]:
    """Have questions written on each screen that has none yet, and tell what became of them.

    Each screen's are written to `L1_annotations.json` at once, so that what was paid for is kept.

    Args:
        screens: platform, application, PNG, and size in pixels of each. seed: of the order of options.

    Raises:
        ConfigError: the file that is there is not of this kind. BudgetSpent: the money is spent.
        ModelUnavailable: a model does not answer.
    """
    items = read_annotations(out)
    pictures = {item["image_path"] for item in items}
    made, replaced, dropped = 0, 0, list[str]()
    for number, (platform, app, png, size) in enumerate(screens, 1):
        if (name := picture_name(png)) in pictures:
            continue
        try:
            groups, others = writer.write(png, platform, app, random.Random(f"mmbench-l1/{seed}/{name}"))
        except NotAccepted as error:
            dropped.append(f"screen {number} ({app or platform}): {error}")
            continue
        index = max((item["index"] for item in items), default=-1) + 1
        items.append(write_screen(out, index, platform, app, png, size, groups))
        items[-1]["made_by"] = [writer.model.name, *(checker.name for checker in writer.checkers)]
        pictures.add(name)
        write_annotations(out, items)
        made, replaced = made + 1, replaced + others
    yield f"{made} screens have questions now, {replaced} of {3 * made} by a checker; {len(dropped)} screens have none"
    yield from (f"  {line}" for line in dropped)


def blind_guesser(model: StageModel) -> Callable[[ScreenQuestion], str]:
    """A guesser that sees no picture, for `check_questions`: the letter that a model chooses; "" where it says none."""

    def guess(question: ScreenQuestion) -> str:
        words = "\n".join([question.question, *(f"{letter}. {text}" for letter, text in question.options)])
        letters = [letter for letter, _ in question.options]
        schema = {
            "type": "object",
            "properties": {"answer": {"type": "string", "enum": letters}},
            "required": ["answer"],
            "additionalProperties": False,
        }
        try:
            return model.ask("blind", words, schema, lambda answer: _letter(answer, letters), PACKAGE)
        except MalformedReply:
            return ""

    return guess


def _letter(answer: Mapping[str, Any], letters: Sequence[str]) -> str:
    said = str(answer["answer"]).strip()
    if said not in letters:
        raise ValueError(f"{said!r} is none of the options {', '.join(letters)}")
    return said


def _written(answer: Mapping[str, Any], app: str) -> dict[str, dict[str, Any]]:
    """The questions by level.

    Raises:
        ValueError: they are not one for each level, or one is none.
    """
    questions = _by_level(answer)
    return {level: _checked(questions[level], app) for level in LEVELS}


def _by_level(answer: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    listed = answer["questions"]
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise ValueError("questions is a list of objects")
    found = {str(one["difficulty"]): one for one in listed}
    if len(listed) != len(LEVELS) or set(found) != set(LEVELS):
        raise ValueError(f"there is one for each of {', '.join(LEVELS)}")
    return found


def _checked(one: Mapping[str, Any], app: str) -> dict[str, Any]:
    """A question with single spaces.

    Raises:
        KeyError, ValueError: it is none; the message says why.
    """
    options = one["options"]
    if not isinstance(options, list) or not FEWEST <= len(options) <= MOST:
        raise ValueError(f"a question has {FEWEST} to {MOST} options")
    texts = [" ".join(str(text).split()) for text in options]
    if len({fold(text) for text in texts}) < len(texts) or not all(texts):
        raise ValueError("the options of a question differ, and none is empty")
    made = {name: " ".join(str(one[name]).split()) for name in ("difficulty", "question", "answer", "explanation")}
    if empty := [name for name, text in made.items() if not text]:
        raise ValueError(f"{empty[0]} is empty")
    if made["answer"] not in texts:
        raise ValueError("the answer is one of the options, word for word")
    if app and f" {fold(app)} " in f" {fold(made['question'])} ":
        raise ValueError(f"the question names the application {app}")
    return {**made, "options": texts}


def _check(checker: StageModel, told: str, picture: Image, app: str, found: dict[str, dict[str, Any]]) -> set[str]:
    """Have the questions checked, and put the checker's own in the place of those that are not valid; says which.

    Raises:
        NotAccepted: one is not valid, and there is no replacement that could be used.
    """
    lines = [told]
    for level, one in found.items():
        lines += ["", f"{level}: {one['question']}", *(f"- {text}" for text in one["options"]), f"Key: {one['answer']}"]
    judged = checker.ask_parts(prompt_text("check", PACKAGE), ("\n".join(lines), picture), _many(_JUDGED), _by_level)
    replaced: set[str] = set()
    for level, said in judged.items():
        if said.get("valid") is True:
            continue
        why = str(said.get("why") or "not valid")
        instead = said.get("replacement")
        if not isinstance(instead, dict):
            raise NotAccepted(f"{level}: {why}")
        try:
            found[level] = _checked({**instead, "difficulty": level}, app)
        except (KeyError, ValueError) as error:
            raise NotAccepted(f"{level}: {why}; the replacement cannot be used: {error}") from None
        replaced.add(level)
    return replaced


def _group(one: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    """A question as the annotations have it. Where its right answer stands is drawn, not the model's choice."""
    texts = list(one["options"])
    rng.shuffle(texts)
    options = dict(zip(LETTERS, texts, strict=False))
    answer = next(letter for letter, text in options.items() if text == one["answer"])
    return {
        "question": one["question"],
        "options": options,
        "answer": answer,
        "explanation": one["explanation"],
        "difficulty": one["difficulty"],
    }


def _question(group: Mapping[str, Any], platform: str, app: str) -> ScreenQuestion:
    options = tuple(group["options"].items())
    return ScreenQuestion(
        "", 0, 0, platform, app, group["difficulty"], Path(), (1, 1), group["question"], options, group["answer"]
    )
