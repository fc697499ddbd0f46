"""A model as the one who writes tasks and wordings. Each is checked by rule, played, and read by a second call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from omnipilot.bench import StageModel, prompt_text
from omnipilot.bench.suites.omniact.making.mapping import doubles, problems
from omnipilot.bench.suites.omniact.making.playing import Playing
from omnipilot.bench.suites.omniact.making.records import MadeScreen, MakingFolder, NamedTask
from omnipilot.envs import Image
from omnipilot.memory import MalformedReply

PACKAGE = __name__.rpartition(".")[0]
_TEXTS = {"type": "array", "items": {"type": "string"}}


def _schema(**fields: Mapping[str, Any]) -> Mapping[str, Any]:
    one = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    return {
        "type": "object",
        "properties": {"tasks": {"type": "array", "items": one}},
        "required": ["tasks"],
        "additionalProperties": False,
    }


_WRITTEN = _schema(wordings=_TEXTS, script=_TEXTS)
_WORDED = _schema(number={"type": "integer"}, wordings=_TEXTS)
_CHECKED = _schema(number={"type": "integer"}, valid={"type": "boolean"}, why={"type": "string"})


@dataclass
class TaskWriter:
    """Has a model write tasks on screens, and a second call check them.

    Attributes:
        folder: of the screens' pictures. model: writes. checker: checks; it may be the same.
        playing: plays tasks where a screen is one of the embedded desktop.
    """

    folder: MakingFolder
    model: StageModel
    checker: StageModel
    playing: Playing = field(default_factory=Playing)

    def propose(self, screen: MadeScreen, most: int, others: Sequence[NamedTask]) -> list[NamedTask]:
        """Tasks that the model proposes, those that do not hold with the state "taken out" and the reason.

        Args:
            most: tasks. others: those of the screen that there are.

        Raises:
            MalformedReply: the writer's answers cannot be read. BudgetSpent: the money is spent.
            ModelUnavailable: a model does not answer.
        """
        there = [f"- {task.wordings[0]}" for task in others] or ["none"]
        words = [f"Wanted: {most} tasks.", "", "There is already:", *there]
        answers = self._ask(self.model, "tasks", screen, words, _WRITTEN)
        made = [
            NamedTask(f"{screen.id}.m{number}", screen.id, _texts(one, "wordings"), _texts(one, "script"), self._by)
            for number, one in enumerate(answers[:most], 1)
        ]
        return self._hold(screen, made, others)

    def reword(self, screen: MadeScreen, tasks: Sequence[NamedTask]) -> list[NamedTask]:
        """The tasks in the model's wordings, those whose wordings do not hold "taken out", with the reason.

        Raises:
            MalformedReply, BudgetSpent, ModelUnavailable: as `propose`.
        """
        words = ["Tasks:"]
        for number, task in enumerate(tasks, 1):
            words += [f"{number}. {task.wordings[0]}", *(f"   {line}" for line in task.script)]
        answers = self._ask(self.model, "words", screen, words, _WORDED)
        said = {one["number"]: _texts(one, "wordings") for one in answers}
        made = [
            replace(task, wordings=said.get(number, ()), by=f"{task.by}, in words of {self._by}")
            for number, task in enumerate(tasks, 1)
        ]
        return self._hold(screen, made, ())

    @property
    def _by(self) -> str:
        return f"{self.model.name}, checked by {self.checker.name}"

    def _hold(self, screen: MadeScreen, made: Sequence[NamedTask], others: Sequence[NamedTask]) -> list[NamedTask]:
        wrong: dict[str, str] = {}
        for task in made:
            if said := problems(task, screen) or list(filter(None, [self.playing.problem(task, screen)])):
                wrong[task.id] = said[0]
        # What does not hold itself makes no other task a repetition.
        wrong |= doubles([*others, *(task for task in made if task.id not in wrong)])
        left = [task for task in made if task.id not in wrong]
        wrong |= self._check(screen, left) if left else {}
        return [replace(task, state="taken out", why=wrong[task.id]) if task.id in wrong else task for task in made]

    def _check(self, screen: MadeScreen, tasks: Sequence[NamedTask]) -> dict[str, str]:
        """What the checker finds wrong, by task."""
        words = ["Tasks:"]
        for number, task in enumerate(tasks, 1):
            words += [f"{number}. Wordings:", *(f"   - {said}" for said in task.wordings), "   Script:"]
            words += [f"   {line}" for line in task.script]
        try:
            answers = self._ask(self.checker, "check", screen, words, _CHECKED)
        except MalformedReply as error:
            return {task.id: f"not checked: {error}" for task in tasks}
        said = {one["number"]: one for one in answers}
        wrong = {}
        for number, task in enumerate(tasks, 1):
            one = said.get(number)
            if one is None:
                wrong[task.id] = "not checked: the answer leaves it out"
            elif one["valid"] is not True:
                wrong[task.id] = f"checked: {one.get('why') or 'not valid'}"
        return wrong

    def _ask(
        self, model: StageModel, prompt: str, screen: MadeScreen, words: Sequence[str], schema: Mapping[str, Any]
    ) -> list[dict[str, Any]]:
        picture = Image.encoded((self.folder.path / screen.picture).read_bytes())
        question = "\n".join([*_described(screen), "", *words])
        return model.ask_parts(
            prompt_text(prompt, PACKAGE), (question, picture), schema, lambda answer: _listed(answer, schema)
        )


def _described(screen: MadeScreen) -> Iterator[str]:
    yield f"Application: {screen.app}. Screen of {screen.size[0]}x{screen.size[1]} pixels. Boxes:"
    for box in screen.boxes:
        left, top, right, bottom = box.corners
        written = f', written on it: "{box.label}"' if box.label else ""
        yield f"- {box.name}{written}, at {left},{top} to {right},{bottom}"


def _listed(answer: Mapping[str, Any], schema: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The tasks of an answer, each with all that is asked for.

    Raises:
        ValueError: they are none.
    """
    tasks, needed = answer["tasks"], schema["properties"]["tasks"]["items"]["required"]
    if not isinstance(tasks, list) or not all(isinstance(one, dict) and set(needed) <= set(one) for one in tasks):
        raise ValueError(f"tasks is a list of objects with {', '.join(needed)}")
    for one in tasks:
        for name in ("wordings", "script"):
            if name in needed and not _are_texts(one[name]):
                raise ValueError(f"{name} is a list of texts")
    return tasks


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _texts(one: Mapping[str, Any], name: str) -> tuple[str, ...]:
    if name == "script":
        return tuple(text.strip() for text in one[name])
    return tuple(" ".join(text.split()) for text in one[name])


def write_by_model(writer: TaskWriter, most: int) -> Iterator[str]:
    """Have a model write tasks on each screen that has none of it yet, and tell what became of them.

    Each screen's tasks are written to the folder at once, so that what was paid for is kept.

    Raises:
        ConfigError: the folder has no screens. BudgetSpent: the money is spent. ModelUnavailable: no model answers.
    """
    folder, kept, dropped = writer.folder, 0, list[str]()
    for screen in folder.screens().values():
        there = folder.tasks() if folder.has_tasks else []
        here = [task for task in there if task.screen == screen.id]
        if any(task.id.startswith(f"{screen.id}.m") for task in here):
            continue
        try:
            made = writer.propose(screen, most, [task for task in here if task.state != "taken out"])
        except MalformedReply as error:
            dropped.append(f"{screen.id}: {error}")
            continue
        folder.write_tasks([*there, *made])
        kept += sum(task.state == "made" for task in made)
        dropped += [f"{task.id}: {task.why}" for task in made if task.state != "made"]
    yield f"{kept} tasks of {writer.model.name} hold; {len(dropped)} were dropped"
    yield from (f"  {line}" for line in dropped)


def reword_tasks(writer: TaskWriter) -> Iterator[str]:
    """Have a model write the wordings of what rules made, and tell what became of them; the rest keeps the rule's.

    Raises:
        ConfigError: the folder has no screens or no tasks. BudgetSpent: the money is spent.
        ModelUnavailable: no model answers.
    """
    folder, kept, dropped = writer.folder, 0, list[str]()
    screens = folder.screens()
    of_rules = [task for task in folder.tasks() if task.by == "rules" and task.state == "made"]
    for id in dict.fromkeys(task.screen for task in of_rules):
        try:
            made = writer.reword(screens[id], [task for task in of_rules if task.screen == id])
        except MalformedReply as error:
            dropped.append(f"{id}: {error}")
            continue
        good = {task.id: task for task in made if task.state == "made"}
        folder.write_tasks(good.get(task.id, task) for task in folder.tasks())
        kept += len(good)
        dropped += [f"{task.id}: {task.why}" for task in made if task.state != "made"]
    yield f"{kept} tasks are in words of {writer.model.name}; {len(dropped)} keep the rule's"
    yield from (f"  {line}" for line in dropped)
