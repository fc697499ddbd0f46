"""Touches, text and keys, read back from the phone that received them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from adb_shell import Bench

from omnipilot.envs.sim.adb.hierarchy import screen_tree
from omnipilot.envs.types.geometry import Size
from omnipilot.envs.types.observation import Element


def element(bench: Bench, id: str) -> Element:
    found = bench.phone.elements().by_id(id)
    assert found is not None, id
    return found


def at(bench: Bench, id: str) -> str:
    left, top, right, bottom = bench.phone.display.rectangle(element(bench, id).box)
    return f"{(left + right) // 2} {(top + bottom) // 2}"


@pytest.mark.parametrize("density", ["normal", "large"])
@pytest.mark.parametrize("rotation", [0, 1, 2, 3])
@pytest.mark.parametrize("override", [None, Size(720, 1600)])
def test_the_middle_of_every_node_hits_its_control(density: str, rotation: int, override: Size | None) -> None:
    bench = Bench()
    look = replace(bench.state.phone.look, density=density)  # type: ignore[arg-type]
    bench.world.prepare(lambda state: state.looking(look, "phone"))
    bench.phone.tick()
    bench.phone.turn(rotation)
    bench.phone.note(override=override)
    checked = 0
    for app in ("", "settings", "clock", "phone"):
        if app:
            bench.run(f"monkey -p com.omnipilot.{app} 1")
        scene = bench.phone.scene()
        names = {f"{node.package}:{node.bounds}" for node in screen_tree(bench.phone).walk()}
        for control in [control for control in scene.controls if control.id]:
            one = bench.phone.elements().by_id(control.id)
            if one is None:
                continue
            left, top, right, bottom = bench.phone.display.rectangle(one.box)
            assert any(name.endswith(str((left, top, right, bottom))) for name in names)
            point = bench.phone.display.point((left + right) // 2, (top + bottom) // 2)
            assert point is not None
            hit = scene.hit(*point.to_pixel(scene.size))
            center = one.box.center.to_pixel(scene.size)
            assert hit is scene.hit(*center), (control.id, hit)
            checked += 1
    assert checked > 40
    assert bench.phone.picture().size == bench.phone.display.size


def test_a_tap_beside_the_picture_is_none() -> None:
    bench = Bench()
    bench.phone.turn(1)
    before = bench.state.phone.windows
    for place in ("3 3", "900 400", "-5 10", "99999 3"):
        assert bench.run(f"input tap {place}")[0] == 0
    assert bench.state.phone.windows == before


def test_text_goes_where_the_focus_is() -> None:
    bench = Bench()
    bench.run("am start -n com.omnipilot.notes/.NotesActivity")
    box = next(e for e in bench.phone.elements() if e.role == "textbox")
    assert box.id is not None
    bench.run("input text lost")
    bench.run(f"input tap {at(bench, box.id)}; input text a%sb; input text \"c'd\"; input text '$x&|;'")
    assert element(bench, box.id).value == "a bc'd$x&|;"
    status, _, err = bench.run("input text größer")
    assert (status, "NullPointerException" in err) == (255, True)
    assert element(bench, box.id).value == "a bc'd$x&|;"
    bench.run("input keycombination 113 29; input keyevent 67 KEYCODE_H I SPACE 7")
    assert element(bench, box.id).value == "hi 0"
    bench.run("ime enable com.android.adbkeyboard/.AdbIME; ime set com.android.adbkeyboard/.AdbIME")
    bench.run("am broadcast -a ADB_CLEAR_TEXT; am broadcast -a ADB_INPUT_B64 --es msg Z3LDtsOfZXIg5L2g5aW9")
    assert element(bench, box.id).value == "größer 你好"
    bench.run("am broadcast -a ADB_CLEAR_TEXT; am broadcast -a ADB_INPUT_TEXT --es msg 'größer'")
    assert element(bench, box.id).value == "größer"


def test_two_taps_at_once_select_a_word_and_two_slow_ones_do_not() -> None:
    bench = Bench()
    bench.run("am start -n com.omnipilot.notes/.NotesActivity")
    box = next(e for e in bench.phone.elements() if e.role == "textbox")
    assert box.id is not None
    bench.run(f"input tap {at(bench, box.id)}; input text word")
    left, top, _, bottom = bench.phone.display.rectangle(box.box)
    place = f"{left + 60} {(top + bottom) // 2}"
    bench.clock.now += 0.01
    bench.run(f"input tap {place}; input tap {place}; input text X")
    assert element(bench, box.id).value == "X"
    bench.run(f"input tap {place}")
    bench.clock.now += 0.01
    bench.run(f"input tap {place}; input text Y")
    assert element(bench, box.id).value == "XY"


def test_a_long_press_opens_a_menu_and_a_swipe_scrolls() -> None:
    bench = Bench()
    bench.run("am start -n com.omnipilot.messages/.ConversationListActivity")
    bench.run("input swipe 200 800 200 300 200")
    assert bench.state.phone.scrolls.get("messages/threads/scroll", 0) > 0
    bench.run("am start -n com.omnipilot.notes/.NotesActivity")
    row = next(c for c in bench.phone.scene().controls if c.menu and c.id)
    bench.run(f"input swipe {at(bench, row.id)} {at(bench, row.id)} 800")
    assert bench.state.phone.popup is not None
    bench.run("input keyevent BACK")
    assert bench.state.phone.popup is None


@pytest.mark.parametrize(
    "move",
    [
        "input swipe {} 60 {y} 300",
        "input draganddrop {} 60 {y} 100",
        "input motionevent DOWN {}; input motionevent MOVE 200 {y}; input motionevent UP 60 {y}",
    ],
)
def test_a_finger_moves_a_slider(move: str) -> None:
    bench = Bench()
    bench.run("am start -a android.settings.DISPLAY_SETTINGS")
    before = bench.state.account.phone_settings.brightness
    place = at(bench, "settings/display/brightness")
    bench.run(move.format(place, y=place.split()[1]))
    assert bench.state.account.phone_settings.brightness < before


def test_keys_of_the_system() -> None:
    bench = Bench()
    bench.run("input keyevent VOLUME_DOWN 25")
    assert bench.state.account.phone_settings.media == 80
    bench.run("am start -a android.settings.WIFI_SETTINGS; input keyevent 4")
    assert bench.state.phone.front is not None and bench.state.phone.front.view.name == "main"
    bench.run("input keyevent KEYCODE_HOME")
    assert bench.state.phone.front is None
    bench.run("input keyevent 26; input tap 60 300")
    assert "mHoldingDisplaySuspendBlocker=false" in bench.out("dumpsys power")
    assert set(bench.phone.picture().rgb) == {0}
    assert bench.state.phone.front is None
    bench.run("input keyevent WAKEUP; input tap 60 300")
    assert bench.state.phone.front is not None


@pytest.mark.parametrize(
    "args", ["tap 1", "tap a b", "swipe 1 2 3", "keyevent NOPE", "motionevent HOP 1 1", "dance", "tap inf 1"]
)
def test_wrong_arguments_are_refused(args: str) -> None:
    status, _, err = Bench().run(f"input {args}")
    assert status == 255
    assert err
