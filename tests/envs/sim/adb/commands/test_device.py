"""Settings, keyboards, radios and the answers of services."""

from __future__ import annotations

import re

import pytest
from adb_shell import Bench


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("settings put system screen_brightness 255", "brightness", 100),
        ("settings put global airplane_mode_on 1", "airplane", True),
        ("settings put global wifi_on 0", "wifi", False),
        ("svc wifi disable", "wifi", False),
        ("svc wifi disable; svc wifi enable", "wifi", True),
        ("cmd wifi set-wifi-enabled disabled", "wifi", False),
        ("cmd connectivity airplane-mode enable", "airplane", True),
        ("svc bluetooth enable", "bluetooth", True),
        ("settings put global zen_mode 1", "quiet", True),
        ("settings put system volume_ring 0", "ring", 0),
        ("settings --user 0 put system volume_music 15", "media", 100),
    ],
)
def test_a_setting_is_the_phones_own(line: str, name: str, value: object) -> None:
    bench = Bench()
    assert bench.run(line) == (0, "", "")
    assert getattr(bench.state.account.phone_settings, name) == value


def test_settings_are_kept_listed_and_deleted() -> None:
    bench = Bench()
    assert bench.out("settings get global none") == "null\n"
    bench.run("settings put global none 'a b'")
    assert bench.out("settings get global none") == "a b\n"
    assert "none=a b\n" in bench.out("settings list global")
    assert bench.out("settings delete global none; settings get global none") == "Deleted 1 rows\nnull\n"
    assert bench.run("settings get nowhere x")[0] == 255
    assert bench.run("settings put system screen_brightness much")[0] == 255


def test_the_dark_theme() -> None:
    bench = Bench()
    assert bench.out("cmd uimode night yes") == "Night mode: yes\n"
    assert bench.state.phone.look.theme == "dark"
    assert bench.out("settings get secure ui_night_mode") == "2\n"


def test_a_keyboard_is_enabled_then_set() -> None:
    bench = Bench()
    ime = "com.android.adbkeyboard/.AdbIME"
    assert ime in bench.out("ime list -a -s") and ime not in bench.out("ime list -s")
    assert bench.run(f"ime set {ime}")[0] == 255
    assert bench.out(f"ime enable {ime}; ime set {ime}").endswith(f"Input method {ime} selected for user #0\n")
    assert bench.out("settings get secure default_input_method") == f"{ime}\n"
    bench.run(f"ime disable {ime}")
    assert bench.out("settings get secure default_input_method") != f"{ime}\n"


def test_sizes_and_rotation_as_clients_read_them() -> None:
    bench = Bench()
    assert bench.out("wm size; wm density") == "Physical size: 412x916\nPhysical density: 160\n"
    bench.run("wm size 720x1600; settings put system accelerometer_rotation 0; settings put system user_rotation 1")
    assert bench.out("wm size") == "Physical size: 412x916\nOverride size: 720x1600\n"
    assert re.search(r".*?orientation=(\d+)", bench.out("dumpsys display"))[1] == "1"  # type: ignore[index]
    assert "mCurrentRotation=ROTATION_90" in bench.out("dumpsys window | grep mCurrentRotation")
    assert "SurfaceOrientation: 1" in bench.out("dumpsys input")
    assert "logicalFrame=[0, 0, 1600, 720]" in bench.out("dumpsys input")
    picture = bench.phone.picture()
    assert (picture.size.width, picture.size.height) == (1600, 720)
    bench.run("wm size reset; settings put system accelerometer_rotation 1")
    assert (bench.phone.picture().size.width, bench.phone.picture().size.height) == (412, 916)


def test_services_answer() -> None:
    bench = Bench()
    assert bench.out("service check window") == "Service window: found\n"
    assert bench.out("service check none") == "Service none: not found\n"
    assert re.search(r"inet\s*addr:(.*?)\s", bench.out("ifconfig wlan0"))
    assert "  level: 87\n" in bench.out("dumpsys battery")
    assert bench.out("content query --uri content://sms") == "No result found.\n"
    assert "Can't find service: none" in bench.out("dumpsys none")
    assert "beginning of main" in bench.out("logcat -d")
    assert bench.out("date +%Y-%m-%d") == "2026-03-05\n"
