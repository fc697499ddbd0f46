"""Files that others made: what is inside decides, and nothing of it is started, fetched or decoded without bounds."""

import io
import struct
import subprocess
import sys
import wave
import zlib
from pathlib import Path

import pytest

from omnipilot.bench.scoring.data.pictures import picture_size
from omnipilot.envs import EnvLost, Image
from omnipilot.envs.types.foreign_media import MOST_PIXELS, open_film, open_picture, open_sound, read_sound
from omnipilot.memory.episodic import read_file


def png_of(width: int, height: int) -> bytes:
    """A PNG of one colour that is small whatever its size."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    packer = zlib.compressobj(9)
    row = bytes(1 + width // 8 + 1)
    rows = b"".join(packer.compress(row) for _ in range(min(height, 20_000))) + packer.flush()
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def eps(mark: Path) -> bytes:
    """A picture for Pillow that is a PostScript program; it would write a file."""
    program = f"({mark}) (w) file closefile showpage"
    return b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n" + program.encode() + b"\n%%EOF\n"


def test_a_picture_that_is_a_program_is_none(tmp_path: Path):
    from PIL import Image as pil

    file, mark = tmp_path / "screen.png", tmp_path / "written"
    file.write_bytes(eps(mark))
    with pil.open(file) as theirs:  # what would happen without a list of formats
        assert theirs.format == "EPS"
    with pytest.raises(EnvLost, match=r"screen\.png cannot be decoded: it is no picture"):
        Image.encoded(file.read_bytes(), name=file.name)
    with pytest.raises(OSError, match="cannot identify"):
        picture_size(file)
    assert not mark.exists()


MEASURED = """
import re, sys
from omnipilot.envs import EnvLost, Image
try:
    Image.encoded(open(sys.argv[1], "rb").read()).rgb
except EnvLost as error:
    most = int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1])
    print(error, most // 1024, sep="|")
"""


def test_a_picture_of_too_many_pixels_is_refused_before_it_is_decoded(tmp_path: Path):
    file = tmp_path / "a.png"
    file.write_bytes(png_of(13_000, 13_000))
    assert file.stat().st_size < 1_000_000
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(file)], capture_output=True, text=True, timeout=60, check=True
    )
    told, _, megabytes = done.stdout.strip().rpartition("|")
    assert "13000×13000 are 169 million pixels, more than 64" in told
    assert int(megabytes) < 250
    with pytest.raises(OSError, match="169 million pixels"):
        picture_size(file)
    side = int(MOST_PIXELS**0.5)
    with open_picture(png_of(side, side), "a large one") as large:
        assert large.size == (side, side)


@pytest.mark.parametrize(
    "content",
    [
        "ffconcat version 1.0\nfile {other}\n",
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{other}\n#EXT-X-ENDLIST\n",
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n#EXT-X-ENDLIST\n",
        '<?xml version="1.0"?><MPD><Period><BaseURL>{other}</BaseURL></Period></MPD>',
        "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n",
    ],
)
def test_a_playlist_that_is_called_a_film_is_none(content: str, tmp_path: Path):
    other = tmp_path / "other.wav"
    with wave.open(str(other), "wb") as sound:
        sound.setparams((1, 2, 16_000, 0, "NONE", ""))
        sound.writeframes(bytes(32_000))
    film = tmp_path / "film.mp4"
    film.write_text(content.format(other=other.name))
    with pytest.raises(EnvLost, match=r"film\.mp4 cannot be read"):
        open_film(film)
    from omnipilot.envs import ConfigError

    with pytest.raises(ConfigError, match=r"film\.mp4 is no video or sound"):
        list(read_file(film, "phone"))
    with open_film(other) as whole:
        assert whole.streams.audio


def wav_that_claims(samples: int, rate: int) -> bytes:
    """A WAV file whose head says something else than it holds."""
    out = io.BytesIO()
    with wave.open(out, "wb") as sound:
        sound.setparams((1, 2, 16_000, 0, "NONE", ""))
        sound.writeframes(bytes(200))
    content = bytearray(out.getvalue())
    content[24:28], content[28:32] = struct.pack("<I", rate), struct.pack("<I", 2 * rate & 0xFFFFFFFF)
    content[40:44] = struct.pack("<I", 2 * samples)
    return bytes(content)


@pytest.mark.parametrize("rate", [1, 7, 999, 2**31 - 1])
def test_a_sound_of_an_odd_rate_is_not_resampled(rate: int, tmp_path: Path):
    file = tmp_path / "a.wav"
    file.write_bytes(wav_that_claims(100, rate))
    with pytest.raises(EnvLost, match=r"a\.wav cannot be read"):
        read_sound(file, file.name)


@pytest.mark.parametrize("at", range(0, 44, 4))
def test_a_damaged_head_of_a_sound_is_told(at: int):
    content = bytearray(wav_that_claims(100, 16_000))
    content[at : at + 4] = b"\xff\xfe\x00\x7f"
    try:
        samples, rate = read_sound(bytes(content), "a sound")
    except EnvLost as error:
        assert "a sound cannot be read" in str(error)
    else:
        assert len(samples) <= 1_000 and rate


@pytest.mark.slow
def test_a_long_silence_is_not_unpacked_at_once(tmp_path: Path):
    import numpy as np
    import soundfile

    file = tmp_path / "silence.flac"
    with soundfile.SoundFile(file, "w", 16_000, 1, "PCM_16") as out:
        for _ in range(200):
            out.write(np.zeros(1_000_000, np.int16))
    assert file.stat().st_size < 3_000_000
    with pytest.raises(EnvLost, match="it claims 200000000 samples"):
        read_sound(file, file.name)
    with open_sound(file, file.name) as sound:
        assert sound.frames == 200_000_000
