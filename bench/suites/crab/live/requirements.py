"""What CRAB's sub-tasks need on real devices: applications of the phone, programs of the desktop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from omnipilot.bench.finding import Finding
from omnipilot.bench.judges import DeviceEvidence
from omnipilot.bench.suites.crab.live.subtasks import LiveSubTask
from omnipilot.bench.tasks.judges import Case
from omnipilot.envs import ConfigError, World

PROGRAMS: Mapping[str, tuple[str, ...]] = {
    "vim": ("gnome-terminal", "vim"),
    "terminal": ("gnome-terminal",),
    "firefox": ("firefox",),
    "gimp": ("gimp",),
    "impress": ("libreoffice",),
    "writer": ("libreoffice",),
    "vscode": ("code",),
    "firefox+calc": ("firefox", "libreoffice"),
}
"""By the application of a desktop's sub-task, the commands that start what it is done with."""
TITLES = {"Firefox": "firefox", "GNU Image": "gimp", "LibreOffice": "libreoffice"}
"""Words in the titles of windows, and the commands that open these."""
JUDGING = {"xdotool": "titles and processes in front", "xclip": "the clipboard", "curl": "files of the web"}
"""Programs of the desktop that judges ask, where the device does not tell; xprop, xsel and wget will do instead."""


class LiveNeed(NamedTuple):
    """An application of the phone, by its package, or a program of the desktop, by its command."""

    device: str
    program: str


def needs_of(one: LiveSubTask, replaced: Mapping[str, str] | None = None) -> frozenset[LiveNeed]:
    """What a sub-task cannot be done without.

    Args:
        replaced: words that stand for others on one's own machines.
    """
    instead = replaced or {}
    if one.platform == "android":
        packages = (given["package"] for kind, given in one.judges if kind == "check_front_package")
        return frozenset(LiveNeed("android", instead.get(name, name)) for name in packages)
    # A terminal is known to judges by the process of its window.
    terminal = instead.get("gnome-terminal-server", "gnome-terminal")
    commands = (terminal if name == "gnome-terminal" else name for name in PROGRAMS.get(one.app, ()))
    return frozenset(LiveNeed("ubuntu", instead.get(name, name)) for name in commands)


def needs_of_check(kind: str, given: Mapping[str, str], device: str) -> frozenset[LiveNeed]:
    """What a handmade task needs for one of its checks, as far as the check tells.

    Args:
        kind: of judge. given: its values, in one's own words.
    """
    value = next(iter(given.values()), "")
    if kind == "front_activity":
        package, _, activity = value.partition("/")
        # An activity without its package, such as com.android.deskclock.DeskClock, may be of another package.
        whole = bool(activity) or package == package.lower()
        return frozenset({LiveNeed(device, package)} if whole else ())
    if kind == "check_front_process":
        return frozenset({LiveNeed(device, "gnome-terminal" if value == "gnome-terminal-server" else value)})
    if kind == "check_front_title":
        return frozenset(LiveNeed(device, program) for word, program in TITLES.items() if word in value)
    return frozenset()


def missing(world: World, needs: Iterable[LiveNeed]) -> list[LiveNeed]:
    """Which of them the devices of a world do not have; those of a device without a shell for judges are taken to be
    there.

    Raises:
        EnvLost: a device is gone.
    """
    wanted = sorted(set(needs))
    lacking: list[LiveNeed] = []
    for device in dict.fromkeys(need.device for need in wanted):
        names = [need.program for need in wanted if need.device == device]
        evidence = DeviceEvidence(Case(world), device)
        try:
            if device == "android":
                said = evidence.shell("pm list packages")
                lacking += [LiveNeed(device, name) for name in names if name not in said]
            else:
                said = evidence.shell("; ".join(f"command -v '{name}' >/dev/null || echo '{name}'" for name in names))
                lacking += [LiveNeed(device, name) for name in said.split() if name in names]
        except ConfigError:
            continue
    return lacking


def findings(world: World, subtasks: Iterable[tuple[LiveSubTask, frozenset[LiveNeed]]]) -> Iterator[Finding]:
    """A row for each application and program: whether the world has it, and which sub-tasks need it."""
    uses: dict[LiveNeed, list[str]] = {}
    for one, needs in subtasks:
        for need in sorted(needs):
            uses.setdefault(need, []).append(one.words)
    if any(need.device == "ubuntu" for need in uses):
        uses |= {LiveNeed("ubuntu", name): [what] for name, what in JUDGING.items()}
    lacking = set(missing(world, uses))
    for need, words in sorted(uses.items()):
        words = list(dict.fromkeys(words))
        judging = need.program in JUDGING
        told = words[0] if judging else f"{len(words)} sub-tasks" if len(words) > 1 else words[0]
        cure = f"install it on {need.device}" + ("" if judging else ", or name what stands for it with suite.instead")
        there = need not in lacking
        found = "is there" if there else "not found"
        yield Finding(f"{need.device}: {need.program}", found, told, "" if there else cure)
