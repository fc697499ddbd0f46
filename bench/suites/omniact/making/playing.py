"""Playing made tasks on the live screen that they are of: what is pressed has to be what the box says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from omnipilot.bench.suites.omniact.making.mapping import map_names
from omnipilot.bench.suites.omniact.making.records import MadeScreen, NamedTask
from omnipilot.bench.suites.omniact.making.screens import LOOKS, boxes_of, reach
from omnipilot.bench.suites.omniact.script import actions_of
from omnipilot.envs import ActionRejected, Element, Point
from omnipilot.envs.sim import SimWorld


@dataclass
class Playing:
    """Plays tasks on the embedded desktop.

    Attributes:
        world: that they are played on; one serves all.
    """

    world: SimWorld = field(default_factory=SimWorld)

    def problem(self, task: NamedTask, screen: MadeScreen) -> str:
        """Why a task cannot be played on its screen, in words; "" if it can, or if its screen is none of this world.

        It cannot if the screen has other boxes now, if the element below the first place is another one than the box
        says, or if the desktop rejects one of its actions.
        """
        if not screen.reach:
            return ""
        env = reach(self.world, **screen.reach)
        seen = env.observe(LOOKS, self.world.now)
        if not set(screen.boxes) <= set(boxes_of(seen)):
            return "the screen has other boxes than when it was taken"
        actions = actions_of("\n".join(map_names(task, screen)), screen.pixels) or ()
        if wrong := missing_below(task, screen, env.ui_tree()):
            return wrong
        for number, action in enumerate(actions, 1):
            try:
                env.act(action)
            except ActionRejected as error:
                return f"action {number} was rejected: {error}"
        return ""


def missing_below(task: NamedTask, screen: MadeScreen, tree: Iterable[Element]) -> str:
    """What is missing below the place of the first line; the places of later lines are on screens of later."""
    for box in screen.boxes:
        if f"<{box.name}>" in task.script[0]:
            x, y = box.center
            point = Point(x / screen.size[0], y / screen.size[1])
            if not any(one.name == box.label for one in tree if one.box.contains(point)):
                return f"below the centre of {box.name} is nothing called {box.label!r}"
    return ""
