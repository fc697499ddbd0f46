"""What is in front on a phone, from `dumpsys window`, `dumpsys activity` and `dumpsys power`."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FOCUS = re.compile(r"mCurrentFocus=Window\{\S+ (?:u\d+ )?(?P<title>[^}\n]*)\}")
_ACTIVITY = re.compile(r"\bu\d+ (?P<package>[\w.]+)/(?P<activity>[\w.$]+)")
_RESUMED = re.compile(
    r"(?:topResumedActivity|mResumedActivity|ResumedActivity|mFocusedApp|mFocusedActivity)\b[:=]\s*\S"
)
_COMPONENT = re.compile(r"^(?P<package>[\w.]+)/(?P<activity>[\w.$]+)$")
_KEYGUARD = re.compile(
    # To Android 9, and from then on as part of the policy.
    r"\b(?:mShowingLockscreen|mDreamingLockscreen|isStatusBarKeyguard)=true|KeyguardServiceDelegate\s+showing=true"
)
_SHADES = ("", "NotificationShade", "StatusBar", "Keyguard", "Bouncer")
"""Titles of the windows that show the lock screen."""
_AWAKE = (
    (re.compile(r"\bmWakefulness=(\w+)"), {"Awake", "Dreaming"}),
    (re.compile(r"\bDisplay Power: state=(\w+)"), {"ON"}),
    (re.compile(r"\bmScreenOn=(\w+)"), {"true"}),
    (re.compile(r"\bmHoldingDisplaySuspendBlocker=(\w+)"), {"true"}),
)


@dataclass(frozen=True, slots=True)
class Foreground:
    """The window that takes input.

    Attributes:
        package, activity: of the application in front, the activity by its full name; "" where there is none.
        window: title of the focused window, such as "com.a/com.a.Main", "NotificationShade" or "Application Not
            Responding: com.a"; "" while windows change.
        locked: whether the lock screen is in front.
    """

    package: str = ""
    activity: str = ""
    window: str = ""
    locked: bool = False


def parse_foreground(text: str) -> Foreground:
    """What is in front, from `dumpsys window`, with lines of `dumpsys activity activities` after it where that was
    asked.

    Lines of several displays and of no focus (`mCurrentFocus=null`) may come first; users other than 0 have work
    profiles; the activity's name may be short (`com.a/.Main`).
    """
    focus = _FOCUS.search(text)
    window = focus["title"].strip() if focus else ""
    package = activity = ""
    if found := _COMPONENT.match(window):
        package, activity = found["package"], found["activity"]
    else:
        # A popup, a dialog of the system, the notification shade: the application is the one behind it.
        for line in text.splitlines():
            if _RESUMED.search(line) and (found := _ACTIVITY.search(line)):
                package, activity = found["package"], found["activity"]
                break
    if activity.startswith("."):
        activity = package + activity
    # An application may be shown above the lock screen: a call, the camera, an alarm.
    locked = _KEYGUARD.search(text) is not None and window in _SHADES
    return Foreground(package, activity, window, locked)


def parse_awake(text: str) -> bool | None:
    """Whether the screen is on, from `dumpsys power`; None if it does not tell.

    Android 5 and later tell `mWakefulness`, Android 4.4 `mScreenOn`; some makers only the state of the display.
    """
    for pattern, awake in _AWAKE:
        if found := pattern.search(text):
            return found[1] in awake
    return None
