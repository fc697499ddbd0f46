"""Settings that a phone gets for an episode, and their restoration."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from omnipilot.envs.android.connection import PhoneConnection
from omnipilot.envs.types.errors import EnvLost

STILL = (
    ("global", "window_animation_scale", "0"),
    ("global", "transition_animation_scale", "0"),
    ("global", "animator_duration_scale", "0"),
)
"""Animations off: screens settle at once, and `uiautomator` gets its silence."""
AWAKE = ("global", "stay_on_while_plugged_in", "7")
"""The screen stays on while the phone is plugged in, whatever the plug; what `svc power stayon true` sets."""


@dataclass(frozen=True, slots=True)
class SettingChange:
    """One setting that was changed.

    Attributes:
        before: the value to go back to; None if there was none.
    """

    namespace: str
    name: str
    value: str
    before: str | None

    def __str__(self) -> str:
        return f"{self.namespace} {self.name}: {self.before if self.before is not None else 'unset'} -> {self.value}"


def parse_setting(text: str) -> str | None:
    """The value from `settings get`; None if it is not set ("null")."""
    value = text.strip()
    return None if value in ("", "null") else value


def _equal(before: str | None, value: str) -> bool:
    """Whether two values mean the same: numbers are also told as 0.0."""
    try:
        return before is not None and float(before) == float(value)
    except ValueError:
        return before == value


class DeviceSettings:
    """Changes settings of a phone, and keeps what they were.

    Attributes:
        changed: what differs from how the phone was found, in the order of the changes.
    """

    def __init__(self, connection: PhoneConnection, timeout: float) -> None:
        self._connection = connection
        self._timeout = timeout
        self.changed: tuple[SettingChange, ...] = ()

    def change(self, namespace: str, name: str, value: str) -> None:
        """Set one, unless it has that value already."""
        before = parse_setting(self._connection.shell(f"settings get {namespace} {name}", self._timeout).text)
        if _equal(before, value) or any((one.namespace, one.name) == (namespace, name) for one in self.changed):
            return
        done = self._connection.shell(f"settings put {namespace} {name} {shlex.quote(value)}", self._timeout)
        if done.status == 0:
            self.changed = (*self.changed, SettingChange(namespace, name, value, before))

    def restore(self) -> None:
        """Set every changed one to what it was; those of a phone that is gone stay in `changed`."""
        while self.changed:
            one = self.changed[-1]
            put = f"delete {one.namespace} {one.name}"
            if one.before is not None:
                put = f"put {one.namespace} {one.name} {shlex.quote(one.before)}"
            try:
                self._connection.shell(f"settings {put}", self._timeout)
            except EnvLost:
                return
            self.changed = self.changed[:-1]
