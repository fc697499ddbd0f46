"""Moves that bring a slider to a value."""

from __future__ import annotations

import re

from omnipilot.envs import Click, Element, Point
from omnipilot.planners.rules.matching.elements import wanted
from omnipilot.planners.rules.matching.scene import Met, Result, Scene, Stuck
from omnipilot.planners.rules.matching.seek import look_for

_TRIES = 6
_AIMED = "aimed"
_VALUE = re.compile(r"^(\d+(?:\.\d+)?)(?:\s*(?:of|/)\s*(\d+(?:\.\d+)?))?")


def slide(scene: Scene) -> Result:
    """Click where the value lies on the slider, and again beside it as far as it is off."""
    want = float(scene.clause.text)
    for env in scene.envs:
        found = [e for e in wanted(scene.clause.target, scene.elements(env)) if e.role == "slider"]
        state = _VALUE.match(found[0].value) if found else None
        if state is None:
            continue
        now, most = float(state[1]), float(state[2] or 100)
        if round(now) == round(want):
            return Met()
        scene.progress.pressed += 1
        if scene.progress.pressed > _TRIES:
            return Stuck(f"the slider stays at {state[1]}")
        # The knob stops short of the ends, so that the first click may be a little off.
        aimed = scene.progress.scores.get(_AIMED, now / most) + (want - now) / most
        scene.progress.scores[_AIMED] = aimed
        return scene.do(env, Click(_at(found[0], aimed)), f"{now:g} should be {want:g}.", completes=False)
    return look_for(scene, f"{scene.clause.target} slider")


def _at(slider: Element, share: float) -> Point:
    box = slider.box
    return Point(box.left + (box.right - box.left) * min(max(share, 0.0), 1.0), box.center.y)
