"""Pictures, films, sounds and trees, by the commands that fetch them."""

from __future__ import annotations

import io
import time
import xml.etree.ElementTree as ET

import pytest
from adb_shell import Bench

from omnipilot.envs.types.media import AudioClip


def test_the_picture_in_a_file_and_on_standard_output() -> None:
    bench = Bench()
    picture = bench.phone.picture().png()
    assert bench.run_raw("screencap -p")[1] == picture
    assert bench.run("screencap -p /sdcard/x.png") == (0, "", "")
    assert bench.phone.files.read("/sdcard/x.png") == picture


def test_the_tree_is_xml_in_androids_form() -> None:
    bench = Bench()
    bench.run("am start -n com.omnipilot.settings/.SettingsActivity")
    said = bench.out("rm -f /data/local/tmp/u.xml; uiautomator dump /data/local/tmp/u.xml && echo success")
    assert said == "UI hierchary dumped to: /data/local/tmp/u.xml\nsuccess\n"
    raw = bench.phone.files.read("/data/local/tmp/u.xml").decode()
    assert raw.startswith("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">")
    nodes = list(ET.fromstring(raw).iter("node"))
    wifi = next(node for node in nodes if node.get("text") == "Wi-Fi")
    assert (wifi.get("clickable"), wifi.get("resource-id")) == ("true", "com.omnipilot.settings:id/settings_main_wifi")
    switch = next(node for node in nodes if node.get("content-desc") == "Flight mode")
    assert (switch.get("class"), switch.get("checkable"), switch.get("checked")) == (
        "android.widget.Switch",
        "true",
        "false",
    )
    assert {node.get("package") for node in nodes} == {"com.omnipilot.settings", "com.android.systemui"}
    assert bench.out("uiautomator dump /dev/tty").startswith("<?xml")


@pytest.mark.needs("omnipilot[video]")
def test_a_film_shows_what_changed() -> None:
    import av

    bench = Bench(rate=10.0, clock=time.monotonic)
    line = "screenrecord --time-limit 4 /sdcard/a.mp4 & sleep 1; monkey -p com.omnipilot.music 1; wait"
    status, _, err = bench.run(line)
    assert status == 0, err
    with av.open(io.BytesIO(bench.phone.files.read("/sdcard/a.mp4"))) as film:
        frames = [frame.to_ndarray(format="rgb24") for frame in film.decode(video=0)]
    assert len(frames) == 40
    assert frames[0].shape == (916, 412, 3)
    assert abs(frames[0].astype(int) - frames[-1].astype(int)).mean() > 5


def test_the_last_seconds_are_heard() -> None:
    bench = Bench()
    bench.phone.change(lambda state: state.sound("phone", "alarm", 1.0))
    bench.clock.now += 0.002
    clip = AudioClip.from_wav(bench.run_raw("soundcap -t 2")[1])
    assert clip.seconds == pytest.approx(2.0, abs=0.01)
    assert clip.slice(0, 1).loudness() > 0.02
    assert clip.slice(1.1, 2).loudness() < 0.01
    assert bench.run("soundcap -t 0")[0] == 1
