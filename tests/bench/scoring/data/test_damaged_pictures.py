"""Pictures that were cut off or damaged: found without decoding where their head is read, and else void, by name."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from mmbench_l1_made import data, item
from PIL import Image as Pictures
from pointing_files import put
from typer.testing import CliRunner

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import RunSpec
from omnipilot.bench.cli.app import app
from omnipilot.bench.pointing.evaluation import Unasked, evaluate
from omnipilot.bench.run import run
from omnipilot.bench.scoring.data.pictures import picture, picture_size
from omnipilot.bench.suites.mmbench_gui.level1.data import load
from omnipilot.bench.suites.screenspot import ScreenSpotSuite
from omnipilot.envs import EnvLost, Image, Modality
from omnipilot.grounders import CentreGrounder, Grounding


def png(kind: str = "PNG") -> bytes:
    """A picture of 200x100 whose pixels do not compress to nothing."""
    file = io.BytesIO()
    Pictures.effect_noise((200, 100), 80).convert("RGB").save(file, kind)
    return file.getvalue()


def damaged(file: bytes) -> bytes:
    """The same length with other content in the middle of its pixels, which no head tells."""
    return file[:120] + bytes(byte ^ 0x5A for byte in file[120:600]) + file[600:]


@pytest.mark.parametrize("kept", [60, 300, 3000, -20])
def test_a_png_that_was_cut_off_is_found_by_its_head_alone(tmp_path: Path, kept: int) -> None:
    (tmp_path / "a.png").write_bytes(png()[:kept])
    for file in (tmp_path / "a.png", png()[:kept]):
        with pytest.raises(OSError, match=r"truncated after \d+ bytes"):
            picture_size(file)


def test_a_png_that_can_be_decoded_is_whole(tmp_path: Path) -> None:
    # The last chunk holds nothing, and bytes behind it belong to no picture.
    for file in (png(), png()[:-12], png() + b"more", png("JPEG"), png("WEBP")):
        assert (picture_size(file).width, picture_size(file).height) == (200, 100)
        Image.encoded(file).array()


@pytest.mark.parametrize(
    "file", [png()[:300], damaged(png()), png("JPEG")[:900], png("WEBP")[:900], png()[:40] + b"\0\0"]
)
def test_a_damaged_picture_is_an_error_that_names_it(file: bytes) -> None:
    with pytest.raises(EnvLost, match=r"^shots/a.png cannot be decoded: \w"):
        Image.encoded(file, "phone", name="shots/a.png").array()
    with pytest.raises(EnvLost, match="phone"):
        hash(Image.encoded(file, "phone").at("phone", 3.0))


def test_a_run_lists_what_was_cut_off_and_voids_what_is_damaged(tmp_path: Path) -> None:
    where = data(tmp_path / "data", [item(0, picture=png()[:300]), item(1, picture=damaged(png())), item(2)])
    assert [bad.reason for bad in load(where).loaded.bad] == [
        "0.png is not a readable picture: it is truncated after 300 bytes"
    ] * 3
    spec = RunSpec(AgentSpec(planner=PartSpec("noop")), PartSpec("mmbench-l1", {"data": where}))
    found = run(spec, tmp_path / "run")
    assert len(found.bad) == 3 and found.left == 0
    assert {one.task: one.void for one in found.episodes} == {
        f"{screen}-{level}": screen == 1 for screen in (1, 2) for level in ("easy", "medium", "hard")
    }
    ended = [json.loads(line) for line in (tmp_path / "run" / "journal.jsonl").read_text().splitlines()]
    assert any("cannot be decoded" in one.get("detail", "") for one in ended)


class Counting(CentreGrounder):
    """Points at the centre; it looks at pictures, and counts how often."""

    needs = frozenset({Modality.SCREENSHOT})
    asked = 0

    def ground(self, *given: object) -> Grounding:
        """The centre."""
        self.asked += 1
        return super().ground(*given)  # type: ignore[arg-type, return-value]


def screens(folder: Path) -> ScreenSpotSuite:
    """A whole screen with one target, a damaged PNG with two, a JPEG that was cut off with one."""
    (folder / "screenspot_imgs").mkdir(parents=True)
    files = {"a.png": png(), "b.png": damaged(png()), "c.png": png("JPEG")[:900]}
    for name, content in files.items():
        (folder / "screenspot_imgs" / name).write_bytes(content)
    record = {"bbox": [80, 40, 60, 40], "data_type": "text", "data_source": "ios"}
    rows = [("a.png", "one"), ("b.png", "two"), ("b.png", "three"), ("c.png", "four")]
    made = [{**record, "img_filename": name, "instruction": words} for name, words in rows]
    put(folder / "screenspot_mobile.json", made)
    return ScreenSpotSuite(str(folder))


def test_targets_of_a_damaged_picture_are_not_asked_and_are_void(tmp_path: Path) -> None:
    suite, grounder = screens(tmp_path), Counting()
    unasked: list[Unasked] = []
    answers = list(evaluate(suite.shots(), grounder, on_unasked=unasked.append))
    assert grounder.asked == 1 and [one.target for one in answers] == ["mobile-0"]
    assert [one.key for one in unasked] == [(f"mobile-{number}", "basic") for number in (1, 2, 3)]
    assert unasked[0].reason.startswith("screenspot_imgs/b.png cannot be decoded: ")
    assert unasked[2].reason.startswith("screenspot_imgs/c.png cannot be decoded: ")
    micro = suite.scored(answers).figure("micro")
    assert (micro.value, micro.of, micro.void) == (0.25, 4, 3)
    with pytest.raises(EnvLost, match=r"b\.png"):
        list(evaluate(suite.shots(), Counting()))


def test_ground_goes_on_says_which_and_asks_them_again(tmp_path: Path) -> None:
    screens(tmp_path / "data")
    said = ["ground", "--suite", "screenspot", "--data", str(tmp_path / "data"), "--grounder", f"{__name__}:Counting"]
    for _ in range(2):
        told = CliRunner().invoke(app, [*said, "--out", str(tmp_path / "run")])
        assert told.exit_code == 0, told.output
        assert "3 instructions could not be asked (void)" in told.output and "b.png cannot be decoded" in told.output
        assert "mobile-1, mobile-2" in told.output
        assert len((tmp_path / "run" / "answers.jsonl").read_text().splitlines()) == 1


def test_a_picture_that_went_after_loading_is_void_too(tmp_path: Path) -> None:
    suite = screens(tmp_path)
    (tmp_path / "screenspot_imgs" / "a.png").unlink()
    unasked: list[Unasked] = []
    assert not list(evaluate(suite.shots(), Counting(), limit=1, on_unasked=unasked.append))
    assert "a.png" in unasked[0].reason


def test_a_picture_that_is_gone_is_lost_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(EnvLost, match=r"gone\.png cannot be read"):
        picture(tmp_path / "gone.png", "phone", 0.0)
