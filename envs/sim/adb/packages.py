"""The phone's apps as Android packages, and its built-in ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from omnipilot.envs.sim.adb.phone import ServedPhone

LAUNCHER = "com.omnipilot.launcher"
LAUNCHER_ACTIVITY = ".HomeActivity"


@dataclass(frozen=True, slots=True)
class Package:
    """One package.

    Attributes:
        name: such as "com.omnipilot.messages". activity: its main one, short (".MainActivity").
        uid: the user number of its processes. system: whether it came with the phone's system.
    """

    name: str
    activity: str
    uid: int
    system: bool = False

    @property
    def component(self) -> str:
        """Package and activity, short: "com.omnipilot.messages/.MainActivity"."""
        return f"{self.name}/{self.activity}"

    @property
    def component_in_full(self) -> str:
        """Package and activity, in full."""
        return f"{self.name}/{self.name}{self.activity}"


_ACTIVITIES = {
    "messages": ".ConversationListActivity",
    "clock": ".DeskClockActivity",
    "notes": ".NotesActivity",
    "contacts": ".PeopleActivity",
    "tasks": ".TasksActivity",
    "calendar": ".AllInOneActivity",
    "phone": ".DialtactsActivity",
    "music": ".MusicActivity",
    "gallery": ".GalleryActivity",
    "settings": ".SettingsActivity",
}
_SYSTEM = ("contacts", "phone", "settings")
PACKAGES: Mapping[str, Package] = MappingProxyType(
    {
        app: Package(f"com.omnipilot.{app}", activity, 10_100 + number, app in _SYSTEM)
        for number, (app, activity) in enumerate(_ACTIVITIES.items())
    }
)
"""The phone's apps by the simulation's name of the app."""
HOME = Package(LAUNCHER, LAUNCHER_ACTIVITY, 10_099, True)
BUILT_IN = (
    "android",
    "com.android.systemui",
    "com.android.shell",
    "com.android.providers.media",
    "com.android.inputmethod.latin",
    "com.android.adbkeyboard",
    "com.github.uiautomator",
    "com.github.uiautomator.test",
    "ca.zgrs.clipper",
)
"""Packages without a screen of their own."""


def app_of(package: str) -> str:
    """The simulation's name of a package's app; "" if it has none."""
    return next((app for app, one in PACKAGES.items() if one.name == package), "")


def process_of(package: Package) -> int:
    """The number of a package's process, while it runs."""
    return package.uid - 10_000 + 2000


def front_package(phone: ServedPhone) -> Package:
    """The package whose screen is in front."""
    front = phone.state().phone.front
    return PACKAGES[front.app] if front is not None and front.app in PACKAGES else HOME


def live_properties(phone: ServedPhone) -> dict[str, str]:
    """The properties that follow the phone's state."""
    return {"ro.sf.lcd_density": str(phone.display.panel_dots)}
