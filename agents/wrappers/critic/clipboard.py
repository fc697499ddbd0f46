"""The paste check: the clipboard must hold something that was copied in this episode and not pasted yet."""

from __future__ import annotations

from collections.abc import MutableMapping

from omnipilot.agents.wrappers.critic.case import ClipboardState, CriticCase
from omnipilot.agents.wrappers.episode_facts import target
from omnipilot.envs import Action, Custom, Element, Observation, OpenApp, OpenUrl, Press
from omnipilot.envs.types import fold


def stale_clipboard(case: CriticCase) -> str:
    """Object to a paste if nothing was copied here since the previous paste."""
    if not pastes(case.action, case.target):
        return ""
    held = case.clips.get(case.env)
    if held is None:
        return f"nothing was copied on {case.env} in this episode: the clipboard holds whatever was there before"
    if held.pastes and held.elsewhere:
        return "the clipboard still holds what was pasted before; copy first, or paste again if that is meant"
    return ""


def keep_clip(clips: MutableMapping[str, ClipboardState], env: str, action: Action, seen: Observation | None) -> None:
    """Record the effect of an executed action on the clipboard of its environment."""
    element = target(action, seen)
    if copies(action, element):
        clips[env] = ClipboardState()
    elif env in clips and pastes(action, element):
        clips[env].pastes, clips[env].elsewhere = clips[env].pastes + 1, False
    elif env in clips and isinstance(action, OpenApp | OpenUrl):
        clips[env].elsewhere = True


def pastes(action: Action, element: Element | None) -> bool:
    """Whether an action pastes: Ctrl+V, or a control named Paste."""
    return _chord(action, "v") or _called(action, element, ("paste",))


def copies(action: Action, element: Element | None) -> bool:
    """Whether an action fills the clipboard: Ctrl+C, Ctrl+X, a control with such a name, or a verb that sets it."""
    if isinstance(action, Custom):
        return "clipboard" in action.name
    return _chord(action, "c") or _chord(action, "x") or _called(action, element, ("copy", "cut"))


def _chord(action: Action, key: str) -> bool:
    if not isinstance(action, Press):
        return False
    pressed = {name.lower() for name in action.keys}
    return key in pressed and bool(pressed & {"ctrl", "meta"})


def _called(action: Action, element: Element | None, names: tuple[str, ...]) -> bool:
    return action.kind == "click" and element is not None and fold(element.name).split(" ")[0] in names
