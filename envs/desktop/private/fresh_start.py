"""What an X server and a sound server keep of the programs that used them, set back to how it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from omnipilot.envs.desktop.address import DesktopAddress
from omnipilot.envs.desktop.x11.connection import xauthority
from omnipilot.envs.types.errors import EnvLost, require


@contextmanager
def connect(address: DesktopAddress) -> Iterator[Any]:
    """A connection to an X server for a few requests.

    Raises:
        EnvLost: the server is gone.
    """
    lost = require("Xlib.error", "desktop")
    try:
        with xauthority(address):
            x = require("Xlib.display", "desktop").Display(address.display)
        try:
            yield x
        finally:
            x.close()
    except (lost.DisplayError, lost.ConnectionClosedError, OSError) as error:
        raise EnvLost(f"the X server {address.display} is gone: {error}") from error


class XState(NamedTuple):
    """What clients can change of an X server for good.

    Attributes:
        keys: keysyms of each key code, from the lowest. modifiers: key codes of each modifier.
        properties: the root window's: type, format in bits, and value, by their atom; without those that a window
            manager keeps, whose names begin with _NET_.
    """

    keys: Sequence[Sequence[int]]
    modifiers: Sequence[Sequence[int]]
    properties: Mapping[int, tuple[int, int, bytes]]


def read_x_state(address: DesktopAddress) -> XState:
    """The state that `restore_x_state` goes back to."""
    with connect(address) as x:
        lowest, highest = x.display.info.min_keycode, x.display.info.max_keycode
        keys = [tuple(row) for row in x.get_keyboard_mapping(lowest, highest - lowest + 1)]
        modifiers = [tuple(row) for row in x.get_modifier_mapping()]
        return XState(keys, modifiers, _properties(x))


def _properties(x: Any) -> dict[int, tuple[int, int, bytes]]:
    root = x.screen().root
    found = {}
    for atom in root.list_properties():
        value = root.get_full_property(atom, 0)
        if value is not None and not x.get_atom_name(atom).startswith("_NET_"):
            found[atom] = (value.property_type, value.format, _data(value))
    return found


def _data(value: Any) -> bytes:
    """What a property holds, as it is sent."""
    return value.value if isinstance(value.value, bytes) else bytes(memoryview(value.value))


def restore_x_state(address: DesktopAddress, state: XState) -> None:
    """Release keys and buttons, put the root window's properties back, and centre the pointer."""
    xtest = require("Xlib.ext.xtest", "desktop")
    constants = require("Xlib.X", "desktop")
    with connect(address) as x:
        root = x.screen().root
        for byte, bits in enumerate(x.query_keymap()):
            for bit in range(8):
                if bits >> bit & 1:
                    xtest.fake_input(x, constants.KeyRelease, byte * 8 + bit)
        pressed = root.query_pointer().mask
        for button in range(1, 6):
            if pressed & (constants.Button1Mask << (button - 1)):
                xtest.fake_input(x, constants.ButtonRelease, button)
        now = _properties(x)
        for atom in now.keys() - state.properties.keys():
            root.delete_property(atom)
        for atom, (kind, bits, value) in state.properties.items():
            if now.get(atom) != (kind, bits, value):
                root.change_property(atom, kind, bits, value)
        screen = x.screen()
        root.warp_pointer(screen.width_in_pixels // 2, screen.height_in_pixels // 2)
        x.sync()


def read_root(address: DesktopAddress, names: Sequence[str]) -> tuple[object, ...]:
    """The values of properties of the root window, None for one that it does not have."""
    with connect(address) as x:
        root = x.screen().root
        found = (root.get_full_property(x.intern_atom(name), 0) for name in names)
        return tuple(None if one is None else _data(one) for one in found)


def paint_background(address: DesktopAddress, colour: int) -> None:
    """Give the screen behind all windows one colour, 0xRRGGBB."""
    with connect(address) as x:
        root = x.screen().root
        root.change_attributes(background_pixel=colour)
        root.clear_area()
        x.sync()


def forget_manager(address: DesktopAddress, names: Sequence[str]) -> None:
    """Remove what says that there is a window manager, and which windows; one that was killed leaves it.

    Args:
        names: of its other properties of the root window, which a new one would take over.
    """
    told = ("_NET_SUPPORTING_WM_CHECK", "_NET_CLIENT_LIST", "_NET_CLIENT_LIST_STACKING", "_NET_ACTIVE_WINDOW")
    with connect(address) as x:
        for name in (*told, *names):
            x.screen().root.delete_property(x.intern_atom(name))
        x.sync()


def list_windows(address: DesktopAddress) -> tuple[int, ...]:
    """The windows that the window manager knows."""
    with connect(address) as x:
        found = x.screen().root.get_full_property(x.intern_atom("_NET_CLIENT_LIST"), 0)
        return () if found is None else tuple(found.value)
