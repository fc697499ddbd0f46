"""The browser as an environment, on pages written here, in a real Chromium."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any
from urllib.parse import quote

import pytest

from omnipilot.envs import (
    Absent,
    ActionRejected,
    Browser,
    Capability,
    Click,
    ConfigError,
    Context,
    Drag,
    Element,
    Elements,
    EnvLost,
    Image,
    LongPress,
    Modality,
    Observation,
    OpenUrl,
    Point,
    Press,
    Scroll,
    Select,
    Size,
    Swipe,
    System,
    Thinking,
    TypeText,
)
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.envs.web import BrowserEnv, BrowserWorld, Chromium, find_chromium, launch, screenshot
from omnipilot.envs.web.chromium import VARIABLE

pytestmark = pytest.mark.web

SIZE = Size(400, 300)


def page(body: str, title: str = "Page") -> str:
    html = (
        f"<!doctype html><meta charset=utf-8><title>{title}</title><style>body{{margin:0;font:16px sans-serif}}</style>"
    )
    return "data:text/html;charset=utf-8," + quote(html + body)


@pytest.fixture
def env(chromium: Chromium) -> Iterator[BrowserEnv]:
    env = BrowserEnv(chromium, size=SIZE)
    yield env
    env.close()


def look(env: BrowserEnv) -> Observation:
    return env.observe(ALL_MODALITIES, 0.0)


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


def pixel(x: float, y: float) -> Point:
    return Point.from_pixels(x, y, SIZE)


def test_an_observation_has_what_was_asked_for_and_says_why_the_rest_is_absent(env: BrowserEnv) -> None:
    env.open(page("<p>Hello</p>"))
    seen = env.observe({Modality.SCREENSHOT, Modality.AUDIO}, 0.0)
    assert isinstance(seen.screenshot, Image) and seen.screenshot.size == SIZE == seen.size
    assert seen.audio == Absent("unsupported") and seen.elements == seen.context == seen.video == Absent("unasked")


def test_looking_twice_shows_the_same_though_a_caret_blinks(env: BrowserEnv) -> None:
    env.open(page("<input autofocus value=abc><p>Text</p>"))
    click(env, "textbox")
    first = look(env)
    env.pause(0.7)
    second = look(env)
    assert (first.screenshot, first.elements, first.context) == (second.screenshot, second.elements, second.context)
    env.act(TypeText("x"))
    assert look(env).screenshot != first.screenshot


class Forgetful:
    """A DevTools session that never answers its first captures, as Chromium does where a page is replaced meanwhile."""

    def __init__(self, session: Any, times: int) -> None:
        self.session = session
        self.left = times

    def send(self, method: str, parameters: Any = None) -> Any:
        if method == "Page.captureScreenshot" and self.left:
            self.left -= 1
            method, parameters = "Runtime.evaluate", {"expression": "new Promise(() => 0)", "awaitPromise": True}
        return self.session.send(method, parameters)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.session, name)


@pytest.mark.parametrize("times", [1, 2])
def test_a_capture_that_is_never_answered_is_asked_for_again(
    env: BrowserEnv, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    env.open(page("<p>Hello</p>"))
    before = look(env).screenshot
    monkeypatch.setattr(screenshot, "UNANSWERED", 0.2)
    monkeypatch.setattr(env.tab, "session", Forgetful(env.tab.session, times))
    assert look(env).screenshot == before and env.tab.session.left == 0
    assert look(env).screenshot == before


@pytest.mark.parametrize("scale", [1.0, 2.0, 1.5])
def test_screenshots_are_in_css_pixels_whatever_the_devices_are(chromium: Chromium, scale: float) -> None:
    env = BrowserEnv(chromium, size=SIZE, scale=scale)
    env.open(page("<div style='position:absolute;left:100px;top:50px;width:40px;height:20px;background:#f00'></div>"))
    shot = look(env).screenshot
    env.close()
    assert isinstance(shot, Image) and shot.size == SIZE
    red = (shot.array() == [255, 0, 0]).all(axis=2).nonzero()
    assert (red[1].min(), red[1].max(), red[0].min(), red[0].max()) == (100, 139, 50, 69)


@pytest.mark.parametrize(("x", "y"), [(0, 0), (37, 52), (199, 1), (399, 299), (123, 287)])
def test_a_click_lands_where_it_was_told(env: BrowserEnv, x: int, y: int) -> None:
    env.open(page("<script>onmousedown=e=>document.title=[e.clientX,e.clientY,e.button,e.ctrlKey]</script>"))
    env.act(Click(pixel(x, y), button="middle", modifiers=("ctrl",)))
    assert context(env).title == f"{x},{y},1,true"


def test_the_far_edge_of_the_screen_is_still_on_it(env: BrowserEnv) -> None:
    env.open(page("<script>onmousedown=e=>document.title=[e.clientX,e.clientY]</script>"))
    env.act(Click(Point(1.0, 1.0)))
    assert context(env).title == "399,299"


def test_double_and_triple_clicks(env: BrowserEnv) -> None:
    env.open(page("<script>onclick=e=>document.title=e.detail</script><p>word word</p>"))
    for count in (1, 2, 3):
        env.act(Click(pixel(200, 200), count=count))
        assert context(env).title == str(count)


def test_drag_passes_through_its_path(env: BrowserEnv) -> None:
    env.open(
        page(
            "<script>let p=[];onmousemove=e=>{if(e.buttons)p.push([e.clientX,e.clientY])};"
            "onmouseup=e=>document.title=JSON.stringify(p)</script>"
        )
    )
    env.act(Drag(start=pixel(10, 10), path=(pixel(10, 100),), end=pixel(200, 100)))
    moves = json.loads(context(env).title)
    assert [10, 100] in moves and moves[-1] == [200, 100] and len(moves) > 4


def test_drag_and_drop_of_the_browser_itself(env: BrowserEnv) -> None:
    env.open(
        page(
            "<div draggable=true style='width:80px;height:40px'>thing</div>"
            "<div style='height:80px;background:#eee' ondragover='event.preventDefault()' "
            "ondrop='document.title=\"dropped\"'>here</div>"
        )
    )
    env.act(Drag(start=pixel(20, 10), end=pixel(100, 80)))
    assert context(env).title == "dropped"


def test_a_long_press_lasts(env: BrowserEnv) -> None:
    env.open(
        page(
            "<script>let t;onmousedown=()=>t=performance.now();"
            "onmouseup=()=>document.title=performance.now()-t>280</script>"
        )
    )
    env.act(LongPress(pixel(50, 50), seconds=0.3))
    assert context(env).title == "true"


@pytest.mark.parametrize(
    ("scroll", "lines"),
    [
        (Scroll("down", amount=2), "200"),
        (Scroll("down", amount=50, unit="px"), "50"),
        (Scroll("down", amount=1, unit="page"), "270"),
    ],
)
def test_scrolling(env: BrowserEnv, scroll: Scroll[Point], lines: str) -> None:
    env.open(page("<div style='height:5000px'>x</div><script>onscroll=()=>document.title=scrollY</script>"))
    env.act(scroll)
    assert context(env).title == lines
    env.act(Scroll("up", amount=1000))
    assert context(env).title == "0"


@pytest.mark.parametrize("text", ["Hello, World", "Grüße – 你好 🙂 ñ", "x" * 600])
def test_typed_text_arrives_as_it_is(env: BrowserEnv, text: str) -> None:
    env.open(page("<input value=old style='width:300px'>"))
    env.act(TypeText(text, at=the(env, "textbox").box.center, clear=True))
    assert the(env, "textbox").value == text


def test_submit_presses_enter_and_the_form_opens_the_next_page(env: BrowserEnv) -> None:
    env.open(page("<form onsubmit='document.title=\"sent \"+q.value;return false'><input id=q></form>"))
    env.act(TypeText("news", at=the(env, "textbox").box.center, submit=True))
    assert context(env).title == "sent news"


def test_keys_together_and_repeated(env: BrowserEnv) -> None:
    env.open(page("<textarea>one two</textarea>"))
    click(env, "textbox")
    env.act(Press(("ctrl", "a")))
    env.act(Press(("ctrl", "c")))
    env.act(Press(("right",)))
    env.act(Press(("ctrl", "v")))
    env.act(Press(("backspace",), repeat=3))
    assert the(env, "textbox").value == "one twoone "


def test_a_key_that_no_keyboard_has_is_refused(env: BrowserEnv) -> None:
    env.open(page("<input>"))
    with pytest.raises(ActionRejected, match="type it as text"):
        env.act(Press(("ctrl", "é")))


LIST = (
    "<label>Fruit <select onchange='document.title=this.value'><option value=a>Apple<option value=b>Big Pear"
    "<option disabled>Plum</select></label><p>Nothing here</p>"
)


def test_options_are_chosen_by_their_text(env: BrowserEnv) -> None:
    env.open(page(LIST))
    box = the(env, "combobox", "Fruit")
    assert box.value == "Apple"
    env.act(Select(box.box.center, "big pear"))
    assert the(env, "combobox").value == "Big Pear" and context(env).title == "b"
    assert {e.name: e.states for e in elements(env) if e.role == "option"} == {
        "Apple": {"offscreen"},
        "Big Pear": {"offscreen", "selected"},
        "Plum": {"offscreen", "disabled"},
    }


def test_what_cannot_be_chosen_is_refused_with_what_can(env: BrowserEnv) -> None:
    env.open(page(LIST))
    at = the(env, "combobox").box.center
    with pytest.raises(ActionRejected, match="'Apple', 'Big Pear'"):
        env.act(Select(at, "Cherry"))
    with pytest.raises(ActionRejected, match="disabled"):
        env.act(Select(at, "Plum"))
    with pytest.raises(ActionRejected, match="no drop-down list"):
        env.act(Select(the(env, "text", "Nothing here").box.center, "Apple"))
    assert the(env, "combobox").value == "Apple"


def test_verbs_that_a_browser_does_not_know_are_refused_with_those_it_does(env: BrowserEnv) -> None:
    for action in (System("home"), Swipe(direction="up")):
        with pytest.raises(ActionRejected, match="it can: browser, click"):
            env.act(action)  # type: ignore[arg-type]


def test_tabs_open_switch_and_close(env: BrowserEnv) -> None:
    env.open(page("one", "One"))
    env.act(Browser("new_tab"))
    env.open(page("two", "Two"))
    assert context(env).tabs == ("One", "Two") and context(env).tab == 1
    env.act(Browser("focus_tab", tab=0))
    assert (context(env).title, context(env).tab) == ("One", 0) and the(env, "text").name == "one"
    env.act(Browser("close_tab", tab=1))
    assert context(env).tabs == ("One",)
    with pytest.raises(ActionRejected, match="only tab"):
        env.act(Browser("close_tab"))
    with pytest.raises(ActionRejected, match="no tab 3"):
        env.act(Browser("focus_tab", tab=3))


@pytest.mark.parametrize(
    "body",
    [
        "<a href='about:blank#two' target=_blank>open</a>",
        "<button onclick=\"w=window.open();w.document.title='Two'\">open</button>",
    ],
)
def test_a_tab_that_a_site_opens_comes_to_the_front(env: BrowserEnv, body: str) -> None:
    env.open(page(body, "One"))
    env.act(Click(next(e for e in elements(env) if e.name == "open").box.center))
    seen = context(env)
    assert len(seen.tabs) == 2 and seen.tab == 1 and seen.tabs[0] == "One"
    assert isinstance(look(env).screenshot, Image)
    env.act(Browser("close_tab"))
    assert context(env).tabs == ("One",) and context(env).tab == 0


def test_history_goes_back_and_forward_but_not_beyond(env: BrowserEnv) -> None:
    env.act(OpenUrl(page("one", "One")))
    with pytest.raises(ActionRejected, match="no page to go back"):
        env.act(Browser("back"))
    env.act(OpenUrl(page("two", "Two")))
    env.act(Browser("back"))
    assert context(env).title == "One"
    env.act(Browser("forward"))
    assert context(env).title == "Two"
    env.act(Browser("reload"))
    assert context(env).title == "Two"


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("file:///etc/passwd", "opens http"),
        ("javascript:alert(1)", "no address"),
        ("http://127.0.0.1:1/", "ERR_"),
        ("what is this", "no address"),
    ],
)
def test_addresses_that_do_not_open_say_why(env: BrowserEnv, url: str, words: str) -> None:
    with pytest.raises(ActionRejected, match=words):
        env.act(OpenUrl(url))


def test_a_link_is_followed_before_the_next_look(env: BrowserEnv) -> None:
    env.open(page("<form action='about:blank'><button>go</button></form>"))
    click(env, "button", "go")
    assert context(env).url.startswith("about:blank")


def test_an_action_returns_when_the_page_stands_still(env: BrowserEnv) -> None:
    env.open(
        page(
            "<style>div{width:50px;height:20px;background:red;transition:width .3s}</style>"
            "<div onclick='this.style.width=\"300px\"' style='cursor:pointer'></div>"
        )
    )
    click(env, "generic")
    assert the(env, "generic").box.right == pytest.approx(300 / 400)


@pytest.mark.parametrize(
    "later",
    [
        "requestAnimationFrame(f)",
        "setTimeout(f)",
        "Promise.resolve().then(f)",
        "f()",
    ],
)
@pytest.mark.parametrize("modalities", [{Modality.SCREENSHOT}, {Modality.ELEMENTS}, ALL_MODALITIES])
def test_what_an_action_does_by_the_next_frame_is_seen_at_the_first_look(
    env: BrowserEnv, later: str, modalities: frozenset[Modality]
) -> None:
    env.open(
        page(
            f"<button onclick='{later}' style='width:60px'>b</button><script>"
            "function f(){document.body.style.background='#f00';document.querySelector('button').textContent='red'}"
            "</script>"
        )
    )
    env.act(Click(pixel(20, 10)))
    seen = env.observe(modalities, 0.0)
    if isinstance(seen.screenshot, Image):
        assert seen.screenshot.array()[-1, -1].tolist() == [255, 0, 0]
    if isinstance(seen.elements, Elements):
        assert [e.name for e in seen.elements] == ["red"]


@pytest.mark.slow
def test_a_page_that_never_stands_still_does_not_hold_the_agent(env: BrowserEnv) -> None:
    env.open(page("<p id=p></p><script>let n=0;(f=()=>{p.textContent=n++;requestAnimationFrame(f)})()</script>"))
    took = []
    for _ in range(5):
        start = time.monotonic()
        env.act(Click(pixel(5, 5)))
        assert isinstance(look(env).screenshot, Image)
        took.append(time.monotonic() - start)
    # A look between two frames of the page may find it at rest; the others wait for rest until the deadline.
    assert 0.4 < max(took) < 3


def test_dialogs_that_are_dismissed_do_not_hold_the_page(chromium: Chromium) -> None:
    env = BrowserEnv(chromium, size=SIZE, dialogs="dismiss")
    env.open(page("<button onclick='alert(1);document.title=confirm(2)'>ask</button>"))
    click(env, "button", "ask")
    assert context(env).title == "false"
    env.close()


ROLES = """
<h2>Title</h2><a href=#x>a link</a><button disabled>No</button><button aria-expanded=true>More</button>
<input type=checkbox checked aria-label=tick><label for=r>Ring</label><input type=radio id=r name=g>
<input type=range aria-label=level value=7><input placeholder='Your name' value=Ann><input type=password value=abc>
<img alt='A cat' src='data:image/gif;base64,R0lGODlhAQABAAAAACw=' width=10 height=10>
<input type=hidden value=secret><input type=submit><ul><li>milk</li></ul>
<table><tr><th>Head<td>Cell</table><div role=tab aria-selected=true>Tab 1</div>
<details><summary>Info</summary>deep</details>
<svg width=20 height=20><circle id=dot cx=9 cy=9 r=5 fill=red /></svg><span id=n>named</span>
<div role=switch aria-labelledby=n aria-checked=true style='width:9px;height:9px'></div>
<span style='cursor:pointer;text-decoration:underline'>looks so</span><p style='opacity:0'>ghost</p>
<p style='visibility:hidden'>hidden</p><p style='display:none'>none</p>
"""


def test_roles_names_values_and_states(env: BrowserEnv) -> None:
    env.resize(Size(400, 900))
    env.open(page(ROLES))
    seen = [(e.role, e.name, e.value, set(e.states)) for e in elements(env)]
    wanted: list[tuple[str, str, str, set[str]]] = [
        ("heading", "Title", "", set()),
        ("link", "a link", "", set()),
        ("button", "No", "", {"disabled"}),
        ("button", "More", "", {"expanded"}),
        ("checkbox", "tick", "", {"checked"}),
        ("label", "Ring", "", set()),
        ("radio", "Ring", "", set()),
        ("slider", "level", "7", set()),
        ("textbox", "Your name", "Ann", set()),
        ("textbox", "", "•••", set()),
        ("image", "A cat", "", set()),
        ("button", "Submit", "", set()),
        ("listitem", "milk", "", set()),
        ("columnheader", "Head", "", set()),
        ("cell", "Cell", "", set()),
        ("tab", "Tab 1", "", {"selected"}),
        ("button", "Info", "", {"collapsed"}),
        ("image", "dot", "red", set()),
        ("text", "named", "", set()),
        ("switch", "named", "", {"checked"}),
        ("link", "looks so", "", set()),
    ]
    assert seen == wanted


def test_elements_in_open_shadow_roots_and_frames_are_where_they_are_seen(env: BrowserEnv) -> None:
    env.open(
        page("""<div id=host>slotted</div><iframe style='position:absolute;left:50px;top:100px;border:3px solid'
      srcdoc="<body style='margin:0'><button style='position:absolute;left:20px;top:10px'
      onclick='parent.document.title=&quot;framed&quot;'>In frame</button>"></iframe><script>
      host.attachShadow({mode:'open'}).innerHTML='<button onclick="document.title=1">In shadow</button><slot></slot>'
    </script>""")
    )
    click(env, "button", "In shadow")
    assert context(env).title == "1" and the(env, "text", "slotted")
    left, top, _, _ = the(env, "button", "In frame").box.to_pixels(SIZE)
    assert (round(left), round(top)) == (73, 113)
    click(env, "button", "In frame")
    assert context(env).title == "framed"


def test_what_is_cut_off_or_out_of_view_is_not_listed_but_judges_see_it(env: BrowserEnv) -> None:
    env.open(
        page(
            "<div style='height:20px;overflow:hidden'><p style='margin:0;height:60px'>top</p><p>cut</p></div>"
            "<p style='position:absolute;top:290px;margin:0;height:40px'>edge</p>"
            "<button style='position:absolute;top:2000px'>far</button>"
        )
    )
    assert [e.name for e in elements(env)] == ["top", "edge"]
    assert the(env, "text", "edge").box.bottom <= 1.0
    assert Capability.UI_TREE in env.capabilities
    far = next(e for e in env.ui_tree() if e.name == "far")
    assert "offscreen" in far.states and far.box.area == 0


def test_what_lies_under_something_else_says_so(env: BrowserEnv) -> None:
    env.open(page("<button>below</button><div style='position:fixed;inset:0;background:#fff8'>above</div>"))
    assert the(env, "button").states == {"covered"}


def test_ids_live_as_long_as_their_elements(env: BrowserEnv) -> None:
    env.open(page("<button onclick='this.before(document.createElement(\"button\"))'>b</button>"))
    before = the(env, "button", "b").id
    click(env, "button", "b")
    assert before is not None and the(env, "button", "b").id == before
    ids = [e.id for e in elements(env)]
    assert len(set(ids)) == len(ids) == 2


def test_a_tree_over_the_cap_says_so(chromium: Chromium) -> None:
    env = BrowserEnv(chromium, size=SIZE, cap=50)
    env.open(page("<style>b{float:left;width:3px;height:3px;overflow:hidden}</style>" + "<b>x</b>" * 80))
    found = elements(env)
    assert len(found) == 50 and found.truncated and "50 elements" in found.detail
    assert len(env.ui_tree()) == 80 and not env.ui_tree().truncated
    env.close()


def test_a_tree_over_the_deadline_says_so(chromium: Chromium) -> None:
    env = BrowserEnv(chromium, size=SIZE, cap=10**6, deadline=0.02)
    env.open(
        page("<p>x</p><script>for(let i=0;i<30000;i++)document.body.append(document.createElement('b'),'x')</script>")
    )
    start = time.monotonic()
    found = elements(env)
    assert found.truncated and found.detail == "stopped after 20 ms" and time.monotonic() - start < 5
    env.close()


def test_a_page_that_tampers_with_javascript_does_not_reach_us(env: BrowserEnv) -> None:
    env.open(
        page(
            "<script>Array.prototype.map=Element.prototype.getBoundingClientRect=()=>{throw 1};WeakMap=null;"
            "JSON.stringify=null</script><button>ok</button>"
        )
    )
    assert the(env, "button", "ok")


def test_the_world_of_one_browser(chromium: Chromium) -> None:
    world = BrowserWorld(Thinking("measured"), page("<input>", "Start"), SIZE, chromium)
    world.reset(0)
    env = world.envs["browser"]
    env.act(TypeText("x", at=the(env, "textbox").box.center))
    before = world.now
    world.wait(0.2)
    world.think(3.0)
    assert 0.2 <= world.now - before < 3
    start = time.monotonic()
    world.reset(1)
    assert world.now < time.monotonic() - start
    assert the(env, "textbox").value == "" and context(env).tabs == ("Start",)
    world.close()
    world.close()
    with pytest.raises(EnvLost):
        look(env)


def kill(browser: Chromium, env: BrowserEnv) -> None:
    os.kill(browser.pid, signal.SIGKILL)


def crash(browser: Chromium, env: BrowserEnv) -> None:
    with suppress(ActionRejected, EnvLost):
        env.open("chrome://crash")
    assert browser.browser.is_connected()


@pytest.mark.parametrize("end", [kill, crash])
def test_a_browser_or_page_that_dies_is_lost(chromium_path: str, end: Callable[[Chromium, BrowserEnv], None]) -> None:
    assert chromium_path
    browser = launch()
    env = BrowserEnv(browser, size=SIZE)
    env.open(page("<p>alive</p>"))
    end(browser, env)
    for attempt in (lambda: look(env), lambda: env.act(Click(pixel(1, 1))), env.ui_tree):
        with pytest.raises(EnvLost):
            attempt()
    env.close()
    browser.close()
    browser.close()


@pytest.mark.slow
def test_a_page_in_an_endless_loop_is_given_up(chromium_path: str) -> None:
    assert chromium_path
    browser = launch()
    env = BrowserEnv(browser, size=SIZE)
    env.open(page("<button onclick='setTimeout(()=>{for(;;);},50)'>hang</button>"))
    env._timeout = 2.0
    start = time.monotonic()
    with pytest.raises(EnvLost, match="did not answer within 2 s"):
        for _ in range(20):
            click(env, "button", "hang")
    assert time.monotonic() - start < 15
    env.close()
    browser.close()


KILLED = """
import os, signal, sys
from pathlib import Path
from omnipilot.envs import EnvLost
from omnipilot.envs.web import launch

folder = Path(sys.argv[1])
for kept in (None, folder / "kept"):
    launch(profile=kept).close()
    browser = launch(profile=kept)
    assert list(folder.glob("org.chromium.*")), "Chromium made no folder for its socket"
    made = next(folder.glob("playwright-artifacts-*"))
    for number in range(5_000):
        (made / str(number)).touch()
    os.kill(browser.pid, signal.SIGKILL)
    while made.exists() and len(os.listdir(made)) == 5_000:
        pass
    browser.close()  # while the driver removes its folders
browser = launch()
page = browser.browser.new_page()
try:
    with browser.talking(1.0):
        page.evaluate("for(;;);")
except EnvLost as error:
    assert "was killed" in str(error)
browser.close()
"""


@pytest.mark.slow
def test_a_killed_browser_leaves_no_folder(chromium_path: str) -> None:
    assert chromium_path
    with tempfile.TemporaryDirectory() as folder:
        surroundings = {**os.environ, "TMPDIR": folder}
        subprocess.run([sys.executable, "-c", KILLED, folder], env=surroundings, check=True, timeout=120)
        assert os.listdir(folder) == ["kept"]


def test_a_browser_that_dies_while_a_window_opens_is_lost_at_once(chromium_path: str) -> None:
    assert chromium_path
    browser = launch()
    os.kill(browser.pid, signal.SIGSTOP)
    end = threading.Timer(1.0, os.kill, (browser.pid, signal.SIGKILL))
    end.start()
    start = time.monotonic()
    with pytest.raises(EnvLost):
        BrowserEnv(browser, size=SIZE)
    assert time.monotonic() - start < 15
    browser.close()


@pytest.mark.slow
def test_a_page_that_dies_while_it_is_asked_is_lost_at_once(chromium_path: str) -> None:
    assert chromium_path
    browser = launch()
    env = BrowserEnv(browser, size=SIZE)
    env.open(page("<button onclick='setTimeout(()=>{for(;;);},50)'>hang</button>"))
    shown = [
        one for one in browser.session.send("SystemInfo.getProcessInfo")["processInfo"] if one["type"] == "renderer"
    ]
    ends = [threading.Timer(2.0, os.kill, (one["id"], signal.SIGKILL)) for one in shown]
    start = time.monotonic()
    for end in ends:
        end.start()
    with pytest.raises(EnvLost):
        click(env, "button", "hang")
        for _ in range(20):
            look(env)
    assert time.monotonic() - start < 15
    env.close()
    browser.close()


CHILD = """
import sys, time
from omnipilot.envs.web.chromium import launch
browser = launch()
print(browser.pid, flush=True)
time.sleep(60)
"""


def test_each_thread_has_browsers_of_its_own(chromium: Chromium) -> None:
    def visit(name: str) -> str:
        browser = launch()
        try:
            env = BrowserEnv(browser, size=SIZE)
            env.open(page(f"<button>{name}</button>"))
            return the(env, "button").name
        finally:
            browser.close()

    assert chromium.browser.is_connected()
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(visit, ["a", "b"])) == ["a", "b"]


def test_a_browser_does_not_outlive_a_process_that_is_killed(chromium_path: str) -> None:
    assert chromium_path
    process = subprocess.Popen([sys.executable, "-c", CHILD], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    pid = int(process.stdout.readline())
    process.kill()
    process.wait()
    process.stdout.close()
    until = time.monotonic() + 20
    while alive(pid):
        assert time.monotonic() < until, "the browser lives on"
        time.sleep(0.05)


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_chromium_that_is_none_is_an_error_with_its_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "/no/such/chromium")
    with pytest.raises(ConfigError, match="playwright install chromium"):
        find_chromium()
    monkeypatch.setenv(VARIABLE, "/bin/false")
    with pytest.raises(ConfigError, match="does not start"):
        launch()


@pytest.mark.slow
@pytest.mark.parametrize("features", ["width=300,height=200", "popup", "left=10,top=10,width=2000,height=1500"])
def test_a_window_of_another_size_is_shown_at_that_of_the_screen(env: BrowserEnv, features: str) -> None:
    env.open(page(f"<button onclick=\"window.open('', 'w', '{features}').document.write('<p>Small')\">Open</button>"))
    click(env, "button")
    seen = look(env)
    assert isinstance(seen.screenshot, Image) and seen.screenshot.size == SIZE
    assert the(env, "text", "Small")
    env.act(Browser("close_tab"))
    assert the(env, "button", "Open")


def test_every_tab_has_the_size_that_the_screen_was_changed_to(env: BrowserEnv) -> None:
    env.open(page("<p>First"))
    env.act(Browser("new_tab"))
    env.resize(Size(300, 200))
    env.act(Browser("focus_tab", tab=0))
    seen = look(env)
    assert isinstance(seen.screenshot, Image) and seen.screenshot.size == Size(300, 200)


@pytest.mark.parametrize("when", ["window.close()", "setTimeout(() => window.close(), 50)"])
def test_a_window_that_closes_itself_leaves_the_page_behind_it(env: BrowserEnv, when: str) -> None:
    inner = f"<button onclick='{when}'>Done</button>"
    opening = "window.open('', 'w', 'width=300,height=200').document.write(shown)"
    env.open(page(f'<script>const shown = {json.dumps(inner)}</script><button onclick="{opening}">Open</button>'))
    click(env, "button", "Open")
    click(env, "button", "Done")
    until = time.monotonic() + 5
    while context(env).tabs != ("Page",) and time.monotonic() < until:
        env.pause(0.05)
    assert the(env, "button", "Open")
