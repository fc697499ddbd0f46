"""What the clipboards should hold: no observation shows it, but what was copied is known where a whole field was."""

from __future__ import annotations

from omnipilot.agents.wrappers.checks.screens import element_words, focused_element, same_element
from omnipilot.agents.wrappers.episode_facts import target
from omnipilot.envs import Action, Custom, Element, Observation, Press, TypeText
from omnipilot.envs.types import FIELDS, fold
from omnipilot.memory import Expectation
from omnipilot.memory.expectations import LONGEST


class Clips:
    """Follows one episode's copies, so that a paste of something older is noticed."""

    def __init__(self) -> None:
        self._held: dict[str, str] = {}
        self._chosen: dict[str, Element] = {}
        self._field: dict[str, Element] = {}

    def state(self, env: str, text: str) -> None:
        """The planner says what a clipboard holds."""
        self._held[env] = text

    def take(self, action: Action, before: Observation | None, env: str) -> tuple[Expectation, Element] | None:
        """Take in an executed action.

        Args:
            before: what the role saw just before it; None if it did not look.

        Returns:
            For a paste of which it is known what it should bring: what the field should hold, and the field.
        """
        control = target(action, before)
        if control is not None and control.role in FIELDS:
            self._field[env] = control
        key = _command(action)
        name = fold(control.name) if control is not None else ""
        if isinstance(action, Custom) and action.name == "set_clipboard":
            self._held[env] = str(action.arguments.get("text", ""))
        elif key == "a" or (name == "select all" and before is not None):
            self._choose_all(before, env)
            return None
        elif key in ("c", "x") or name in ("copy", "cut"):
            field = self._now(self._chosen.get(env), before)
            self._held.pop(env, None)
            if field is not None and field.value:
                self._held[env] = field.value
        elif key == "v" or name == "paste":
            field = (focused_element(before) if before is not None else None) or self._field.get(env)
            held = self._held.get(env, "")
            if held.strip() and field is not None and field.role in FIELDS:
                return Expectation("field", element_words(field), held[:LONGEST], env), field
        elif isinstance(action, TypeText):
            self._chosen.pop(env, None)
        return None

    def _choose_all(self, before: Observation | None, env: str) -> None:
        field = (focused_element(before) if before is not None else None) or self._field.get(env)
        self._chosen.pop(env, None)
        if field is not None and field.role in FIELDS:
            self._chosen[env] = field

    def _now(self, field: Element | None, seen: Observation | None) -> Element | None:
        """The chosen field as it is now."""
        return same_element(field, seen) if field is not None and seen is not None else field


def _command(action: Action) -> str:
    """The letter of a keyboard shortcut such as Ctrl+V; "" for anything else."""
    if not isinstance(action, Press):
        return ""
    keys = [key.lower() for key in action.keys]
    held = {"ctrl", "meta"} & set(keys)
    return keys[-1] if held and len(keys) == 2 else ""
