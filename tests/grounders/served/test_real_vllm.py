"""A real vLLM server, as a user of the grounder meets it."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from speed_vllm import shared_prefix
from vllm_server import FAMILY, NAME, TinyVllm

from omnipilot.envs import ConfigError, Image, Observation, Size
from omnipilot.grounders import Abstention, Family, Grounding, VllmGrounder, calibrate
from omnipilot.grounders.families import get
from omnipilot.memory import Message, ModelUnavailable

pytestmark = [pytest.mark.vllm, pytest.mark.slow, pytest.mark.timeout(1200)]

SCREEN = Size(640, 480)
SENT = Size(644, 476)
TOKENS = SENT.pixels // 28**2
POINTS = replace(
    FAMILY, space="norm1000", **{part: getattr(get("holo2"), part) for part in ("syntax", "layout", "schema")}
)
"""Held to a schema of thousandths, even a random model names a place on the screen."""
Make = Callable[..., VllmGrounder]


@pytest.fixture
def make(vllm: TinyVllm) -> Iterator[Make]:
    """Grounders of the server; closed at the end."""
    made: list[VllmGrounder] = []

    def grounder(family: Family = POINTS, **options: Any) -> VllmGrounder:
        options = {"served_name": NAME, "timeout": 300.0, "structured": True, **options}
        made.append(VllmGrounder(FAMILY.models[0], vllm.url, FAMILY.name, **options))
        made[-1].family = family
        return made[-1]

    yield grounder
    for one in made:
        one.close()


def screen(seed: int, size: Size = SCREEN) -> Observation:
    """A screenshot of noise, each seed another one."""
    rgb = random.Random(seed).randbytes(size.pixels * 3)
    return Observation("phone", 0.0, size, screenshot=Image.raw(size, rgb))


def test_a_picture_and_a_schema_give_a_place(make: Make) -> None:
    found = make().ground(screen(1), "the Save button")
    assert isinstance(found, Grounding), found
    assert found.usage.calls == 1 and found.usage.tokens_out > 0 and found.usage.seconds > 0
    assert found.usage.tokens_in > TOKENS


def test_an_answer_that_keeps_its_schema_is_always_read(make: Make) -> None:
    """The family's own schema bounds no size of screen, so a random model's box may lie outside; it is a box."""
    found = make(FAMILY).ground(screen(1), "the Save button")
    assert isinstance(found, Grounding) or found.reason == "out_of_range", found
    assert found.usage.tokens_out < FAMILY.sampling.max_tokens


def test_the_server_sees_the_picture_at_the_size_we_sent(make: Make) -> None:
    """Every merged patch is a token: were the server to resize the picture, their number would change."""
    words = {}
    for size in (SCREEN, Size(1000, 700), Size(300, 900), Size(28, 28)):
        observation = screen(2, size)
        sent = FAMILY.sent_size(size)
        usage = make().ground(observation, "the Save button").usage
        words[size] = usage.tokens_in - sent.pixels // 28**2
    assert len(set(words.values())) == 1, words


def test_without_a_schema_noise_is_no_place(make: Make) -> None:
    found = make(FAMILY, structured=False).ground(screen(3), "the Save button")
    assert isinstance(found, Abstention), found
    assert found.reason in ("unparsable", "out_of_range", "refused")
    assert found.usage.tokens_out > 0


def test_a_wrong_name_is_a_wrong_setting(make: Make) -> None:
    with pytest.raises(ConfigError, match="nobody"):
        make(served_name="nobody").ground(screen(4), "the Save button")


def test_sixteen_at_a_time_are_answered_as_one_by_one(make: Make) -> None:
    grounder = make(concurrency=16)
    asked = [(screen(number % 4), f"thing {number}") for number in range(16)]
    with ThreadPoolExecutor(16) as threads:
        together = list(threads.map(lambda pair: grounder.ground(*pair), asked))
    assert all(isinstance(found, Grounding) for found in together), together
    assert sum(found.usage.calls for found in together) == 16


def test_questions_about_one_screenshot_share_the_prefix_cache(vllm: TinyVllm) -> None:
    shared = shared_prefix(vllm.url, screen(5))
    print(f"{shared.hits} of {shared.asked} prompt tokens, {100 * shared.rate:.1f} %")
    # The first question finds nothing; of the others all but the last words are there.
    assert shared.asked > 20 * TOKENS
    assert shared.rate > 0.7


def test_the_probe_does_not_take_noise_for_pointing(make: Make) -> None:
    found = calibrate(make(), (Size(640, 400), Size(900, 500)))
    assert found.verdict in ("unfit", "mismatch", "silent")
    assert found.usage.calls == 10


class Pointing:
    """A model that points exactly, behind the real server: every question is answered by the server first."""

    def __init__(self, grounder: VllmGrounder, space: str) -> None:
        from probe_places import AT

        self.calls, self._ask, self._places = 0, grounder.client.complete, AT
        self._writes = replace(grounder.family, space=space)  # type: ignore[arg-type]

    def complete(self, messages: Sequence[Message], *args: Any, **words: Any) -> Any:
        reply = self._ask(messages, *args, **words)
        self.calls += 1
        parts = [part for message in messages for part in message.parts]
        picture = next(part for part in parts if isinstance(part, Image))
        at = next(at for text, at in self._places.items() if any(text in str(part) for part in parts))
        return replace(reply, text=self._writes.render(at, picture.size))


@pytest.mark.parametrize(("space", "verdict"), [("abs_resized", "ok"), ("norm1000", "mismatch")])
def test_the_probe_catches_a_wrong_space(make: Make, monkeypatch: pytest.MonkeyPatch, space: str, verdict: str) -> None:
    grounder = make(FAMILY)
    pointing = Pointing(grounder, space)
    monkeypatch.setattr(grounder.client, "complete", pointing.complete)
    found = calibrate(grounder, (Size(640, 400), Size(1200, 600)))
    assert found.verdict == verdict, found.text()
    assert pointing.calls == 10 and found.usage.tokens_in > 0
    assert ("answers look like norm1000, read as abs_resized" in found.diagnosis) == (verdict == "mismatch")


def test_a_server_killed_in_the_middle_of_a_batch(make: Make, vllm: TinyVllm) -> None:
    deadline = 60.0
    grounder = make(timeout=deadline, retries=2, concurrency=16)
    few, count = threading.Event(), 64
    begun: dict[int, float] = {}
    lasted: dict[int, float] = {}

    def ask(number: int) -> Grounding | Abstention:
        begun[number] = time.monotonic()
        try:
            return grounder.ground(screen(number % 8), f"thing {number}")
        finally:
            lasted[number] = time.monotonic() - begun[number]
            if len(lasted) >= 4:
                few.set()

    with ThreadPoolExecutor(16) as threads:
        asked: list[Future[Grounding | Abstention]] = [threads.submit(ask, number) for number in range(count)]
        assert few.wait(120)
        os.killpg(vllm.server.pid, signal.SIGKILL)
        ends = [one.exception() for one in asked]
    lost = [end for end in ends if end is not None]
    assert all(isinstance(end, ModelUnavailable) for end in lost), lost
    assert 0 < len(lost) <= count - 4
    assert all(
        isinstance(one.result(), Grounding | Abstention) for one, end in zip(asked, ends, strict=True) if not end
    )
    assert max(lasted.values()) < deadline + 30.0
