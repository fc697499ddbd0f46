"""The applications of a phone: their names, and which one is meant by a name."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

LAUNCHER = "-a android.intent.action.MAIN -c android.intent.category.LAUNCHER"

_COMPONENT = re.compile(r"^\s*(?:name=)?([\w.]+)/([\w.$]+)\s*$", re.MULTILINE)
_PACKAGE = re.compile(r"^package:(?:\S+=)?([\w.]+)", re.MULTILINE)

KNOWN = {
    "settings": ("com.android.settings",),
    "clock": ("com.google.android.deskclock", "com.android.deskclock", "com.sec.android.app.clockpackage"),
    "messages": ("com.google.android.apps.messaging", "com.android.messaging", "com.samsung.android.messaging"),
    "phone": ("com.google.android.dialer", "com.android.dialer", "com.samsung.android.dialer"),
    "contacts": ("com.google.android.contacts", "com.android.contacts", "com.samsung.android.app.contacts"),
    "calendar": ("com.google.android.calendar", "com.android.calendar", "com.simplemobiletools.calendar.pro"),
    "camera": ("com.google.android.GoogleCamera", "com.android.camera2", "com.sec.android.app.camera"),
    "photos": ("com.google.android.apps.photos",),
    "gallery": ("com.android.gallery3d", "com.sec.android.gallery3d", "com.google.android.apps.photos"),
    "chrome": ("com.android.chrome",),
    "browser": ("com.android.chrome", "com.android.browser", "com.sec.android.app.sbrowser", "org.mozilla.firefox"),
    "firefox": ("org.mozilla.firefox",),
    "files": ("com.google.android.documentsui", "com.android.documentsui", "com.google.android.apps.nbu.files"),
    "calculator": ("com.google.android.calculator", "com.android.calculator2", "com.sec.android.app.popupcalculator"),
    "gmail": ("com.google.android.gm",),
    "maps": ("com.google.android.apps.maps",),
    "youtube": ("com.google.android.youtube",),
    "play store": ("com.android.vending",),
    "keep notes": ("com.google.android.keep",),
    "tasks": ("com.google.android.apps.tasks", "org.tasks"),
}
"""Names that people use, in lower case → packages, the most likely first. No command of Android tells labels."""

ORIGINS: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "com.google.android.gm",
            "com.android.email",
            "com.samsung.android.email.provider",
            "com.microsoft.office.outlook",
            "com.fsck.k9",
            "net.thunderbird.android",
            "ch.protonmail.android",
            "eu.faircode.email",
        ),
        "mail",
    ),
    **dict.fromkeys((*KNOWN["files"], "com.sec.android.app.myfiles"), "file"),
}
"""Packages → where the words that they show come from, of applications that show nothing else."""
COMMON = frozenset(("com", "org", "net", "io", "de", "android", "app", "apps", "mobile", "client"))
"""Parts of packages that say nothing of what the application is."""


@dataclass(frozen=True, slots=True)
class InstalledApp:
    """An application that can be opened: its package, and the activity that its icon starts ("" if not known)."""

    package: str
    activity: str = ""

    @property
    def name(self) -> str:
        """A name for it: the one that people use if we know it, else the end of its package."""
        for name, packages in KNOWN.items():
            if self.package in packages:
                return name.title()
        parts = [part for part in self.package.split(".") if part not in COMMON]
        return parts[-1].replace("_", " ").title() if parts else self.package


def parse_launchables(text: str) -> tuple[InstalledApp, ...]:
    """The applications with an icon, from `cmd package query-activities --brief` (Android 7 and later)."""
    return tuple(dict.fromkeys(InstalledApp(package, activity) for package, activity in _COMPONENT.findall(text)))


def parse_packages(text: str) -> tuple[InstalledApp, ...]:
    """All applications, from `pm list packages`."""
    return tuple(dict.fromkeys(InstalledApp(package) for package in _PACKAGE.findall(text)))


def app_names(
    apps: Sequence[InstalledApp], names: Mapping[str, str], first: Collection[str] = (), most: int = 40
) -> list[str]:
    """Names by which `find_app` finds these applications, in order: names of one's own, packages in `first`, the rest.

    An application whose name means another one, too, is listed by its package.

    Args:
        names: further names → packages. most: of how many at most.
    """
    own = {package: name for name, package in names.items()}
    told = {}
    for app in apps:
        name = own.get(app.package, app.name)
        told[app.package] = name if find_app(name, tuple(apps), names) == app else app.package
    ranks = {package: 0 if package in own else 1 if package in first else 2 for package in told}
    ordered = sorted(told, key=lambda package: (ranks[package], told[package].casefold()))
    return list(dict.fromkeys(told[package] for package in ordered))[:most]


def find_app(wanted: str, installed: tuple[InstalledApp, ...], names: Mapping[str, str]) -> InstalledApp | None:
    """The application that is meant by a name, None where none or several could be.

    Looked for in this order: a package, a name of one's own, a known one, the last part of a package ("Deskclock"), any
    parts of it ("Spotify" of com.spotify.music, "YouTube Music" of com.google.android.apps.youtube.music), and words in
    them ("Notes" of net.example.simple_notes). A name is whole words: "X" does not open Firefox.

    Args:
        names: further names → packages.
    """
    by_package = {app.package: app for app in reversed(installed)}
    lower = wanted.strip().casefold()
    own = {name.casefold(): package for name, package in names.items()}
    for package in (wanted.strip(), own.get(lower, ""), *KNOWN.get(lower, ())):
        if package in by_package:
            return by_package[package]
    plain = re.sub(r"[^a-z0-9]", "", lower)
    if not plain:
        return None
    for spelled in (_last_part, _parts, _words):
        found = [app for app in by_package.values() if plain in _joined(spelled(app.package))]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _last_part(package: str) -> list[str]:
    return [_plain(package.rpartition(".")[2])]


def _parts(package: str) -> list[str]:
    """The parts of a package that say what it is."""
    return [_plain(part) for part in package.split(".") if part not in COMMON]


def _words(package: str) -> list[str]:
    """The words in the parts, which are apart by underscores or capitals."""
    parts = [part for part in package.split(".") if part not in COMMON]
    return [_plain(word) for part in parts for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", part)]


def _plain(part: str) -> str:
    return re.sub(r"[^a-z0-9]", "", part.casefold())


def _joined(parts: Sequence[str]) -> set[str]:
    """All that neighbouring parts spell together, but for single letters."""
    ends = range(1, len(parts) + 1)
    return {text for end in ends for start in range(end) if len(text := "".join(parts[start:end])) > 1}
