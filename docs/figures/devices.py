"""`python docs/figures/devices.py docs/pictures`: the pictures of docs/devices, made by the devices themselves.

They need what `make system system-desktop` installs. `--only NAME` makes one of them. `--recording FILE` writes the
recording that the example in docs/devices/together plays.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer
from browser_picture import picture as browser
from picture_board import LINE, REACHED, Board

from omnipilot.envs import AudioClip, Elements, Image, Modality, Observation, OpenApp, Size, TypeText, VideoClip
from omnipilot.envs.types import ALL_MODALITIES
from omnipilot.grounders.marks.drawing import draw_marks

HERE = Path(__file__).resolve().parents[1] / "devices"
NUMBER = "5550142"
"""What the recording dials."""
TASK = "Play the recording on the desktop, give the number that it dials to the form, and note it on the phone."
EDGE, COLUMN = 24, 380
POINTED_AT = ("button", "togglebutton", "menuitem", "textbox", "listitem", "combobox", "tab", "treeitem", "checkbox")
COLORS = 192
"""Of pictures of pages."""


def recording() -> bytes:
    """A telephone that dials `NUMBER`, as an Opus file."""
    import av
    import numpy as np

    from omnipilot.envs.sim.audio.scores import dial_tones
    from omnipilot.envs.types.media import SAMPLE_RATE

    quiet = np.zeros(SAMPLE_RATE, np.int16)
    dialled = dial_tones(NUMBER).samples().astype(np.int16)
    out = io.BytesIO()
    with av.open(out, "w", format="ogg", options={"fflags": "+bitexact"}) as file:
        stream: Any = file.add_stream("libopus", rate=SAMPLE_RATE, layout="mono")
        stream.bit_rate = 24_000
        frame = av.AudioFrame.from_ndarray(np.concatenate([quiet, dialled, quiet])[None], "s16", "mono")
        frame.sample_rate = SAMPLE_RATE
        for packet in (*stream.encode(frame), *stream.encode(None)):
            file.mux(packet)
    return out.getvalue()


class Sheet(Board):
    """A board on which what an agent gets of a device is shown."""

    def device(
        self, y: int, title: str, about: str, seen: Observation, shown: Size, most: int, in_front: bool = False
    ) -> None:
        """Its screen with marks, and beside it what they are, the context, the sound and the film.

        The first elements are marked, or the last, which lie in front.
        """
        self.text(EDGE, y, title, 20, bold=True)
        self.text(EDGE, y + 30, about, 14, soft=True)
        top = y + 64
        assert isinstance(seen.screenshot, Image) and isinstance(seen.elements, Elements)
        targets = [one for one in seen.elements if one.role in POINTED_AT and one.name and one.box.area]
        targets = targets[-most:] if in_front else targets[:most]
        marked = draw_marks(seen.screenshot, {number: one.box for number, one in enumerate(targets, 1)})
        self.screen(EDGE, top, marked, shown)
        x, line = EDGE + shown.width + 28, top
        line = self.part(x, line, "screenshot, elements", f"{seen.screenshot.size}, {len(seen.elements)} elements")
        for number, one in enumerate(targets, 1):
            self.text(x, line, f"{number}", 13, bold=True)
            self.text(x + 28, line, f"{one.role}  “{one.name}”", 13, width=COLUMN - 28)
            line += 20
        context: Any = seen.context
        line = self.part(x, line + 14, "context", f"{context.app}: {context.title}")
        if isinstance(seen.audio, AudioClip):
            line = self.part(x, line + 14, "sound", f"{seen.audio.seconds:.1f} s, 16 kHz")
            self.wave(x, line, seen.audio)
            line += 58
        if isinstance(seen.video, VideoClip):
            line = self.part(x, line + 14, "video", f"{len(seen.video.frames)} frames in {seen.video.seconds:.1f} s")
            self.film(x, line, seen.video.frames)

    def part(self, x: int, y: int, title: str, said: str) -> int:
        """A heading with a line behind it; gives where the next line begins."""
        self._canvas.text(x, y, title, REACHED, 14, "bold")
        self.text(x, y + 20, said, 13, width=COLUMN)
        return y + 44

    def wave(self, x: int, y: int, clip: AudioClip) -> None:
        """How loud a clip is over time."""
        import numpy as np

        parts = np.array_split(np.abs(clip.array().astype(np.int64)), COLUMN // 2)
        loudest = max(1, max(int(part.max(initial=0)) for part in parts))
        self._canvas.rect(x, y, COLUMN, 48, (255, 255, 255), 6, LINE, 1)
        for at, part in enumerate(parts):
            high = max(1, round(20 * int(part.max(initial=0)) / loudest))
            self._canvas.line(x + 2 * at, y + 24 - high, x + 2 * at, y + 24 + high, REACHED, 1)

    def film(self, x: int, y: int, frames: Sequence[Image]) -> None:
        """Some frames of a film, one beside the other."""
        size = frames[0].size
        high = 76
        wide = round(high * size.width / size.height)
        count = max(1, min(len(frames), (COLUMN + 8) // (wide + 8)))
        for at in range(count):
            one = frames[round(at * (len(frames) - 1) / max(1, count - 1))]
            self.screen(x + at * (wide + 8), y, one, Size(wide, high))

    def side(self, x: int, title: str, command: str, screens: dict[str, Image], width: int) -> None:
        """One machine: its title, a line of code, and the screens that are there."""
        self._canvas.rect(x, 84, width, 332, (255, 255, 255), 8, LINE, 1)
        self.text(x + 18, 98, title, 15, bold=True)
        self.command(x + 18, 128, command, width - 36)
        at = x + 18
        for screen in (screens["desktop"], screens["phone"]):
            shown = Size(round(226 * screen.size.width / screen.size.height), 226)
            self.screen(at, 174, screen, shown)
            at += shown.width + 18

    def across(self, x0: int, x1: int, y: int, left: bool) -> None:
        """A level arrow."""
        self._canvas.line(x0, y, x1, y, REACHED, 3)
        tip, back = (x0, 9) if left else (x1, -9)
        for side in (-7, 7):
            self._canvas.line(tip + back, y + side, tip, y, REACHED, 3)

    def command(self, x: int, y: int, words: str, width: int) -> None:
        """A command line in a box."""
        self._canvas.rect(x, y, width, 30, (34, 40, 52), 6)
        self._canvas.text(x + 10, y + 7, words, (235, 240, 248), 13, "regular", width - 20)


def desktop() -> bytes:
    """A private desktop with three programs, while a recording is played."""
    from omnipilot.envs.desktop import DesktopWorld

    with TemporaryDirectory() as folder:
        home = Path(folder)
        for name, content in _files().items():
            (home / name).parent.mkdir(exist_ok=True)
            (home / name).write_bytes(content)
        world = DesktopWorld(home=home)
        try:
            world.reset(0)
            world.desktop.start(("mousepad", "--disable-server", "Documents/letter.txt"))
            world.wait(3.0)
            world.desktop.start(("mpv", "--ao=pulse", "--no-video", "Music/call.opus"))
            world.desktop.open("galculator", wait=20.0)
            world.env.act(TypeText("19*23="))
            world.wait(3.0)
            seen = world.env.observe(ALL_MODALITIES, 0.0)
        finally:
            world.close()
    shown = Size(864, 540)
    sheet = Sheet(2 * EDGE + shown.width + 28 + COLUMN, 700)
    sheet.device(20, "A private desktop", "Real programs, started by omnipilot desktop up", seen, shown, 12, True)
    return sheet.png()


def _files() -> dict[str, bytes]:
    letter = "Dear Nina,\n\nthe hotel has called. 23 nights at 19 each, please check the sum.\n"
    return {
        "Documents/letter.txt": letter.encode(),
        "Music/call.opus": (HERE / "together/home/Music/call.opus").read_bytes(),
    }


def phone() -> bytes:
    """The served phone, operated with Debian's adb."""
    from omnipilot.envs.sim import SimWorld
    from omnipilot.envs.sim.adb.server import PhoneServer

    world = SimWorld()
    world.reset(3)
    server = PhoneServer(world).start()
    adb = _Adb(server.serial)
    steps = (
        ("adb shell monkey -p com.omnipilot.notes 1", ("shell", "monkey", "-p", "com.omnipilot.notes", "1")),
        ("adb shell input tap 368 816", ("shell", "input", "tap", "368", "816")),
        ("adb shell input tap 206 131", ("shell", "input", "tap", "206", "131")),
        ("adb shell input text Hello%sadb", ("shell", "input", "text", "Hello%sadb")),
    )
    shown, gap = Size(270, 600), 44
    sheet = Sheet(2 * EDGE + 4 * shown.width + 3 * gap, 740)
    try:
        sheet.text(EDGE, 20, "A phone for everybody: omnipilot phone serve", 20, bold=True)
        sheet.text(EDGE, 50, "Below each command, what adb exec-out screencap -p gave after it", 14, soft=True)
        for at, (said, words) in enumerate(steps):
            adb(*words)
            time.sleep(0.5)
            x = EDGE + at * (shown.width + gap)
            sheet.command(x, 80, said, shown.width)
            sheet.screen(x, 122, Image.encoded(adb("exec-out", "screencap", "-p")), shown)
    finally:
        adb.close()
        server.stop()
    return sheet.png()


class _Adb:
    """Debian's adb with a server of its own."""

    def __init__(self, serial: str) -> None:
        from omnipilot.envs.sim.phone_over_adb import _AdbServer

        self._server, self._serial = _AdbServer(), serial
        self._program = shutil.which("adb") or "adb"
        self._run("connect", serial)

    def __call__(self, *words: str) -> bytes:
        """Run a command for the phone, and give what it prints."""
        return self._run("-s", self._serial, *words)

    def _run(self, *words: str) -> bytes:
        command = [self._program, "-P", str(self._server.port), *words]
        return subprocess.run(command, check=True, capture_output=True, timeout=30).stdout

    def close(self) -> None:
        """End its server."""
        self._server.close()


def android() -> bytes:
    """What an agent gets of a phone over adb: the served one, whose music plays."""
    from omnipilot.envs import Click
    from omnipilot.envs.sim.phone_over_adb import EmbeddedPhone

    world = EmbeddedPhone()
    try:
        world.reset(3)
        env = world.envs["phone"]
        env.observe({Modality.VIDEO}, 0.0)
        env.act(OpenApp("Music"))
        tree = env.observe({Modality.ELEMENTS}, 0.0).elements
        assert isinstance(tree, Elements)
        song = next(one for one in tree if one.role == "listitem")
        env.act(Click(song.box.center))
        world.wait(3.0)
        seen = env.observe(ALL_MODALITIES, 0.5)
    finally:
        world.close()
    shown = Size(270, 600)
    sheet = Sheet(2 * EDGE + shown.width + 28 + COLUMN, 710)
    sheet.device(20, "A phone over adb", "What an agent gets of it", seen, shown, 12)
    return sheet.png()


def remote() -> bytes:
    """The embedded world, served over HTTP, and what a client sees of it."""
    from omnipilot.envs.remote import EnvServer, RemoteWorld
    from omnipilot.envs.sim import SimWorld

    served: list[SimWorld] = []

    def make() -> SimWorld:
        served.append(SimWorld())
        return served[0]

    with EnvServer(make, "a-token-for-this-picture-alone") as server:
        world = RemoteWorld(server.url, "a-token-for-this-picture-alone")
        try:
            world.reset(3)
            world.envs["desktop"].act(OpenApp("Mail"))
            world.envs["phone"].act(OpenApp("Clock"))
            there = {name: _screen(env) for name, env in served[0].envs.items()}
            here = {name: _screen(env) for name, env in world.envs.items()}
        finally:
            world.close()
    wide, gap = 520, 170
    sheet = Sheet(2 * EDGE + 2 * wide + gap, 440)
    sheet.text(EDGE, 20, "A world on another machine", 20, bold=True)
    sheet.text(EDGE, 50, "The same screens, to the pixel, on both sides", 14, soft=True)
    right = EDGE + wide + gap
    sheet.side(EDGE, "The devices", "omnipilot env serve --world sim", there, wide)
    sheet.side(right, "The agents", 'RemoteWorld("http://127.0.0.1:8700", token_file=…)', here, wide)
    for y, words, left in ((190, "actions, each with an id", True), (280, "screens, elements, sound, film", False)):
        sheet.across(EDGE + wide + 14, right - 14, y, left)
        sheet.words(EDGE + wide + 18, y + 12, words, gap - 30, 13)
    return sheet.png()


def _screen(env: Any) -> Image:
    shot = env.observe({Modality.SCREENSHOT}, 0.0).screenshot
    assert isinstance(shot, Image)
    return shot


def together() -> bytes:
    """The timeline of the run in docs/devices/worlds.md, as its report shows it."""
    from playwright.sync_api import sync_playwright

    from omnipilot.bench.cli.app import app
    from omnipilot.envs.web import find_chromium

    sys.path.insert(0, str(HERE / "together"))
    with TemporaryDirectory() as folder:
        out = Path(folder) / "together"
        words = f"run --world {HERE}/together/world.toml --planner dialler:Dialler --jobs 0 --out {out}".split()
        app([*words, "--modalities", "screenshot,elements,audio,video,context", "--task", TASK], standalone_mode=False)
        with sync_playwright() as driver:
            chromium = driver.chromium.launch(executable_path=str(find_chromium()), args=["--no-sandbox"])
            page = chromium.new_page(viewport={"width": 1400, "height": 1050}, color_scheme="light")
            page.goto(f"{(out / 'report.html').resolve().as_uri()}#0/instruction%230.0/8/time")
            page.wait_for_selector(".track .event")
            page.get_by_role("button", name="Place", exact=True).click()
            page.wait_for_function("() => [...document.images].every(i => i.loading === 'lazy' || i.complete)")
            page.mouse.move(1, 1)
            shot = page.screenshot(clip=page.locator("#main").bounding_box())
            chromium.close()
    return _few_colors(shot)


def _few_colors(png: bytes) -> bytes:
    from PIL import Image as pil

    few = pil.open(io.BytesIO(png)).convert("RGB").quantize(COLORS, dither=pil.Dither.NONE)
    file = io.BytesIO()
    few.save(file, "png", optimize=True)
    return file.getvalue()


PICTURES: dict[str, Callable[[], bytes]] = {
    "device-desktop.png": desktop,
    "device-phone.png": phone,
    "device-android.png": android,
    "device-remote.png": remote,
    "devices-together.png": together,
    "browser.png": browser,
}


def main(
    folder: Path,
    only: Annotated[str, typer.Option(help="Name of one picture.")] = "",
    recorded: Annotated[Path | None, typer.Option("--recording", help="Write the recording to this file.")] = None,
) -> None:
    """Draw the pictures into a folder."""
    if recorded:
        recorded.write_bytes(recording())
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in PICTURES.items():
        if only in ("", name):
            (folder / name).write_bytes(make())
            sys.stdout.write(f"{folder / name}\n")


if __name__ == "__main__":
    typer.run(main)
