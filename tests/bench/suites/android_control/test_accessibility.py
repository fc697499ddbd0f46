"""Recorded accessibility trees: against bytes put together here by hand, broken ones, and the miniature's."""

from __future__ import annotations

import contextlib
import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.bench.suites.android_control import AndroidControl
from omnipilot.bench.suites.android_control import sample as mini_android_control
from omnipilot.bench.suites.android_control.accessibility import elements_of, read_tree
from omnipilot.bench.suites.android_control.sample import forest
from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import (
    Absent,
    Box,
    Capability,
    Element,
    Elements,
    Modality,
    Size,
    Thinking,
)
from omnipilot.envs.types.element_reading import read_target

SIZE = Size(100, 200)


def varint(value: int) -> bytes:
    value %= 1 << 64
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def number(key: int, value: int) -> bytes:
    return varint(key << 3) + varint(value)


def held(key: int, data: bytes | str) -> bytes:
    data = data if isinstance(data, bytes) else data.encode()
    return varint(key << 3 | 2) + varint(len(data)) + data


def node(id: int, rect: tuple[int, int, int, int], kind: str = "", children: bytes = b"", **more: object) -> bytes:
    sides = b"".join(number(key, side) for key, side in enumerate(rect, 1) if side)
    made = (
        number(1, id) + held(2, sides) + held(3, f"android.widget.{kind}") + (held(25, children) if children else b"")
    )
    flags = {"clickable": 14, "editable": 15, "visible": 23, "enabled": 16, "checkable": 12, "checked": 13}
    for name, key in flags.items():
        if more.pop(name, name in ("visible", "enabled")):
            made += number(key, 1)
    for name, key in {"description": 4, "hint": 5, "text": 7, "tooltip": 31}.items():
        made += held(key, more.pop(name)) if name in more else b""  # type: ignore[arg-type]
    assert not more
    # Fields that nothing is read from, of every wire type.
    return made + number(8, 3) + varint(99 << 3 | 5) + bytes(4) + varint(98 << 3 | 1) + bytes(8) + held(24, b"\x08\x01")


def window(layer: int, *nodes: bytes) -> bytes:
    return held(1, number(4, layer) + held(11, b"".join(held(1, one) for one in nodes)))


def test_nodes_become_elements_windows_from_back_to_front() -> None:
    back = window(
        1,
        node(0, (0, 0, 100, 200), "FrameLayout", varint(2) + varint(1)),
        node(1, (0, 100, 100, 140), "EditText", hint="Name", text="Ann", editable=True),
        node(2, (0, 20, 100, 60), "LinearLayout", varint(3) + varint(4), clickable=True),
        node(3, (0, 20, 100, 40), "TextView", text="Wi-Fi"),
        node(4, (80, 40, 100, 60), "Switch", checkable=True, checked=True, clickable=True, description="Use Wi-Fi"),
        node(5, (0, 150, 50, 170), "TextView", text="gone", visible=False),
        node(6, (0, 150, 0, 170), "TextView", text="flat"),
        node(7, (-20, 150, 50, 170), "AppCompatButton", text="OK", enabled=False),
    )
    front = window(7, node(0, (20, 180, 60, 220), "ImageView", description="Gear", clickable=True))
    found = elements_of(front + back, SIZE)
    assert not found.truncated and found.items == (
        Element("button", "Wi-Fi", Box(0, 0.1, 1, 0.3)),
        Element("text", "Wi-Fi", Box(0, 0.1, 1, 0.2)),
        Element("switch", "Use Wi-Fi", Box(0.8, 0.2, 1, 0.3), frozenset({"checked"})),
        Element("textbox", "Name", Box(0, 0.5, 1, 0.7), value="Ann"),
        Element("button", "OK", Box(0, 0.75, 0.5, 0.85), frozenset({"disabled"})),
        Element("button", "Gear", Box(0.2, 0.9, 0.6, 1.0)),
    )
    assert read_target(found, "Wi-Fi") is found.items[0]


def test_a_graph_with_a_loop_is_read_once_and_the_only_text_counts() -> None:
    loop = window(
        0,
        node(0, (0, 0, 9, 9), "ViewGroup", varint(1)),
        node(1, (0, 0, 50, 50), "ViewGroup", varint(1) + varint(2) + varint(3), clickable=True),
        node(2, (0, 0, 20, 20), "TextView", varint(1), text="one"),
        node(3, (20, 20, 40, 40), "TextView", text="two"),
    )
    assert [(one.role, one.name) for one in elements_of(loop, SIZE)] == [
        ("button", ""),
        ("text", "one"),
        ("text", "two"),
    ]


def test_what_is_no_tree_tells_nothing_and_raises_nothing(tmp_path: Path) -> None:
    file = tmp_path / "tree.pb.gz"
    for data in (
        b"no gzip",
        gzip.compress(b"\x0a\x7f"),
        gzip.compress(b"\x08\x01\x0b"),
        gzip.compress(held(1, number(11, 3))),
    ):
        file.write_bytes(data)
        found = read_tree(file, SIZE)
        assert (
            found.truncated
            and not len(found)
            and found.detail.startswith("the recorded tree tree.pb.gz cannot be read")
        )
    file.write_bytes(gzip.compress(b""))
    assert read_tree(file, SIZE) == Elements((), True, "the recorded tree is empty")


@given(st.binary(max_size=60))
def test_any_bytes_are_a_tree_or_a_value_error(data: bytes) -> None:
    with contextlib.suppress(ValueError):
        elements_of(data, SIZE)


def test_the_trees_of_the_miniature_tell_what_the_phone_showed_and_only_judges(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    mini_android_control.write(tmp_path / "data")
    packed = AndroidControl(str(tmp_path / "data"))
    world = packed.world(Thinking())
    tasks = [info.id for info in packed.tasks()]
    packed.instantiate(tasks[0], 0).setup(world)
    device = world.envs["phone"]
    assert Capability.UI_TREE in device.capabilities
    first = device.ui_tree()
    assert len(first) > 5 and not first.truncated and {"button"} <= {one.role for one in first}
    # Agents are granted what they always were: the screenshot.
    assert isinstance(device.observe({Modality.ELEMENTS}, 0.0).elements, Absent)
    world.take((), "")
    assert device.ui_tree() != first
    rows = AndroidControl(str(tmp_path / "data" / "rows"))
    rows.instantiate(tasks[0], 0).setup(world)
    assert Capability.UI_TREE not in world.envs["phone"].capabilities


def test_a_tree_of_the_embedded_phone_comes_back() -> None:
    world = Duet().world(Thinking())
    Duet().instantiate("send-message", 0).setup(world)
    phone = world.envs["phone"]
    shown = phone.ui_tree()
    back = elements_of(forest(shown, phone.size), phone.size)
    assert len(back) == len(shown)
    for one, other in zip(back, shown, strict=True):
        assert one.name == other.name
        assert one.box.center.x == pytest.approx(other.box.center.x, abs=0.01)
        assert one.box.center.y == pytest.approx(other.box.center.y, abs=0.01)
    assert {one.name for one in back if one.role == "button"} >= {"Messages", "Contacts", "Settings"}
