"""What an X server and a sound server keep of the programs that used them, set back to how it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from omnipilot.envs.desktop.address import DesktopAddress
from omnipilot.envs.desktop.x11.connection import xauthority
from omnipilot.envs.types.errors import EnvLost, require


@contextmanager
def connected(address: DesktopAddress) -> Iterator[Any]:
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
        keys: keysyms of each key code, from the lowest. modifiers: key codes of each modifier. properties: names of
            the root window's properties.
    """

    keys: Sequence[Sequence[int]]
    modifiers: Sequence[Sequence[int]]
    properties: frozenset[int]


def read_x_state(address: DesktopAddress) -> XState:
    """The state that `restore_x_state` goes back to."""
    with connected(address) as x:
        lowest, highest = x.display.info.min_keycode, x.display.info.max_keycode
        keys = [tuple(row) for row in x.get_keyboard_mapping(lowest, highest - lowest + 1)]
        modifiers = [tuple(row) for row in x.get_modifier_mapping()]
        return XState(keys, modifiers, frozenset(x.screen().root.list_properties()))


def restore_x_state(address: DesktopAddress, state: XState) -> None:
    """Release keys and buttons, put the keyboard's map back, remove new properties, and centre the pointer."""
    xtest = require("Xlib.ext.xtest", "desktop")
    constants = require("Xlib.X", "desktop")
    with connected(address) as x:
        root = x.screen().root
        for byte, bits in enumerate(x.query_keymap()):
            for bit in range(8):
                if bits >> bit & 1:
                    xtest.fake_input(x, constants.KeyRelease, byte * 8 + bit)
        pressed = root.query_pointer().mask
        for button in range(1, 6):
            if pressed & (constants.Button1Mask << (button - 1)):
                xtest.fake_input(x, constants.ButtonRelease, button)
        lowest, highest = x.display.info.min_keycode, x.display.info.max_keycode
        if [tuple(row) for row in x.get_keyboard_mapping(lowest, highest - lowest + 1)] != list(state.keys):
            x.change_keyboard_mapping(lowest, state.keys)
        if [tuple(row) for row in x.get_modifier_mapping()] != list(state.modifiers):
            x.set_modifier_mapping(state.modifiers)
        for name in root.list_properties():
            if name not in state.properties:
                root.delete_property(name)
        screen = x.screen()
        root.warp_pointer(screen.width_in_pixels // 2, screen.height_in_pixels // 2)
        x.sync()


def read_root(address: DesktopAddress, names: Sequence[str]) -> tuple[object, ...]:
    """The values of properties of the root window, None for one that it does not have."""
    with connected(address) as x:
        root = x.screen().root
        found = (root.get_full_property(x.intern_atom(name), 0) for name in names)
        return tuple(None if one is None else bytes(memoryview(one.value)) for one in found)


def paint_background(address: DesktopAddress, colour: int) -> None:
    """Give the screen behind all windows one colour, 0xRRGGBB."""
    with connected(address) as x:
        root = x.screen().root
        root.change_attributes(background_pixel=colour)
        root.clear_area()
        x.sync()


def list_windows(address: DesktopAddress) -> tuple[int, ...]:
    """The windows that the window manager knows."""
    with connected(address) as x:
        found = x.screen().root.get_full_property(x.intern_atom("_NET_CLIENT_LIST"), 0)
        return () if found is None else tuple(found.value)
