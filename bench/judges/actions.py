"""Checks of what the agent did: clicked, typed, answered."""

from __future__ import annotations

from omnipilot.bench.judges.evidence import DeviceEvidence
from omnipilot.bench.judges.kinds import judge
from omnipilot.bench.judges.matching import matches
from omnipilot.envs import Action, Click, LongPress, Press, TypeText


@judge(reads_controls=True)
def check_mouse_clicks(evidence: DeviceEvidence, text: str, exact: bool = False) -> tuple[bool, str]:
    """A control of this name was clicked or tapped, since the subtask became active."""
    clicked = [one.control for one in evidence.executed() if isinstance(one.action, (Click, LongPress))]
    return any(matches(text, name, exact) for name in clicked), f"clicked: {clicked!r}"


@judge()
def check_keyboard_types(evidence: DeviceEvidence, text: str, exact: bool = False) -> tuple[bool, str]:
    """This text was typed, at once or by several typing actions in a row, since the subtask became active."""
    runs = typed_runs(evidence.actions())
    return any(matches(text, run, exact) for run in runs), f"typed: {runs!r}"


@judge()
def check_answer(evidence: DeviceEvidence, text: str, exact: bool = False) -> tuple[bool, str]:
    """The agent gave an answer with this text."""
    answers = evidence.case.answers
    return any(matches(text, answer, exact) for answer in answers), f"answers: {list(answers)!r}"


def typed_runs(actions: tuple[Action, ...]) -> list[str]:
    """The texts typed by actions in a row. A press of a single character belongs to it, and so does Enter."""
    runs: list[str] = []
    typing = False
    for action in actions:
        if isinstance(action, TypeText):
            # A field that is emptied, or another field, begins anew.
            joins = typing and action.at is None and not action.clear
            runs = [*runs[:-1], runs[-1] + action.text] if joins else [*runs, action.text]
            typing = True
        elif isinstance(action, Press) and len(action.keys) == 1 and len(action.keys[0]) == 1:
            runs = [*runs[:-1], runs[-1] + action.keys[0]] if typing else [*runs, action.keys[0]]
            typing = True
        else:
            typing = False
    return runs
