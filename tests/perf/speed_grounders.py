"""How fast grounders are beyond what their models cost: reading answers, and the client of model servers."""

from __future__ import annotations

import http.client
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random

from speed_delay import delaying_server

from omnipilot.envs import Image, Modality, Observation, Point, Size
from omnipilot.envs.sim import SimWorld
from omnipilot.grounders import Family, Grounding, VllmGrounder
from omnipilot.grounders.families import families, get
from omnipilot.grounders.families.resize import prepare
from omnipilot.memory.models import LlmEndpoint
from omnipilot.memory.models.client import ChatRequest
from omnipilot.memory.models.openai_chat.wire import Writer
from omnipilot.memory.models.providers import endpoint_forms

SCREEN = Size(1920, 1080)
CALLERS = 16
DELAY = 0.05


def parses_a_second(each: int = 300, rounds: int = 5) -> tuple[float, str, float]:
    """Answers read a second, over all families alike, and the slowest family with its own figure; best of `rounds`.

    Every answer is one that the family itself writes for a random point of a screenshot of full HD.
    """
    draw = Random(4)
    best: dict[str, float] = {}
    for family in families():
        size = family.sent_size(SCREEN)
        answers = [family.render(Point(draw.random(), draw.random()), size) for _ in range(each)]
        for _ in range(rounds):
            began = time.perf_counter()
            found = [family.parse(answer, size, SCREEN) for answer in answers]
            seconds = (time.perf_counter() - began) / each
            if not all(isinstance(one, Grounding) for one in found):
                raise AssertionError(f"{family.name} does not read what it writes")
            best[family.name] = min(seconds, best.get(family.name, seconds))
    slowest = max(best, key=best.__getitem__)
    return 1 / statistics.mean(best.values()), slowest, 1 / best[slowest]


@dataclass(frozen=True, slots=True)
class Overhead:
    """Milliseconds a call, at 16 calls under way, of a server that answers after 50.

    Attributes:
        bare: a thread a connection of `http.client`, that sends bytes made beforehand and reads the answer's.
        ours: the grounder `vllm`, from an observation and a description to a point.
        kilobytes: of a request.
    """

    bare: float
    ours: float
    kilobytes: float

    @property
    def ratio(self) -> float:
        return self.ours / self.bare


def client_overhead(picture: Image, calls: int = 480, rounds: int = 5, family: str = "uground-v1") -> Overhead:
    """Compare the grounder `vllm` with a bare loop that sends the same bytes; the best of each counts.

    All questions are about one picture. Preparing it is done once for all of them, and before the clock starts:
    `preparing_seconds` tells what it costs.
    """
    observation = Observation("desktop", 0.0, picture.size, picture)
    questions = [f"row {i} of the list" for i in range(calls)]
    with delaying_server(DELAY) as port, ThreadPoolExecutor(CALLERS) as pool:
        grounder = VllmGrounder(family, f"http://127.0.0.1:{port}/v1", concurrency=CALLERS)
        writer = Writer()
        bodies = [_body(writer, grounder.family, picture, question) for question in questions]
        connections = [http.client.HTTPConnection("127.0.0.1", port, timeout=30) for _ in range(CALLERS)]

        def bare(caller: int) -> None:
            for body in bodies[caller::CALLERS]:
                connections[caller].request("POST", "/v1/chat/completions", body, {"Content-Type": "application/json"})
                if b"(500, 500)" not in connections[caller].getresponse().read():
                    raise AssertionError("the server answers something else")

        def ours(caller: int) -> None:
            for question in questions[caller::CALLERS]:
                if not isinstance(grounder.ground(observation, question), Grounding):
                    raise AssertionError("the server answers something else")

        taken: dict[Callable[[int], None], list[float]] = {bare: [], ours: []}
        # The first round opens the connections and encodes the picture.
        for number in range(rounds + 1):
            for way, seconds in taken.items():
                began = time.perf_counter()
                list(pool.map(way, range(CALLERS)))
                if number:
                    seconds.append(time.perf_counter() - began)
        for connection in connections:
            connection.close()
        grounder.close()
    per_call = 1e3 * CALLERS / calls
    return Overhead(min(taken[bare]) * per_call, min(taken[ours]) * per_call, len(bodies[0]) / 1024)


def preparing_seconds(family: str = "uground-v1", repeats: int = 5) -> float:
    """Seconds, at best, from a new screenshot of full HD to the bytes that are sent: resize, PNG, base64."""
    import numpy as np

    row = np.arange(SCREEN.width * 3, dtype=np.uint32)
    best = float("inf")
    for number in range(repeats):
        # Another picture each time, with flat parts and lines as screens have them.
        pixels = (row // 97 * 31 + np.arange(SCREEN.height, dtype=np.uint32)[:, None] // 41 * 53 + number) % 256
        image = Image.raw(SCREEN, pixels.astype(np.uint8).tobytes())
        began = time.perf_counter()
        _body(Writer(), get(family), image, "row")
        best = min(best, time.perf_counter() - began)
    return best


def desktop() -> Image:
    """The embedded desktop as it starts: as small as screenshots get."""
    world = SimWorld()
    try:
        world.reset(0)
        picture = world.envs["desktop"].observe({Modality.SCREENSHOT}, 0.0).screenshot
        assert isinstance(picture, Image)
        return picture
    finally:
        world.close()


def photograph(side: int = 280) -> Image:
    """Noise, which no PNG makes smaller: the bytes of a large and busy screenshot."""
    return Image.raw(Size(side, side), Random(1).randbytes(side * side * 3))


def _body(writer: Writer, family: Family, image: Image, question: str) -> bytes:
    asked = family.messages(prepare(image, family), question)
    request = ChatRequest(asked, parameters=family.sampling.parameters())
    return b"".join(
        writer.request(
            family.models[0], request, endpoint_forms(LlmEndpoint("hosted_vllm/any", "http://127.0.0.1:9/v1"))
        )
    )
