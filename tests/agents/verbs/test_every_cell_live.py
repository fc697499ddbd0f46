"""Every cell of the table verb by platform in a real Chromium and on a private X desktop, and what came of it there.

The page and the window count what reaches them; what goes past them (history, tabs, applications, texts) is read from
the browser and from the programs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from desktop_hands import elements, find, wait_for
from event_window import EventWindow
from played_cells import at_place, carry_out, with_waits
from scripted import ScriptedGrounder
from Xlib import XK

from omnipilot.agents.verbs import translate
from omnipilot.agents.verbs.matrix import examples, intent_words
from omnipilot.bench.episode.introduction import introduce
from omnipilot.envs import (
    Browser,
    Click,
    Context,
    Custom,
    Env,
    Intent,
    Modality,
    OpenApp,
    OpenUrl,
    Point,
    Press,
    Select,
    Size,
    TypeText,
    World,
)
from omnipilot.envs.desktop import DesktopEnv
from omnipilot.envs.desktop.private import PrivateDesktop
from omnipilot.envs.web import BrowserEnv, Chromium
from omnipilot.grounders import Grounder


class Alone(World):
    """A world of one running device, which is never put back."""

    def __init__(self, env: Env) -> None:
        self.env = env

    @property
    def envs(self) -> dict[str, Env]:
        return {self.env.name: self.env}

    @property
    def now(self) -> float:
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)

    def think(self, seconds: float) -> None: ...

    def reset(self, seed: int) -> None: ...

    def close(self) -> None: ...


def play_cell(env: Env, intent: Intent, grounder: Grounder | None = None) -> bool:
    """Carry out a cell; whether the device has it. What it does is its program, and a refusal says why."""
    program = translate(intent, introduce(env))
    steps, planner = carry_out(Alone(env), (env.name, intent), grounder=grounder)
    parts = steps[:-1]
    if isinstance(program, str):
        assert [step.outcome.result for step in parts] == ["rejected"]
        assert parts[0].outcome.message == program and program.partition(": ")[2]
        return False
    assert [step.outcome.result for step in parts] in (["done"] * len(program), with_waits(program)), parts
    assert [one.move.intent for one in planner.requests[1].feedback] == [intent]
    return True


SIZE = Size(600, 400)
KINDS = "mousedown mouseup click contextmenu mousemove wheel keydown keyup input change".split()
PAGE = """<title>Two</title><style>body{margin:0;height:3000px}</style>
<button style="position:absolute;left:20px;top:20px;width:150px;height:50px">A</button>
<input aria-label=B style="position:absolute;left:20px;top:100px;width:150px;height:30px" value=kept>
<select aria-label=C style="position:absolute;left:20px;top:160px"><option>w<option>x</select>
<script>seen=[];for(const kind of %s)addEventListener(kind,e=>seen.push(kind+" "+(e.key??e.button??"")),true)
</script>"""
ON_THE_PAGE = {
    "click A": ("mousedown 0", "mouseup 0", "click 0"),
    "click A middle": ("mousedown 1", "mouseup 1"),
    "click A right": ("mousedown 2", "contextmenu 2", "mouseup 2"),
    "long_press A": ("mousedown 0", "mouseup 0"),
    "move A": ("mousemove 0",),
    "mouse_down A": ("mousedown 0",),
    "drag B A": ("mousedown 0", "mousemove 0", "mouseup 0"),
    "swipe up A": ("wheel 0",),
    "swipe A B": ("mousedown 0", "mousemove 0", "mouseup 0"),
    "scroll up A": ("wheel 0",),
    "type hi A": ("mousedown 0", "input "),
    "press enter": ("keydown Enter", "keyup Enter"),
    "key_down shift": ("keydown Shift",),
    "select A x": ("change ",),
    "copy A": ("keydown a", "keydown c"),
    "paste A": ("keydown v",),
}
"""What reaches the page, in this order, maybe with other events between."""
TITLES = {
    "click A back": "One",
    "click A forward": "Two",
    "open_url https://example.org": "Three",
    "browser back": "One",
    "browser forward": "Two",
    "browser reload": "Two",
    "system back": "One",
    "browser new_tab": "",
    "browser close_tab": "Two",
    "browser focus_tab 1": "One",
}
"""The title of the page in front after what goes through the history and the tabs."""
REFUSED = {"open_app Notes", *(f"system {name}" for name in "home recents menu power volume_up volume_down".split())}
WITHOUT_TRACE = {"mouse_up A": "no button is down", "key_up shift": "no key is down"}


def document(title: str) -> str:
    return "data:text/html," + quote(PAGE.replace("Two", title) % KINDS)


@pytest.fixture
def browser(chromium: Chromium) -> Iterator[BrowserEnv]:
    env = BrowserEnv(chromium, "browser", size=SIZE)
    env.act(OpenUrl(document("One")))
    env.act(OpenUrl(document("Two")))
    yield env
    env.close()


@pytest.mark.slow
@pytest.mark.web
@pytest.mark.parametrize("example", examples(), ids=intent_words)
def test_every_cell_in_a_real_browser(browser: BrowserEnv, example: Intent):
    words = intent_words(example)
    if words in ("click A forward", "browser forward"):
        browser.act(Browser("back"))
    if words in ("browser focus_tab 1", "browser close_tab"):
        browser.act(Browser("new_tab"))
        browser.act(OpenUrl(document("One")))
        if words == "browser focus_tab 1":
            browser.act(Browser("focus_tab", 0))
    place = "C" if isinstance(example, Select) else "B" if example.kind in ("type", "custom") else "A"
    intent: Intent = at_place(example, place, "x")
    if isinstance(example, OpenUrl):
        intent = OpenUrl(document("Three"))
    assert play_cell(browser, intent) == (words not in REFUSED)
    page = browser.tab.page
    if words in TITLES:
        assert page.title() == TITLES[words]
        return
    seen = iter(page.evaluate("seen"))
    for event in ON_THE_PAGE.get(words, ()):
        assert event in seen, (event, page.evaluate("seen"))
    assert words in ON_THE_PAGE or words in REFUSED or words in WITHOUT_TRACE


IN_THE_WINDOW = {
    "click A": ("button 1", "button up 1"),
    "click A middle": ("button 2", "button up 2"),
    "click A right": ("button 3", "button up 3"),
    "click A back": ("button 8", "button up 8"),
    "click A forward": ("button 9", "button up 9"),
    "long_press A": ("button 1", "button up 1"),
    "move A": ("move 0",),
    "mouse_down A": ("button 1",),
    "drag B A": ("button 1", "move 0", "button up 1"),
    "swipe up A": ("button 5",),
    "swipe A B": ("button 1", "move 0", "button up 1"),
    "scroll up A": ("button 4",),
    "type hi A": ("button 1", "key h", "key i"),
    "press enter": ("key Return",),
    "key_down shift": ("key Shift_L",),
    "open_url https://example.org": ("key Control_L", "key l", "key h", "key Return"),
    "browser back": ("key Alt_L", "key Left"),
    "browser forward": ("key Alt_L", "key Right"),
    "browser reload": ("key Control_L", "key r"),
    "browser new_tab": ("key Control_L", "key t"),
    "browser close_tab": ("key Control_L", "key w"),
    "browser focus_tab 1": ("key Control_L", "key 2"),
    "system back": ("key Alt_L", "key Left"),
    "system recents": ("key Alt_L",),
    "system menu": ("key Menu",),
    "copy A": ("button 1", "key Control_L", "key a", "key c"),
    "paste A": ("button 1", "key Control_L", "key v"),
}
"""What reaches the window in front, in this order, maybe with other events between; a window manager takes the rest of
its own keys."""
OF_PROGRAMS = {"select A x", "open_app Notes"}
REFUSED_THERE = {"system power", "system volume_up", "system volume_down"}


KEYS = {XK.string_to_keysym(name): name for name in "Return Shift_L Control_L Alt_L Super_L Menu Left Right".split()}


def context(env: DesktopEnv) -> Context:
    found = env.observe({Modality.CONTEXT}, 0.0).context
    assert isinstance(found, Context)
    return found


def names(window: EventWindow) -> list[str]:
    """The events of a window, keys by their names."""
    found = []
    for kind, detail, *_ in window.events:
        if kind.startswith("key"):
            sign = window.display.keycode_to_keysym(detail, 0)
            found.append(f"{kind} {KEYS.get(sign) or chr(sign)}")
        else:
            found.append(f"{kind} {detail}")
    return found


@pytest.mark.desktop
@pytest.mark.parametrize(
    "example", [one for one in examples() if intent_words(one) not in OF_PROGRAMS], ids=intent_words
)
def test_every_cell_on_a_real_desktop(desktop_env: DesktopEnv, desktop: PrivateDesktop, example: Intent):
    words = intent_words(example)
    window = EventWindow(desktop.address, at=(500, 250))  # the middle of the screen is in it
    try:
        x, y = window.origin
        places = {name: Point.from_pixels(x + at, y + at, desktop_env.size) for name, at in (("A", 60), ("B", 200))}
        desktop_env.act(Click(places["B"]))
        window.wait(lambda: "button up 1" in names(window))
        window.events.clear()
        window_app = context(desktop_env).app
        assert play_cell(desktop_env, example, ScriptedGrounder(places)) == (words not in REFUSED_THERE)
        if words == "system home":
            wait_for(lambda: context(desktop_env).app != window_app, 5.0, "the bare desktop")
            return
        wanted = IN_THE_WINDOW.get(words, ())
        if wanted:
            window.wait(lambda: wanted[-1] in names(window))
        seen = iter(names(window))
        for event in wanted:
            assert event in seen, (event, names(window))
        assert wanted or words in REFUSED_THERE or words in WITHOUT_TRACE
    finally:
        desktop_env._release()
        window.close()


@pytest.mark.desktop
def test_the_cells_that_need_a_program_on_a_real_desktop(desktop_env: DesktopEnv, desktop: PrivateDesktop):
    assert play_cell(desktop_env, OpenApp("featherpad"))
    find(desktop_env, "menuitem", "Options")
    desktop_env.settle()
    desktop_env.act(Click(find(desktop_env, "menuitem", "Options").box.center))
    desktop_env.act(
        Click(
            wait_for(
                lambda: next((one.box for one in elements(desktop_env) if one.name.startswith("Preferences")), None)
            ).center
        )
    )
    north = find(desktop_env, "combobox", "North").box.center
    assert play_cell(desktop_env, Select("A", "East"), ScriptedGrounder({"A": north}))
    find(desktop_env, "combobox", "East", 5.0)


@pytest.mark.desktop
def test_what_was_copied_in_a_real_program_is_pasted_there(desktop_env: DesktopEnv, desktop: PrivateDesktop):
    desktop.open("mousepad")
    text = ScriptedGrounder({"A": find(desktop_env, "textbox").box.center})
    desktop_env.settle()
    assert play_cell(desktop_env, TypeText("otter", "A"), text)
    assert play_cell(desktop_env, Custom("copy", {"at": "A"}), text)
    wait_for(lambda: desktop_env.clipboard == "otter", 5.0, "what was copied")
    assert play_cell(desktop_env, Press(("end",)))
    assert play_cell(desktop_env, Custom("paste", {"at": "A"}), text)
    wait_for(lambda: find(desktop_env, "textbox").value == "otterotter", 5.0, "what was pasted")
