"""Faults of real devices in the middle of a step, through whole runs: the episode is void with its reason, or what was
lost is absent with its reason; the next episode gets a world that works; nothing hangs."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
import toy_suite
from struck_devices import TIMEOUT, struck_run

from omnipilot.bench.journal import read
from omnipilot.bench.journal.events import EpisodeEnded, TurnTaken
from omnipilot.bench.run import run

pytestmark = pytest.mark.desktop
TOY = toy_suite.__file__


def play(
    folder: Path, devices: str, fault: str, program: str = ""
) -> tuple[list[EpisodeEnded], list[TurnTaken], float]:
    """How each episode ended, the turns of the first, and the seconds that all took."""
    began = time.monotonic()
    run(struck_run(devices, fault, program), folder)
    seconds = time.monotonic() - began
    events = list(read(folder))
    ended = [event for event in events if isinstance(event, EpisodeEnded)]
    return ended, [one for one in events if isinstance(one, TurnTaken) and one.key == ended[0].key], seconds


# Whichever request meets the silence: a short one, the long press that it begins in, or the wait that follows.
SILENT = f"no answer within ({'|'.join(f'{TIMEOUT + lasts:g}' for lasts in (0.0, 0.8, 1.5))}) s"
LOST = [
    ("desktop", "X killed", "X server .* is gone"),
    ("desktop", "X stopped", "X server .* did not answer for 10 s"),
    ("desktop", "keeper killed", "X server .* is gone"),
    ("desktop", "bus killed", "elements of desktop cannot be read"),
    ("phone", "phone gone", "phone .* is (offline|gone)|'127.0.0.1:[0-9]+' not found"),
    ("phone", "adb killed", "adb server|phone .* is gone"),
    ("phone", "adb restarted", "phone .* is (offline|gone)|not found"),
    ("phone", "adb stopped", "phone .* did not answer"),
    ("browser", "browser killed", "browser or page is gone"),
    ("browser", "browser stopped", "browser did not answer within .* and was killed"),
    ("remote", "remote silent", SILENT),
    ("remote", "remote killed", "remote world at .* is lost"),
    ("desktop+phone+browser+remote", "browser killed", "device 'browser': the browser or page is gone"),
    ("desktop+phone+browser+remote", "remote silent", f"device 'remote': .* {SILENT}"),
    ("desktop+phone+browser+remote", "X killed", "device 'desktop': .* is gone"),
]
SLOW, WEB = [pytest.mark.slow], [pytest.mark.web]
QUICK = {("phone", "phone gone"), ("remote", "remote silent")}
LONGEST = 150.0
"""Seconds for a run of two episodes on a busy machine; what hangs, hangs for ever."""


@pytest.mark.parametrize(
    ("devices", "fault", "reason"),
    [pytest.param(*one, marks=SLOW * (one[:2] not in QUICK) + WEB * ("browser" in one[0])) for one in LOST],
)
def test_a_device_that_is_lost_makes_one_episode_void(tmp_path: Path, devices: str, fault: str, reason: str):
    ended, turns, seconds = play(tmp_path, devices, fault)
    assert [one.reason for one in ended] == ["void", "success"]
    assert re.search(reason, ended[0].detail), ended[0].detail
    assert ended[0].detail.startswith("device lost: ") and turns
    assert seconds < LONGEST


@pytest.mark.parametrize(
    ("fault", "program", "absent", "reason"),
    [
        pytest.param("sound killed", "", "audio", "failed: the sound recorder ended", marks=pytest.mark.slow),
        pytest.param("sound stopped", "", "audio", "failed: the sound server has sent nothing", marks=pytest.mark.slow),
        pytest.param("bus stopped", "", "", "", marks=pytest.mark.slow),
        pytest.param("manager stopped", "", "", "", marks=pytest.mark.slow),
        pytest.param("manager killed", "", "", "", marks=pytest.mark.slow),
        pytest.param("program stopped", "galculator", "", "", marks=pytest.mark.slow),
        pytest.param("program killed", "galculator", "", "", marks=pytest.mark.slow),
    ],
)
def test_what_else_of_a_desktop_fails_is_absent_and_the_rest_goes_on(
    tmp_path: Path, fault: str, program: str, absent: str, reason: str
):
    ended, turns, seconds = play(tmp_path, "desktop", fault, program)
    assert [one.reason for one in ended] == ["success", "success"], [one.detail for one in ended]
    last = turns[-1].observations["desktop"]
    assert "screenshot" in last
    if absent:
        assert absent not in turns[0].observations["desktop"]["absent"]
        assert last["absent"][absent].startswith(reason)
    else:
        assert not {"screenshot", "audio"} & set(last["absent"])
    assert seconds < LONGEST
    # The next episode is on a desktop that has everything again.
    whole = [one for one in read(tmp_path) if isinstance(one, TurnTaken) and one.key == ended[1].key]
    assert all("audio" in one.observations["desktop"] for one in whole)


@pytest.mark.needs("mounts")
def test_a_full_disk_ends_the_run_in_words_and_it_goes_on_where_there_is_room(tmp_path: Path):
    """On a file system of 120 KB, in a mount namespace of its own."""
    script = f"""
        mount -t tmpfs -o size=120k none {tmp_path} || exit 77
        run() {{ {sys.executable} {TOY} {tmp_path}/run 1 count,far,answer 30 0; }}
        run; first=$?
        grep -c '"wall_seconds":' {tmp_path}/run/journal.jsonl
        mount -o remount,size=50m {tmp_path}
        run; echo "$first $?"
        grep -c '"wall_seconds":' {tmp_path}/run/journal.jsonl
        ls {tmp_path}/run/media/tmp | wc -l
    """
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    assert done.returncode != 77, done.stderr
    before, codes, after, left = done.stdout.splitlines()
    assert codes == "1 0", done.stderr
    assert 0 < int(before) < 90 == int(after) and left == "0"
    assert "No space left on device" in done.stderr and "make room there" in done.stderr
    assert "RunFailed" not in done.stderr, "a full disk is no bug"
