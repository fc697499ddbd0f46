"""OSWorld's own `evaluate`: right 1.0, wrong 0.0, for each kind of getter that needs no web.

The tasks here were made for it, and are not OSWorld's; the judges are those of `osworld_source`.
"""

from __future__ import annotations

import io
import json
import sqlite3
import subprocess
import threading
import wave
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from osworld_local_desktop import LocalDesktop
from osworld_source import PYTHON, osworld_checkout

from omnipilot.bench.suites.osworld.serving.server import DesktopServer
from omnipilot.bench.suites.osworld.task_files import TaskFile
from omnipilot.bench.suites.osworld.world import JudgeSettings, MachinePlace, TaskMachine
from omnipilot.envs import Done
from omnipilot.envs.desktop.x11.windows import XWindow

pytestmark = [pytest.mark.outside("osworld"), pytest.mark.slow]
Fill = Callable[[LocalDesktop, bool], None]
GOLD = "https://hub.example/x/resolve/main/os/gold.txt"
"""A file of the web, which is taken from a folder."""
PREFERENCES = ".config/google-chrome/Default/Preferences"
TREE = (
    '<desktop-frame xmlns:st="https://accessibility.ubuntu.example.org/ns/state">'
    '<application name="Google Chrome"><entry name="Address and search bar">{}</entry></application>'
    '<document-frame name="{}"/></desktop-frame>'
)


def put(desktop: LocalDesktop, path: str, data: bytes | str) -> None:
    at = desktop.path / path
    at.parent.mkdir(parents=True, exist_ok=True)
    at.write_bytes(data.encode() if isinstance(data, str) else data)


def text(path: str, right: str, wrong: str) -> Fill:
    return lambda desktop, is_right: put(desktop, path, right if is_right else wrong)


def setting(right: Any, wrong: Any) -> Fill:
    return text(PREFERENCES, json.dumps(right), json.dumps(wrong))


def table(path: str, statement: str, right: list[Any], wrong: list[Any]) -> Fill:
    def fill(desktop: LocalDesktop, is_right: bool) -> None:
        at = desktop.path / path
        at.parent.mkdir(parents=True, exist_ok=True)
        with sqlite3.connect(at) as base:
            base.execute(statement)
            for row in right if is_right else wrong:
                base.execute(f"insert into {statement.split()[2]} values ({','.join('?' * len(row))})", row)

    return fill


def slides(part: str, data: bytes, right_target: str) -> bytes:
    """A presentation's archive, with one slide that refers to a medium as its background or sound."""
    space = "http://schemas.openxmlformats.org"
    slide = (
        f'<p:sld xmlns:p="{space}/presentationml/2006/main" xmlns:a="{space}/drawingml/2006/main" '
        f'xmlns:r="{space}/officeDocument/2006/relationships"><p:cSld><p:bg><p:bgPr><a:blipFill>'
        '<a:blip r:embed="rId2"/></a:blipFill></p:bgPr></p:bg></p:cSld></p:sld>'
    )
    kind = f"{space}/officeDocument/2006/relationships/{part}"
    relations = (
        f'<Relationships xmlns="{space}/package/2006/relationships">'
        f'<Relationship Id="rId2" Type="{kind}" Target="../media/{right_target}"/></Relationships>'
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("ppt/slides/slide1.xml", slide)
        archive.writestr("ppt/slides/_rels/slide1.xml.rels", relations)
        archive.writestr(f"ppt/media/{right_target}", data)
    return out.getvalue()


def picture(color: str) -> bytes:
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (64, 64), color)
    ImageDraw.Draw(image).ellipse((8, 8, 40, 40), fill="white" if color != "white" else "navy")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def tone(pitch: int) -> bytes:
    import math
    import struct

    out = io.BytesIO()
    with wave.open(out, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        for i in range(8000):
            level = math.sin(2 * math.pi * pitch * i / 8000) * (1 if (i // 1000) % 2 else 0.2)
            sound.writeframes(struct.pack("<h", int(12000 * level)))
    return out.getvalue()


def background(desktop: LocalDesktop, is_right: bool) -> None:
    put(desktop, "a.pptx", slides("image", picture("red" if is_right else "white"), "b.png"))
    put(desktop, "gold.png", picture("red"))


def sound(desktop: LocalDesktop, is_right: bool) -> None:
    # Of another sound it would say how alike they are, above 0.
    put(desktop, "a.pptx", slides("audio" if is_right else "video", tone(440), "b.wav"))
    put(desktop, "gold.wav", tone(440))


def wallpaper(desktop: LocalDesktop, is_right: bool) -> None:
    put(desktop, "shown.png", picture("red" if is_right else "white"))
    put(desktop, "gold.png", picture("red"))
    put(desktop, ".gsettings-org.gnome.desktop.background-picture-uri", f"'file://{desktop.home}/shown.png'")


def workbook(desktop: LocalDesktop, is_right: bool) -> None:
    rows = [["name", "cited"], ["Ada", "3"], ["Grace", "5" if is_right else "4"]]
    lines = (
        f"import openpyxl, sys; b = openpyxl.Workbook(); [b.active.append(r) for r in {rows!r}]; b.save(sys.argv[1])"
    )
    subprocess.run([PYTHON, "-c", lines, str(desktop.path / "Desktop" / "a.xlsx")], check=True)


def full_screen(desktop: LocalDesktop, is_right: bool) -> None:
    box = (0, 0, 640, 480) if is_right else (10, 10, 300, 200)
    desktop.opened = [XWindow(1, "VLC media player", "vlc", "vlc", 1, box, box)]


def code_window(desktop: LocalDesktop, is_right: bool) -> None:
    box = (0, 0, 640, 480)
    desktop.opened = [XWindow(1, "a - Visual Studio Code", "code", "Code", 1, box, box)]
    put(desktop, "OpenProject.txt", "project" if is_right else "another")


def tree(right: str, wrong: str, pane: str = "Slides View") -> Fill:
    def fill(desktop: LocalDesktop, is_right: bool) -> None:
        desktop.tree_text = TREE.format(right, pane) if is_right else TREE.format(wrong, "Outline")

    return fill


def terminal(desktop: LocalDesktop, is_right: bool) -> None:
    desktop.terminal_text = "$ stty size\n43 132" if is_right else "$ stty size\n24 80"


def rule(**rules: Any) -> dict[str, Any]:
    return {"type": "rule", "rules": rules}


def nothing(desktop: LocalDesktop, is_right: bool) -> None:
    """The state does not depend on files."""


CASES: dict[str, tuple[dict[str, Any], Fill]] = {
    "cloud_file": (
        {
            "func": "compare_text_file",
            "result": {"type": "vm_file", "path": "HOME/a.txt", "dest": "a.txt"},
            "expected": {"type": "cloud_file", "path": GOLD, "dest": "gold.txt"},
        },
        text("a.txt", "gold", "lead"),
    ),
    "vm_file": (
        {
            "func": "check_json_settings",
            "result": {"type": "vm_file", "path": "HOME/a.json", "dest": "a.json"},
            "expected": rule(expected={"wrap": 50}),
        },
        text("a.json", '{"wrap": 50}', '{"wrap": 80}'),
    ),
    "vm_command_line": (
        {
            "func": "exact_match",
            "result": {"type": "vm_command_line", "command": "cat HOME/a.txt", "shell": True},
            "expected": rule(expected="yes\n"),
        },
        text("a.txt", "yes\n", "no\n"),
    ),
    "vm_command_error": (
        {
            "func": "check_include_exclude",
            "result": {"type": "vm_command_error", "command": ["python", "HOME/a.py"]},
            "expected": rule(include=[], exclude=["Error:"]),
        },
        text("a.py", "print(1)", "raise ValueError(1)"),
    ),
    "cache_file": (
        {
            "postconfig": [{"type": "execute", "parameters": {"command": ["cat", "HOME/a.txt"], "stdout": "said.txt"}}],
            "func": "check_list",
            "result": {"type": "cache_file", "path": "said.txt"},
            "expected": rule(expect=["^done$"]),
        },
        text("a.txt", "done\n", "not yet\n"),
    ),
    "vlc_config": (
        {
            "func": "check_qt_bgcone",
            "result": {"type": "vlc_config", "dest": "vlcrc"},
            "expected": rule(expected_qt_bgcone=0),
        },
        text(".config/vlc/vlcrc", "qt-bgcone=0\n", "qt-bgcone=1\n"),
    ),
    "vlc_playing_info": (
        {
            "func": "is_vlc_playing",
            "result": {"type": "vlc_playing_info", "dest": "status.xml"},
            "expected": rule(type="file_name", file_name="a.mp4"),
        },
        nothing,
    ),
    "gimp_config_file": (
        {
            "func": "check_config_status",
            "result": {"type": "gimp_config_file", "file_name": "gimprc", "dest": "gimprc"},
            "expected": {"type": "rule", "rules": {"type:": "key-value", "key": "undo-levels", "value": "100"}},
        },
        text(".config/GIMP/2.10/gimprc", "(undo-levels 100)\n", "(undo-levels 5)\n"),
    ),
    "accessibility_tree": (
        {"func": "check_left_panel", "result": {"type": "accessibility_tree"}},
        tree("", ""),
    ),
    "active_url_from_accessTree": (
        {
            "func": "is_expected_active_tab_approximate",
            "result": {"type": "active_url_from_accessTree", "goto_prefix": ""},
            "expected": rule(type="url", url="chrome://settings/a"),
        },
        tree("chrome://settings/a", "chrome://settings/b"),
    ),
    "bookmarks": (
        {
            "func": "is_expected_bookmarks",
            "result": {"type": "bookmarks"},
            "expected": rule(type="bookmark_bar_folders_names", names=["Mine"]),
        },
        text(
            ".config/google-chrome/Default/Bookmarks",
            '{"roots": {"bookmark_bar": {"children": [{"type": "folder", "name": "Mine"}]}}}',
            '{"roots": {"bookmark_bar": {"children": []}}}',
        ),
    ),
    "default_search_engine": (
        {
            "func": "match_in_list",
            "result": {"type": "default_search_engine"},
            "expected": rule(expected=["Bing"]),
        },
        setting({"default_search_provider_data": {"template_url_data": {"short_name": "Bing"}}}, {}),
    ),
    "cookie_data": (
        {
            "func": "is_cookie_deleted",
            "result": {"type": "cookie_data", "dest": "Cookies"},
            "expected": rule(type="domains", domains=[".shop.example"]),
        },
        table(
            ".config/google-chrome/Default/Cookies",
            "create table cookies (creation integer, host_key text)",
            [(1, ".other.example")],
            [(1, ".shop.example")],
        ),
    ),
    "history": (
        {
            "func": "check_history_deleted",
            "result": {"type": "history", "dest": "history.sqlite"},
            "expected": rule(type="keywords", keywords=["films"]),
        },
        table(
            ".config/google-chrome/Default/History",
            "create table urls (url text, title text, last_visit_time integer)",
            [("https://news.example", "News", 1)],
            [("https://films.example", "films", 1)],
        ),
    ),
    "profile_name": (
        {"func": "exact_match", "result": {"type": "profile_name"}, "expected": rule(expected="Ada")},
        setting({"profile": {"name": "Ada"}}, {"profile": {"name": "Person 1"}}),
    ),
    "chrome_font_size": (
        {
            "func": "check_font_size",
            "result": {"type": "chrome_font_size"},
            "expected": rule(type="range", min=16, max=99999),
        },
        setting({"webkit": {"webprefs": {"default_font_size": 24, "default_fixed_font_size": 20}}}, {}),
    ),
    "data_delete_automacally": (
        {"func": "exact_match", "result": {"type": "data_delete_automacally"}, "expected": rule(expected="true")},
        setting({"profile": {"default_content_setting_values": {"cookies": 4}}}, {"profile": {}}),
    ),
    "new_startup_page": (
        {"func": "exact_match", "result": {"type": "new_startup_page"}, "expected": rule(expected="true")},
        setting({"session": {"restore_on_startup": 5}}, {"session": {"restore_on_startup": 4}}),
    ),
    "enable_do_not_track": (
        {"func": "exact_match", "result": {"type": "enable_do_not_track"}, "expected": rule(expected="true")},
        setting({"enable_do_not_track": True}, {}),
    ),
    "enable_safe_browsing": (
        {"func": "exact_match", "result": {"type": "enable_safe_browsing"}, "expected": rule(expected="true")},
        setting({"safebrowsing": {"enabled": True}}, {"safebrowsing": {"enabled": False}}),
    ),
    "shortcuts_on_desktop": (
        {
            "func": "is_shortcut_on_desktop",
            "result": {"type": "shortcuts_on_desktop"},
            "expected": rule(type="name", name="Game"),
        },
        text("Desktop/a.desktop", "[Desktop Entry]\nName=Game\n", "[Desktop Entry]\nName=Mail\n"),
    ),
    "find_unpacked_extension_path": (
        {
            "func": "is_in_list",
            "result": {"type": "find_unpacked_extension_path"},
            "expected": rule(expected="/home/user/ext"),
        },
        setting({"extensions": {"settings": {"a": {"path": "/home/user/ext"}}}}, {"extensions": {"settings": {}}}),
    ),
    "find_installed_extension_name": (
        {
            "func": "is_expected_installed_extensions",
            "result": {"type": "find_installed_extension_name"},
            "expected": rule(expected=["Reader"]),
        },
        setting(
            {"extensions": {"settings": {"a": {"manifest": {"name": "Reader"}}}}},
            {"extensions": {"settings": {"a": {"manifest": {"name": "Other"}}}}},
        ),
    ),
    "content_from_vm_file": (
        {
            "func": "literal_match",
            "result": {
                "type": "content_from_vm_file",
                "path": "HOME/Desktop/a.xlsx",
                "file_type": "xlsx",
                "file_content": "last_row",
            },
            "expected": {"type": "rule", "rules": ["Grace", "5"]},
            "options": {"type": "list"},
        },
        workbook,
    ),
    "list_directory": (
        {
            "func": "check_moved_jpgs",
            "result": {"type": "list_directory", "path": "HOME/pictures"},
            "expected": rule(expected=["a.jpg"]),
        },
        lambda desktop, is_right: put(desktop, f"pictures/{'a' if is_right else 'b'}.jpg", b"x"),
    ),
    "vm_screen_size and vm_window_size": (
        {
            "func": "is_vlc_fullscreen",
            "result": {"type": "vm_screen_size"},
            "expected": {"type": "vm_window_size", "app_class_name": "vlc"},
        },
        full_screen,
    ),
    "vm_terminal_output": (
        {
            "func": "check_include_exclude",
            "result": {"type": "vm_terminal_output"},
            "expected": rule(include=["43 132"], exclude=[]),
        },
        terminal,
    ),
    "vm_wallpaper": (
        {
            "func": "compare_images",
            "result": {"type": "vm_wallpaper", "dest": "shown.png"},
            "expected": {"type": "vm_file", "path": "HOME/gold.png", "dest": "gold.png"},
            "options": {"reference_base_result": 0.54},
        },
        wallpaper,
    ),
    "vscode_config": (
        {
            "func": "compare_config",
            "result": {
                "type": "vscode_config",
                "vscode_extension_command": "OpenProject",
                "path": "HOME/OpenProject.txt",
                "dest": "OpenProject.txt",
            },
            "expected": rule(expected="project"),
        },
        code_window,
    ),
    "background_image_in_slide": (
        {
            "func": "compare_images",
            "result": {
                "type": "background_image_in_slide",
                "ppt_file_path": "HOME/a.pptx",
                "slide_index": 0,
                "dest": "b.png",
            },
            "expected": {"type": "vm_file", "path": "HOME/gold.png", "dest": "gold.png"},
            "options": {"reference_base_result": 0.54},
        },
        background,
    ),
    "audio_in_slide": (
        {
            "func": "compare_audios",
            "result": {"type": "audio_in_slide", "ppt_file_path": "HOME/a.pptx", "slide_index": 0, "dest": "b.wav"},
            "expected": {"type": "vm_file", "path": "HOME/gold.wav", "dest": "gold.wav"},
        },
        sound,
    ),
}


class Vlc:
    """VLC's interface over HTTP."""

    def __init__(self) -> None:
        self.playing = "a.mp4"
        vlc = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                """Say nothing."""

            def do_GET(self) -> None:
                body = (
                    "<root><state>playing</state><information><category name='meta'>"
                    f"<info name='filename'>{vlc.playing}</info></category></information></root>"
                ).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TaskMachine, Vlc, list[LocalDesktop]]]:
    """One judge's process for all, since its packages take seconds to import."""
    desktop = LocalDesktop(tmp_path_factory.mktemp("desktop"))
    current = [desktop]

    class Current:
        def __getattr__(self, name: str) -> Any:
            return getattr(current[0], name)

    server = DesktopServer(Current())  # type: ignore[arg-type]
    vlc = Vlc()
    port = int(server.url.rpartition(":")[2])
    place = MachinePlace("127.0.0.1", (port, 9, 9, vlc.port))
    checkout = osworld_checkout(tmp_path_factory.mktemp("checkout"))
    files = tmp_path_factory.mktemp("files")
    (files / "os").mkdir()
    (files / "os" / "gold.txt").write_text("gold")
    machine = TaskMachine(place, JudgeSettings(checkout, python=PYTHON, files=str(files)), False, True)
    yield machine, vlc, current
    machine.close()
    vlc.close()
    server.close()


@pytest.mark.parametrize("is_right", [True, False], ids=["right", "wrong"])
@pytest.mark.parametrize("name", CASES)
def test_right_is_1_and_wrong_is_0(
    judge: tuple[TaskMachine, Vlc, list[LocalDesktop]], tmp_path: Path, name: str, is_right: bool
) -> None:
    machine, vlc, current = judge
    current[0] = desktop = LocalDesktop(tmp_path)
    evaluator, fill = CASES[name]
    said = json.loads(json.dumps(evaluator).replace("HOME", desktop.home))
    content = {"id": f"made-{abs(hash((name, is_right)))}", "instruction": "Do it.", "config": [], "evaluator": said}
    vlc.playing = "a.mp4" if is_right else "b.mp4"
    machine.prepare()
    machine.set_up(TaskFile(f"made/{name}", "made", content, tmp_path), (640, 480), "Ubuntu")
    fill(desktop, is_right)
    machine.hear(Done())
    verdict = machine.evaluate()
    if is_right:
        assert verdict.progress > 0.9, verdict.reason
    else:
        assert verdict.progress == 0.0, verdict.reason
