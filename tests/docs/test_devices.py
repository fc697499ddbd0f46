"""docs/devices.md and its pages tell the truth: files are read, commands and examples are run, pictures are there."""

from __future__ import annotations

import io
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from devices import NUMBER, PICTURES
from page_commands import blocks, commands
from report_visit import Visit, launched
from shared_folders import ROOT
from shell_commands import shell

from omnipilot.envs import AudioClip
from omnipilot.envs.composite import kinds, read_world
from omnipilot.envs.desktop.programs import PROGRAMS
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.adb.server import PhoneServer
from omnipilot.memory.perception import read_sounds

DOCS = ROOT / "docs"
INDEX = (DOCS / "devices.md").read_text(encoding="utf-8")
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted((DOCS / "devices").glob("*.md"))}
DEVICES = {name: text for name, text in PAGES.items() if name != "crab"}
"""The pages of a kind of device each."""
TOGETHER = DOCS / "devices/together"
LARGEST = 80_000
"""Bytes of a picture."""


def test_the_index_has_every_kind_and_every_page() -> None:
    table = INDEX.partition("## What each gives")[2].partition("## Install")[0]
    rows = " ".join(line.split("|")[1].partition(" with ")[0] for line in table.splitlines() if line.startswith("| `"))
    assert set(re.findall(r"`([\w-]+)`", rows)) == set(kinds.names()) - {"toy"}
    for page in PAGES:
        assert f"devices/{page}.md" in INDEX


def test_every_page_shows_a_picture_that_is_made_by_the_command() -> None:
    shown = set()
    for text in DEVICES.values():
        (picture, *_) = re.findall(r"!\[[^\]]+\]\(\.\./pictures/([\w.-]+)\)", text)
        shown.add(picture)
    assert shown == set(PICTURES)
    assert "python docs/figures/devices.py docs/pictures" in INDEX
    for picture in PICTURES:
        assert (DOCS / "pictures" / picture).stat().st_size <= LARGEST


@pytest.mark.parametrize("page", PAGES)
def test_the_world_files_of_a_page_are_read(page: str, tmp_path: Path) -> None:
    for text in blocks(PAGES[page], "toml"):
        file = tmp_path / "world.toml"
        file.write_text(text, encoding="utf-8")
        for option, name in re.findall(r'^(home|files|profile|\w+_file) = "([^"]+)"', text, re.M):
            there = tmp_path / name
            there.touch() if option.endswith("_file") else there.mkdir(exist_ok=True)
        assert read_world(file)["devices"]


def test_the_file_of_the_example_is_the_one_that_is_shown() -> None:
    (first, *_) = blocks(PAGES["worlds"], "toml")
    assert first == (TOGETHER / "world.toml").read_text(encoding="utf-8")


@pytest.mark.needs("omnipilot[video]")
def test_the_recording_of_the_example_dials_the_number() -> None:
    import av

    with av.open(io.BytesIO((TOGETHER / "home/Music/call.opus").read_bytes())) as file:
        resampler = av.AudioResampler("s16", "mono", 16_000)
        parts = [part for frame in file.decode(audio=0) for part in resampler.resample(frame)]
    heard = read_sounds(AudioClip.from_array(np.concatenate([part.to_ndarray()[0] for part in parts])))
    assert [event.detail for event in heard.of("digits")] == [NUMBER]


def test_the_page_on_desktops_names_every_program() -> None:
    told = PAGES["desktop"].partition("The programs that are known:")[2].partition(".")[0]
    assert set(re.findall(r"`([\w-]+)`", told)) == set(PROGRAMS)


@pytest.mark.parametrize("page", PAGES)
def test_the_python_examples_of_a_page_compile_and_their_names_are_there(page: str) -> None:
    for text in blocks(PAGES[page], "python"):
        compile(text, page, "exec")
        imports = "\n".join(line for line in text.splitlines() if line.startswith(("from ", "import ")))
        subprocess.run([sys.executable, "-c", imports], check=True, capture_output=True, timeout=60)


@pytest.mark.desktop
def test_the_python_example_of_private_desktops_runs() -> None:
    (first, *_) = blocks(PAGES["desktop"], "python")
    done = subprocess.run([sys.executable, "-c", first], check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "AudioClip" in done.stdout and "Documents" in done.stdout


@pytest.fixture
def phone() -> Iterator[PhoneServer]:
    world = SimWorld()
    world.reset(0)
    with PhoneServer(world) as server:
        yield server


@pytest.mark.desktop("adb")
def test_the_adb_commands_of_the_page_on_phones_work(phone: PhoneServer, tmp_path: Path) -> None:
    from omnipilot.envs.sim.phone_over_adb import _AdbServer

    lines = [line for line in commands(PAGES["phone"]) if line.startswith("adb ")]
    assert len(lines) >= 8
    server = _AdbServer()
    try:
        for line in lines:
            shell(line.replace("127.0.0.1:5599", phone.serial).replace("adb ", f"adb -P {server.port} ", 1), tmp_path)
    finally:
        server.close()
    assert (tmp_path / "screen.png").read_bytes().startswith(b"\x89PNG")
    assert "Hello adb" in (tmp_path / "tree.xml").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.desktop
@pytest.mark.web
def test_a_desktop_a_page_and_a_phone_solve_a_task_together_heard_and_recorded(
    tmp_path: Path, chromium_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(TOGETHER, tmp_path / "docs/devices/together")
    setting, run, report = commands(PAGES["worlds"])[:3]
    name, _, value = shlex.split(setting)[1].partition("=")
    monkeypatch.setenv(name, str(tmp_path / value))
    for command in (run, report):
        shell(command, tmp_path)
    out = tmp_path / "runs/together"

    journal = (out / "journal.jsonl").read_text(encoding="utf-8")
    assert f"It dialled {NUMBER}." in journal and '"status":"success"' in journal
    kept = [path for path in (out / "media").rglob("*") if path.is_file()]
    assert any(path.suffix == ".wav" for path in kept)
    with launched() as browser:
        visit = Visit(browser)
        visit.open(out / "report.html", "#0/instruction%230.0/9/time")
        visit.page.wait_for_selector(".track .event")
        devices = visit.page.locator(".names .name.head b").all_inner_texts()
        lanes = visit.page.locator(".names .name span").all_inner_texts()
        visit.context.close()
        assert {"desktop", "page", "phone"} <= set(devices)
        assert lanes.count("Film") == 2 and "Sound" in lanes
        assert not visit.complaints
