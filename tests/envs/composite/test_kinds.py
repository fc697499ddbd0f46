"""The one door of devices: ours, those of installed packages, classes of one's own; each told or played."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from command_line import omnipilot
from installed_plugin import environment

from omnipilot.envs import Capability, Modality, Thinking
from omnipilot.envs.composite import open_world
from omnipilot.envs.composite.kinds import KINDS

PLUGIN = Path(__file__).parents[2] / "plugin"
CLASSES = """
import sys
from omnipilot_example import Lamp

class Counted(Lamp):
    def __init__(self, count: int, label: str = "", *, scale: float = 1.0, anything=None, faults: "Unheard" = None):
        super().__init__()

class Timed(Lamp):
    def __init__(self, clock=None, name="lamp"):
        super().__init__()
        self.clock, self.name = clock, name

class Half:
    def reset(self, instance): ...

def leave():
    return 5
"""


@pytest.fixture
def classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "doors_classes.py").write_text(CLASSES)
    (tmp_path / "doors_ends.py").write_text("raise SystemExit(0)")
    (tmp_path / "doors_typo.py").write_text("def x(:")
    for folder in (tmp_path, PLUGIN):
        monkeypatch.syspath_prepend(str(folder))
    yield tmp_path
    for name in ("doors_classes", "doors_ends", "doors_typo", "omnipilot_example"):
        sys.modules.pop(name, None)


def played(folder: Path, text: str, *more: str) -> subprocess.CompletedProcess[str]:
    (folder / "w.toml").write_text(text)
    told = ("--task", "Look.", "--planner", "noop", "--out", str(folder / "out"))
    return omnipilot("run", "--world", str(folder / "w.toml"), *told, *more)


def test_a_class_without_a_clock_is_played(classes: Path) -> None:
    done = played(classes, '[devices.lamp]\nkind = "omnipilot_example:Lamp"\n')
    assert done.returncode == 0, done.stderr
    assert "unjudged" in done.stdout and (classes / "out/report.html").exists()


@pytest.mark.exhibit("sim")
def test_a_world_on_a_clock_of_its_own_can_be_put_back() -> None:
    world = open_world({"devices": {"duo": {"kind": "sim"}}}, Thinking())
    beside = open_world({"devices": {"phone": {"kind": "phone"}}}, Thinking())
    try:
        world.reset(0)
        mark, before = world.snapshot(), world.state()
        world.wait(2.0)
        assert world.now == 2.0 and world.state() != before
        world.restore(mark)
        assert world.now == 0.0 and world.state() == before
        assert Capability.SNAPSHOTS not in beside.capabilities
        with pytest.raises(NotImplementedError, match="snapshots"):
            beside.snapshot()
    finally:
        world.close()
        beside.close()


@pytest.mark.exhibit("duet", "rules")
def test_the_embedded_world_is_played_on_its_own_clock() -> None:
    world = open_world({"devices": {"duo": {"kind": "sim"}}}, Thinking("fixed", 2.5))
    try:
        assert list(world.envs) == ["duo-phone", "duo-desktop"]
        world.reset(0)
        assert world.now == 0.0
        world.think(1.0)
        world.wait(3.0)
        assert world.now == 5.5
        seen = world.observe_together({Modality.SCREENSHOT}, {"duo-phone": 0.0})
        assert seen["duo-phone"].time == 5.5
    finally:
        world.close()


def test_a_class_that_takes_a_clock_and_a_name_is_given_them(classes: Path) -> None:
    devices = {name: {"kind": "doors_classes:Timed"} for name in ("one", "two")}
    world = open_world({"devices": devices})
    try:
        clocks = [world.ask(name, lambda lamp: (lamp.clock, lamp.name)) for name in devices]
        assert [name for _, name in clocks] == ["one", "two"] and clocks[0][0] is clocks[1][0] is not None
    finally:
        world.close()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('kind = "doors_classes:Counted"', "devices.a.count: a device of kind 'doors_classes:Counted' needs 'count'"),
        ('kind = "doors_classes:Counted"\ncount = 1\nscael = 2', "takes no 'scael'; did you mean scale"),
        ('kind = "doors_classes:Half"', "lacks wait, think, close"),
        ('kind = "doors_classes:leave"', "makes no world but int"),
        ('kind = "doors_classes:CLASSES"', "has no attribute 'CLASSES'"),
        ('kind = "doors_ends:World"', "raised SystemExit(0), which would end the program unseen"),
        ('kind = "doors_typo:World"', "cannot be loaded: SyntaxError"),
        ('kind = "doors_nowhere:World"', "PYTHONPATH"),
        ('kind = "sys:path"', "it is no class"),
        ('kind = "builtins:dict"', "is no kind of device"),
        ('kind = ":"', "cannot be loaded"),
        ('kind = "a:b:c"', "cannot be loaded"),
        ('kind = ""', "there is no kind of device ''"),
        ('kind = "example-lamp"', "there is no kind of device 'example-lamp'"),
        pytest.param(
            'kind = "sim"\n[devices.b]\nkind = "phone"',
            "devices.a.kind: 'sim' has a clock of its own",
            marks=pytest.mark.exhibit("sim"),
        ),
        ('kind = "omnipilot_example:Lamp"\n[devices.b]\nkind = "phone"', "let it be the only one"),
    ],
)
def test_what_is_no_device_is_told_in_one_line(classes: Path, text: str, told: str) -> None:
    done = played(classes, f"[devices.a]\n{text}\n")
    assert done.returncode != 0 and told in done.stderr + done.stdout, done.stderr + done.stdout
    assert "Traceback" not in done.stderr


def test_options_without_annotations_or_with_unknown_ones_are_taken_as_they_are(classes: Path) -> None:
    text = '[devices.a]\nkind = "doors_classes:Counted"\ncount = -3\nanything = [1, "x"]\n'
    done = played(classes, text, "--dry-run")
    assert done.returncode == 0, done.stderr


@pytest.mark.exhibit("duet", "rules")
def test_the_list_shows_all_that_a_world_file_can_name_with_options() -> None:
    done = omnipilot("list", "envs")
    assert done.returncode == 0
    summary, _, options = done.stdout.partition("A world file")
    for name in (*KINDS, "phone", "phone-over-adb", "sim"):
        assert f"\n{name} " in f"\n{summary}" and f"\n{name}\n" in options
    assert "  size            a size such as" in options


@pytest.mark.slow
def test_a_kind_of_an_installed_package_is_listed_and_played(plugin: Path, tmp_path: Path) -> None:
    (tmp_path / "w.toml").write_text('[devices.bedside]\nkind = "example-lamp"\n')
    script = """
from command_line import omnipilot
print(omnipilot("list", "envs").stdout)
done = omnipilot("run", "--world", "w.toml", "--task", "Switch it.", "--planner", "example-first-button", "--out", "o")
print(done.stdout, done.stderr)
raise SystemExit(done.returncode)
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=environment(plugin),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "example-lamp" in done.stdout.partition("A world file")[0] and "\nexample-lamp\n  none" in done.stdout
    assert "unjudged" in done.stdout and '"bedside"' in (tmp_path / "o/spec.json").read_text()


@pytest.mark.exhibit("duet", "crab", "mini")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("--suite free --task x -o suite.world=5", "option world is a table, with entries as world.KEY=VALUE"),
        ("--suite free --task x -o suite.world.devices=5", "devices: a world is written as"),
        (
            "--suite free --task x -o suite.world.devices.a.kind=fone",
            "devices.a.kind: there is no kind of device 'fone'",
        ),
        ("--world w.toml --task x -o world.duo=5", "'duo' is a device of this world"),
        ("--world w.toml --task x -o world.duo.size=5", "devices.duo.size: a device of kind 'sim' takes no 'size'"),
        ("--suite duet --world w.toml", "leave out --world"),
        ("--suite crab --data mini/crab --world w.toml", "this world has duo: name them [devices.android] and"),
        ("--suite crab --data mini/crab -o suite.world=5", "option world is a table, with entries as world.KEY=VALUE"),
    ],
)
def test_worlds_that_a_suite_cannot_use_are_told(
    arguments: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "w.toml").write_text('[devices.duo]\nkind = "sim"\n')
    if "crab" in arguments:
        assert omnipilot("miniature", "mini", "crab").returncode == 0
    done = omnipilot("run", *arguments.split(), "--planner", "noop", "--dry-run")
    assert done.returncode == 2 and told in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr
