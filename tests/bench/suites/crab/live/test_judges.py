"""CRAB's judges: on a private desktop with real programs, on the served phone, and on screens as Google's
applications describe them, which are written here after what CRAB's released evaluators look for."""

from __future__ import annotations

import http.server
import os
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest
from desktop_hands import find, wait_for
from office_documents import PAGE, noise, office, png

from omnipilot.bench.suites.crab.live.judges import NOTED, make_ask
from omnipilot.bench.suites.crab.live.pool import live_pool
from omnipilot.bench.suites.crab.live.released_rules import RULES, make_released
from omnipilot.bench.synthesis.sampling import Claims
from omnipilot.bench.tasks.graph import GraphEvaluator
from omnipilot.bench.tasks.judges import Case, ExecutedAction
from omnipilot.envs import Action, Click, ConfigError, Context, Observation, OpenApp, Point, Press, Size, TypeText
from omnipilot.envs.base import Capability
from omnipilot.envs.desktop import DesktopEnv
from omnipilot.envs.desktop.private import PrivateDesktop

Node = tuple[str, str, str, str]
"""Resource id, text, content description and class of an element."""


class Machine:
    """A world of one device, with a shell that is asked for it."""

    def __init__(self, name: str, env: Any, shell: Any) -> None:
        self.envs: Mapping[str, Any] = {name: env}
        self.now = 0.0
        self.shell = shell
        self.capabilities = frozenset() if shell is None else frozenset({Capability.SHELL})
        self.actions: tuple[ExecutedAction, ...] = ()

    def case(self) -> Case:
        return Case(self, actions=self.actions)  # type: ignore[arg-type]


def phone(
    *nodes: Node, package: str = "com.example", nested: bool = False, word: str = "topResumedActivity"
) -> Machine:
    """A phone that shows these elements; nested: all within the first one."""
    resumed = f"  {word}: ActivityRecord{{1a u0 {package}/.Main t3}}\n"
    drawn = [
        f"<node resource-id={quoteattr(id)} text={quoteattr(text)} content-desc={quoteattr(told)} "
        f'class={quoteattr(kind)} bounds="[0,0][1,1]"'
        for id, text, told, kind in nodes
    ]
    body = "".join(f"{one}/>" for one in drawn)
    if nested:
        body = f"{drawn[0]}>{''.join(f'{one}/>' for one in drawn[1:])}</node>"
    screen = f"<?xml version='1.0'?><hierarchy rotation=\"0\">{body}</hierarchy>"

    class Env:
        capabilities = frozenset({Capability.SHELL})

        def shell(self, command: str, timeout: float) -> str:
            wanted = command.partition("grep ")[2].partition(";")[0]
            return screen if "uiautomator" in command else resumed if wanted in resumed else ""

    return Machine("android", Env(), None)


def node(id: str = "", text: str = "", told: str = "", kind: str = "android.view.View") -> Node:
    return id, text, told, kind


def holds(machine: Machine, kind: str, **given: str) -> bool:
    return make_ask(kind, next(iter(machine.envs)), given)(machine.case()).reached


MESSAGING, MAPS, PHOTOS = (f"com.google.android.apps.{name}:id/" for name in ("messaging", "maps", "photos"))
LIST = "androidx.recyclerview.widget.RecyclerView"
SCREENS: tuple[tuple[str, dict[str, str], dict[str, str], tuple[Node, ...]], ...] = (
    (
        "route_shown",
        {"start": "Rome", "end": "Pisa"},
        {"start": "Pisa", "end": "Rome"},
        (node(told="Start location, Rome"), node(told="Destination, Pisa")),
    ),
    (
        "untitled_note_has",
        {"text": "milk"},
        {"text": "bread"},
        (
            node("com.google.android.keep:id/editable_title", "Title"),
            node("com.google.android.keep:id/edit_note_text", "buy milk"),
        ),
    ),
    (
        "conversation_has",
        {"title": "555 0100", "text": "on my way"},
        {"title": "555 0101", "text": "on my way"},
        (node(f"{MESSAGING}conversation_title", "555 0100"), node(f"{MESSAGING}message_text", "I am on my way")),
    ),
    (
        "node_has_digits",
        {"id": "com.android.dialer:id/digits", "number": "+44 20 1234"},
        {"id": "com.android.dialer:id/digits", "number": "+44 20 12345"},
        (node("com.android.dialer:id/digits", "(44) 201-234"),),
    ),
    ("node_has_text", {"id": "a:id/b", "text": "wash"}, {"id": "a:id/c", "text": "wash"}, (node("a:id/b", "wash up"),)),
    (
        "node_mentions",
        {"id": "a:id/b", "text": "github"},
        {"id": "a:id/b", "text": "gitlab"},
        (node("a:id/b", "On GitHub"),),
    ),
    ("node_is", {"id": "a:id/b", "text": "Tokyo"}, {"id": "a:id/b", "text": "Tok"}, (node("a:id/b", "Tokyo"),)),
    ("node_described", {"description": "Louvre"}, {"description": "Louv"}, (node(told="Louvre"),)),
    (
        "contact_registered",
        {"mail": "a@b.com", "name": "Ann"},
        {"mail": "aa@b.com", "name": "Ann Lee"},
        (node("com.android.contacts:id/large_title", "Ann"), node("com.android.contacts:id/header", "a@b.com")),
    ),
    (
        "contact_has_mail",
        {"name": "Ann"},
        {"name": "Bob"},
        (
            node("com.android.contacts:id/photo_touch_intercept_overlay", "", "Ann"),
            node("", "", "Email Home a@b.com", "android.widget.RelativeLayout"),
            node("com.android.contacts:id/header", "a.x@b.org"),
        ),
    ),
    (
        "mail_written",
        {"mail": "a@b.com", "content": "hello"},
        {"mail": "a@b.com", "content": "goodbye"},
        (
            node("com.google.android.gm:id/peoplekit_chip", "", "Ann, a@b.com"),
            node("com.google.android.gm:id/body_wrapper"),
            node("", "hello Ann", "", "android.widget.EditText"),
        ),
    ),
    (
        "folder_listed",
        {"name": "Tax"},
        {"name": "Taxes"},
        (node("com.google.android.apps.docs:id/entry_label", "Tax", "Tax Folder"),),
    ),
    (
        "photo_dated",
        {"name": "IMG_1.jpg"},
        {"name": "IMG_2.jpg"},
        (
            node(f"{PHOTOS}exif_item_layout"),
            node(f"{PHOTOS}datetime_item_layout"),
            node(f"{PHOTOS}label", "/DCIM/IMG_1.jpg"),
            node(f"{PHOTOS}label", "Tue, May 14, 2024 • 10:05 AM"),
        ),
    ),
)
NESTED: tuple[tuple[str, dict[str, str], dict[str, str], tuple[Node, ...]], ...] = (
    (
        "list_tells",
        {"first": "12 May", "second": "standup"},
        {"first": "13 May", "second": "standup"},
        (node(kind=LIST), node(told="Sunday 12 May 2024"), node(told="Standup, all day")),
    ),
    (
        "place_found",
        {"number": "44145", "country": "Germany"},
        {"number": "44146", "country": "Germany"},
        (node(f"{MAPS}search_omnibox_text_box"), node(text="44145 Dortmund, Germany")),
    ),
)


@pytest.mark.parametrize(
    ("kind", "right", "wrong", "nodes", "nested"),
    [*((*one, False) for one in SCREENS), *((*one, True) for one in NESTED)],
    ids=[one[0] for one in (*SCREENS, *NESTED)],
)
def test_a_screen_of_a_phone_is_judged_by_ids_texts_and_descriptions(
    kind: str, right: dict[str, str], wrong: dict[str, str], nodes: tuple[Node, ...], nested: bool
) -> None:
    shown = phone(*nodes, nested=nested)
    assert holds(shown, kind, **right)
    assert not holds(shown, kind, **wrong)
    assert not holds(phone(), kind, **right)
    for left_out in range(len(nodes)):
        assert not holds(phone(*nodes[:left_out], *nodes[left_out + 1 :], node()), kind, **right)


def test_the_application_in_front_is_told_by_old_and_new_phones() -> None:
    for word in ("mResumedActivity", "topResumedActivity", "ResumedActivity"):
        shown = phone(package="com.google.android.keep", word=word)
        assert holds(shown, "check_front_package", package="com.google.android.keep")
        assert holds(shown, "front_activity", activity="com.google.android.keep/")
        assert not holds(shown, "front_activity", activity="com.google.android.keep/other")
    assert not holds(phone(package="com.example"), "check_front_package", package="com.google.android.keep")


def test_what_was_typed_is_what_was_typed_on_this_device() -> None:
    machine = phone()
    machine.actions = (
        ExecutedAction("android", TypeText("Buy MILK")),
        ExecutedAction("android", Click(Point(0.5, 0.5))),
        ExecutedAction("ubuntu", TypeText("bread")),
    )
    assert holds(machine, "typed", text="milk") and not holds(machine, "typed", text="bread")
    assert not holds(machine, "typed_last", text="milk")
    machine.actions = machine.actions[:1]
    assert holds(machine, "typed_last", text="milk")


def test_a_device_without_a_shell_or_a_program_says_what_to_do() -> None:
    with pytest.raises(ConfigError, match="no shell on the device 'ubuntu'"):
        holds(Machine("ubuntu", SimpleNamespace(capabilities=frozenset()), None), "check_file_exists", file_path="/a")
    said = "omnipilot: no such command gsettings\n"
    lacking = SimpleNamespace(capabilities={Capability.SHELL}, shell=lambda command, timeout: said)
    with pytest.raises(ConfigError, match="need gsettings on the device 'ubuntu': install it"):
        holds(Machine("ubuntu", lacking, None), "check_wallpaper", path="/a")


# On a private desktop


@pytest.fixture
def machine(desktop_env: DesktopEnv, desktop: PrivateDesktop) -> Iterator[Machine]:
    yield Machine("ubuntu", desktop_env, desktop.shell)
    desktop_env.clipboard = ""


def act(machine: Machine, *actions: Action) -> None:
    for action in actions:
        machine.envs["ubuntu"].act(action)
        machine.actions += (ExecutedAction("ubuntu", action),)


@pytest.mark.desktop
def test_vim_is_used_in_a_terminal_as_crabs_task_has_it(machine: Machine, desktop: PrivateDesktop) -> None:
    world = {"devices": {"ubuntu": {"kind": "desktop"}}}
    pool = live_pool(world, {"gnome-terminal-server": "xfce4-terminal"})
    given = {"file_path": "/home/user/poem", "content": "you also miss the stars"}
    graph = pool.subtasks["0f589bf9-9b26-4581-8b78-2961b115ab49"].make(given, frozenset(), Claims()).graph
    evaluator = GraphEvaluator(graph)

    def reached() -> list[str]:
        evaluator.step(machine.case())
        return [name[0] for name, state in evaluator.states().items() if state == "completed"]

    assert reached() == []
    desktop.open("xfce4-terminal")
    find(machine.envs["ubuntu"], "textbox", "Terminal")
    wait_for(lambda: reached() == ["1"] or None, 5.0, "the terminal in front")
    act(machine, TypeText("vim -u NONE -n poem", submit=True))
    wait_for(lambda: reached() == ["1", "2"] or None, 5.0, "vim")
    act(machine, TypeText("iyou also miss the stars"), Press(("esc",)), TypeText(":wq", submit=True))
    wait_for(lambda: evaluator.success or (reached() and None), 5.0, "the file, and no vim")
    cat = pool.subtasks["5b527839-0e58-426d-bab6-7160200b0d24"].make({"file_path": "poem"}, frozenset(), Claims()).graph
    printed = GraphEvaluator(cat)
    printed.step(machine.case())
    assert not printed.success
    act(machine, TypeText("cat poem", submit=True))
    printed.step(machine.case())
    assert printed.success


@pytest.mark.desktop
def test_files_folders_packages_and_settings_of_a_desktop(machine: Machine, desktop: PrivateDesktop) -> None:
    home = desktop.home
    for name in ("from/a.txt", "from/b b.txt", "from/c.md", "to/a.txt"):
        home.write_file(name, name.encode())
    copied = {"source": "/home/user/from", "target": "/home/user/to", "extension": "txt"}
    assert holds(machine, "check_folder_exists", path="/home/user/to") and not holds(
        machine, "check_folder_exists", path="/nowhere"
    )
    assert not holds(machine, "files_copied", **copied)
    home.write_file("to/b b.txt", b"copy")
    assert holds(machine, "files_copied", **copied)
    assert not holds(machine, "files_copied", **{**copied, "extension": "odt"})
    assert holds(machine, "check_file_contains", path="/home/user/from/c.md", text="c.md")
    assert not holds(machine, "check_file_contains", path="/home/user/from/d.md", text="")
    assert not holds(machine, "check_file_exists", file_path="/home/user/from")
    assert holds(machine, "package_installed", name="coreutils")
    assert not holds(machine, "package_installed", name="no-such-package")
    assert holds(machine, "check_process_runs", name="xfwm4") and not holds(
        machine, "check_process_ended", name="xfwm4"
    )
    assert holds(machine, "check_process_ended", name="no-such-program")
    home.write_file("Pictures/new wall.png", png(noise(1)))
    home.write_file("Pictures/other.png", png(noise(2)))
    desktop.shell(
        "gsettings set org.gnome.desktop.background picture-uri 'file:///home/user/Pictures/new%20wall.png'", 9
    )
    assert holds(machine, "check_wallpaper", path="/home/user/Pictures/new wall.png")
    assert not holds(machine, "check_wallpaper", path="/home/user/Pictures/other.png")
    desktop.shell("gsettings set org.gnome.desktop.interface color-scheme prefer-dark", 9)
    scheme = {"schema": "org.gnome.desktop.interface", "key": "color-scheme"}
    assert holds(machine, "check_setting", **scheme, text="dark")
    assert not holds(machine, "check_setting", **scheme, text="light")


@pytest.mark.desktop
@pytest.mark.needs("omnipilot[marks]")
def test_pictures_and_documents_of_a_desktop(machine: Machine, desktop: PrivateDesktop) -> None:
    home, first, second = desktop.home, noise(1), noise(2)
    both = first.resize((600, 240))
    both.paste((255, 255, 255), (0, 0, 600, 240))
    both.paste(first, (10, 20))
    both.paste(second, (400, 60))
    for name, picture in (("a.png", first), ("b.png", second), ("both.png", both)):
        home.write_file(name, png(picture))
    home.write_file("light.png", png(first.point(lambda value: value // 2 + 127)))
    at = "/home/user/"
    assert holds(machine, "brighter", before=f"{at}a.png", after=f"{at}light.png")
    assert not holds(machine, "not_brighter", before=f"{at}a.png", after=f"{at}light.png")
    assert holds(machine, "not_brighter", before=f"{at}light.png", after=f"{at}a.png")
    given = {"first": f"{at}a.png", "second": f"{at}b.png", "path": f"{at}both.png"}
    sides = {
        side
        for side in ("left", "right", "above", "below")
        if holds(machine, "check_pictures_beside", **given, side=side)
    }
    assert sides == {"left", "above"}
    assert not holds(machine, "check_pictures_beside", **{**given, "path": f"{at}a.png"}, side="left")
    home.write_file("text.odt", office("<office:text><text:p>one</text:p><text:p>two</text:p></office:text>"))
    home.write_file("text.txt", b"one\ntwo\n")
    for clipboard, fits in (("one\ntwo", True), ("one\nthree", False), ("", False)):
        machine.envs["ubuntu"].clipboard = clipboard
        assert holds(machine, "document_has_clipboard", path=f"{at}text.odt") == fits
        assert holds(machine, "file_has_clipboard", path=f"{at}text.txt") == fits


@pytest.mark.desktop
@pytest.mark.parametrize(
    ("kind", "given", "right", "wrong"),
    [
        ("clipboard_has_image_address", {}, "https://example.org/a.png", "a.png"),
        (
            "clipboard_has_repository",
            {"keyword": "OMNI"},
            "https://github.com/x/omni",
            "https://github.com/x/omni/tree",
        ),
        ("clipboard_has_shared_place", {}, "https://maps.app.goo.gl/aB3?g_st=ic", "https://maps.google.com/aB3"),
        ("clipboard_contains", {"lines": "a = 1\nb"}, "x\na = 1\nb", "a = 1"),
    ],
)
def test_the_clipboard_is_judged(machine: Machine, kind: str, given: dict[str, str], right: str, wrong: str) -> None:
    machine.envs["ubuntu"].clipboard = right
    assert holds(machine, kind, **given)
    machine.envs["ubuntu"].clipboard = wrong
    assert not holds(machine, kind, **given)


@pytest.mark.desktop
def test_titles_and_processes_of_windows(machine: Machine, desktop: PrivateDesktop) -> None:
    desktop.open("mousepad")
    wait_for(lambda: holds(machine, "check_front_title", text="Mousepad") or None, 5.0, "the editor")
    assert not holds(machine, "check_front_title", text="Visual Studio Code")
    assert holds(machine, "check_front_process", name="mousepad") and not holds(
        machine, "check_front_process", name="code"
    )


class Pages(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        known = {"/file.bin": b"\x00\xffcontent", "/Bhutan": PAGE.encode()}
        data = known.get(self.path)
        self.send_response(200 if data is not None else 404)
        self.end_headers()
        self.wfile.write(data or b"no")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


KEEP = "com.google.android.keep:id/"


class HandmadePhone:
    """A phone whose clock is told, too."""

    def __init__(self, screen: str) -> None:
        self.capabilities, self.screen = frozenset({Capability.SHELL}), screen

    def shell(self, command: str, timeout: float) -> str:
        if command.startswith("date"):
            return "Thursday 05 November 2026\n" if "%d" in command else "Thursday  5 November 2026\n"
        return self.screen if "uiautomator" in command else ""


def machines(screen: str = "") -> tuple[Machine, LocalShell]:
    """A phone that shows a screen, and this machine as the desktop beside it."""
    shell = LocalShell()
    both = Machine("android", HandmadePhone(screen), None)
    both.envs = {**both.envs, "ubuntu": shell}
    return both, shell


def on(machine: Machine, env: str, kind: str, **given: str) -> bool:
    return make_ask(kind, env, given)(machine.case()).reached


def test_a_day_of_calendar_is_counted_and_compared_with_boxes_of_a_file(tmp_path: Path) -> None:
    plan = tmp_path / "plan.md"
    plan.write_text("- [ ] one\n- [ ] two\n- [x] three\n")

    def screen(date: str, entries: int) -> str:
        days = "".join(f"<node content-desc={quoteattr(one)} bounds='[0,0][1,1]'/>" for one in (date, "add", *"abc"))
        kept = "".join(days.split("/>")[at] + "/>" for at in range(2 + entries))
        return f"<hierarchy rotation='0'><node bounds='[0,0][1,1]'>{kept}</node></hierarchy>"

    for date, entries, shown, equal in (
        ("Thursday 5 November 2026, Open Schedule View", 2, True, True),
        ("Thursday 05 November 2026, Open Schedule View", 3, True, False),
        ("Friday 6 November 2026, Open Schedule View", 2, False, False),
    ):
        machine, _ = machines(screen(date, entries))
        assert not on(machine, "ubuntu", "boxes_match_day", path=str(plan)), "nobody has looked at the day"
        assert on(machine, "android", "day_shown") is shown
        assert on(machine, "ubuntu", "boxes_match_day", path=str(plan)) is equal
        assert not on(machine, "ubuntu", "boxes_match_day", path=str(tmp_path / "none.md"))


def test_how_full_the_disk_was_is_looked_for_in_a_note() -> None:
    machine, _ = machines()
    assert not on(machine, "ubuntu", "usage_asked", text="df")
    machine.actions = (ExecutedAction("ubuntu", TypeText("df -h /")),)
    assert on(machine, "ubuntu", "usage_asked", text="df")
    usage = NOTED[machine]["usage"]  # type: ignore[index]
    for told, holds_ in ((f"{usage}%", True), ("a lot", False)):
        body = f"<node resource-id='{KEEP}browse_note_interior_content' bounds='[0,0][1,1]'><node text='{told}' "
        body += f"bounds='[0,0][1,1]'/></node><node resource-id='{KEEP}editor_bottom_bar' bounds='[0,0][1,1]'/>"
        machine.envs["android"].screen = f"<hierarchy rotation='0'>{body}</hierarchy>"
        assert on(machine, "android", "note_tells_usage") is holds_
        assert on(machine, "android", "open_note_is", text=told) and not on(
            machine, "android", "open_note_is", text="other"
        )
    other, _ = machines(machine.envs["android"].screen)
    assert not on(other, "android", "note_tells_usage"), "another world has asked nothing"


def test_what_was_tapped_last_is_told_by_the_name_of_the_control() -> None:
    machine = phone()
    assert not holds(machine, "tapped_last", text="copy")
    machine.actions = (ExecutedAction("android", Click(Point(0.5, 0.5)), "Copy text"),)
    assert holds(machine, "tapped_last", text="copy") and not holds(machine, "tapped_last", text="paste")
    machine.actions += (ExecutedAction("android", TypeText("copy"), "Copy text"),)
    assert not holds(machine, "tapped_last", text="copy")


def test_new_pictures_titles_and_elements_by_an_attribute(tmp_path: Path) -> None:
    shell = LocalShell()
    machine = Machine("ubuntu", shell, None)
    (tmp_path / "old.jpg").write_bytes(b"")
    os.utime(tmp_path / "old.jpg", (0, 0))
    (tmp_path / "new.png").write_bytes(b"")
    assert not holds(machine, "new_picture", folder=str(tmp_path))
    (tmp_path / "new.jpg").write_bytes(b"")
    assert holds(machine, "new_picture", folder=str(tmp_path))
    shell.title = "[photo] (imported)-1.0 – GIMP"
    assert holds(machine, "front_title_has_all", texts="photo\nGIMP")
    assert not holds(machine, "front_title_has_all", texts="photo\nImpress")
    shown = phone(node("com.a:id/film"))
    assert holds(shown, "node_shown", query='@resource-id="com.a:id/film"')
    assert not holds(shown, "node_shown", query='@resource-id="com.a:id/fil"')
    with pytest.raises(ConfigError, match="by one attribute"):
        holds(shown, "node_shown", query="contains(@text, 'a')")


def release_holds(machine: Machine, kind: str, **given: str) -> bool:
    return make_released(kind, next(iter(machine.envs)), given)(machine.case()).reached


PHOTO = ("label", "exif_item_layout", "datetime_item_layout")
DIFFER: tuple[tuple[str, dict[str, str], Machine, bool, bool], ...] = (
    ("check_front_package", {"package": "com.a"}, phone(package="com.a"), True, False),
    ("check_front_package", {"package": "com.a"}, phone(package="com.a", word="mResumedActivity"), True, True),
    ("front_activity", {"activity": "com.a/"}, phone(package="com.a"), True, False),
    (
        "contact_registered",
        {"mail": "a@b.com", "name": "Ann Lee"},
        phone(node("com.android.contacts:id/large_title", "Ann"), node("com.android.contacts:id/header", "a@b.com")),
        False,
        True,
    ),
    (
        "contact_has_mail",
        {"name": "Ann"},
        phone(
            node("com.android.contacts:id/photo_touch_intercept_overlay", "", "Ann"),
            node("", "", "Email Home", "android.widget.RelativeLayout"),
            node("com.android.contacts:id/header", "a.b@c.org"),
        ),
        True,
        False,
    ),
    (
        "list_tells",
        {"first": "12 may", "second": "standup"},
        phone(node(kind=LIST), node(told="12 May"), node(told="Standup"), nested=True),
        True,
        False,
    ),
    (
        "list_tells",
        {"first": "12 may", "second": ""},
        phone(node(kind="android.support.v7.widget.RecyclerView"), node(told="12 May"), nested=True),
        True,
        False,
    ),
    (
        "node_has_text",
        {"id": "android:id/summary", "text": "Pixel"},
        phone(node("android:id/summary", "On"), node("android:id/summary", "Pixel")),
        True,
        False,
    ),
    (
        "photo_dated",
        {"name": "IMG_1.jpg"},
        phone(
            *(node(f"{PHOTOS}{one}") for one in PHOTO[1:]),
            node(f"{PHOTOS}label", "IMG_1.jpg"),
            node(f"{PHOTOS}label", "Tue, May 14, 2024 • 10:05 AM"),
        ),
        True,
        False,
    ),
    (
        "place_found",
        {"number": "44145", "country": "Germany"},
        phone(node(f"{MAPS}search_omnibox_text_box"), node(text="44145, Germany"), node(text="Clear"), nested=True),
        True,
        False,
    ),
)


@pytest.mark.parametrize(("kind", "given", "machine", "meant", "released"), DIFFER)
def test_the_release_judges_a_screen_otherwise(
    kind: str, given: dict[str, str], machine: Machine, meant: bool, released: bool
) -> None:
    assert (holds(machine, kind, **given), release_holds(machine, kind, **given)) == (meant, released)


def test_the_release_judges_clipboards_and_files_otherwise(tmp_path: Path) -> None:
    shell = LocalShell()
    machine = Machine("ubuntu", shell, None)
    (tmp_path / "text").write_text("words")
    (tmp_path / "text.odt").write_bytes(office("<office:text><text:p>words</text:p></office:text>"))
    rows = "<table:table><table:table-row><table:table-cell><text:p>Nepal</text:p></table:table-cell></table:table-row>"
    (tmp_path / "sheet.ods").write_bytes(office(f"<office:spreadsheet>{rows}</table:table></office:spreadsheet>"))
    for folder in ("from", "to"):
        (tmp_path / folder).mkdir()
    copied = {"source": str(tmp_path / "from"), "target": str(tmp_path / "to"), "extension": "txt"}
    country = {"country": "Bhutan", "path": str(tmp_path / "sheet.ods"), "encyclopedia": "nowhere"}
    cases: tuple[tuple[str, str, dict[str, str], bool, bool], ...] = (
        ("https://a.photography/x.jpg", "clipboard_has_image_address", {}, True, False),
        ("https://a.org/x.jpg", "clipboard_has_image_address", {}, True, True),
        ("https://maps.app.goo.gl/Ab1?g_st=ic", "clipboard_has_shared_place", {}, True, False),
        ("https://maps.app.goo.gl/Ab1", "clipboard_has_shared_place", {}, True, True),
        ("https://github.com/a/AGENT", "clipboard_has_repository", {"keyword": "Agent"}, True, False),
        ("https://github.com/a/agent", "clipboard_has_repository", {"keyword": "Agent"}, True, True),
        ("", "file_has_clipboard", {"path": str(tmp_path / "text")}, False, True),
        ("other", "file_has_clipboard", {"path": str(tmp_path / "text")}, False, False),
        ("", "document_has_clipboard", {"path": str(tmp_path / "text.odt")}, False, True),
        ("", "document_has_clipboard", {"path": str(tmp_path / "none.odt")}, False, False),
        ("", "sheet_has_country", country, False, True),
        ("", "files_copied", copied, False, True),
        ("", "files_copied", {**copied, "target": str(tmp_path / "none")}, False, False),
    )
    for shell.clipboard, kind, given, meant, released in cases:
        assert (holds(machine, kind, **given), release_holds(machine, kind, **given)) == (meant, released), kind
    assert {kind for kind, *_ in DIFFER} | {kind for _, kind, *_ in cases} == set(RULES)


class LocalShell:
    """The machine that the tests run on, whose shell the judges are given."""

    capabilities = frozenset({Capability.SHELL})

    def shell(self, command: str, timeout: float) -> str:
        import subprocess

        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=timeout, check=False)
        return done.stdout

    def observe(self, modalities: object, since: float) -> Observation:
        return Observation("ubuntu", 0.0, Size(1, 1), context=Context(title=self.title, clipboard=self.clipboard))

    clipboard = title = ""


@pytest.mark.needs("curl")
def test_downloads_are_compared_with_what_the_web_gives_then(tmp_path) -> None:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}"
    try:
        shell = LocalShell()
        machine = Machine("ubuntu", shell, None)
        right, wrong = tmp_path / "right.bin", tmp_path / "wrong"
        right.write_bytes(b"\x00\xffcontent")
        wrong.write_bytes(b"content")
        assert holds(machine, "check_downloaded", url=f"{url}/file.bin", path=str(right))
        assert not holds(machine, "check_downloaded", url=f"{url}/file.bin", path=str(wrong))
        assert not holds(machine, "check_downloaded", url=f"{url}/gone", path=str(right))
        assert not holds(machine, "check_downloaded", url=f"file://{right}", path=str(right))
        shell.clipboard = f"{url}/file.bin"
        assert holds(machine, "downloaded_from_clipboard", path=str(right))
        shell.clipboard = f"{url}/file.bin; touch {tmp_path}/run"
        assert not holds(machine, "downloaded_from_clipboard", path=str(right))
        shell.clipboard = f"{url}/$(touch${{IFS}}{tmp_path}/run)"
        assert not holds(machine, "downloaded_from_clipboard", path=str(right))
        assert not (tmp_path / "run").exists()
        row = "".join(f"<table:table-cell><text:p>{one}</text:p></table:table-cell>" for one in ("bhutan", "Thimphu"))
        for people, fits in (("777 486", True), ("777 487", False), ("", False)):
            cells = f"{row}<table:table-cell><text:p>{people}</text:p></table:table-cell>"
            sheet = f"<table:table><table:table-row>{cells}</table:table-row></table:table>"
            wrong.write_bytes(office(f"<office:spreadsheet>{sheet}</office:spreadsheet>"))
            given = {"path": str(wrong), "encyclopedia": f"{url}/"}
            assert holds(machine, "sheet_has_country", country="Bhutan", **given) == fits
            assert not holds(machine, "sheet_has_country", country="Nepal", **given)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.desktop("adb")
def test_the_served_phone_is_read_over_adb() -> None:
    """The kinds of evidence that judges take from a phone, on applications of ours: their ids are not Google's."""
    from omnipilot.envs.sim.phone_over_adb import EmbeddedPhone

    world = EmbeddedPhone(name="android")
    try:
        world.reset(0)
        machine = Machine("android", world.envs["android"], None)
        assert not holds(machine, "check_front_package", package="notes")
        world.envs["android"].act(OpenApp("Notes"))
        assert holds(machine, "check_front_package", package="notes")
        shown = next(one for one in world.envs["android"].ui_tree() if one.role == "text" and one.id)
        assert holds(machine, "node_is", id=shown.id, text=shown.name)
        assert not holds(machine, "node_is", id=shown.id, text=f"{shown.name}x")
    finally:
        world.close()
