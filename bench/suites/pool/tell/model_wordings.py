"""A model as the writer of instructions, and as the second reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from omnipilot.bench import StageModel
from omnipilot.bench.suites.pool.tell.clauses import TaskClause, noun_of
from omnipilot.bench.suites.pool.tell.readers import InstructionReader, ListedSubtask, Reading

PACKAGE = __name__.rpartition(".")[0]
_TEXT: Mapping[str, Any] = {
    "type": "object",
    "properties": {"instruction": {"type": "string"}},
    "required": ["instruction"],
    "additionalProperties": False,
}
_PAIRS = {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}
_READING: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "needs": _PAIRS,
        "sequence": _PAIRS,
        "missing": {"type": "array", "items": {"type": "integer"}},
    },
    "required": ["needs", "sequence", "missing"],
    "additionalProperties": False,
}


class ModelWriter:
    """Has a model write instructions.

    Args:
        model: the model. words: most words of an instruction.
    """

    def __init__(self, model: StageModel, words: int = 240) -> None:
        self.model, self.words = model, words

    def write(
        self, clauses: Sequence[TaskClause], intent: str = "", steps: bool = True, before: str = "", wrong: str = ""
    ) -> str:
        """An instruction for the subtasks.

        Args:
            intent: the purpose, "" where the writer is not told. steps: whether each step is to be said.
            before, wrong: the attempt before this one, and what was wrong with it.

        Raises:
            MalformedReply: its answers cannot be read, or have too many words.
            BudgetSpent: the money is spent. ModelUnavailable: it does not answer.
        """
        lines = ["Subtasks:", *(f"{clause.node + 1}. {clause.listed()}" for clause in clauses), ""]
        waits = [
            f"{clause.node + 1} waits for {source + 1}: its [{noun_of(clause.types[name])}] is "
            f"{clause.inputs[name].words}, which {source + 1} yields"
            for clause in clauses
            for name, source in clause.takes.items()
        ]
        lines += ["Which wait for which:", *(waits or ["none"]), ""]
        if intent:
            lines += [f"Purpose: {intent}", ""]
        lines.append(
            "Say every step."
            if steps
            else "Say what is to be achieved, with all names and values, and leave steps out."
        )
        lines.append(f"At most {self.words} words.")
        if wrong:
            lines += ["", f"Your earlier attempt: {before}", f"What was wrong with it: {wrong}"]
        return self.model.ask("write", "\n".join(lines), _TEXT, self._read, PACKAGE)

    def _read(self, answer: Mapping[str, Any]) -> str:
        text = answer["instruction"]
        if not isinstance(text, str) or not text.strip():
            raise ValueError("instruction is no text")
        if (count := len(text.split())) > self.words:
            raise ValueError(f"the instruction has {count} words, and at most {self.words} are allowed")
        return " ".join(text.split())


class ModelReader(InstructionReader):
    """Has a model read instructions."""

    def __init__(self, model: StageModel) -> None:
        self.model = model

    def read(self, instruction: str, subtasks: Sequence[ListedSubtask]) -> Reading:
        """What an instruction says about the subtasks.

        Raises:
            MalformedReply: its answers cannot be read.
            BudgetSpent: the money is spent. ModelUnavailable: it does not answer.
        """
        listed = [
            f"{number}. {subtask.text}" + (f" (yields: {subtask.yields})" if subtask.yields else "")
            for number, subtask in enumerate(subtasks, 1)
        ]
        question = "\n".join([f"Instruction: {instruction}", "", "Subtasks:", *listed])
        return self.model.ask("read", question, _READING, lambda answer: _reading(answer, len(subtasks)), PACKAGE)


def _reading(answer: Mapping[str, Any], count: int) -> Reading:
    def number(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= count:
            raise ValueError(f"{value!r} is no number of a subtask; there are {count}")
        return value - 1

    def pairs(name: str) -> frozenset[tuple[int, int]]:
        found = set()
        for pair in answer[name]:
            if not isinstance(pair, list) or len(pair) != 2:
                raise ValueError(f"{name} holds pairs of numbers, not {pair!r}")
            found.add((number(pair[0]), number(pair[1])))
        return frozenset(found)

    return Reading(pairs("needs"), pairs("sequence"), frozenset(number(one) for one in answer["missing"]))
