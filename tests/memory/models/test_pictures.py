"""Pictures as a model is shown them, and media that a model is said to take: what arrives at a server."""

from __future__ import annotations

import base64
import io
from typing import Any

import numpy as np
import pytest
from chat_server import ChatServer
from PIL import Image as Pillow

from omnipilot.envs import AudioClip, Box, ConfigError, Image, Point
from omnipilot.envs.types import OutOfRange, Square
from omnipilot.envs.types.geometry import Size
from omnipilot.memory import Message
from omnipilot.memory.models import ChatModel, LlmEndpoint, draw_boxes, side_by_side
from omnipilot.memory.models.pictures import JpegImage, scaled_size, shown_picture
from omnipilot.memory.models.providers import endpoint_forms
from omnipilot.planners import FunctionCallingPlanner

WIDE = Image.from_array(
    np.arange(1280 * 800 * 3, dtype=np.uint32).astype(np.uint8).reshape(800, 1280, 3), "desktop", 1.0
)
BEEP = AudioClip(b"\x00\x10" * 800, "phone", 0.0)


def sent(part: Any, model: str = "openai-compatible/mine", **options: Any) -> dict[str, Any]:
    """The part as it arrives."""
    with ChatServer() as server:
        ChatModel(LlmEndpoint(model, server.url, **options)).complete([Message("user", ("look", part))])
        found: dict[str, Any] = server.requests[0].json["messages"][0]["content"][1]
        return found


def opened(part: dict[str, Any]) -> tuple[str, tuple[int, int]]:
    """The format and the size of a picture that arrived."""
    kind, _, data = part["image_url"]["url"].partition(";base64,")
    with Pillow.open(io.BytesIO(base64.b64decode(data))) as picture:
        assert kind == f"data:image/{(picture.format or '').lower()}"
        return picture.format or "", picture.size


def test_a_picture_arrives_whole_unless_told_otherwise() -> None:
    assert opened(part := sent(WIDE)) == ("PNG", (1280, 800))
    assert "detail" not in part["image_url"]


def test_the_longer_side_is_scaled_and_the_file_is_a_jpeg_of_the_wanted_quality() -> None:
    assert opened(sent(WIDE, scale=1024)) == ("PNG", (1024, 640))
    assert opened(sent(WIDE, scale=1024, jpeg=80)) == ("JPEG", (1024, 640))
    assert sent(WIDE, detail="low")["image_url"]["detail"] == "low"
    small, large = (len(sent(WIDE, jpeg=quality)["image_url"]["url"]) for quality in (10, 95))
    assert small < large


@pytest.mark.parametrize(
    ("size", "scale", "shown"),
    [
        ((1280, 800), 0, (1280, 800)),
        ((412, 916), 1024, (412, 916)),
        ((412, 916), 458, (206, 458)),
        ((4000, 1), 100, (100, 1)),
    ],
)
def test_sides_stay_in_proportion(size: tuple[int, int], scale: int, shown: tuple[int, int]) -> None:
    assert scaled_size(Size(*size), scale) == Size(*shown)


def test_a_changed_picture_keeps_its_capture_and_is_made_once() -> None:
    first, again = shown_picture(WIDE, 0, 80), shown_picture(WIDE.at("phone", 2.0), 0, 80)
    assert isinstance(first, JpegImage) and isinstance(again, JpegImage) and first.jpeg is again.jpeg
    assert (first.env, again.env, again.start) == ("desktop", "phone", 2.0)
    assert shown_picture(WIDE, 1280) is WIDE


def test_a_model_gets_the_sound_that_it_is_said_to_take() -> None:
    with pytest.raises(ConfigError, match='say so with takes = "image,audio"'):
        sent(BEEP)
    part = sent(BEEP, takes="image,audio")
    assert part["type"] == "input_audio" and part["input_audio"]["format"] == "wav"
    assert base64.b64decode(part["input_audio"]["data"]) == BEEP.wav()


def test_what_is_said_to_be_taken_counts_also_against_what_is_known() -> None:
    forms = endpoint_forms(LlmEndpoint("openrouter/some/model", takes="image,audio,video"))
    assert (forms.image, forms.audio, forms.video) == ("image_url", "input_audio", "video_url")
    assert endpoint_forms(LlmEndpoint("hosted_vllm/m", "http://127.0.0.1:1/v1", takes="image")).audio == ""
    with pytest.raises(ConfigError, match="passes on in no form"):
        endpoint_forms(LlmEndpoint("anthropic/claude", takes="image,video"))
    planner = FunctionCallingPlanner("openai-compatible/m", url="http://127.0.0.1:1/v1", takes="image,audio")
    assert "audio" in planner.reads and "video" not in planner.reads


@pytest.mark.parametrize(
    "options", [{"takes": "smell"}, {"detail": "fine"}, {"scale": -1}, {"jpeg": 101}], ids=lambda one: next(iter(one))
)
def test_impossible_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=next(iter(options))):
        LlmEndpoint("openai/gpt-4o", **options)


def test_what_matters_is_sent_unless_it_is_left_to_the_server() -> None:
    def parameters(**options: Any) -> dict[str, Any]:
        return FunctionCallingPlanner("openai-compatible/m", url="http://127.0.0.1:1/v1", **options).sent_parameters

    assert parameters() == {"temperature": 0.0, "max_tokens": 4096}
    assert parameters(temperature=0.7, parameters={"seed": 1}) == {"temperature": 0.7, "max_tokens": 4096, "seed": 1}
    assert parameters(temperature="server", max_tokens="server") == {}
    assert parameters(parameters={"max_completion_tokens": 9}) == {"temperature": 0.0, "max_completion_tokens": 9}
    with pytest.raises(ConfigError, match="temperature must be 0 or more"):
        parameters(temperature=-1)


RAMP = Image.from_array(np.linspace(0, 255, 400 * 200 * 3).astype(np.uint8).reshape(200, 400, 3), "desktop", 1.0)


def test_a_picture_is_fitted_into_a_square_and_padded() -> None:
    part = sent(RAMP, square=128)
    assert opened(part) == ("PNG", (128, 128))
    data = base64.b64decode(part["image_url"]["url"].partition(";base64,")[2])
    with Pillow.open(io.BytesIO(data)) as picture:
        whole = Pillow.frombytes("RGB", (400, 200), RAMP.rgb).resize((128, 64), Pillow.Resampling.BICUBIC)
        assert picture.crop((0, 0, 128, 64)).tobytes() == whole.tobytes()
        assert not any(picture.crop((0, 64, 128, 128)).tobytes())
    # Larger than the picture, too: every picture has the side of the square.
    assert opened(sent(RAMP, square=1024)) == ("PNG", (1024, 1024))
    assert opened(sent(RAMP, square=128, jpeg=80)) == ("JPEG", (128, 128))


def test_squares_side_by_side_stay_as_they_are() -> None:
    fit = Square(64).fit(RAMP)
    assert opened(sent(side_by_side(fit, fit), square=64)) == ("PNG", (128, 64))


def test_a_square_scales_by_itself() -> None:
    with pytest.raises(ConfigError, match="leave scale out"):
        sent(RAMP, square=128, scale=128)


@pytest.mark.parametrize("size", [Size(400, 200), Size(200, 400), Size(37, 91)])
def test_places_go_to_the_square_and_back(size: Size) -> None:
    square = Square(128)
    for point in (Point(0.0, 0.0), Point(0.25, 0.75), Point(0.9, 0.1)):
        back = square.to_screen(square.from_screen(point, size), size)
        assert (back.x, back.y) == pytest.approx((point.x, point.y), abs=1e-9)
    with pytest.raises(OutOfRange):
        square.to_screen(Point(0.99, 0.99), size)


def test_frames_are_red_and_leave_what_is_in_the_box() -> None:
    plain = Image.raw(Size(100, 50), bytes([90]) * (100 * 50 * 3))
    framed = draw_boxes(plain, [Box.from_pixels(20, 10, 40, 30, plain.size)]).array()
    assert (framed[10:30, 20:40] == 90).all()
    assert (framed[8:10, 18:42] == (255, 0, 0)).all() and (framed[10:30, 40:42] == (255, 0, 0)).all()
    assert (framed[0:8] == 90).all()
