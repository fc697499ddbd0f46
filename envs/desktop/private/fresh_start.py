"""What an X server and a sound server keep of the programs that used them, set back to how it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from omnipilot.envs.types.errors import require


class XState(NamedTuple):
    """What clients can change of an X server for good.

    Attributes:
        keys: keysyms of each key code, from the lowest. modifiers: key codes of each modifier. properties: names of
            the root window's properties.
    """

    keys: Sequence[Sequence[int]]
    modifiers: Sequence[Sequence[int]]
    properties: frozenset[int]


def read_x_state(display: str) -> XState:
    """The state that `restore_x_state` goes back to."""
    x = require("Xlib.display", "desktop").Display(display)
    try:
        lowest, highest = x.display.info.min_keycode, x.display.info.max_keycode
        keys = [tuple(row) for row in x.get_keyboard_mapping(lowest, highest - lowest + 1)]
        modifiers = [tuple(row) for row in x.get_modifier_mapping()]
        return XState(keys, modifiers, frozenset(x.screen().root.list_properties()))
    finally:
        x.close()


def restore_x_state(display: str, state: XState) -> None:
    """Release keys and buttons, put the keyboard's map back, remove new properties, and centre the pointer."""
    x = require("Xlib.display", "desktop").Display(display)
    xtest = require("Xlib.ext.xtest", "desktop")
    constants = require("Xlib.X", "desktop")
    try:
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
    finally:
        x.close()


def windows(display: str) -> list[Any]:
    """The windows that are shown, by number."""
    x = require("Xlib.display", "desktop").Display(display)
    try:
        shown = require("Xlib.X", "desktop").IsViewable
        return [one.id for one in x.screen().root.query_tree().children if one.get_attributes().map_state == shown]
    finally:
        x.close()
