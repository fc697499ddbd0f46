"""What checks read of a device with a shell and files: commands are those of a real shell."""

from __future__ import annotations

import contextlib
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from omnipilot.bench.free.checks import read_check
from omnipilot.bench.free.readings import judge_check, open_for_checks, refuse_unanswerable
from omnipilot.bench.free.task_list import read_checks
from omnipilot.bench.tasks import Case
from omnipilot.envs import Box, Capability, ConfigError, Element, Elements, Thinking


class Machine:
    """A device that runs commands in a folder."""

    name = "pc"
    platform = "desktop"
    capabilities = frozenset({Capability.FILES, Capability.SHELL, Capability.UI_TREE})

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read_file(self, path: str) -> bytes:
        return (self.folder / path).read_bytes()

    def shell(self, command: str, timeout: float) -> str:
        done = subprocess.run(["sh", "-c", command], cwd=self.folder, capture_output=True, text=True, timeout=timeout)
        return done.stdout

    def ui_tree(self) -> Elements:
        return Elements(
            (
                Element("textbox", "Name", Box(0, 0, 1, 0.1), value="Ann typed"),
                Element("text", "Saved", Box(0, 0.1, 1, 0.2)),
                Element("button", "Far away", Box(0, 1, 1, 1), frozenset({"offscreen"})),
            )
        )


@pytest.mark.parametrize(
    ("check", "holds"),
    [
        ("shell test -f notes.txt", True),
        ("shell test -f other.txt", False),
        ("not shell test -f other.txt", True),
        ("shell exit 3", False),
        ('shell "cat notes.txt" is 42', True),
        ('shell "cat notes.txt" contains 43', False),
        ('shell "cat notes.txt; exit 1" contains 42', True),
        ('shell "echo no >&2" contains no', True),
        ("shell true # a comment", True),
        ("file notes.txt is 42", True),
        ("file notes.txt contains 4", True),
        ("file notes.txt matches ^4.$", True),
        ("file other.txt exists", False),
        ("not file other.txt exists", True),
        ("text contains saved", True),
        ("text contains typed", False),
        ("text contains Far", False),
        ('element textbox"Name" is ann typed', True),
        ('element textbox"Name" contains Name', False),
    ],
)
def test_a_machine_answers(tmp_path: Path, check: str, holds: bool) -> None:
    (tmp_path / "notes.txt").write_text("42\n")
    world: Any = SimpleNamespace(envs={"pc": Machine(tmp_path)}, now=0.0, capabilities=frozenset())
    verdict = judge_check(read_check(check, ["pc"]), Case(world))
    assert verdict.reached is holds, verdict.reason


@pytest.mark.parametrize(
    ("check", "kind", "told"),
    [
        ("url is x", "desktop", "only a page of kind 'browser' has"),
        ("shell ls", "browser", "a browser has no shell"),
        ("file notes.txt exists", "browser", "file downloads/NAME"),
        ("text is x", "pyautogui", "gives pictures alone"),
    ],
)
def test_what_a_kind_can_never_answer_is_refused(check: str, kind: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        refuse_unanswerable(read_check(check, ["pc"]), kind)


def test_a_screen_that_is_not_there_is_told_with_those_that_are() -> None:
    world: Any = SimpleNamespace(envs={"mine-phone": None, "mine-desktop": None}, now=0.0, capabilities=frozenset())
    with pytest.raises(ConfigError, match="begin it with one of mine-phone:, mine-desktop:"):
        judge_check(read_check("text is x", ["mine"]), Case(world))


@pytest.mark.slow
@pytest.mark.needs("adb")
@pytest.mark.exhibit("sim")
def test_a_phone_over_adb_answers_what_its_page_says() -> None:
    written = (
        "shell true",
        "not shell exit 3",
        'shell "echo 42" is 42',
        "not file /sdcard/none exists",
        "text matches .",
    )
    devices = {"devices": {"phone": {"kind": "phone-over-adb"}}}
    checks = read_checks(written, devices["devices"])
    with contextlib.closing(open_for_checks(devices, Thinking(), checks)) as world:
        world.reset(0)
        assert [judge_check(one, Case(world)).reached for one in checks] == [True] * len(checks)


def test_a_shell_that_does_not_understand_is_told_and_not_taken_for_a_failure(tmp_path: Path) -> None:
    class Odd(Machine):
        def shell(self, command: str, timeout: float) -> str:
            return "'sh' is not recognized as an internal or external command"

    world: Any = SimpleNamespace(envs={"pc": Odd(tmp_path)}, now=0.0, capabilities=frozenset())
    with pytest.raises(ConfigError, match="the shell of 'pc' does not understand it: 'sh' is not recognized"):
        judge_check(read_check("shell true", ["pc"]), Case(world))
