"""What the served phone's element tree says, and in which order."""

from __future__ import annotations

from omnipilot.envs import Click, LongPress, OpenApp, Size
from omnipilot.envs.android.hierarchy import elements, parse_hierarchy
from omnipilot.envs.android.screen import Display, screen_map
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.adb.hierarchy import screen_tree, to_xml
from omnipilot.envs.sim.adb.phone import ServedPhone

SIZE = Size(412, 916)


def told(world: SimWorld) -> list[tuple[str, str]]:
    tree = to_xml(screen_tree(ServedPhone(world, clock=lambda: 0.0)), 0)
    return [(one.role, one.name) for one in elements(parse_hierarchy(tree), screen_map(SIZE, Display(SIZE, SIZE)))]


def press(world: SimWorld, id: str) -> None:
    element = world.envs["phone"].ui_tree().by_id(id)
    assert element is not None
    world.envs["phone"].act(Click(element.box.center))
    world.wait(1.0)


def test_bars_come_before_what_scrolls_below_them() -> None:
    world = SimWorld()
    world.envs["phone"].act(OpenApp("Clock"))
    found = told(world)
    assert found[:3] == [("text", "Clock"), ("tab", "Alarms"), ("tab", "Timer")]
    assert found[3] == ("group", "")
    assert found[4][0] == "listitem"


def test_wheels_and_choices_have_roles_of_their_own() -> None:
    world = SimWorld()
    world.envs["phone"].act(OpenApp("Clock"))
    press(world, "clock/alarms/new")
    assert [role for role, _ in told(world)].count("spinbutton") >= 2


def test_while_a_dialog_is_open_it_alone_is_told() -> None:
    world = SimWorld()
    world.envs["phone"].act(OpenApp("Settings"))
    press(world, "settings/main/wifi")
    known = next(one for one in world.state().account.networks if one.known)
    row = world.envs["phone"].ui_tree().by_id(f"settings/wifi/{known.id}")
    assert row is not None
    world.envs["phone"].act(LongPress(row.box.center))
    press(world, f"settings/wifi/{known.id}/forget")
    dialogs = [one.name for one in world.envs["phone"].ui_tree().items if one.role == "dialog"]
    found = told(world)
    assert found[0][1] == dialogs[0]
    assert ("text", "Wi-Fi") not in found
    assert "Forget" in [name for _, name in found]
