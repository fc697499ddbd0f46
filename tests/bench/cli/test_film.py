"""`omnipilot memory FILE`: what was seen and heard in a film or a sound."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile
from command_line import omnipilot
from made_streams import write_video
from PIL import Image as pil

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


def asked(file: Path, *more: str) -> list[dict[str, object]]:
    done = omnipilot("memory", str(file), "--json", *more)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, object]] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty seconds: speech at 1.6 and 11.6 s, something that slides at 4 and 14 s, a lamp at 8 and 18 s."""
    return write_video(tmp_path_factory.mktemp("film") / "film.mp4", 20, 320, 200, 10)


def test_a_question_about_a_film_is_answered_with_its_moments(film: Path, tmp_path: Path) -> None:
    spoken = asked(film, "--ask", "what was said")
    assert {round(float(str(one["start"]))) for one in spoken if one["kind"] == "sound"} == {2, 12}
    assert all("the question asks for" in str(one["why"]) and "file" not in one for one in spoken)
    kept = asked(film, "--ask", "what blinked", "--most", "1", "--out", str(tmp_path / "kept"))
    assert [one["text"] for one in kept] == ["blinked"] and Path(str(kept[0]["file"])).is_file()
    told = omnipilot("memory", str(film), "--ask", "what was said", "--most", "1")
    assert "film.mp4: what was said" in told.stdout and "give a memory.transcriber" in told.stdout
    assert not list(film.parent.glob("*/")), "nothing is left beside the film"


def test_without_a_question_the_timeline_is_printed(film: Path) -> None:
    assert [one["kind"] for one in asked(film, "--kinds", "sound,transcript")] == ["sound", "sound"]
    within = asked(film, "--kinds", "motion", "--from", "3", "--to", "9")
    assert [one["text"] for one in within] == ["moved", "stopped", "blinked"]
    told = omnipilot("memory", str(film), "--from", "3", "--to", "9")
    assert told.stdout.startswith("film.mp4: ") and "speech" in told.stdout and "moved" in told.stdout


@pytest.mark.parametrize("name", ["tone.wav", "tone.flac", "tone.mp3"])
def test_a_sound_alone_is_read(tmp_path: Path, name: str) -> None:
    samples = 0.5 * np.sin(2 * np.pi * 440 * np.arange(3 * 16_000) / 16_000)
    samples[:16_000] = 0
    soundfile.write(tmp_path / name, samples, 16_000)
    tones = [one for one in asked(tmp_path / name, "--kinds", "sound") if str(one["text"]).startswith("tone: 4")]
    assert float(str(tones[0]["start"])) == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize(("name", "codec"), [("film.webm", "libvpx"), ("film.mkv", "libx264")])
def test_other_containers_are_read(tmp_path: Path, name: str, codec: str) -> None:
    import av

    with av.open(str(tmp_path / name), "w") as out:
        stream = out.add_stream(codec, rate=10)
        stream.width, stream.height, stream.pix_fmt = 160, 96, "yuv420p"  # type: ignore[union-attr]
        for tick in range(30):
            picture = np.full((96, 160, 3), 235, np.uint8)
            picture[30:60, 5 * tick : 5 * tick + 20] = (200, 30, 30)
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))  # type: ignore[union-attr]
        out.mux(stream.encode(None))  # type: ignore[union-attr]
    assert "moved" in {one["text"] for one in asked(tmp_path / name, "--kinds", "motion")}


def test_an_animated_picture_is_a_film(tmp_path: Path) -> None:
    frames = [pil.fromarray(np.full((60, 80, 3), grey, np.uint8)) for grey in (0, 255, 0, 255)]
    frames[0].save(tmp_path / "a.gif", save_all=True, append_images=frames[1:], duration=500)
    assert [one["start"] for one in asked(tmp_path / "a.gif", "--kinds", "motion")] == [0.5, 1.0, 1.5]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("task",), "TASK: for runs alone"),
        (("--ask", "x", "--kinds", "sound"), "leave --ask out"),
        (("--kinds", "sounds"), "there is no kind 'sounds'"),
        (("--from", "3", "--to", "1"), "give the earlier time first"),
        (("--ask", "x", "--most", "0"), "--most must be at least 1"),
        (("-o", "planner.turns=1"), "write -o memory.KEY=VALUE"),
    ],
)
def test_what_cannot_be_asked_is_said(film: Path, more: tuple[str, ...], told: str) -> None:
    done = omnipilot("memory", str(film), *more)
    assert done.returncode == 2 and told in done.stderr


def test_what_is_no_film_is_said(tmp_path: Path) -> None:
    (tmp_path / "text.mp4").write_text("no film")
    done = omnipilot("memory", str(tmp_path / "text.mp4"))
    assert done.returncode == 2 and "text.mp4 is no video or sound that can be read" in done.stderr
    done = omnipilot("memory", str(tmp_path / "none.mp4"))
    assert done.returncode == 2 and "no run, film or sound" in done.stderr


MEASURE = """
import resource, sys
from pathlib import Path
from omnipilot.bench.cli.commands.film import FilmQuestion, film_command

film_command(Path(sys.argv[1]), FilmQuestion("what was said", out=Path(sys.argv[1]).parent / "kept"))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
WRITE = """
import sys
from pathlib import Path
from made_streams import write_video

write_video(Path(sys.argv[1]), int(sys.argv[2]), 160, 96, 10)
"""


def peak_of(folder: Path, seconds: int) -> float:
    """The greatest resident memory, in MB, of a question about a film of so many seconds."""
    film = folder / f"{seconds}.mp4"
    env = {"PYTHONPATH": str(FIXTURES), "PATH": "/usr/bin:/bin"}
    subprocess.run([sys.executable, "-c", WRITE, str(film), str(seconds)], check=True, env=env, timeout=900)
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(film)], env=env, capture_output=True, text=True, timeout=900, check=True
    )
    return float(done.stdout.splitlines()[-1])


@pytest.mark.parametrize(("seconds", "more"), [(240, 12.0), pytest.param(3_600, 30.0, marks=pytest.mark.slow)])
@pytest.mark.timeout(2_000)
def test_a_long_film_is_not_held(tmp_path: Path, seconds: int, more: float) -> None:
    # All frames of 240 s would be 110 MB, and of an hour 1.7 GB.
    assert peak_of(tmp_path, seconds) - peak_of(tmp_path, 40) < more
