"""A real desktop with real programs: what is done to it arrives, and what it shows is told."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from desktop_hands import elements, find, press, wait_for
from event_window import EventWindow
from flash_and_beep import FLASH, write_film

from omnipilot.envs import (
    Absent,
    ActionRejected,
    Click,
    Context,
    EnvLost,
    Image,
    Modality,
    OpenApp,
    Point,
    Press,
    Size,
    TypeText,
    check_env,
)
from omnipilot.envs.desktop import DesktopEnv
from omnipilot.envs.desktop.private import PrivateDesktop, start_desktop
from omnipilot.envs.desktop.x11.clipboard import GLANCE, Clipboard
from omnipilot.envs.desktop.x11.connection import XConnection
from omnipilot.envs.types.media import VideoClip

pytestmark = pytest.mark.desktop
PIECES = "".join(
    (
        "The quick brown fox; 0123456789 (a+b)*c = {d}\n",
        "Straße, Ärger, Öl, ÜBER, naïve, señor, façade, Łódź\t",
        "漢字かな 你好 Привет Ελλάδα € £ ¥ № ☃ ½ × ÷ ≠ → “q” ‘s’ … –\n",
    )
)
"""More characters than a keyboard has spare keys for."""


def result(env: DesktopEnv) -> str:
    """What galculator shows."""
    return next((one.value for one in elements(env) if one.role == "textbox" and one.value), "")


def test_a_silent_owner_of_the_clipboard_is_asked_once(desktop: PrivateDesktop):
    owner, reader = Clipboard(desktop.address), Clipboard(desktop.address)
    silent = XConnection(desktop.address)
    try:
        owner.set("kept")
        assert reader.glance() == "kept"
        with silent.talking():
            window = silent.root.create_window(0, 0, 1, 1, 0, 0)
            window.set_selection_owner(silent.atom("CLIPBOARD"), 0)
            silent.sync()
        began = time.monotonic()
        assert [reader.glance() for _ in range(30)] == [""] * 30
        assert GLANCE <= time.monotonic() - began < 15 * GLANCE
        owner.set("told again")
        assert reader.glance() == "told again"
    finally:
        owner.close()
        reader.close()
        silent.close()


def test_a_calculator_adds_by_the_boxes_of_its_buttons(desktop_env: DesktopEnv, desktop: PrivateDesktop):
    desktop.open("galculator")
    find(desktop_env, "togglebutton", "7")
    press(desktop_env, "7", "+", "8", "=")
    assert wait_for(lambda: result(desktop_env) == "15" or None, 5.0, "the result 15")


@pytest.mark.parametrize(
    ("command", "variables"),
    [
        ("galculator", {"GDK_SCALE": "2"}),
        ("kcalc", {"QT_SCALE_FACTOR": "1.5"}),
        pytest.param("kcalc", {"QT_SCALE_FACTOR": "2"}, marks=pytest.mark.slow),
    ],
)
def test_a_scaled_calculator_adds_by_the_boxes_of_its_buttons(
    desktop_env: DesktopEnv, desktop: PrivateDesktop, command: str, variables: dict[str, str]
):
    desktop.start([command], variables)
    wait_for(lambda: [one for one in elements(desktop_env) if one.name == "7"], what="its buttons")
    desktop_env.settle()
    press(desktop_env, "7", "+", "8", "=")
    wait_for(lambda: [one for one in desktop_env.ui_tree() if "15" in (one.name, one.value)], 5.0, "the result 15")


def test_a_quiet_desktop_keeps_the_contract(desktop: PrivateDesktop):
    check_env(lambda: DesktopEnv(desktop.address, cap_settle=1.0), live=True)


def test_text_of_any_characters_arrives_as_it_is(desktop_env: DesktopEnv, desktop: PrivateDesktop):
    desktop.open("mousepad")
    field = find(desktop_env, "textbox")
    desktop_env.act(TypeText(PIECES, field.box.center))
    wait_for(lambda: find(desktop_env, "textbox").value == PIECES.rstrip("\n") or None, 5.0, "the text")
    desktop_env.act(TypeText("anew", clear=True))
    wait_for(lambda: find(desktop_env, "textbox").value == "anew" or None, 5.0, "the new text")


def test_a_program_that_stands_still_delays_no_other(desktop_env: DesktopEnv, desktop: PrivateDesktop):
    still = desktop.open("galculator")
    find(desktop_env, "togglebutton", "7")
    desktop.open("mousepad")
    find(desktop_env, "menuitem", "Document")
    os.kill(still.outside, signal.SIGSTOP)
    try:
        began = time.monotonic()
        seen = elements(desktop_env)
        assert time.monotonic() - began < 0.5 + 0.5
        assert seen.truncated and "galculator" in seen.detail.casefold()
        assert [one for one in seen if one.role == "menuitem" and one.name == "Document"]
    finally:
        os.kill(still.outside, signal.SIGCONT)
    wait_for(lambda: not elements(desktop_env).truncated, 10.0, "its answer")


def test_the_window_in_front_is_the_context(desktop_env: DesktopEnv, desktop: PrivateDesktop):
    for app, shown in (("mousepad", "Document"), ("galculator", "Calculator")):
        desktop.open(app)
        find(desktop_env, "menuitem", shown)
    for app in ("mousepad", "galculator"):
        desktop_env.act(OpenApp(app))
        context = desktop_env.observe({Modality.CONTEXT}, 0.0).context
        assert isinstance(context, Context) and context.app.casefold() == app
    desktop_env.act(OpenApp("kcalc"))
    assert find(desktop_env, "button", "7")
    with pytest.raises(ActionRejected, match="no such"):
        desktop_env.act(OpenApp("no such"))


def test_a_film_that_plays_holds_nothing_up(desktop_env: DesktopEnv, desktop: PrivateDesktop, tmp_path: Path):
    write_film(tmp_path / "flash.mkv", every=FLASH * 2)
    desktop.home.write_file("flash.mkv", (tmp_path / "flash.mkv").read_bytes())
    desktop.start(["mpv", "--vo=x11", "--ao=pulse", "--no-osc", "--loop", "--title=The film", "flash.mkv"])
    # Its program tells no elements, so its window is all there is.
    assert find(desktop_env, "window", "The film")
    time.sleep(1.5)  # it has moved for a while
    desktop_env.settle()
    began = time.monotonic()
    desktop_env.act(OpenApp("the film"))
    desktop_env.act(Press(("f9",)))
    assert time.monotonic() - began < 2.5


def test_what_is_covered_is_no_element(desktop_env: DesktopEnv, desktop: PrivateDesktop):
    desktop.open("galculator")
    find(desktop_env, "togglebutton", "7")
    left, top, right, bottom = find(desktop_env, "window").box.to_pixels(desktop_env.size)
    cover = EventWindow(desktop.address, (round(left) - 20, round(top) - 20), "Cover")
    try:
        cover.window.configure(width=round(right - left) + 60, height=round(bottom - top) + 60)
        cover.display.sync()
        wait_for(lambda: not [one for one in elements(desktop_env) if one.name == "7"], 5.0, "cover")
        hidden = [one for one in desktop_env.ui_tree() if one.name == "7"]
        assert hidden and "offscreen" in hidden[0].states
    finally:
        cover.close()


@pytest.mark.parametrize("spot", [(0, 0), (399, 0), (0, 299), (399, 299), (200, 150)])
def test_a_click_under_the_frame_lands_on_its_pixel(
    desktop_env: DesktopEnv, desktop: PrivateDesktop, spot: tuple[int, int]
):
    window = EventWindow(desktop.address)
    try:
        x, y = window.origin
        assert y > 151  # below a title bar
        desktop_env.act(Click(Point.from_pixels(x + spot[0] + 0.5, y + spot[1] + 0.5, desktop_env.size)))
        assert window.wait(lambda: window.kinds("button up"))
        assert [event[2:4] for event in window.events if event[0] == "button"] == [spot]
    finally:
        window.close()


def test_the_server_killed_is_the_device_lost():
    desktop = start_desktop(sound=False)
    try:
        env = DesktopEnv(desktop.address)
        server = next(one for one in desktop.processes() if one.command[0] == "Xvfb")
        os.kill(server.outside, signal.SIGKILL)
        began = time.monotonic()
        with pytest.raises(EnvLost, match="X server"):
            env.observe({Modality.SCREENSHOT}, 0.0)
        with pytest.raises(EnvLost, match="X server"):
            env.act(Press(("a",)))
        assert time.monotonic() - began < 1.0
        env.close()
        env.close()
    finally:
        desktop.close()


@pytest.mark.slow
def test_a_server_that_stands_still_is_the_device_lost():
    desktop = start_desktop(sound=False)
    server = next(one for one in desktop.processes() if one.command[0] == "Xvfb")
    try:
        env = DesktopEnv(desktop.address, patience=0.5)
        os.kill(server.outside, signal.SIGSTOP)
        with pytest.raises(EnvLost, match="did not answer for 0.5 s"):
            env.observe({Modality.SCREENSHOT}, 0.0)
        env.close()
    finally:
        os.kill(server.outside, signal.SIGCONT)
        desktop.close()


def test_without_an_accessibility_bus_all_else_goes_on(desktop: PrivateDesktop):
    address = replace(desktop.address, session_bus=f"unix:path={desktop.address.runtime}/none")
    env = DesktopEnv(address, record=False)
    try:
        look = env.observe(frozenset(Modality), 0.0)
        assert isinstance(look.elements, Absent) and look.elements.reason == "failed"
        assert "cannot be reached" in look.elements.detail
        assert look.has(Modality.SCREENSHOT) and look.has(Modality.CONTEXT)
        assert look.video == Absent("unsupported", "film is not recorded")
        with pytest.raises(EnvLost, match="elements of desktop cannot be read"):
            env.ui_tree()
    finally:
        env.close()


@pytest.mark.slow
def test_another_size_of_the_screen_is_followed():
    desktop = start_desktop(sound=False)
    try:
        env = DesktopEnv(desktop.address)
        environment = {**os.environ, "DISPLAY": desktop.address.display, "XAUTHORITY": desktop.address.xauthority}
        mode = "--newmode small 31.5 1024 1025 1026 1027 768 769 770 771"
        for words in (mode, "--addmode screen small", "--output screen --mode small"):
            subprocess.run(["xrandr", *words.split()], env=environment, check=True)
        look = env.observe({Modality.SCREENSHOT, Modality.VIDEO}, 0.0)
        assert env.size == look.size == Size(1024, 768)
        assert isinstance(look.screenshot, Image) and look.screenshot.size == env.size
        assert isinstance(look.video, VideoClip) and look.video.size == env.size
        env.close()
    finally:
        desktop.close()


def test_without_its_sound_server_all_else_goes_on():
    desktop = start_desktop()
    try:
        env = DesktopEnv(desktop.address)
        assert env.observe({Modality.AUDIO}, 0.0).has(Modality.AUDIO)
        server = next(one for one in desktop.processes() if one.command[0] == "pulseaudio")
        os.kill(server.outside, signal.SIGKILL)
        (absent,) = wait_for(
            lambda: (a := env.observe({Modality.AUDIO}, 0.0).audio, isinstance(a, Absent))[1] and [a], 5.0, "the end"
        )
        assert absent.reason == "failed" and "sound recorder ended" in absent.detail
        look = env.observe({Modality.SCREENSHOT, Modality.VIDEO}, 0.0)
        assert isinstance(look.screenshot, Image) and look.has(Modality.VIDEO)
        env.close()
    finally:
        desktop.close()


@pytest.mark.parametrize("times", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_nothing_is_left_of_an_environment(desktop: PrivateDesktop, times: int):
    def held() -> tuple[int, int, int]:
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        return threading.active_count(), len(os.listdir("/proc/self/fd")), len(children)

    DesktopEnv(desktop.address).close()
    before = held()
    for _ in range(times):
        env = DesktopEnv(desktop.address)
        env.observe(frozenset(Modality), 0.0)
        env.clipboard = "left"
        env.close()
    wait_for(lambda: held() <= before or None, 5.0, f"{before}, not {held()}")
