"""A desktop of ours under the endpoints of OSWorld's server, as its clients ask for them."""

from __future__ import annotations

import json
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from osworld_local_desktop import LocalDesktop

from omnipilot.bench.suites.osworld.serving.hands import Hands
from omnipilot.bench.suites.osworld.serving.ports import PortRelay, _listen_at_file
from omnipilot.bench.suites.osworld.serving.python_lines import NotRead, PyAutoGuiCall, read_calls
from omnipilot.bench.suites.osworld.serving.server import DesktopServer
from omnipilot.bench.suites.osworld.serving.tree_xml import name_there, tree_of_elements
from omnipilot.envs import (
    ActionRejected,
    Box,
    Click,
    Drag,
    Element,
    Elements,
    MouseMove,
    Point,
    Press,
    Scroll,
    Size,
    Thinking,
    TypeText,
)
from omnipilot.envs.desktop.x11.windows import XWindow
from omnipilot.envs.remote.osworld import OSWorldWorld
from omnipilot.envs.remote.osworld.accessibility import read_tree
from omnipilot.envs.remote.osworld.pyautogui_lines import PREFIX, line_for

SIZE = Size(200, 100)


class StillEnv:
    """An environment that writes down what it is asked to do."""

    name, size, custom = "desktop", SIZE, {}

    def __init__(self) -> None:
        self.acted: list[Any] = []

    def act(self, action: Any) -> None:
        self.acted.append(action)


@pytest.fixture
def desktop(tmp_path: Path) -> LocalDesktop:
    return LocalDesktop(tmp_path)


@pytest.fixture
def server(desktop: LocalDesktop) -> Iterator[DesktopServer]:
    one = DesktopServer(desktop)  # type: ignore[arg-type]
    yield one
    one.close()


def post(server: DesktopServer, path: str, body: Any, kind: str = "application/json", **headers: str) -> Any:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    asked = urllib.request.Request(server.url + path, data, {"Content-Type": kind, **headers})
    try:
        with urllib.request.urlopen(asked, timeout=20) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def test_our_client_drives_it(server: DesktopServer, desktop: LocalDesktop) -> None:
    world = OSWorldWorld(server.url, Thinking(), settle=0.0)
    try:
        world.reset(0)
        assert world.desktop.size == Size(640, 480)
        assert any(one.name == "Save" for one in world.desktop.ui_tree().items)
        world.desktop.act(Click(Point(0.5, 0.5)))
        assert world.desktop.shell("echo $HOME", 10.0).strip() == desktop.home
        (desktop.path / "a.txt").write_text("hello")
        assert world.desktop.read_file(f"{desktop.home}/a.txt") == b"hello"
        with pytest.raises(FileNotFoundError):
            world.desktop.read_file(f"{desktop.home}/b.txt")
    finally:
        world.close()


def test_commands_answer_with_output_error_and_code(server: DesktopServer) -> None:
    status, body = post(server, "/execute", {"command": "echo a; echo b >&2; exit 3", "shell": True})
    assert status == 200
    assert json.loads(body) == {"status": "success", "output": "a\n", "error": "b\n", "returncode": 3}
    status, body = post(server, "/run_python", {"code": "print(6 * 7)"})
    assert json.loads(body)["output"] == "42\n"


def test_files_go_up_and_come_back(server: DesktopServer, desktop: LocalDesktop) -> None:
    data = bytes(range(256)) * 3
    edge = b"--edge"
    name = f"{desktop.home}/Desktop/a b.bin".encode()
    body = b"\r\n".join(
        (
            edge,
            b'Content-Disposition: form-data; name="file_path"',
            b"",
            name,
            edge,
            b'Content-Disposition: form-data; name="file_data"; filename="a b.bin"',
            b"Content-Type: application/octet-stream",
            b"",
            data,
            edge + b"--",
            b"",
        )
    )
    assert post(server, "/setup/upload", body, "multipart/form-data; boundary=edge")[0] == 200
    assert (desktop.path / "Desktop" / "a b.bin").read_bytes() == data
    form = urllib.parse.urlencode({"file_path": name.decode()}).encode()
    assert post(server, "/file", form, "application/x-www-form-urlencoded") == (200, data)


def test_windows_are_found_by_title_and_by_class(server: DesktopServer, desktop: LocalDesktop) -> None:
    box = (0, 0, 300, 200)
    desktop.opened = [XWindow(1, "notes.txt - Editor", "mousepad", "Mousepad", 1, box, box)]
    assert post(server, "/setup/activate_window", {"window_name": "notes.txt"})[0] == 200
    assert desktop.calls[-1] == ("activate", "notes.txt - Editor")
    asked = {"window_name": "mousepad.Mousepad", "by_class": True, "strict": True}
    assert post(server, "/setup/activate_window", asked)[0] == 200
    form = b"app_class_name=mousepad"
    _, body = post(server, "/window_size", form, "application/x-www-form-urlencoded")
    assert json.loads(body) == {"width": 300, "height": 200}
    assert post(server, "/setup/close_window", {"window_name": "notes"})[0] == 200
    assert post(server, "/setup/close_window", {"window_name": "notes"})[0] == 404


def test_what_it_does_not_serve_is_told(server: DesktopServer) -> None:
    assert post(server, "/shutdown", {})[0] == 404
    assert post(server, "/execute", b"no JSON")[0] == 400
    assert post(server, "/execute", {})[0] == 400


def test_a_page_under_another_name_does_not_reach_it(server: DesktopServer) -> None:
    assert post(server, "/execute", {"command": "true", "shell": True}, Host="evil.example")[0] == 403
    assert post(server, "/execute", {"command": "true", "shell": True}, Host="localhost:5000")[0] == 200


@pytest.mark.parametrize(
    "action",
    [
        Click(Point(0.25, 0.5)),
        Click(Point(0.25, 0.5), button="right"),
        Click(Point(0.25, 0.5), count=2),
        MouseMove(Point(0.1, 0.1)),
        Press(("ctrl", "s")),
        Scroll("down", Point(0.5, 0.5), 3.0),
        TypeText("hello, world\n"),
    ],
)
def test_the_lines_of_our_client_become_the_same_actions(action: Any) -> None:
    env = StillEnv()
    hands = Hands(env)  # type: ignore[arg-type]
    for call in read_calls(PREFIX + line_for(action, SIZE, "linux")):
        hands.call(call.name, call.given, call.named)
    assert len(env.acted) == 1
    done = env.acted[0]
    assert type(done) is type(action)
    if hasattr(action, "at") and action.at is not None:
        assert done.at.to_pixel(SIZE) == action.at.to_pixel(SIZE)
    for name in ("button", "count", "keys", "text", "direction", "amount"):
        assert getattr(done, name, None) == getattr(action, name, None)


def test_a_drag_starts_where_the_pointer_is() -> None:
    env = StillEnv()
    hands = Hands(env)  # type: ignore[arg-type]
    hands.call("moveTo", [20, 30], {})
    hands.call("dragTo", [120, 80], {"duration": 1.0, "button": "left"})
    drag = env.acted[1]
    assert isinstance(drag, Drag)
    assert drag.start is not None
    assert (drag.start.to_pixel(SIZE), drag.end.to_pixel(SIZE)) == ((20, 30), (120, 80))


def test_a_function_that_is_none_is_told() -> None:
    hands = Hands(StillEnv())  # type: ignore[arg-type]
    with pytest.raises(ActionRejected, match=r"pyautogui\.locateOnScreen"):
        hands.call("locateOnScreen", ["a.png"], {})
    with pytest.raises(ActionRejected, match="clipboard"):
        hands.call("copy", ["a"], {})


def test_lines_of_other_agents_are_read() -> None:
    said = "import pyautogui\nimport time\n'''\nThought: type\n'''\npyautogui.click(x=10*2, y=-(-5), button='left')\n"
    assert read_calls(said + "time.sleep(0.5)\npyautogui.hotkey(['ctrl', 'q'])") == [
        PyAutoGuiCall("click", (), {"x": 20, "y": 5, "button": "left"}),
        PyAutoGuiCall("sleep", (0.5,), {}),
        PyAutoGuiCall("hotkey", (["ctrl", "q"],), {}),
    ]


@pytest.mark.parametrize(
    "code",
    [
        "import os",
        "import pyautogui; pyautogui.click(*range(2))",
        "import pyautogui; pyautogui.write(open('/etc/passwd').read())",
        "__import__('os').system('true')",
        "pyautogui.click(1)(2)",
        "x = 1",
        "pyautogui.click(1/0)",
        "pyautogui.click(**{'x': 1})",
        "for i in range(3): pyautogui.click(i, i)",
        "pyautogui.click(",
    ],
)
def test_what_is_more_than_calls_is_not_read(code: str) -> None:
    with pytest.raises(NotRead):
        read_calls(code)


def test_elements_survive_the_way_through_the_tree() -> None:
    elements = Elements(
        (
            Element("button", "Save & <close>", Box(0.1, 0.1, 0.2, 0.2), frozenset({"focused"})),
            Element("textbox", "Name", Box(0.3, 0.3, 0.6, 0.4), value="Ada\x00"),
            Element("checkbox", "Off", Box(0.5, 0.5, 0.6, 0.6), frozenset({"disabled"})),
        )
    )
    found = {
        one.name: one
        for one in read_tree(tree_of_elements(elements, Size(1000, 1000), "desk"), Size(1000, 1000)).elements.items
    }
    assert found["Save & <close>"].role == "button"
    assert "focused" in found["Save & <close>"].states
    assert found["Name"].value == "Ada"
    assert "disabled" in found["Off"].states
    assert found["Name"].box.left == pytest.approx(0.3)


def test_a_client_may_ask_for_the_head_alone(server: DesktopServer) -> None:
    asked = urllib.request.Request(server.url + "/screenshot", method="HEAD")
    with urllib.request.urlopen(asked, timeout=20) as answer:
        assert (answer.status, answer.read()) == (200, b"")
        assert int(answer.headers["Content-Length"]) > 0


def test_a_relay_takes_connections_on(tmp_path: Path) -> None:
    """Out of a desktop's own network: a port here, a socket in its folder, and a port there."""
    there = socket.create_server(("127.0.0.1", 0))
    path = tmp_path / "port"
    inside, outside = _listen_at_file(path, there.getsockname()[1]), PortRelay.to_file(lambda: path)
    try:
        with socket.create_connection(("127.0.0.1", outside.port), 10) as client:
            client.sendall(b"question")
            met, _ = there.accept()
            with met:
                assert met.recv(100) == b"question"
                met.sendall(b"answer")
                met.shutdown(socket.SHUT_WR)
                assert client.recv(100) == b"answer"
        there.close()
        with socket.create_connection(("127.0.0.1", outside.port), 10) as client:
            assert client.recv(100) == b""  # nobody listens there any more
    finally:
        port = outside.port
        outside.close()
        inside.close()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), 1)


def test_titles_have_the_names_of_osworlds_machine() -> None:
    assert name_there("Chromium") == "Google Chrome"
    assert name_there("Settings - Chromium") == "Settings - Google Chrome"
    assert name_there("Chromium notes - Editor") == "Chromium notes - Editor"
