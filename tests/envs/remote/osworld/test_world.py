"""OSWorld's and WindowsAgentArena's servers, as a stand-in plays them: what is sent, how often, and what comes back."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from osworld_server import MACOS, WINDOWS, OSWorldServer, png

from omnipilot.envs import (
    Absent,
    Action,
    ActionRejected,
    Capability,
    Click,
    ConfigError,
    Context,
    Drag,
    EnvLost,
    KeyDown,
    KeyUp,
    LongPress,
    Modality,
    MouseDown,
    MouseMove,
    MouseUp,
    OpenApp,
    Point,
    Press,
    Scroll,
    Size,
    TypeText,
    check_env,
)
from omnipilot.envs.remote.osworld import OSWorldWorld, WindowsAgentArenaWorld
from omnipilot.envs.remote.osworld.pyautogui_lines import line_for
from omnipilot.envs.types import ALL_MODALITIES


@pytest.fixture
def server(tmp_path: Path) -> Iterator[OSWorldServer]:
    with contextlib.closing(OSWorldServer(tmp_path)) as made:
        yield made


def world(server: OSWorldServer, **options: Any) -> OSWorldWorld:
    """The server's machine as a world that does not wait long."""
    return OSWorldWorld(server.url, **{"settle": 0.0, "timeout": 10.0, **options})


def test_it_shows_screen_elements_and_context(server: OSWorldServer) -> None:
    with contextlib.closing(world(server)) as made:
        made.reset(0)
        env = made.envs["desktop"]
        assert (env.size, env.system) == (Size(640, 480), "linux")
        look = env.observe(ALL_MODALITIES, 0.0)
        assert look.screenshot.png() == png() or look.screenshot.size == env.size  # type: ignore[union-attr]
        assert look.context == Context("gedit", "notes.txt")
        assert look.elements == env.ui_tree() and len(env.ui_tree()) == 7
        assert look.audio == look.video == Absent("unsupported")
        assert env.observe(set(), 0.0).screenshot == Absent("unasked")
        assert 0 <= look.time <= made.now
        assert env.capabilities == {Capability.UI_TREE, Capability.FILES, Capability.SHELL}
        assert Capability.SNAPSHOTS not in made.capabilities


MIDDLE = Point(0.5, 0.5)
DONE: list[tuple[Action, list[list[Any]]]] = [
    (Click(MIDDLE), [["click", [320, 240], {"clicks": 1, "interval": 0.05, "button": "left"}]]),
    (
        Click(None, "right", 2, ("ctrl",)),
        [
            ["keyDown", ["ctrl"], {}],
            ["click", [], {"clicks": 2, "interval": 0.05, "button": "right"}],
            ["keyUp", ["ctrl"], {}],
        ],
    ),
    (LongPress(MIDDLE, 0.1), [["moveTo", [320, 240, 0.0], {}], ["mouseDown", [], {}], ["mouseUp", [], {}]]),
    (MouseMove(Point(1.0, 1.0)), [["moveTo", [639, 479, 0.0], {}]]),
    (MouseDown(None, "middle"), [["mouseDown", [], {"button": "middle"}]]),
    (MouseUp(MIDDLE), [["mouseUp", [320, 240], {"button": "left"}]]),
    (
        Drag(MIDDLE, Point(0.0, 0.0)),
        [
            ["moveTo", [0, 0, 0.0], {}],
            ["mouseDown", [], {"button": "left"}],
            ["moveTo", [320, 240, 0.3], {}],
            ["mouseUp", [], {"button": "left"}],
        ],
    ),
    (Scroll("down", MIDDLE), [["scroll", [-3, 320, 240], {}]]),
    (Scroll("up", None, 100.0, "px"), [["scroll", [2, 320, 240], {}]]),
    (Scroll("right", MIDDLE, 1.0, "page"), [["hscroll", [12, 320, 240], {}]]),
    (TypeText('it\'s "5" \\ $HOME\n'), [["write", ['it\'s "5" \\ $HOME\n'], {"interval": 0.01}]]),
    (
        TypeText("ok", MIDDLE, clear=True, submit=True),
        [
            ["click", [320, 240], {}],
            ["hotkey", ["ctrl", "a"], {}],
            ["press", ["backspace"], {}],
            ["write", ["ok"], {"interval": 0.01}],
            ["press", ["enter"], {}],
        ],
    ),
    (TypeText("naïve ☃"), [["copy", ["naïve ☃"], {}], ["hotkey", ["ctrl", "v"], {}]]),
    (TypeText("a < b"), [["copy", ["a < b"], {}], ["hotkey", ["ctrl", "v"], {}]]),
    (Press(("ctrl", "s"), 2), [["hotkey", ["ctrl", "s"], {}]] * 2),
    (Press(("meta",), seconds=0.05), [["keyDown", ["win"], {}], ["keyUp", ["win"], {}]]),
    (KeyDown(("shift", "a")), [["keyDown", ["shift"], {}], ["keyDown", ["a"], {}]]),
    (KeyUp(("shift",)), [["keyUp", ["shift"], {}]]),
]


def test_each_verb_is_one_line_of_pyautogui_sent_once(server: OSWorldServer) -> None:
    with contextlib.closing(world(server)) as made:
        env = made.envs["desktop"]
        for action, calls in DONE:
            server.requests.clear()
            env.act(action)
            assert (action, server.calls()) == (action, calls)
            assert server.requests.count("POST /execute") == 1
        assert {action.kind for action, _ in DONE} == env.verbs


@pytest.mark.parametrize("text", ["'); import os; os.remove('x'); ('", '"""', "\\'", "{text}", "${HOME}`id`"])
def test_no_text_becomes_code(server: OSWorldServer, text: str) -> None:
    with contextlib.closing(world(server)) as made:
        made.envs["desktop"].act(TypeText(text))
        assert server.calls() == [["write", [text], {"interval": 0.01}]]


def test_what_it_cannot_do_is_rejected_and_not_sent(server: OSWorldServer) -> None:
    with contextlib.closing(world(server)) as made:
        server.requests.clear()
        for action in (OpenApp("Files"), Press(("é",))):
            with pytest.raises(ActionRejected, match="this machine"):
                made.envs["desktop"].act(action)
        assert not server.requests
        server.no_clipboard = True
        with pytest.raises(ActionRejected, match="clipboard does not work"):
            made.envs["desktop"].act(TypeText("☃", MIDDLE))
        assert server.calls() == []


def test_keys_and_wheels_of_other_systems() -> None:
    size = Size(100, 100)
    assert line_for(Scroll("down", MIDDLE), size, "windows") == "pyautogui.scroll(-360, 50, 50)"
    assert line_for(Press(("meta", "alt", "c")), size, "macos") == "pyautogui.hotkey('command', 'option', 'c')"
    assert "hotkey('command', 'v')" in line_for(TypeText("☃"), size, "macos")


def test_an_action_whose_answer_is_lost_is_not_sent_again(server: OSWorldServer) -> None:
    with contextlib.closing(world(server)) as made:
        server.cut = 1
        server.requests.clear()
        with pytest.raises(EnvLost, match="may have been carried out"):
            made.envs["desktop"].act(Click(MIDDLE))
        assert server.requests.count("POST /execute") == 1 and len(server.calls()) == 1


def test_an_action_is_tried_again_only_while_nobody_listens(server: OSWorldServer) -> None:
    made = world(server, timeout=0.8)
    server.close()
    began = time.monotonic()
    with pytest.raises(EnvLost, match="is lost"):
        made.envs["desktop"].act(Click(MIDDLE))
    assert time.monotonic() - began < 20


def test_an_error_in_the_machine_is_told(server: OSWorldServer) -> None:
    with contextlib.closing(world(server)) as made:
        server.modules.joinpath("pyautogui.py").unlink()
        with pytest.raises(EnvLost, match="failed to click: ModuleNotFoundError"):
            made.envs["desktop"].act(Click(MIDDLE))


def test_it_waits_for_a_machine_that_starts(server: OSWorldServer) -> None:
    server.failing = 2
    with contextlib.closing(world(server, timeout=5.0)) as made:
        assert made.envs["desktop"].size == Size(640, 480)
    assert server.requests[:3] == ["GET /screenshot"] * 3


def test_it_settles_when_two_pictures_are_equal(server: OSWorldServer) -> None:
    with contextlib.closing(world(server, settle=30.0)) as made:
        server.requests.clear()
        began = time.monotonic()
        made.envs["desktop"].act(Click(MIDDLE))
        assert server.requests.count("GET /screenshot") == 2 and time.monotonic() - began < 20


def test_judges_read_files_and_run_commands(server: OSWorldServer) -> None:
    with contextlib.closing(world(server)) as made:
        env = made.envs["desktop"]
        server.home.joinpath("a b.txt").write_bytes(b"\0kept")
        assert env.read_file(f"{server.home}/a b.txt") == b"\0kept"
        with pytest.raises(FileNotFoundError):
            env.read_file("/no/such/file")
        assert env.shell("echo $((6 * 7))", 5.0) == "42\n"


def revert(server: OSWorldServer, *also: str) -> list[str]:
    """A command that empties the machine's home folder, as restoring a snapshot does."""
    script = f"import shutil, os; shutil.rmtree({str(server.home)!r}); os.mkdir({str(server.home)!r})"
    return [sys.executable, "-c", "; ".join([script, *also])]


def test_a_restored_machine_is_checked(server: OSWorldServer) -> None:
    with contextlib.closing(world(server, reset_command=revert(server))) as made:
        made.reset(0)
        assert not list(server.home.iterdir()) and made.now < 1


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ([sys.executable, "-c", ""], "was not restored"),
        ([sys.executable, "-c", "import sys; sys.exit('no such domain')"], "status 1: .*no such domain"),
        ([sys.executable, "-c", "import time; time.sleep(9)"], "more than 0.5 s"),
    ],
    ids=["nothing done", "failed", "too slow"],
)
def test_a_machine_that_was_not_restored_is_lost(server: OSWorldServer, command: list[str], said: str) -> None:
    limit = 0.5 if "0.5" in said else 10.0
    made = world(server, reset_command=command, reset_seconds=limit)
    with contextlib.closing(made), pytest.raises(EnvLost, match=said):
        made.reset(0)


def test_a_reset_command_that_is_none_is_told(server: OSWorldServer) -> None:
    with pytest.raises(ConfigError, match="is a list"):
        world(server, reset_command="virsh revert")
    made = world(server, reset_command=["/no/such/program"])
    with contextlib.closing(made), pytest.raises(ConfigError, match="cannot be run"):
        made.reset(0)


def test_windows_agent_arena(tmp_path: Path) -> None:
    with (
        contextlib.closing(OSWorldServer(tmp_path, "Windows", WINDOWS)) as server,
        contextlib.closing(WindowsAgentArenaWorld(server.url, settle=0.0, timeout=10.0)) as made,
    ):
        env: Any = made.envs["desktop"]
        assert server.requests[0] == "GET /probe" and env.system == "windows"
        look = env.observe(ALL_MODALITIES, 0.0)
        assert look.context == Context(title="Untitled - Notepad", clipboard="copied")
        assert [one.name for one in look.elements] == ["Untitled - Notepad", "Text Editor", "Close"]
        assert env.clipboard() == "copied" and env.foreground().size == Size(640, 480)
        env.act(Scroll("down", MIDDLE))
        assert server.calls() == [["scroll", [-360, 320, 240], {}]]
        assert server.requests.count("POST /execute_windows") == 1 and "POST /execute" not in server.requests
        server.no_clipboard = True
        with pytest.raises(ActionRejected, match="clipboard"):
            env.act(TypeText("☃"))


def test_a_mac(tmp_path: Path) -> None:
    with (
        contextlib.closing(OSWorldServer(tmp_path, "Darwin", MACOS)) as server,
        contextlib.closing(world(server)) as made,
    ):
        assert made.envs["desktop"].system == "macos"
        made.envs["desktop"].act(Press(("meta", "c")))
        assert server.calls() == [["hotkey", ["command", "c"], {}]]


@pytest.mark.slow
def test_it_keeps_the_contract(server: OSWorldServer) -> None:
    actions = [action for action, _ in DONE] + [OpenApp("Files"), Press(("é",))]
    check_env(lambda: world(server), live=True, actions=actions)


@pytest.mark.slow
def test_a_hostile_machine_is_lost_or_told(server: OSWorldServer) -> None:
    with contextlib.closing(world(server, timeout=2.0)) as made:
        env = made.envs["desktop"]
        server.tree = "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>"
        elements = env.observe({Modality.ELEMENTS}, 0.0).elements
        assert isinstance(elements, Absent) and "document type" in elements.detail
        server.picture = png(size=(20_000, 4_000))
        with pytest.raises(EnvLost):
            env.observe({Modality.SCREENSHOT}, 0.0)
        server.picture = b"GIF89a"
        with pytest.raises(EnvLost):
            env.observe({Modality.SCREENSHOT}, 0.0)
