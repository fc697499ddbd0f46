"""What is in front, from texts of several Android versions."""

from __future__ import annotations

import android_texts as told
import pytest

from omnipilot.envs.android.foreground import Foreground, parse_awake, parse_foreground

DESK = "com.android.deskclock"


@pytest.mark.parametrize(
    ("text", "front"),
    [
        (told.WINDOW_7, Foreground(DESK, f"{DESK}.DeskClock", f"{DESK}/{DESK}.DeskClock")),
        (
            told.WINDOW_10_MAKER,
            Foreground("com.sec.android.app.launcher", "com.sec.android.app.launcher.RecentsActivity"),
        ),
        (
            told.WINDOW_13_SIDEWAYS,
            Foreground(
                "tv.example.player",
                "tv.example.player.MainActivityV2",
                "tv.example.player/tv.example.player.MainActivityV2",
            ),
        ),
        (
            told.WINDOW_14_OVERRIDE,
            Foreground("org.example.notes", "org.example.notes.ui.List", "NotificationShade"),
        ),
        (
            told.WINDOW_15_LOCKED,
            Foreground(
                "com.google.android.apps.nexuslauncher",
                "com.google.android.apps.nexuslauncher.NexusLauncherActivity",
                "NotificationShade",
                True,
            ),
        ),
        (told.NOT_RESPONDING, Foreground(window="Application Not Responding: com.example.mail")),
        (told.RESUMED_7, Foreground("com.android.settings", "com.android.settings.Settings")),
        (told.RESUMED_12, Foreground("com.android.settings", "com.android.settings.Settings")),
        ("", Foreground()),
    ],
)
def test_the_application_in_front_is_told(text: str, front: Foreground) -> None:
    assert parse_foreground(text) == front


def test_an_application_above_the_lock_screen_is_not_locked_away() -> None:
    call = "  mCurrentFocus=Window{1 u0 com.android.dialer/.InCall}\n  KeyguardServiceDelegate\n      showing=true\n"
    assert not parse_foreground(call).locked


@pytest.mark.parametrize(
    ("text", "awake"),
    [
        (told.POWER_AWAKE, True),
        (told.POWER_ASLEEP, False),
        (told.POWER_DOZING, False),
        (told.POWER_DISPLAY, True),
        (told.POWER_44, False),
        ("Permission Denial: can't dump PowerManagerService\n", None),
    ],
)
def test_whether_the_screen_is_on_is_told(text: str, awake: bool | None) -> None:
    assert parse_awake(text) is awake
