"""What a world lacks makes a task void before it begins, and `doctor` tells it beforehand."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from command_line import omnipilot

from omnipilot.bench.suites.crab.live.pool import live_pool
from omnipilot.bench.suites.crab.live.requirements import LiveNeed, findings, missing, needs_of, needs_of_check
from omnipilot.bench.suites.crab.live.subtasks import SUBTASKS
from omnipilot.bench.synthesis.sampling import Claims
from omnipilot.bench.tasks import TaskVoid
from omnipilot.envs import Capability

KEEP, VIM = "eb92a1e6-4c86-4d56-baac-95fc8397732e", "0f589bf9-9b26-4581-8b78-2961b115ab49"
WORLD = {"devices": {"ubuntu": {"kind": "desktop"}, "android": {"kind": "android", "serial": "emulator-5554"}}}


class ShellWorld:
    """Devices that answer what they have."""

    def __init__(self, packages: str, commands: tuple[str, ...], shells: bool = True) -> None:
        has = frozenset({Capability.SHELL} if shells else ())
        absent = {"gnome-terminal", "vim", "gimp", "xdotool", "xclip", "curl"} - set(commands)
        phone = SimpleNamespace(name="android", capabilities=has, shell=lambda *_: packages)
        desktop = SimpleNamespace(
            name="ubuntu",
            capabilities=has,
            shell=lambda command, _: "".join(f"{name}\n" for name in sorted(absent) if f"'{name}'" in command),
        )
        self.envs = {"android": phone, "ubuntu": desktop}
        self.capabilities: frozenset[Capability] = frozenset()
        self.resets = 0

    def reset(self, instance: int) -> None:
        self.resets += 1


def needs_and_setup(*subtasks: str, **instead: str) -> tuple[Any, frozenset[LiveNeed]]:
    pool = live_pool(WORLD, instead)
    state = pool.start()
    for id in subtasks:
        one = pool.subtasks[id]
        state = one.make(dict.fromkeys(one.attributes, "x"), state, Claims()).state
    return pool.setup, state


def test_a_task_needs_what_all_its_subtasks_need() -> None:
    _, needs = needs_and_setup(KEEP, VIM)
    assert needs == {
        LiveNeed("android", "com.google.android.keep"),
        LiveNeed("ubuntu", "gnome-terminal"),
        LiveNeed("ubuntu", "vim"),
    }


def test_an_application_that_is_missing_makes_the_task_void_and_is_named() -> None:
    setup, needs = needs_and_setup(KEEP, VIM)
    setup(ShellWorld("package:com.google.android.keep\n", ("vim", "gnome-terminal")), needs)
    with pytest.raises(TaskVoid, match=r"there is no com\.google\.android\.keep on android, vim on ubuntu; install"):
        setup(ShellWorld("package:com.android.settings\n", ("gnome-terminal",)), needs)


def test_what_stands_for_it_on_ones_own_machine_is_looked_for() -> None:
    _, needs = needs_and_setup(VIM, **{"gnome-terminal-server": "xfce4-terminal"})
    assert LiveNeed("ubuntu", "xfce4-terminal") in needs


def test_a_device_without_a_shell_for_judges_is_taken_to_have_all() -> None:
    _, needs = needs_and_setup(KEEP, VIM)
    assert missing(ShellWorld("", (), shells=False), needs) == []  # type: ignore[arg-type]


def test_each_row_says_what_it_is_for_and_how_to_get_it() -> None:
    world = ShellWorld("package:com.google.android.keep\n", ("vim", "xdotool", "curl"))
    rows = findings(world, [(SUBTASKS[id], needs_of(SUBTASKS[id])) for id in (KEEP, VIM)])  # type: ignore[arg-type]
    told = {row.name: row.ok for row in rows}
    assert told == {
        "android: com.google.android.keep": True,
        "ubuntu: curl": True,
        "ubuntu: gnome-terminal": False,
        "ubuntu: vim": True,
        "ubuntu: xclip": False,
        "ubuntu: xdotool": True,
    }


def test_two_checks_of_one_task_are_not_two_sub_tasks() -> None:
    world = ShellWorld("package:com.google.android.keep\n", ())
    rows = findings(world, [(SUBTASKS[KEEP], needs_of(SUBTASKS[KEEP]))] * 2)  # type: ignore[arg-type]
    assert [row.needed_for for row in rows] == [SUBTASKS[KEEP].words]


@pytest.mark.desktop("adb")
@pytest.mark.exhibit("sim")
def test_doctor_starts_the_world_and_tells_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    use = {"task": KEEP, "attribute": {"content": "sun"}, "output": None}
    task = {"description": "Write a note.", "tasks": [use], "adjlist": "0", "id": "note"}
    (tmp_path / "data" / "note.json").write_text(json.dumps(task))
    graph = 'nx.path_graph([check_current_package_name("com.a.film")])'
    (tmp_path / "data" / "handmade_tasks.py").write_text(f'Task(id="photo", description="Film.", evaluator={graph})')
    (tmp_path / "world.toml").write_text('[devices.android]\nkind = "phone-over-adb"\n')
    line = ["doctor", "--suite", "crab", "--data", str(tmp_path / "data")]
    told = omnipilot(*line, "--world", str(tmp_path / "world.toml"))
    assert "Suite crab: 2 tasks" in told.stdout
    assert "○ android: com.a.film" in told.stdout
    assert "○ android: com.google.android.keep" in told.stdout and "suite.instead" in told.stdout
    assert "need --world FILE" in omnipilot(*line).stderr
    assert "name it with --suite" in omnipilot("doctor", "--world", "x").stderr


def test_a_handmade_task_needs_what_its_checks_name() -> None:
    for kind, value, programs in (
        ("front_activity", "com.google.android.keep", {"com.google.android.keep"}),
        ("front_activity", "com.a.photos/.upload.Upload", {"com.a.photos"}),
        ("front_activity", "com.android.deskclock.DeskClock", set()),
        ("check_front_process", "gnome-terminal-server", {"gnome-terminal"}),
        ("check_front_process", "xfce4-terminal", {"xfce4-terminal"}),
        ("check_front_title", "LibreOffice Calc", {"libreoffice"}),
        ("typed", "Firefox", set()),
    ):
        found = needs_of_check(kind, {"text": value}, "ubuntu")
        assert {need.program for need in found} == programs, value
