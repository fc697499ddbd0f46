"""Resize rules: sizes that are known, limits that hold, and the picture that is really sent."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from strategies import sizes

from omnipilot.envs import Image, Size
from omnipilot.envs.types.resize import AsIs, SmartResize
from omnipilot.grounders.families import families, get
from omnipilot.grounders.families.resize import Claude, Fixed, Longest, prepare


@pytest.mark.parametrize(
    ("family", "before", "after"),
    [
        ("uground-v1", (1920, 1080), (1932, 1092)),
        ("qwen2.5-vl", (5120, 1440), (5124, 1428)),
        ("qwen2.5-vl", (1080, 2400), (1092, 2408)),
        ("ui-tars-1.5", (2560, 1440), (2548, 1428)),
        ("ui-tars-1.5", (3840, 2160), (3836, 2156)),
        ("opencua", (1366, 768), (1372, 756)),
        ("holo1", (1710, 852), (1400, 700)),
        ("gelato-ui-tars-1.5", (5120, 1440), (3752, 1036)),
        ("qwen3-vl", (1920, 1080), (1920, 1088)),
        ("qwen3-vl", (1440, 900), (1440, 896)),
        ("ui-venus-1.5", (3840, 2160), (3840, 2176)),
        ("ui-venus-ground", (1920, 1080), (2352, 1344)),
        ("seeclick", (412, 916), (448, 448)),
        ("cogagent", (3840, 2160), (1120, 1120)),
        ("agentcpm-gui", (1080, 2400), (504, 1120)),
        ("agentcpm-gui", (412, 916), (412, 916)),
        ("internvl", (3840, 2160), (3840, 2160)),
        ("claude", (1920, 1080), (1456, 819)),
        ("claude", (1080, 1920), (819, 1456)),
        ("claude", (1600, 1200), (1268, 951)),
        ("claude", (2160, 1440), (1344, 896)),
        ("claude", (2000, 2000), (1092, 1092)),
        ("claude", (3000, 1500), (1568, 784)),
        ("claude", (1280, 800), (1280, 800)),
        ("claude", (412, 916), (412, 916)),
        ("openai", (1920, 1080), (1440, 810)),
        ("openai", (1440, 900), (1440, 900)),
        ("openai", (1000, 2000), (720, 1440)),
        ("openai", (2000, 2000), (900, 900)),
        ("yutori-n1", (1920, 1080), (1280, 800)),
    ],
)
def test_known_sizes(family: str, before: tuple[int, int], after: tuple[int, int]) -> None:
    assert get(family).sent_size(Size(*before)) == Size(*after)


@given(sizes)
def test_claude_is_never_sent_what_its_api_would_shrink(screenshot: Size) -> None:
    sent = Claude().size(screenshot)
    assert max(sent.width, sent.height) <= 1568
    assert math.ceil(sent.width / 28) * math.ceil(sent.height / 28) <= 1568
    assert sent.width <= screenshot.width and sent.height <= screenshot.height
    assert Claude().size(sent) == sent


@given(sizes)
def test_a_longest_side_is_kept_and_nothing_grows(screenshot: Size) -> None:
    sent = Longest(1120).size(screenshot)
    assert max(sent.width, sent.height) <= 1120
    assert sent == screenshot or max(sent.width, sent.height) == 1120
    both = Longest(1440, 900).size(screenshot)
    assert max(both.width, both.height) <= 1440 and min(both.width, both.height) <= 900


def test_a_rule_says_what_it_does() -> None:
    rules = [AsIs(), SmartResize(32, 65_536, 16_777_216), Longest(1120), Longest(1440, 900), Fixed(448, 448), Claude()]
    assert len({str(rule) for rule in rules}) == len(rules)
    assert "32" in str(rules[1]) and "16777216" in str(rules[1])
    assert all(str(family.resize) for family in families())


def test_the_picture_is_resized_to_the_size_that_is_sent() -> None:
    halves = bytes([255, 0, 0] * 30 + [0, 0, 255] * 30) * 40
    image = Image.raw(Size(60, 40), halves, "phone", 2.5)
    family = get("uground-v1")
    sent = prepare(image, family)
    assert sent.size == family.sent_size(image.size) == Size(84, 56)
    assert (sent.env, sent.start) == ("phone", 2.5)
    pixels = sent.array()
    assert pixels[28, 5].tolist() == [255, 0, 0] and pixels[28, 78].tolist() == [0, 0, 255]
    assert prepare(image, get("internvl")) is image
    with pytest.raises(ValueError, match="aspect ratio above 200"):
        prepare(Image.raw(Size(201, 1), bytes(603)), family)
