"""Starting, stopping and listing apps, as clients send it and read the answers."""

from __future__ import annotations

import re

import pytest
from adb_shell import Bench

from omnipilot.envs.android.apps import LAUNCHER, InstalledApp, parse_launchables
from omnipilot.envs.sim.adb.packages import PACKAGES
from omnipilot.envs.sim.apps.registry import apps_of

MAIN = "-a android.intent.action.MAIN"


def front(bench: Bench) -> str:
    window = bench.state.phone.front
    return window.app if window is not None else ""


def test_every_app_of_the_phone_is_a_package() -> None:
    assert {app.name for app in apps_of("phone")} == set(PACKAGES)
    assert len({package.name for package in PACKAGES.values()}) == len(PACKAGES)


@pytest.mark.parametrize(
    ("line", "app"),
    [
        ("am start -n com.omnipilot.music/.MusicActivity", "music"),
        ("am start -S -W -n com.omnipilot.music/com.omnipilot.music.MusicActivity", "music"),
        (f"am start {MAIN} -c android.intent.category.LAUNCHER -n com.omnipilot.clock/.DeskClockActivity", "clock"),
        ("monkey -p com.omnipilot.tasks -c android.intent.category.LAUNCHER 1", "tasks"),
        ("monkey --pct-syskeys 0 -p com.omnipilot.tasks 1", "tasks"),
        ("am start -a android.settings.WIFI_SETTINGS", "settings"),
        ("am start -a android.intent.action.DIAL", "phone"),
        (f"monkey -p com.omnipilot.music 1; am start {MAIN} -c android.intent.category.HOME", ""),
        ("am start -n com.omnipilot.music/.MusicActivity; am force-stop com.omnipilot.music", ""),
        ("cmd activity start -n com.omnipilot.notes/.NotesActivity", "notes"),
    ],
)
def test_it_comes_to_the_front(line: str, app: str) -> None:
    bench = Bench()
    assert bench.run(line)[0] == 0
    assert front(bench) == app


def test_an_app_that_was_stopped_starts_anew() -> None:
    bench = Bench()
    bench.run("am start -a android.settings.WIFI_SETTINGS; am start -n com.omnipilot.settings/.SettingsActivity")
    assert bench.state.phone.front.view.name == "wifi"  # type: ignore[union-attr]
    bench.run("am start -S -n com.omnipilot.settings/.SettingsActivity")
    assert bench.state.phone.front.view.name == "main"  # type: ignore[union-attr]


def test_what_is_not_there_is_refused() -> None:
    bench = Bench()
    status, _, err = bench.run("am start -n com.none/.Main")
    assert (status, "does not exist" in err) == (1, True)
    status, _, err = bench.run("am start -a android.intent.action.VIEW -d https://example.org")
    assert (status, "unable to resolve Intent" in err) == (1, True)
    assert bench.run("monkey -p com.none 1")[0] == 252
    assert "Failure [INSTALL_FAILED" in bench.out("cmd package 'install' -S 5", b"12345")


def test_packages_are_listed_as_adbutils_reads_them() -> None:
    bench = Bench()
    listed = re.findall(r"^package:([^\s]+)\r?$", bench.out("pm list packages -3"), re.M)
    assert "com.omnipilot.messages" in listed and "com.omnipilot.settings" not in listed
    assert bench.out("pm path com.omnipilot.music") == "package:/data/app/com.omnipilot.music-1/base.apk\n"
    dump = bench.out("dumpsys package com.omnipilot.music")
    assert re.search(r"versionName=(?P<name>[^\s]+)", dump)
    assert re.search(r"PackageSignatures\{.*?\[(.*)\]\}", dump)
    assert re.search(r"firstInstallTime=[-\d]+\s+[:\d]+", dump)


def test_activities_with_an_icon_are_listed_as_android_does() -> None:
    bench = Bench()
    listed = parse_launchables(bench.out(f"cmd package query-activities --brief {LAUNCHER}"))
    assert len(listed) == 10 and InstalledApp("com.omnipilot.notes", ".NotesActivity") in listed
    one = bench.out(f"cmd package query-activities --brief {LAUNCHER} -p com.omnipilot.notes")
    assert one.startswith("1 activities found:\n  Activity #0:\n") and len(parse_launchables(one)) == 1
    home = bench.out(f"cmd package query-activities --brief {MAIN} -c android.intent.category.HOME")
    assert [app.package for app in parse_launchables(home)] == ["com.omnipilot.launcher"]
    assert bench.out("cmd package query-activities --brief -a none.such") == "No activities found\n"


def test_what_is_in_front_in_every_form_that_clients_read() -> None:
    bench = Bench()
    bench.run("monkey -p com.omnipilot.music 1")
    windows, activities = bench.out("dumpsys window windows"), bench.out("dumpsys activity activities")
    assert re.search(r"mCurrentFocus=Window{.*\s+com\.omnipilot\.music/com\.omnipilot\.music\.MusicActivity\}", windows)
    assert re.search(
        r"mResumedActivity: ActivityRecord\{.*?\s+com\.omnipilot\.music/\.MusicActivity\s.*?\}", activities
    )
    assert "topResumedActivity=ActivityRecord{" in activities
    top = re.findall(r"ACTIVITY ([^\s]+)/([^/\s]+) \w+ pid=(\d+)", bench.out("dumpsys activity top"))
    assert top[-1][:2] == ("com.omnipilot.music", ".MusicActivity")
    assert bench.out(f"pidof {top[-1][0]}") == top[-1][2] + "\n"
    stack = bench.out("am stack list | grep -E visible=true")
    assert "topActivity=ComponentInfo{com.omnipilot.music/com.omnipilot.music.MusicActivity}" in stack
    assert "Recent #0" in bench.out("dumpsys activity recents")


def test_the_clipboard_of_clipper() -> None:
    bench = Bench()
    bench.run("am broadcast -a clipper.set -e text 'two words'")
    assert bench.state.phone.clipboard == "two words"
    assert 'data="two words"' in bench.out("am broadcast -a clipper.get")
