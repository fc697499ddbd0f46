"""What a browser shows above its pages, seen and answered like a page: dialogs, lists, file choosers, downloads."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from web_pages import Site, serve

from omnipilot.envs import (
    ActionRejected,
    Browser,
    Click,
    ConfigError,
    Context,
    Element,
    Elements,
    Image,
    Modality,
    OpenUrl,
    Press,
    Select,
    Size,
    TypeText,
)
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.envs.web import BrowserEnv, Chromium
from omnipilot.envs.web.downloads import file_in, free_name, list_files

pytestmark = pytest.mark.web

SIZE = Size(640, 480)


def page(body: str, title: str = "Page") -> str:
    return "data:text/html;charset=utf-8," + quote(f"<!doctype html><meta charset=utf-8><title>{title}</title>{body}")


@pytest.fixture
def site() -> Iterator[Site]:
    with serve() as site:
        yield site


@pytest.fixture
def env(chromium: Chromium, tmp_path: Path) -> Iterator[BrowserEnv]:
    folder = tmp_path / "files"
    (folder / "letters").mkdir(parents=True)
    (folder / "a.txt").write_text("alpha")
    (folder / "letters" / "b.txt").write_text("beta!")
    (folder / ".hidden").write_text("x")
    (folder / "leak").symlink_to("/etc/passwd")
    env = BrowserEnv(chromium, size=SIZE, files=folder, most_bytes=2_000_000)
    yield env
    env.close()


def elements(env: BrowserEnv) -> Elements:
    found = env.observe({Modality.ELEMENTS}, 0.0).elements
    assert isinstance(found, Elements)
    return found


def context(env: BrowserEnv) -> Context:
    found = env.observe({Modality.CONTEXT}, 0.0).context
    assert isinstance(found, Context)
    return found


def the(env: BrowserEnv, role: str, name: str | None = None) -> Element:
    found = [e for e in elements(env) if e.role == role and name in (None, e.name)]
    assert len(found) == 1, [(e.role, e.name) for e in elements(env)]
    return found[0]


def click(env: BrowserEnv, role: str, name: str | None = None) -> None:
    env.act(Click(the(env, role, name).box.center))


def agree(env: BrowserEnv) -> None:
    click(env, "button", "OK")


def refuse(env: BrowserEnv) -> None:
    click(env, "button", "Cancel")


def press_enter(env: BrowserEnv) -> None:
    env.act(Press(("enter",)))


def press_escape(env: BrowserEnv) -> None:
    env.act(Press(("esc",)))


@pytest.mark.parametrize(
    ("script", "answer", "told"),
    [
        ("alert('Saved.')", agree, "undefined"),
        ("alert('Saved.')", press_enter, "undefined"),
        ("alert('Saved.')", press_escape, "undefined"),
        ("confirm('Sure?')", agree, "true"),
        ("confirm('Sure?')", refuse, "false"),
        ("confirm('Sure?')", press_enter, "true"),
        ("confirm('Sure?')", press_escape, "false"),
        ("prompt('Name?', 'Ann')", agree, "Ann"),
        ("prompt('Name?', 'Ann')", refuse, "null"),
        ("prompt('Name?', 'Ann')", press_escape, "null"),
    ],
)
def test_each_dialog_is_shown_and_answered(
    env: BrowserEnv, script: str, answer: Callable[[BrowserEnv], None], told: str
) -> None:
    env.open(page(f'<button onclick="document.title={script}">ask</button>'))
    click(env, "button", "ask")
    seen = env.observe(ALL_MODALITIES, 0.0)
    assert isinstance(seen.elements, Elements) and isinstance(seen.context, Context)
    message = script.split("'")[1]
    assert the(env, "dialog", "This page says") and the(env, "text", message)
    assert seen.context.title == f"Page – This page says: {message}"
    assert not [e for e in seen.elements if e.name == "ask"]
    answer(env)
    assert context(env).title == told
    assert the(env, "button", "ask")


def test_a_prompt_is_typed_into(env: BrowserEnv) -> None:
    env.open(page("<button onclick=\"document.title=prompt('Name?', 'Ann')\">ask</button>"))
    click(env, "button", "ask")
    field = the(env, "textbox")
    assert field.value == "Ann" and "focused" in field.states
    env.act(TypeText("Bob – 你好", at=field.box.center, clear=True))
    assert the(env, "textbox").value == "Bob – 你好"
    press_enter(env)
    assert context(env).title == "Bob – 你好"


def test_the_page_below_a_dialog_stays_in_the_picture(env: BrowserEnv) -> None:
    env.open(page("<body style='margin:0;background:#0a0'><button onclick='alert(1)'>ask</button>"))
    env.observe({Modality.SCREENSHOT}, 0.0)
    click(env, "button", "ask")
    shot = env.observe({Modality.SCREENSHOT}, 0.0).screenshot
    assert isinstance(shot, Image) and shot.size == SIZE
    red, green, blue = shot.array()[-5, 5].tolist()
    assert green > 100 > max(red, blue)  # shaded, and still green
    left, _, right, bottom = the(env, "dialog").box.to_pixels(SIZE)
    assert shot.array()[round(bottom) - 8, round((left + right) / 2)].tolist() == [255, 255, 255]


def test_a_page_that_opens_one_dialog_after_another(env: BrowserEnv) -> None:
    env.open(page("<button onclick=\"document.title=[confirm('One?'),confirm('Two?')]\">ask</button>"))
    click(env, "button", "ask")
    assert the(env, "text", "One?")
    agree(env)
    assert the(env, "text", "Two?")
    refuse(env)
    assert context(env).title == "true,false"


@pytest.mark.slow
def test_a_dialog_that_opened_while_the_agent_thought_is_told_before_anything_is_done(env: BrowserEnv) -> None:
    env.open(
        page(
            "<button onclick='document.title=\"clicked\"'>b</button><script>setTimeout(()=>alert('Late'),2000)</script>"
        )
    )
    place = the(env, "button", "b").box.center
    time.sleep(2.2)
    with pytest.raises(ActionRejected, match="Late"):
        env.act(Click(place))
    agree(env)
    assert context(env).title == "Page"


def test_nothing_but_an_answer_is_possible_below_a_dialog(env: BrowserEnv) -> None:
    env.open(page("<button onclick='alert(\"Read me\")'>ask</button>"))
    click(env, "button", "ask")
    for action in (OpenUrl("about:blank"), Browser("new_tab"), Browser("reload")):
        with pytest.raises(ActionRejected, match="Read me"):
            env.act(action)
    agree(env)
    env.act(Browser("reload"))
    assert the(env, "button", "ask")


def test_keys_held_when_a_dialog_opens_are_released_after_it(env: BrowserEnv) -> None:
    env.open(
        page("<input onkeydown=\"if(event.key=='x')alert('X')\"><script>onkeyup=e=>document.title+=' '+e.key</script>")
    )
    click(env, "textbox")
    env.act(Press(("shift", "x")))
    agree(env)
    assert "Shift" in context(env).title
    env.act(TypeText("b"))
    assert the(env, "textbox").value.endswith("b")


@pytest.mark.slow
def test_leaving_a_page_that_asks_first(env: BrowserEnv) -> None:
    env.open(page("<input><script>onbeforeunload=e=>e.preventDefault()</script>", "Form"))
    env.act(TypeText("draft", at=the(env, "textbox").box.center))
    env.act(OpenUrl(page("next", "Next")))
    assert the(env, "dialog", "Leave site?")
    refuse(env)
    assert (context(env).title, the(env, "textbox").value) == ("Form", "draft")
    env.act(OpenUrl(page("next", "Next")))
    click(env, "button", "Leave")
    env.settle()
    assert not [e for e in elements(env) if e.role == "textbox"]


LIST = (
    "<body style='margin:20px'><select id=s onchange='document.title=s.value'>"
    "<option>Apple<option>Pear<option disabled>Plum<option>Fig</select>"
)


def test_an_open_list_is_seen_where_it_is_and_chosen_from(env: BrowserEnv) -> None:
    env.open(page(LIST))
    click(env, "combobox")
    shown = [e for e in elements(env) if e.role == "option"]
    assert [e.name for e in shown] == ["Apple", "Pear", "Plum", "Fig"]
    assert shown[2].states == {"disabled"} and shown[0].states == {"selected"}
    click(env, "option", "Plum")
    click(env, "option", "Fig")
    assert context(env).title == "Fig" and the(env, "combobox").value == "Fig"


@pytest.mark.slow
def test_an_open_list_is_chosen_from_by_keys_closed_and_passed_over(env: BrowserEnv) -> None:
    env.open(page(LIST))
    click(env, "combobox")
    env.act(Press(("down",), repeat=2))
    press_enter(env)
    assert context(env).title == "Fig"
    click(env, "combobox")
    press_escape(env)
    assert the(env, "combobox").value == "Fig"
    place = the(env, "combobox").box.center
    env.act(Click(place))
    env.act(Select(place, "Pear"))
    assert the(env, "combobox").value == "Pear"


UPLOAD = (
    "<input type=file {} aria-label=up "
    'onchange="Promise.all([...this.files].map(f=>f.text())).then(t=>document.title=t)">'
)


def test_a_file_is_uploaded_from_the_folder_that_was_given(env: BrowserEnv) -> None:
    env.open(page(UPLOAD.format("")))
    click(env, "button", "up")
    assert [e.name for e in elements(env) if e.role == "option"] == ["a.txt", "letters/b.txt"]
    click(env, "option", "letters/b.txt")
    assert the(env, "textbox").value == "letters/b.txt"
    click(env, "button", "Open")
    env.settle()
    assert context(env).title == "beta!"


def test_several_files_by_name(env: BrowserEnv) -> None:
    env.open(page(UPLOAD.format("multiple")))
    click(env, "button", "up")
    env.act(TypeText("a.txt; letters/b.txt", submit=True))
    env.settle()
    assert context(env).title == "alpha,beta!"


@pytest.mark.parametrize("name", ["/etc/passwd", "../files/../../etc/passwd", "leak", "nothing.txt", ".."])
def test_no_other_file_of_this_machine_is_given(env: BrowserEnv, name: str) -> None:
    env.open(page(UPLOAD.format("")))
    click(env, "button", "up")
    env.act(TypeText(name, submit=True))
    assert any(e.name.startswith("There is no file") for e in elements(env))
    refuse(env)
    assert context(env).title == "Page" and the(env, "button", "up")


@pytest.mark.slow
def test_downloads_are_told_kept_under_free_names_and_read_by_judges(env: BrowserEnv, site: Site) -> None:
    attached = {"Content-Disposition": "attachment; filename=report.txt", "Content-Type": "text/plain"}
    site.pages = {
        "/": "<a href=/get>get</a> <a href=/big>big</a>",
        "/get": (attached, b"figures"),
        "/big": (attached, b"x" * 3_000_000),
    }
    env.open(site.url())
    start = time.monotonic()
    click(env, "link", "get")
    assert time.monotonic() - start < 5
    assert the(env, "status").name == "Downloaded report.txt (7 bytes)"
    click(env, "link", "get")
    assert the(env, "status").name == "Downloaded report (1).txt (7 bytes)"
    assert env.read_file("downloads/report (1).txt") == b"figures"
    click(env, "link", "big")
    env.pause(0.5)
    assert "larger than 2,000,000 bytes" in the(env, "status").name
    assert env.downloaded() == ("downloads/report (1).txt", "downloads/report.txt")
    for path in ("downloads/../x", "/etc/passwd", "a.txt", "downloads/none"):
        with pytest.raises(FileNotFoundError):
            env.read_file(path)
    env.open(page(UPLOAD.format("")))
    click(env, "button", "up")
    click(env, "option", "downloads/report.txt")
    click(env, "button", "Open")
    env.settle()
    assert context(env).title == "figures"
    env.restart()
    assert env.downloaded() == ()


def test_names_of_downloads_are_plain_and_free(tmp_path: Path) -> None:
    assert free_name(tmp_path, "../../etc/passwd") == "passwd"
    assert free_name(tmp_path, "..") == "download" and free_name(tmp_path, "C:\\x\\y.txt") == "y.txt"
    (tmp_path / "a.tar").touch()
    (tmp_path / "a (1).tar").touch()
    assert free_name(tmp_path, "a.tar") == "a (2).tar"
    assert len(free_name(tmp_path, "x" * 400 + ".pdf")) < 200


def test_files_outside_a_folder_are_not_in_it(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out.txt").touch()
    (tmp_path / "in" / "a.txt").touch()
    (tmp_path / "in" / "link").symlink_to(tmp_path / "out.txt")
    assert list_files(tmp_path / "in") == ["a.txt"]
    assert file_in(tmp_path / "in", "../out.txt") is None and file_in(tmp_path / "in", "link") is None
    assert file_in(tmp_path / "in", "a.txt") == tmp_path / "in" / "a.txt"


def test_a_folder_that_does_not_exist_is_an_error(chromium: Chromium, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no folder"):
        BrowserEnv(chromium, files=tmp_path / "none")
