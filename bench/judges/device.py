"""Judges of a device as its system sees it: processes, the window in front, packages, settings."""

from __future__ import annotations

from typing import Literal
from urllib.parse import unquote, urlsplit

from omnipilot.bench.judges.evidence import DeviceEvidence
from omnipilot.bench.judges.kinds import judge


@judge(platform="desktop")
def check_process_runs(evidence: DeviceEvidence, name: str) -> tuple[bool, str]:
    """A process runs whose name contains this, in upper or lower case."""
    return any(name.lower() in one.lower() for one in evidence.process_names()), f"a process {name!r}"


@judge(platform="desktop")
def check_process_ended(evidence: DeviceEvidence, name: str) -> tuple[bool, str]:
    """No process runs whose name contains this, in upper or lower case."""
    return not any(name.lower() in one.lower() for one in evidence.process_names()), f"no process {name!r}"


@judge(platform="desktop")
def check_front_process(evidence: DeviceEvidence, name: str) -> tuple[bool, str]:
    """The window in front belongs to a process of exactly this name."""
    found = evidence.front_process()
    return name == found, f"in front: {found!r}"


@judge()
def check_front_title(evidence: DeviceEvidence, text: str) -> tuple[bool, str]:
    """The title of the window in front contains exactly this."""
    title = evidence.context().title
    return bool(text) and text in title, f"in front: {title!r}"


@judge(platform="phone")
def check_front_package(evidence: DeviceEvidence, package: str) -> tuple[bool, str]:
    """An Android application is in front whose package contains this. `dumpsys` says `topResumedActivity` or
    `ResumedActivity` on newer phones, and `mResumedActivity` on older ones."""
    found = evidence.foreground().package
    return package in found, f"in front: {found!r}"


@judge(platform="desktop")
def check_setting(evidence: DeviceEvidence, schema: str, key: str, text: str) -> tuple[bool, str]:
    """A value of GSettings contains a text."""
    found = evidence.setting(schema, key)
    return text in found, f"{key}: {found!r}"


@judge(platform="desktop")
def check_colour_scheme(evidence: DeviceEvidence, scheme: Literal["dark", "light"]) -> tuple[bool, str]:
    """The desktop (GNOME) is dark, or light, which is also what it is by default."""
    found = evidence.setting("org.gnome.desktop.interface", "color-scheme")
    return (found == "prefer-dark") == (scheme == "dark") and bool(found), f"colour scheme: {found!r}"


@judge(platform="desktop")
def check_wallpaper(evidence: DeviceEvidence, path: str) -> tuple[bool, str]:
    """The desktop's background (GNOME) shows a file with the same content as this one."""
    address = evidence.setting("org.gnome.desktop.background", "picture-uri")
    shown = unquote(urlsplit(address).path) if address.startswith("file:") else address
    wanted = evidence.read_file(path)
    return wanted is not None and bool(shown) and wanted == evidence.read_file(shown), f"background: {address!r}"


@judge()
def check_do_not_disturb(evidence: DeviceEvidence, on: bool = True) -> tuple[bool, str]:
    """Do not disturb is on, or off: on an Android phone, or on a desktop with GNOME."""
    if evidence.device.platform == "phone":
        found = evidence.shell("settings get global zen_mode", "settings").strip()
        return found.isdecimal() and (found != "0") == on, f"zen_mode: {found!r}"
    found = evidence.setting("org.gnome.desktop.notifications", "show-banners")
    return found in ("true", "false") and (found == "false") == on, f"show-banners: {found!r}"
