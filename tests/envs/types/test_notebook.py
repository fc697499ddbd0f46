"""What is seen shows itself in a notebook, and nothing that a device says is read as HTML."""

from __future__ import annotations

from omnipilot.envs import AudioClip, Box, Context, Element, Elements, Image, Observation, Size

EVIL = '<img src=x onerror="alert(1)">'


def test_a_picture_shows_itself_as_png() -> None:
    assert Image.raw(Size(1, 1), b"abc")._repr_png_()[:8] == b"\x89PNG\r\n\x1a\n"


def test_a_sound_can_be_played() -> None:
    assert AudioClip(b"\0\0" * 160)._repr_html_().startswith('<audio controls src="data:audio/wav;base64,')


def test_an_observation_shows_its_parts_escaped() -> None:
    element = Element("button", EVIL, Box(0, 0, 1, 1), value="a<b")
    seen = Observation(
        "phone",
        1.0,
        Size(1, 1),
        Image.raw(Size(1, 1), b"abc", EVIL),
        Elements((element,)),
        context=Context(app=EVIL, title="t"),
    )
    shown = seen._repr_html_()
    assert shown.count("<img ") == 1 and "data:image/png;base64," in shown
    assert "onerror=&quot;alert(1)&quot;" in shown and EVIL not in shown and "a&lt;b" in shown
    assert "1 elements" in shown
    assert "<img" not in Observation("phone", 0.0, Size(1, 1))._repr_html_()
