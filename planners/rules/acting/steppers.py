"""Moves that set a time, day or duration with steppers: fields with buttons that count up or down."""

from __future__ import annotations

import re
from dataclasses import replace

from omnipilot.envs import Click, Element
from omnipilot.envs.types import likeness
from omnipilot.planners.rules.acting.named_controls import control
from omnipilot.planners.rules.matching.elements import operable
from omnipilot.planners.rules.matching.scene import Do, Met, Result, Stuck, TurnScene

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = f"({'|'.join(_MONTHS)})"
_DAY = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+{_MONTH}[a-z]*|\b{_MONTH}[a-z]*\s+(\d{{1,2}})\b", re.I)
_COUNT = re.compile(r"^(\d+)\s*([a-z]*)")


def set_steppers(scene: TurnScene) -> Result:
    """Press the steppers one by one until they show the wanted values."""
    setting = {"date": _set_day, "length": _set_count}.get(scene.clause.target, _set_time)
    for env in scene.envs:
        elements = scene.elements(env)
        steppers = [e for e in elements if e.role == "spinbutton"]
        if (steppers or scene.clause.target == "length") and (result := setting(scene, env, steppers)):
            return result
    if "edit" not in scene.progress.tried:
        scene.progress.tried.add("edit")
        if isinstance(edit := control(scene, "edit", ""), Do):
            return replace(edit, completes=False)
    return Stuck(f"there is nothing to set to {scene.clause.text}")


def _set_time(scene: TurnScene, env: str, steppers: list[Element]) -> Result | None:
    digits = scene.clause.text.replace(":", "")
    shown = [(e, e.value or e.name) for e in steppers if (e.value or e.name).isdigit()]
    if not shown or sum(len(value) for _, value in shown) > 4:
        return None
    digits = digits.zfill(sum(len(value) for _, value in shown))
    for stepper, value in shown:
        want, digits = digits[: len(value)], digits[len(value) :]
        if want != value:
            return _step(scene, env, stepper, int(want) - int(value), want)
    return Met()


def _set_day(scene: TurnScene, env: str, steppers: list[Element]) -> Result | None:
    want = _day(scene.clause.text)
    for stepper in steppers:
        now = _day(stepper.value or stepper.name)
        if want and now:
            return Met() if want == now else _step(scene, env, stepper, 1 if want > now else -1, scene.clause.text)
    return None


def _set_count(scene: TurnScene, env: str, steppers: list[Element]) -> Result | None:
    want = _COUNT.match(scene.clause.text)
    elements = scene.elements(env)
    for button in elements:
        offered = _COUNT.match(button.name)
        if want and offered and operable(button) and (offered[1], offered[2][:3]) == (want[1], want[2][:3]):
            return scene.do(env, Click(scene.aim(env, button)), f"Choose {button.name}.")
    for stepper in steppers:
        now = _COUNT.match(stepper.value or stepper.name)
        if want and now and now[2] and want[2].startswith(now[2][:1]):
            away = int(want[1]) - int(now[1])
            return _step(scene, env, stepper, away, scene.clause.text) if away else Met()
    return None


def _day(text: str) -> tuple[int, int] | None:
    """Month and day; None if the text names no day."""
    found = _DAY.search(text)
    return (_MONTHS.index((found[2] or found[3]).casefold()), int(found[1] or found[4])) if found else None


def _step(scene: TurnScene, env: str, stepper: Element, away: int, want: str) -> Result | None:
    button = _stepping(stepper, scene.elements(env), away > 0)
    if button is None:
        return None
    why = f"{stepper.value or stepper.name} should be {want}."
    return scene.do(env, Click(scene.aim(env, button)), why, completes=False)


def _stepping(stepper: Element, elements: list[Element], up: bool) -> Element | None:
    """The closest up or down, plus or minus button."""
    names = ("up", "+", "plus", "increase", "later", "more") if up else ("down", "-", "−", "minus", "decrease", "less")
    buttons = [e for e in elements if operable(e) and any(likeness(name, e.name) for name in names)]
    middle = stepper.box.center

    def far(element: Element) -> float:
        place = element.box.center
        return (place.x - middle.x) ** 2 + (place.y - middle.y) ** 2

    return min(buttons, key=far, default=None)
