"""Clients that know nothing of this project, unmodified: Debian's adb, a current adb, adbutils, uiautomator2."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import threading
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.adb import PhoneServer

pytestmark = [pytest.mark.desktop("adb"), pytest.mark.needs("omnipilot[android]")]
Adb = Callable[..., subprocess.CompletedProcess[bytes]]


def find_adb(which: str) -> str:
    """Debian's adb, or the one that comes with adbutils."""
    if which == "debian":
        return "adb"
    import adbutils

    return str(Path(adbutils.__file__).parent / "binaries" / "adb")


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture(scope="module")
def server() -> Iterator[PhoneServer]:
    world = SimWorld()
    world.reset(1)
    with PhoneServer(world) as server:
        yield server


@pytest.fixture(scope="module", params=["debian", "current"])
def adb(request: pytest.FixtureRequest, server: PhoneServer) -> Iterator[Adb]:
    """Runs an adb on an adb server of its own, which is ended afterwards."""
    program, port = find_adb(request.param), free_port()

    def run(*words: str, serial: bool = True, check: bool = True, **more: Any) -> subprocess.CompletedProcess[bytes]:
        chosen = ("-s", server.serial) if serial else ()
        command = [program, "-P", str(port), *chosen, *words]
        return subprocess.run(command, capture_output=True, timeout=60, check=check, **more)

    try:
        assert b"connected to" in run("connect", server.serial, serial=False).stdout
        yield run
    finally:
        run("kill-server", serial=False, check=False)


def test_adb_lists_it_and_runs_commands(adb: Adb, server: PhoneServer) -> None:
    listed = adb("devices", "-l", serial=False).stdout.decode()
    assert f"{server.serial}" in listed and "product:omnipilot_phone" in listed
    assert adb("get-state").stdout == b"device\n"
    done = adb("shell", "echo out; echo err >&2; exit 7", check=False)
    assert (done.returncode, done.stdout, done.stderr) == (7, b"out\n", b"err\n")
    assert adb("shell", "-x", "echo out; exit 7").stdout == b"out\n"
    assert adb("exec-out", "screencap", "-p").stdout == server.phone.picture().png()
    assert adb("shell", "cat > /sdcard/in", input=b"from stdin").returncode == 0
    assert adb("exec-in", "cat > /sdcard/in2", input=b"from stdin").returncode == 0
    assert adb("shell", "cat /sdcard/in").stdout == b"from stdin"
    assert b"whoami" not in adb("shell", input=b"whoami\nexit\n").stdout
    assert "production builds" in adb("root", check=False).stdout.decode()


def test_adb_pushes_and_pulls_two_megabytes(adb: Adb, tmp_path: Path) -> None:
    data = random.Random(2).randbytes(2_000_000)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.bin").write_bytes(data)
    (tmp_path / "folder" / "b.txt").write_text("b")
    adb("push", str(tmp_path / "folder"), "/sdcard/")
    assert b"a.bin" in adb("shell", "ls", "/sdcard/folder").stdout
    adb("pull", "/sdcard/folder", str(tmp_path / "back"))
    assert (tmp_path / "back" / "a.bin").read_bytes() == data
    assert (tmp_path / "back" / "b.txt").read_text() == "b"
    assert adb("pull", "/sdcard/none", str(tmp_path / "none"), check=False).returncode
    adb("shell", "rm", "-r", "/sdcard/folder")


def test_adb_reverse_carries_both_ways(adb: Adb) -> None:
    with socket.create_server(("127.0.0.1", 0)) as host:
        there, here = host.getsockname()[1], free_port()

        def echo() -> None:
            one, _ = host.accept()
            with one:
                one.sendall(b"got " + one.recv(100))

        answering = threading.Thread(target=echo)
        answering.start()
        adb("reverse", f"tcp:{here}", f"tcp:{there}")
        assert f"tcp:{here} tcp:{there}" in adb("reverse", "--list").stdout.decode()
        with socket.create_connection(("127.0.0.1", here), timeout=20) as phone:
            phone.sendall(b"ping")
            phone.settimeout(20)
            assert phone.recv(100) == b"got ping"
        answering.join(20)
    adb("reverse", "--remove", f"tcp:{here}")
    failed = adb("reverse", "--remove", f"tcp:{here}", check=False)
    assert failed.returncode and b"not found" in failed.stderr
    number = int(adb("reverse", "tcp:0", f"tcp:{there}").stdout)
    assert number > 0
    adb("reverse", "--remove-all")
    assert adb("reverse", "--list").stdout.strip() == b""


def test_adb_forward_reaches_uiautomators_port_and_no_other(adb: Adb) -> None:
    port = free_port()
    adb("forward", f"tcp:{port}", "tcp:9008")
    with socket.create_connection(("127.0.0.1", port), timeout=20) as one:
        one.sendall(b"GET /ping HTTP/1.1\r\nConnection: close\r\n\r\n")
        assert one.makefile("rb").read().endswith(b"pong")
    adb("forward", "--remove-all", serial=False)
    refused = free_port()
    adb("forward", f"tcp:{refused}", "tcp:22")
    with socket.create_connection(("127.0.0.1", refused), timeout=20) as one:
        assert one.recv(10) == b""
    adb("forward", "--remove-all", serial=False)


def test_adb_logcat_and_a_stream_that_is_cut(adb: Adb, server: PhoneServer) -> None:
    assert b"beginning of main" in adb("logcat", "-d").stdout
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run([*adb("shell", "true").args[:-2], "shell", "sleep", "100"], timeout=1, check=False)
    assert adb("shell", "echo", "alive").stdout == b"alive\n"


@pytest.fixture(scope="module")
def device(server: PhoneServer) -> Iterator[Any]:
    """The phone as an adbutils device, at an adb server of its own."""
    import adbutils

    program, port = find_adb("current"), free_port()
    subprocess.run([program, "-P", str(port), "start-server"], capture_output=True, timeout=60, check=True)
    client = adbutils.AdbClient(port=port)
    try:
        client.connect(server.serial)
        yield client.device(server.serial)
    finally:
        client.server_kill()


def test_adbutils(device: Any, server: PhoneServer, tmp_path: Path) -> None:
    assert tuple(device.window_size()) == (412, 916)
    assert device.app_current().package == "com.omnipilot.launcher"
    device.app_start("com.omnipilot.music")
    assert device.app_current().activity.endswith("MusicActivity")
    device.app_stop("com.omnipilot.music")
    device.app_start("com.omnipilot.settings", ".SettingsActivity")
    assert device.screenshot(error_ok=False).size == (412, 916)
    assert device.framebuffer().size == (412, 916)
    device.click(0.5, 0.14)
    device.keyevent("BACK")
    assert 'text="Wi-Fi"' in device.dump_hierarchy()
    assert "com.omnipilot.notes" in device.list_packages(["-3"])
    assert device.app_info("com.omnipilot.notes").version_name == "1.0"
    assert device.is_screen_on()
    assert device.wlan_ip() == "192.168.1.23"
    assert device.rotation() == 0
    assert device.shell2("echo a; false").returncode == 1
    assert device.shell2("echo a; echo b >&2; exit 3", v2=True).stderr == "b\n"
    device.switch_wifi(False)
    assert not server.phone.now_state().account.phone_settings.wifi
    device.switch_wifi(True)
    device.switch_airplane(True)
    assert server.phone.now_state().account.phone_settings.airplane
    device.switch_airplane(False)
    device.volume_down()
    data = random.Random(3).randbytes(200_000)
    device.sync.push(data, "/sdcard/x.bin")
    assert device.sync.read_bytes("/sdcard/x.bin") == data
    assert device.sync.stat("/sdcard/x.bin").size == len(data)
    assert "x.bin" in [one.path for one in device.sync.list("/sdcard")]
    film = tmp_path / "film.mp4"
    device.start_recording(str(film))
    time.sleep(0.6)
    device.stop_recording()
    assert film.read_bytes()[4:8] == b"ftyp"
    with pytest.raises(Exception, match="INSTALL_FAILED"):
        device.install_remote("/sdcard/x.bin")


def test_uiautomator2(device: Any) -> None:
    uiautomator2 = pytest.importorskip("uiautomator2")
    phone = uiautomator2.Device(device)
    try:
        assert phone.info["currentPackageName"]
        phone.app_start("com.omnipilot.settings", stop=True)
        phone(text="Wi-Fi").click()
        assert phone(description="Use Wi-Fi").info["checked"]
        phone.press("back")
        phone.xpath('//*[@text="Display"]').click()
        assert phone(description="Dark theme").wait(timeout=3)
        phone.app_start("com.omnipilot.notes")
        field = phone(className="android.widget.EditText")
        field.set_text("größer")
        assert field.get_text() == "größer"
        field.clear_text()
        field.click()
        phone.send_keys("paste")
        assert field.get_text() == "paste"
        phone.clear_text()
        phone.swipe(200, 800, 200, 300, duration=0.05)
        phone.double_click(200, 130)
        phone.long_click(200, 300, duration=0.5)
        phone.press("back")
        assert phone.screenshot().size == (412, 916)
        ET.fromstring(phone.dump_hierarchy())
        phone.clipboard = "ü"
        assert phone.clipboard == "ü"
        phone.orientation = "left"
        assert phone.info["displayWidth"] == 916
        phone.orientation = "natural"
        phone.screen_off()
        assert not phone.info["screenOn"]
        phone.screen_on()
        assert phone.app_wait("com.omnipilot.notes", timeout=3) > 0
    finally:
        phone.stop_uiautomator(wait=False)


def test_an_emulator_is_found_without_being_connected() -> None:
    world = SimWorld()
    program, port = find_adb("current"), free_port()
    try:
        server = PhoneServer(world, emulator=True).start()
    except Exception as error:
        pytest.skip(f"no emulator port is free: {error}")
    try:
        environment = {**os.environ, "ADB_LOCAL_TRANSPORT_MAX_PORT": "5585"}
        run = [program, "-P", str(port)]
        subprocess.run([*run, "start-server"], capture_output=True, timeout=60, check=True, env=environment)
        end = time.monotonic() + 20
        while time.monotonic() < end:
            listed = subprocess.run([*run, "devices"], capture_output=True, text=True, timeout=60, check=True).stdout
            if f"{server.serial}\tdevice" in listed:
                break
            time.sleep(0.2)
        assert f"{server.serial}\tdevice" in listed
    finally:
        subprocess.run([*run, "kill-server"], capture_output=True, timeout=60, check=False)
        server.stop()
