"""The served phone as a world of its own, through Debian's adb server: each verb's effect is read back from its state,
on a phone that stands upright, lies on its side, and has another size than its panel."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from adb_server import AdbServerProcess
from scripted_phone import ScriptedPhone

from omnipilot.envs import (
    Absent,
    ActionRejected,
    AudioClip,
    Click,
    ConfigError,
    Context,
    Custom,
    Drag,
    Element,
    Elements,
    EnvLost,
    Image,
    LongPress,
    Modality,
    NotFound,
    OpenApp,
    Point,
    Press,
    Scroll,
    Size,
    Swipe,
    System,
    TypeText,
    VideoClip,
    check_env,
)
from omnipilot.envs.android import AndroidEnv, AndroidWorld
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.adb.server import PhoneServer

pytestmark = pytest.mark.desktop("adb")


@pytest.fixture(scope="module")
def adb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdbServerProcess]:
    server = AdbServerProcess(Path(tmp_path_factory.mktemp("adb")))
    yield server
    server.kill()


@pytest.fixture(scope="module")
def served() -> Iterator[PhoneServer]:
    with PhoneServer(SimWorld()) as server:
        yield server


@pytest.fixture(scope="module")
def shared(served: PhoneServer, adb: AdbServerProcess) -> Iterator[AndroidWorld]:
    world = AndroidWorld(served.serial, adb_server=adb.address)
    yield world
    world.close()


@pytest.fixture
def sim(served: PhoneServer) -> SimWorld:
    """The world that is served, at the start of an instance."""
    world: SimWorld = served.phone._world  # type: ignore[assignment]
    with served.phone.lock:
        world.reset(0)
        served.phone.restart()
    return world


@pytest.fixture
def phone(sim: SimWorld, shared: AndroidWorld) -> AndroidEnv:
    """The phone at its start."""
    shared.reset(0)
    return shared.phone


def element(phone: AndroidEnv, name: str, role: str = "") -> Element:
    for one in phone.ui_tree():
        if one.name == name and role in ("", one.role):
            return one
    raise NotFound(name)


def at(phone: AndroidEnv, name: str, role: str = "") -> Point:
    return element(phone, name, role).box.center


def front(sim: SimWorld) -> str:
    window = sim.state().phone.front
    return window.app if window is not None else ""


def view(sim: SimWorld) -> tuple[str, str]:
    window = sim.state().phone.front
    assert window is not None
    return window.view.name, window.view.arg


def test_taps_land_where_they_are_meant(phone: AndroidEnv, sim: SimWorld) -> None:
    phone.act(Click(at(phone, "Messages")))
    assert front(sim) == "messages"
    phone.act(Click(at(phone, "Sarah Kent", "listitem")))
    assert view(sim) == ("thread", "sarah-kent")
    phone.act(System("back"))
    assert view(sim) == ("threads", "")
    phone.act(System("home"))
    assert front(sim) == ""


def test_applications_open_by_name(phone: AndroidEnv, sim: SimWorld) -> None:
    for name in ("Clock", "Phone", "music"):
        phone.act(OpenApp(name))
        assert front(sim) == name.lower()
    with pytest.raises(ActionRejected, match="Calendar"):
        phone.act(OpenApp("Spotify"))


@pytest.mark.parametrize("text", ["Meet at 100% & 'noon' (%s)?", "Zoë – 漢字, naïve"])
def test_text_arrives_and_the_keyboard_is_the_one_before(
    text: str, phone: AndroidEnv, sim: SimWorld, served: PhoneServer
) -> None:
    keyboard = served.phone.keyboard
    phone.act(OpenApp("Messages"))
    phone.act(Click(at(phone, "Sarah Kent", "listitem")))
    field = at(phone, "Message", "textbox")
    phone.act(TypeText("old words", field))
    assert element(phone, "Message").value == "old words"
    phone.act(TypeText(text, field, clear=True))
    assert element(phone, "Message").value == text
    phone.act(Press(("backspace",), repeat=2))
    assert element(phone, "Message").value == text[:-2]
    assert served.phone.keyboard == keyboard
    phone.act(Click(at(phone, "Send")))
    thread = next(one for one in sim.state().account.threads if one.contact == "sarah-kent")
    assert thread.messages[-1].text == text[:-2]


def test_lists_scroll_and_items_open_their_menus(phone: AndroidEnv, sim: SimWorld) -> None:
    phone.act(OpenApp("Music"))

    def offset() -> float:
        return max(sim.state().phone.scrolls.values(), default=0)

    phone.act(Swipe("up"))
    assert offset() == pytest.approx(400, abs=2), "as far as in process"
    phone.act(Swipe("down"))
    assert offset() == 0
    phone.act(Scroll("down", amount=200, unit="px"))
    assert offset() == pytest.approx(200, abs=2)
    phone.act(Scroll("up", amount=100, unit="page"))
    assert offset() == 0
    phone.act(LongPress(at(phone, "Blue Window", "listitem"), 0.6))
    assert sim.state().phone.popup is not None


def test_dragging_moves_a_slider(phone: AndroidEnv, sim: SimWorld) -> None:
    phone.act(OpenApp("Settings"))
    phone.act(Click(at(phone, "Sound")))
    slider = next(one for one in phone.ui_tree() if one.role == "slider")
    before = sim.state().account.phone_settings
    y = slider.box.center.y
    phone.act(
        Drag(Point(slider.box.left + 0.9 * (slider.box.right - slider.box.left), y), Point(slider.box.left + 0.02, y))
    )
    assert sim.state().account.phone_settings != before


def test_it_is_seen_and_heard(phone: AndroidEnv, shared: AndroidWorld, sim: SimWorld) -> None:
    phone.act(OpenApp("Music"))
    first = phone.observe(frozenset(Modality), shared.now)
    pause(0.5)
    phone.act(Click(at(phone, "Blue Window", "listitem")))
    pause(1.5)
    seen = phone.observe(frozenset(Modality), first.time)
    assert isinstance(seen.screenshot, Image) and seen.screenshot.size == seen.size == Size(412, 916)
    assert seen.context == Context("Music", "com.omnipilot.music.MusicActivity")
    assert isinstance(seen.elements, Elements) and len(seen.elements) > 5
    assert isinstance(seen.audio, AudioClip) and isinstance(seen.video, VideoClip)
    for clip in (seen.audio, seen.video):
        assert clip.start == pytest.approx(first.time, abs=0.3) and clip.end == pytest.approx(seen.time, abs=0.3)
    # What sounds was started by the tap, half a second after the first look.
    samples = np.abs(seen.audio.array())
    assert samples[: 16_000 // 4].max() == 0 and samples[-16_000:].max() > 500
    assert len({frame.digest for frame in seen.video.frames}) >= 3, "the time that was played moves on"


@pytest.mark.parametrize("rotation", [1, 2, 3])
def test_a_phone_that_lies_otherwise_is_operated_as_well(rotation: int, adb: AdbServerProcess) -> None:
    world = SimWorld()
    with PhoneServer(world, rotation=rotation) as server:  # type: ignore[arg-type]
        phone = AndroidEnv(server.serial, adb_server=adb.address)
        assert phone.size == (Size(412, 916) if rotation == 2 else Size(916, 412))
        phone.act(Click(at(phone, "Messages")))
        assert front(world) == "messages"
        phone.act(Swipe("up"))
        phone.close()


@pytest.mark.parametrize("override", ["300x700", "720x1280", "916x412"])
def test_a_phone_of_another_size_is_operated_as_well(
    override: str, phone: AndroidEnv, sim: SimWorld, served: PhoneServer
) -> None:
    phone.shell(f"wm size {override}", 5)
    seen = phone.observe({Modality.SCREENSHOT, Modality.ELEMENTS}, 0.0)
    width, height = map(int, override.split("x"))
    assert seen.size == phone.size == Size(width, height)
    phone.act(Click(at(phone, "Calendar")))
    assert front(sim) == "calendar"
    # And turned, in the middle of the episode.
    phone.act(System("home"))
    phone.shell("wm user-rotation lock 1", 5)
    assert phone.observe({Modality.CONTEXT}, 0.0).size == Size(height, width)
    phone.act(Click(at(phone, "Clock")))
    assert front(sim) == "clock"
    phone.shell("wm size reset; wm user-rotation lock 0", 5)


def test_nothing_is_left_behind(served: PhoneServer, sim: SimWorld, adb: AdbServerProcess) -> None:
    with AndroidEnvContext(served, adb) as env:
        env.observe(frozenset(Modality), 0.0)
        env.act(OpenApp("Clock"))
        assert isinstance(env.observe({Modality.VIDEO}, 0.0).video, VideoClip | Absent)
    with AndroidEnvContext(served, adb, prepare=False) as other:
        assert "omnipilot" not in other.shell("ls /data/local/tmp /sdcard", 5)
    until = time.monotonic() + 5
    while "screenrecord-phone" in {thread.name for thread in threading.enumerate()}:
        assert time.monotonic() < until
        pause(0.02)


def test_a_dark_screen_is_woken(phone: AndroidEnv, served: PhoneServer) -> None:
    phone.act(System("power"))
    assert not served.phone.screen_on
    seen = phone.observe({Modality.SCREENSHOT, Modality.CONTEXT}, 0.0)
    assert served.phone.screen_on
    assert isinstance(seen.screenshot, Image)
    assert seen.context and "has been woken" in seen.context.title


def test_settings_are_restored(sim: SimWorld, served: PhoneServer, adb: AdbServerProcess) -> None:
    names = ("window_animation_scale", "stay_on_while_plugged_in")
    with AndroidEnvContext(served, adb) as phone:
        phone.shell("settings put global window_animation_scale 0.5", 5)
    before: list[str] = []
    with AndroidEnvContext(served, adb) as phone:
        before = [one.before or "" for one in phone.changed if one.name in names]
        assert phone.shell("settings get global window_animation_scale", 5).strip() == "0"
        assert {one.name for one in phone.changed} >= set(names)
    with AndroidEnvContext(served, adb, prepare=False) as phone:
        assert [phone.shell(f"settings get global {name}", 5).strip() for name in names] == before
        assert phone.changed == ()


class AndroidEnvContext:
    """An environment of its own, closed at the end."""

    def __init__(self, served: PhoneServer, adb: AdbServerProcess, prepare: bool = True) -> None:
        self._made = AndroidEnv(served.serial, adb_server=adb.address, prepare=prepare)

    def __enter__(self) -> AndroidEnv:
        return self._made

    def __exit__(self, *problem: object) -> None:
        self._made.close()


def test_text_goes_to_the_clipboard(phone: AndroidEnv, sim: SimWorld) -> None:
    phone.act(Custom("set_clipboard", {"text": "gate 4711"}))
    assert sim.state().phone.clipboard == "gate 4711"


def test_a_phone_that_stops_answering_is_lost(served: PhoneServer, sim: SimWorld, adb: AdbServerProcess) -> None:
    env = AndroidEnv(served.serial, adb_server=adb.address, command=1.0, prepare=False)
    with served.phone.lock:
        begun = time.monotonic()
        with pytest.raises(EnvLost):
            env.observe({Modality.SCREENSHOT}, 0.0)
        with pytest.raises(EnvLost):
            env.act(Click(Point(0.5, 0.5)))
        assert time.monotonic() - begun < 10
    env.close()
    with AndroidEnvContext(served, adb) as other:
        assert isinstance(other.observe({Modality.SCREENSHOT}, 0.0).screenshot, Image), "it answers again"


def test_files_are_read(phone: AndroidEnv) -> None:
    phone.shell("echo -n hello > /sdcard/a.txt", 5)
    assert phone.read_file("/sdcard/a.txt") == b"hello"
    with pytest.raises(FileNotFoundError):
        phone.read_file("/sdcard/none")


def test_a_reset_shows_home_and_runs_the_commands(served: PhoneServer, sim: SimWorld, adb: AdbServerProcess) -> None:
    commands = ["echo -n {instance} > /sdcard/instance"]
    world = AndroidWorld(served.serial, adb_server=adb.address, commands=commands, stop=["com.omnipilot.clock"])
    world.phone.act(OpenApp("Clock"))
    assert front(sim) == "clock"
    world.reset(7)
    assert front(sim) == "" and not any(window.app == "clock" for window in sim.state().phone.windows)
    assert world.phone.read_file("/sdcard/instance") == b"7"
    assert world.now < 2
    assert any("data of applications" in one and "echo -n" in one for one in world.unrestored)
    world.close()
    failing = AndroidWorld(served.serial, adb_server=adb.address, commands=["false"])
    with pytest.raises(EnvLost, match="status 1"):
        failing.reset(0)
    failing.close()


def test_a_world_comes_back_after_its_phone_did(adb: AdbServerProcess) -> None:
    with PhoneServer(SimWorld()) as first:
        world = AndroidWorld(first.serial, adb_server=adb.address)
        world.reset(0)
    with pytest.raises(EnvLost):
        world.phone.observe({Modality.SCREENSHOT}, 0.0)
    with pytest.raises(EnvLost):
        world.reset(0)
    with PhoneServer(SimWorld(), first.port):
        world.reset(0)
        assert isinstance(world.phone.observe({Modality.SCREENSHOT}, 0.0).screenshot, Image)
        world.close()


@pytest.mark.slow
def test_it_keeps_the_contract(sim: SimWorld, served: PhoneServer, adb: AdbServerProcess) -> None:
    check_env(lambda: AndroidWorld(served.serial, adb_server=adb.address), live=True)


def test_snapshots_are_those_of_emulators() -> None:
    with pytest.raises(ConfigError, match="emulator"):
        AndroidWorld("192.168.0.7:5555", snapshot="clean", connection=ScriptedPhone())
    world = AndroidWorld("emulator-5554", snapshot="clean", connection=ScriptedPhone())
    assert "outside the emulator" in world.unrestored[0]
    world.close()


def test_a_snapshot_is_loaded_and_the_emulator_awaited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "adb"
    program.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/said\ncat {tmp_path}/answer\n')
    program.chmod(0o755)
    monkeypatch.setenv("ADBUTILS_ADB_PATH", str(program))
    monkeypatch.setattr("omnipilot.envs.android.world.BOOT_SECONDS", 1.0)
    booted = iter(["", "0", "1"])
    phone = ScriptedPhone.small()
    phone.answers["sys.boot_completed"] = lambda _: next(booted)
    world = AndroidWorld("emulator-5554", snapshot="clean", adb_server="127.0.0.1:5999", connection=phone)
    (tmp_path / "answer").write_text("OK\n")
    world.reset(0)
    assert (tmp_path / "said").read_text() == "-H 127.0.0.1 -P 5999 -s emulator-5554 emu avd snapshot load clean\n"
    assert next(booted, "all asked") == "all asked"
    phone.answers["sys.boot_completed"] = "0"
    with pytest.raises(EnvLost, match="was not up"):
        world.reset(0)
    (tmp_path / "answer").write_text("KO: no such snapshot\n")
    with pytest.raises(EnvLost, match="no such snapshot"):
        world.reset(0)
    world.close()


def test_waiting_takes_the_time(shared: AndroidWorld) -> None:
    begun = time.monotonic()
    shared.wait(0.3)
    shared.think(5.0)
    assert 0.3 <= time.monotonic() - begun < 4  # it would be 5 if thinking took its time


def pause(seconds: float) -> None:
    threading.Event().wait(seconds)
