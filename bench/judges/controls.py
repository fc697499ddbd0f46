"""What an action was done to, by the name of the control there."""

from __future__ import annotations

from omnipilot.bench.tasks.judges import ExecutedAction
from omnipilot.envs import (
    Action,
    Capability,
    Click,
    Elements,
    Env,
    LongPress,
    Modality,
    Select,
    TypeText,
    World,
)
from omnipilot.envs.types.element_reading import element_at


def read_controls(env: Env) -> Elements:
    """The controls on a screen now: the environment's own tree, or what it shows of it; none if it shows none."""
    if Capability.UI_TREE in env.capabilities:
        return env.ui_tree()
    elements = env.observe({Modality.ELEMENTS}, 0.0).elements
    return elements if isinstance(elements, Elements) else Elements(())


def control_of(action: Action, elements: Elements) -> str:
    """The name of the control that an action points at; of one without a name, the texts on it. "" if it points at
    nothing.

    Args:
        elements: of the screen before the action.
    """
    at = action.at if isinstance(action, (Click, LongPress, TypeText, Select)) else None
    control = element_at(elements, at) if at is not None else None
    if control is None:
        return ""
    inside = [one.name for one in elements if one is not control and control.box.contains(one.box.center)]
    return control.name or " ".join(name for name in inside if name)


def note_action(world: World, env: str, action: Action) -> ExecutedAction:
    """An action as checks read it. Ask for it before the action is carried out, while its control is on the screen."""
    return ExecutedAction(env, action, control_of(action, read_controls(world.envs[env])))
