"""The settings of Android that this phone has, as names and values of `settings`, and what they change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from omnipilot.envs.sim.adb.phone import KEYBOARD, ServedPhone
from omnipilot.envs.sim.apps.phone.music_player import set_volume
from omnipilot.envs.sim.apps.phone.shared_parts import configure
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.scene import Do

NAMESPACES = ("system", "secure", "global")
MOST_SETTINGS = 2000
MOST_VALUE = 10_000
BRIGHTEST = 255
STEPS = {"volume_music": 15, "volume_ring": 7, "volume_alarm": 7}
"""Steps of Android's volumes, which are percent here."""
DEFAULTS: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("global", "adb_enabled"): "1",
        ("global", "device_provisioned"): "1",
        ("global", "window_animation_scale"): "0.0",
        ("global", "transition_animation_scale"): "0.0",
        ("global", "animator_duration_scale"): "0.0",
        ("global", "stay_on_while_plugged_in"): "0",
        ("global", "mobile_data"): "1",
        ("global", "auto_time"): "1",
        ("global", "device_name"): "Omnipilot Phone",
        ("secure", "android_id"): "0f00d0000000cafe",
        ("secure", "user_setup_complete"): "1",
        ("secure", "location_mode"): "0",
        ("secure", "accessibility_enabled"): "0",
        ("system", "screen_off_timeout"): "2147483647",
        ("system", "screen_brightness_mode"): "0",
        ("system", "time_12_24"): "24",
        ("system", "font_scale"): "1.0",
    }
)
"""Settings that change nothing on this phone; they keep what is put."""


def _number(text: str, most: int) -> int:
    """A whole number from 0 to `most`, rounded and cut.

    Raises:
        ValueError: it is none.
    """
    value = float(text)
    if not -1e9 < value < 1e9:
        raise ValueError(text)
    return min(max(round(value), 0), most)


def _read(phone: ServedPhone) -> dict[tuple[str, str], str]:
    """The settings that are the phone's own state."""
    state, display = phone.now_state(), phone.display
    now = state.account.phone_settings
    return {
        ("system", "screen_brightness"): str(round(now.brightness * BRIGHTEST / 100)),
        ("global", "wifi_on"): str(int(now.wifi)),
        ("global", "bluetooth_on"): str(int(now.bluetooth)),
        ("global", "airplane_mode_on"): str(int(now.airplane)),
        ("global", "zen_mode"): str(int(now.quiet)),
        ("secure", "ui_night_mode"): "2" if state.phone.look.theme == "dark" else "1",
        **{
            ("system", name): str(
                round(getattr(now, name.removeprefix("volume_").replace("music", "media")) * steps / 100)
            )
            for name, steps in STEPS.items()
        },
        ("system", "accelerometer_rotation"): "0" if phone.locked_rotation else "1",
        ("system", "user_rotation"): str(display.rotation),
        ("secure", "default_input_method"): phone.keyboard,
        ("secure", "enabled_input_methods"): ":".join(sorted(phone.keyboards)),
    }


def values(phone: ServedPhone, namespace: str) -> dict[str, str]:
    """All settings of a namespace."""
    found = {**DEFAULTS, **phone.settings, **_read(phone)}
    return {name: value for (space, name), value in sorted(found.items()) if space == namespace}


def _airplane(on: bool) -> Do:
    return configure(airplane=on, wifi=not on, bluetooth=False)


def set_theme(theme: str) -> Do:
    """The phone in its light or dark theme."""

    def do(state: WorldState) -> WorldState:
        return state.looking(replace(state.phone.look, theme=theme), "phone")  # type: ignore[arg-type]

    return do


def set_wifi(on: bool) -> Do:
    """Wi-Fi on or off; turning it on ends the flight mode."""
    return configure(wifi=on, airplane=False) if on else configure(wifi=False)


_CHANGES: Mapping[tuple[str, str], Callable[[str], Do]] = {
    ("system", "screen_brightness"): lambda text: configure(
        brightness=round(_number(text, BRIGHTEST) * 100 / BRIGHTEST)
    ),
    ("global", "wifi_on"): lambda text: set_wifi(_number(text, 2) > 0),
    ("global", "bluetooth_on"): lambda text: configure(bluetooth=_number(text, 1) == 1),
    ("global", "airplane_mode_on"): lambda text: _airplane(_number(text, 1) == 1),
    ("global", "zen_mode"): lambda text: configure(quiet=_number(text, 3) > 0),
    ("secure", "ui_night_mode"): lambda text: set_theme("dark" if _number(text, 3) == 2 else "light"),
    ("system", "volume_music"): lambda text: set_volume(round(_number(text, 15) * 100 / 15)),
    ("system", "volume_ring"): lambda text: configure(ring=round(_number(text, 7) * 100 / 7)),
    ("system", "volume_alarm"): lambda text: configure(alarm=round(_number(text, 7) * 100 / 7)),
}


def put(phone: ServedPhone, namespace: str, name: str, value: str) -> None:
    """Change a setting.

    Raises:
        ValueError: it needs a number, is too long, or there are too many.
    """
    key = (namespace, name)
    if key in _CHANGES:
        step = _CHANGES[key](value)
        if _read(phone)[key] != value:
            phone.apply(step)
    elif key == ("system", "accelerometer_rotation"):
        phone.turn(None if _number(value, 1) else phone.display.rotation)
    elif key == ("system", "user_rotation"):
        if phone.locked_rotation:
            phone.turn(_number(value, 3))
    elif key == ("secure", "default_input_method"):
        phone.keyboard = value if value in phone.keyboards else phone.keyboard
    elif key == ("secure", "enabled_input_methods"):
        return
    elif (
        len(value) > MOST_VALUE
        or len(name) > 200
        or (len(phone.settings) >= MOST_SETTINGS and key not in phone.settings)
    ):
        raise ValueError("too long, or too many settings")
    else:
        phone.settings[key] = value


def delete(phone: ServedPhone, namespace: str, name: str) -> bool:
    """Forget a setting that was put; False if there is none."""
    if (namespace, name) == ("secure", "default_input_method"):
        phone.keyboard = KEYBOARD
    return phone.settings.pop((namespace, name), None) is not None
