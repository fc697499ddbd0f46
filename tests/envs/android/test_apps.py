"""Applications by name."""

from __future__ import annotations

import android_texts as told
import pytest

from omnipilot.envs.android.apps import InstalledApp, app_names, find_app, parse_launchables, parse_packages

INSTALLED = parse_launchables(told.LAUNCHABLES)
DESK = InstalledApp("com.google.android.deskclock", "com.android.deskclock.DeskClock")
NOTES = InstalledApp("net.example.simple_notes", ".MainActivity")


def test_applications_with_an_icon_are_read() -> None:
    assert (DESK, InstalledApp("com.android.settings", ".Settings"), NOTES) == INSTALLED
    assert parse_launchables("No activities found\n") == ()
    assert parse_packages(told.PACKAGES) == (InstalledApp("com.android.settings"), InstalledApp("org.tasks"))


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("Clock", DESK),
        ("clock ", DESK),
        ("com.google.android.deskclock", DESK),
        ("Deskclock", DESK),
        ("simple notes", NOTES),
        ("Notes", NOTES),
        ("My notes", NOTES),
        ("Spotify", None),
        ("", None),
        ("漢", None),
    ],
)
def test_an_application_is_found_by_its_name(wanted: str, found: InstalledApp | None) -> None:
    assert find_app(wanted, INSTALLED, {"my notes": "net.example.simple_notes"}) == found


PEOPLE = tuple(
    InstalledApp(package)
    for package in (
        "com.instagram.android com.twitter.android org.mozilla.firefox com.spotify.music com.snapchat.android "
        "com.facebook.katana com.netflix.mediaclient com.ebay.mobile com.duolingo com.imdb.mobile com.whatsapp "
        "com.android.settings com.google.android.apps.youtube.music com.google.android.youtube com.dropbox.android "
        "com.google.android.apps.maps com.airbnb.android com.google.android.deskclock net.osmand org.videolan.vlc"
    ).split()
)


@pytest.mark.parametrize("wanted", ["X", "Go", "e", "a", "TikTok", "WeChat", "Chat", "Fire", "com", "Android", "Music"])
def test_a_name_that_no_application_has_or_several_have_opens_none(wanted: str) -> None:
    assert find_app(wanted, PEOPLE, {}) is None


@pytest.mark.parametrize(
    ("wanted", "package"),
    [
        ("Firefox", "org.mozilla.firefox"),
        ("Duolingo", "com.duolingo"),
        ("VLC", "org.videolan.vlc"),
        ("Instagram", "com.instagram.android"),
        ("eBay", "com.ebay.mobile"),
        ("Airbnb", "com.airbnb.android"),
        ("Spotify", "com.spotify.music"),
        ("Netflix", "com.netflix.mediaclient"),
        ("YouTube", "com.google.android.youtube"),
        ("YouTube Music", "com.google.android.apps.youtube.music"),
    ],
)
def test_a_whole_part_of_a_package_is_a_name(wanted: str, package: str) -> None:
    assert find_app(wanted, PEOPLE, {}) == InstalledApp(package)


def test_every_listed_name_finds_an_application() -> None:
    assert all(find_app(name, PEOPLE, {}) for name in app_names(PEOPLE, {}))


def test_a_name_of_ones_own_comes_before_a_known_one() -> None:
    assert find_app("Clock", INSTALLED, {"CLOCK": "net.example.simple_notes"}) == NOTES


def test_applications_are_named() -> None:
    assert [app.name for app in INSTALLED] == ["Clock", "Settings", "Simple Notes"]


def test_names_for_a_planner_lead_to_their_applications_and_to_no_other() -> None:
    installed = (*INSTALLED, InstalledApp("com.android.deskclock", ".Clock"), InstalledApp("org.maker.notes", ".Start"))
    own = {"My notes": "net.example.simple_notes"}
    told = app_names(installed, own, {"org.maker.notes"})
    assert told == ["My notes", "Notes", "Clock", "com.android.deskclock", "Settings"]
    assert [find_app(name, installed, own) for name in told] == [NOTES, installed[4], DESK, *installed[3:0:-2]]
    assert app_names(installed, own, {"org.maker.notes"}, most=2) == ["My notes", "Notes"]
    assert app_names((), own) == []
