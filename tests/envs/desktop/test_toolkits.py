"""Input and elements in programs of the toolkits that there are: GTK 3, Qt 5 and terminals."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator

import pytest
from desktop_hands import elements, find, wait_for

from omnipilot.envs import ActionRejected, Click, Context, Element, Modality, Point, Press, Select, TypeText
from omnipilot.envs.desktop import DesktopEnv
from omnipilot.envs.desktop.private import PrivateDesktop

pytestmark = pytest.mark.desktop
PIECES = (
    "The quick brown fox; 0123456789 (a+b)*c = {d}\n"
    "Straße, Ärger, Öl, ÜBER, naïve, señor, façade, Łódź\t"
    "漢字かな 你好 Привет Ελλάδα € £ ¥ № ☃ ½ × ÷ ≠ → “q” ‘s’ … –"
)
"""More characters than a keyboard has spare keys for."""


@pytest.fixture
def german(desktop: PrivateDesktop) -> Iterator[None]:
    environment = {**os.environ, "DISPLAY": desktop.address.display, "XAUTHORITY": desktop.address.xauthority}
    subprocess.run(["setxkbmap", "de"], env=environment, check=True)
    yield
    subprocess.run(["setxkbmap", "us"], env=environment, check=True)


def field(env: DesktopEnv) -> Element:
    """The largest field to type into."""
    find(env, "textbox")
    env.settle()
    return max((one for one in elements(env) if one.role == "textbox"), key=lambda one: one.box.area)


def open_menu(env: DesktopEnv, menu: str, item: str) -> None:
    env.act(Click(find(env, "menuitem", menu).box.center))
    wanted = wait_for(
        lambda: next((one for one in elements(env) if one.role == "menuitem" and one.name.startswith(item)), None)
    )
    env.act(Click(wanted.box.center))


@pytest.mark.parametrize("program", ["featherpad", pytest.param("mousepad", marks=pytest.mark.slow)])
def test_text_is_exact_under_a_german_layout(
    desktop_env: DesktopEnv, desktop: PrivateDesktop, german: None, program: str
):
    desktop.open(program)
    page = field(desktop_env)
    desktop_env.act(TypeText(PIECES, page.box.center))

    def content() -> str:
        return next((one.value for one in elements(desktop_env) if one.id == page.id), "")

    wait_for(lambda: content() == PIECES, 5.0, f"the text instead of {content()!r}")


def test_text_is_exact_in_a_terminal_and_a_new_window_comes_soon(desktop_env: DesktopEnv, desktop: PrivateDesktop):
    desktop.open("xfce4-terminal")
    find(desktop_env, "textbox", "Terminal")
    wait_for(lambda: "$" in find(desktop_env, "textbox", "Terminal").value, what="the prompt")
    text = PIECES.replace("\t", " ") + "\n"
    desktop_env.act(TypeText("cat > typed.txt", submit=True))
    desktop_env.act(TypeText(text))
    desktop_env.act(Press(("ctrl", "d")))
    wait_for(lambda: desktop.home.exists("typed.txt") and desktop.home.read_file("typed.txt").decode() == text)
    desktop_env.act(TypeText("galculator &", submit=True))
    wait_for(lambda: [one for one in desktop_env.windows() if one.program == "Galculator"], 4.0, "the new window")


def test_the_clipboard_goes_both_ways(desktop_env: DesktopEnv, desktop: PrivateDesktop):
    desktop_env.clipboard = "from us: ☃"
    assert desktop_env.clipboard == "from us: ☃"
    desktop.open("mousepad")
    desktop_env.act(Click(field(desktop_env).box.center))
    desktop_env.act(Press(("ctrl", "v")))
    wait_for(lambda: find(desktop_env, "textbox").value == "from us: ☃", 5.0, "what was pasted")
    desktop_env.act(TypeText("from them: ½", clear=True))
    desktop_env.act(Press(("ctrl", "a")))
    desktop_env.act(Press(("ctrl", "c")))
    wait_for(lambda: desktop_env.clipboard == "from them: ½", 5.0, "what was copied")
    context = desktop_env.observe({Modality.CONTEXT}, 0.0).context
    assert isinstance(context, Context) and context.clipboard == "from them: ½"
    # So many characters without a key are pasted, and what was on the clipboard comes back.
    long = "".join(chr(0x4E00 + number) for number in range(600))
    desktop_env.act(TypeText(long, clear=True))
    wait_for(lambda: find(desktop_env, "textbox").value == long, 5.0, "the long text")
    assert desktop_env.clipboard == "from them: ½"


@pytest.mark.parametrize(
    ("program", "menu", "before", "option"),
    [
        pytest.param("mousepad", "Edit", "none", "Tango", marks=pytest.mark.slow),
        ("featherpad", "Options", "North", "East"),
    ],
)
def test_an_option_of_a_list_is_chosen(
    desktop_env: DesktopEnv, desktop: PrivateDesktop, program: str, menu: str, before: str, option: str
):
    desktop.open(program)
    find(desktop_env, "menuitem", menu)
    desktop_env.settle()
    open_menu(desktop_env, menu, "Preferences")
    box = find(desktop_env, "combobox", before).box
    with pytest.raises(ActionRejected, match=f"the list has no 'no such option'; it has .*{option}"):
        desktop_env.act(Select(box.center, "no such option"))
    with pytest.raises(ActionRejected, match="no drop-down list at this place"):
        desktop_env.act(Select(Point(0.99, 0.99), option))
    desktop_env.act(Select(box.center, option))
    wait_for(
        lambda: [
            one for one in elements(desktop_env) if one.role == "combobox" and one.name.casefold() == option.casefold()
        ],
        5.0,
        "the option",
    )


def test_a_menu_is_in_front_and_a_dialog_opens(desktop_env: DesktopEnv, desktop: PrivateDesktop):
    desktop.open("mousepad")
    field(desktop_env)
    desktop.home.write_file("there.txt", b"kept")
    open_menu(desktop_env, "File", "Open...")
    desktop_env.act(Click(find(desktop_env, "listitem", "Home").box.center))
    row = find(desktop_env, "cell", "there.txt")
    assert find(desktop_env, "dialog").name.startswith("Open")
    desktop_env.act(Click(row.box.center, count=2))
    wait_for(lambda: find(desktop_env, "textbox").value == "kept", 5.0, "the file")


def test_what_is_scrolled_out_of_sight_is_no_element(desktop_env: DesktopEnv, desktop: PrivateDesktop):
    desktop.open("featherpad")
    find(desktop_env, "menuitem", "Options")
    desktop_env.settle()
    open_menu(desktop_env, "Options", "Preferences")
    find(desktop_env, "checkbox", "Do not show toolbar")
    assert not [one for one in elements(desktop_env) if one.name == "Native file dialog"]
    (hidden,) = [one for one in desktop_env.ui_tree() if one.name == "Native file dialog"]
    assert "offscreen" in hidden.states
