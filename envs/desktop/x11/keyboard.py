"""The keyboard: keys by name, and text of any characters, under whatever layout is set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from omnipilot.envs.desktop.x11.connection import XConnection
from omnipilot.envs.desktop.x11.keysyms import MODIFIERS, NAMES, character_keysym, named_keysym
from omnipilot.envs.types.errors import ActionRejected

TAKEN_UP = 0.06
"""Seconds that programs get to take up a changed keyboard mapping; 0.03 were enough in GTK 3, Qt 5, VTE and Firefox."""
UNSHIFTED = 0xA0
"""The highest keysym of those that layouts may have on a key with and without Shift."""
CHUNK = 40
"""Characters that are sent before the server is asked whether it has taken them."""


class Keyboard:
    """The keys of an X server, pressed through the XTEST extension.

    Characters that the layout lacks are put on spare keys, all at once: a request for each would make window managers
    and programs read the whole mapping anew each time. They stay there until `release`, so that a program that is late
    still finds them.
    """

    def __init__(self, connection: XConnection) -> None:
        self._x = connection
        self._held: list[int] = []
        self._lent: dict[int, int] = {}  # keysym → spare keycode
        self._before: dict[int, list[int]] = {}  # spare keycode → its keysyms before
        info = connection.display.display.info
        self._first, self._count = info.min_keycode, info.max_keycode - info.min_keycode + 1
        self._map: list[list[int]] = []

    def check(self, keys: Iterable[str]) -> None:
        """Raise ActionRejected for a key that is none."""
        for name in keys:
            if name not in NAMES:
                character_keysym(name)

    @contextmanager
    def down(self, keys: Sequence[str]) -> Iterator[None]:
        """Press keys in their order, and release them in reverse."""
        pressed: list[int] = []
        try:
            for code in self._codes(keys):
                # A key that is held already stays so.
                if code not in self._held:
                    self._fake(code, True)
                    pressed.append(code)
            yield
        finally:
            for code in reversed(pressed):
                self._fake(code, False)
            self._x.sync()

    def hold(self, keys: Sequence[str]) -> None:
        """Press keys and keep them down."""
        for code in self._codes(keys):
            if code not in self._held:
                self._fake(code, True)
        self._x.sync()

    def let_go(self, keys: Sequence[str]) -> None:
        """Release keys."""
        for code in self._codes(keys):
            self._fake(code, False)
        self._x.sync()

    def odd(self, text: str) -> int:
        """How many of the characters the layout has no key for."""
        self._read()
        return sum(self._find(character_keysym(one)) is None for one in text)

    def type(self, text: str) -> None:
        """Type a text, character by character.

        Raises:
            ActionRejected: a character in it cannot be typed; nothing was.
        """
        keysyms = [character_keysym(character) for character in text]
        self._read()
        with self._plain():
            for chunk in self._chunks(keysyms):
                self._lend({keysym for keysym in chunk if self._find(keysym) is None})
                shift = self._codes(["shift"])[0]
                for done, keysym in enumerate(chunk, 1):
                    self._strike(keysym, shift)
                    if done % CHUNK == 0:
                        self._x.sync()
                self._x.sync()

    def release(self) -> None:
        """Release every key that is held, and give the spare keys back."""
        for code in reversed(self._held[:]):
            self._fake(code, False)
        if self._before:
            self._write(self._before)
            self._before, self._lent = {}, {}
        self._x.sync()

    def _chunks(self, keysyms: list[int]) -> Iterator[list[int]]:
        """Parts of a text that need no more spare keys than there are."""
        room = len(self._spare_codes())
        chunk: list[int] = []
        needed: set[int] = set()
        for keysym in keysyms:
            if self._own(keysym) is None:
                if keysym not in needed and len(needed) == room:
                    yield chunk
                    chunk, needed = [], set()
                needed.add(keysym)
                if not room:
                    raise ActionRejected("this keyboard layout has no spare keys for other characters")
            chunk.append(keysym)
        yield chunk

    def _strike(self, keysym: int, shift: int) -> None:
        found = self._find(keysym)
        assert found is not None
        code, shifted = found
        if shifted:
            self._fake(shift, True)
        try:
            self._fake(code, True)
            self._fake(code, False)
        finally:
            if shifted:
                self._fake(shift, False)

    @contextmanager
    def _plain(self) -> Iterator[None]:
        """Without Caps Lock, under which text would not come out as it is written."""
        from Xlib import X

        locked = bool(self._x.root.query_pointer().mask & X.LockMask)
        if locked:
            self._tap("capslock")
        try:
            yield
        finally:
            if locked:
                self._tap("capslock")

    def _tap(self, name: str) -> None:
        with self.down([name]):
            pass

    def _codes(self, keys: Sequence[str]) -> list[int]:
        """Keycodes of canonical names; a character that needs Shift brings it, unless it is pressed anyway."""
        self._read()
        keysyms = [named_keysym(name) for name in keys]
        self._lend({keysym for keysym in keysyms if self._find(keysym) is None})
        codes: list[int] = []
        for name, keysym in zip(keys, keysyms, strict=True):
            found = self._find(keysym)
            assert found is not None
            code, shifted = found
            shift = self._find(named_keysym("shift"))
            if shifted and name not in MODIFIERS and shift is not None and shift[0] not in codes:
                codes.append(shift[0])
            if code not in codes:
                codes.append(code)
        return codes

    def _read(self) -> None:
        """The mapping as it is now: a layout may change at any time."""
        self._map = [list(row) for row in self._x.display.get_keyboard_mapping(self._first, self._count)]
        for keysym, code in list(self._lent.items()):
            # Somebody has set another layout: what was lent is gone.
            if self._map[code - self._first][0] != keysym:
                del self._lent[keysym]
                self._before.pop(code, None)

    def _own(self, keysym: int) -> tuple[int, bool] | None:
        """The layout's own key for a keysym, and whether with Shift."""
        for level in (0, 1):
            for index, row in enumerate(self._map):
                if len(row) > level and row[level] == keysym and index + self._first not in self._before:
                    return index + self._first, level == 1
        return None

    def _find(self, keysym: int) -> tuple[int, bool] | None:
        own = self._own(keysym)
        if own is None and keysym in self._lent:
            return self._lent[keysym], False
        return own

    def _spare_codes(self) -> list[int]:
        return [
            index + self._first
            for index, row in enumerate(self._map)
            if index + self._first in self._before or not any(row) or _is_lent(row)
        ]

    def _lend(self, keysyms: set[int]) -> None:
        """Put keysyms on spare keys in one request; those lent before make room where it is needed."""
        keysyms -= set(self._lent)
        if not keysyms:
            return
        codes = self._spare_codes()
        free = [code for code in codes if code not in self._lent.values()]
        if len(keysyms) > len(codes):
            raise ActionRejected("this keyboard has no such keys; to write characters, type them as text")
        if len(free) < len(keysyms):
            # Whoever was typed to last must have read its keys before they mean something else.
            self._x.pause(2 * TAKEN_UP)
            self._lent, free = {}, codes
        changed: dict[int, list[int]] = {}
        for keysym, code in zip(sorted(keysyms), free, strict=False):
            row = self._map[code - self._first]
            self._before.setdefault(code, [0] * len(row))
            # Alone on its key a capital letter would be typed as a small one: it is given for Shift too.
            changed[code] = [keysym] * max(2, len(row))
            self._lent[keysym] = code
        self._write(changed)
        self._x.sync()
        self._x.pause(TAKEN_UP)

    def _write(self, rows: dict[int, list[int]]) -> None:
        """Change the keys' keysyms with one request over the range from the first to the last."""
        for code, row in rows.items():
            self._map[code - self._first] = row[:]
        first, last = min(rows), max(rows)
        span = self._map[first - self._first : last - self._first + 1]
        width = max(map(len, span))
        self._x.display.change_keyboard_mapping(first, [tuple(row + [0] * (width - len(row))) for row in span])

    def _fake(self, code: int, press: bool) -> None:
        from Xlib import X
        from Xlib.ext import xtest

        xtest.fake_input(self._x.display, X.KeyPress if press else X.KeyRelease, code)
        if press and code not in self._held:
            self._held.append(code)
        elif not press and code in self._held:
            self._held.remove(code)


def _is_lent(row: list[int]) -> bool:
    """Whether a key has been lent by somebody else: another environment, or one that was killed and left it so.

    Layouts have no key that writes the same special character with and without Shift.
    """
    return len(row) > 1 and row[0] == row[1] > UNSHIFTED and (row[0] <= 0xFF or row[0] >= 0x01000000)
