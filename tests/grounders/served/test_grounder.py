"""The grounder behind a server: from a screenshot to a point, with a scripted server of the real protocol."""

from __future__ import annotations

import base64
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from chat_server import Answer, Body, ChatServer, Drop, HalfSent, Request, Status

from omnipilot.envs import Absent, ConfigError, Image, Observation, Point, Size
from omnipilot.envs.types.actions import Ref
from omnipilot.grounders import Abstention, Family, Grounding, VllmGrounder
from omnipilot.grounders.families import families
from omnipilot.grounders.families import point_query as asking
from omnipilot.memory import ModelUnavailable, Reply, Usage

MODEL = "uground-v1-7b"
SIZE = Size(300, 200)
SERVED = [family for family in families() if set(family.backends) - {"transformers"}]


def screen(size: Size = SIZE, shade: int = 90) -> Observation:
    return Observation("phone", 1.0, size, Image.raw(size, bytes([shade]) * size.pixels * 3, "phone", 1.0))


def sent(request: Request) -> list[Image]:
    """The pictures of a request, as a model would see them."""
    urls = [
        part["image_url"]["url"]
        for message in request.json["messages"]
        for part in message["content"]
        if isinstance(part, dict) and part["type"] == "image_url"
    ]
    return [Image.encoded(base64.b64decode(url.split(",")[1])) for url in urls]


@pytest.mark.parametrize("family", SERVED, ids=lambda family: family.name)
def test_every_family_that_a_server_can_have(family: Family, tmp_path: object) -> None:
    target = Point(0.25, 0.75)

    def answer(request: Request) -> Answer:
        (image,) = sent(request)
        assert image.size == family.sent_size(SIZE)
        text = family.render(target, image.size)
        return Answer(text.removeprefix(family.layout.prefill))

    with ChatServer(answer) as server:
        grounder = VllmGrounder(family.models[0], server.url, family.name)
        try:
            found = grounder.ground(screen(), "the Save button")
        except ConfigError as error:
            # Its prompt is in its authors' files alone, and the message says so.
            assert "template" in str(error) and not server.requests
            return
    assert isinstance(found, Grounding), found
    assert found.point.x == pytest.approx(0.25, abs=0.01) and found.point.y == pytest.approx(0.75, abs=0.01)
    assert (found.usage.calls, found.usage.tokens) == (1, 14)
    assert "the Save button" in str(server.requests[0].json["messages"])


@pytest.mark.parametrize("family", SERVED, ids=lambda family: family.name)
def test_questions_about_one_screenshot_differ_only_at_their_end(family: Family) -> None:
    """What comes before the description is the same bytes, the picture included where the family has it first."""
    with ChatServer([Answer("nothing")]) as server:
        grounder = VllmGrounder(family.models[0], server.url, family.name)
        try:
            for word in ("Apples", "Bananas"):
                grounder.ground(screen(), word)
        except ConfigError:
            return
    first, second = (request.body for request in server.requests)
    assert first.index(b"Apples") == second.index(b"Bananas")
    same = first.index(b"Apples")
    assert first[:same] == second[:same] and first[same:].replace(b"Apples", b"Bananas") == second[same:]


def test_the_picture_comes_before_the_words_of_uground() -> None:
    with ChatServer() as server:
        VllmGrounder(MODEL, server.url).ground(screen(), "Apples")
    body = server.requests[0].body
    assert body.index(b"data:image/png") < body.index(b"Your task is") < body.index(b"Apples")


@pytest.mark.parametrize(
    ("text", "reason"),
    [("(500, 250)", None), ("I cannot see it", "refused"), ("(5000, 250)", "out_of_range"), ("", "unparsable")],
)
def test_every_answer_ends_as_a_point_or_an_abstention(text: str, reason: str | None) -> None:
    with ChatServer([Answer(text, usage=(100, 5))]) as server:
        found = VllmGrounder(MODEL, server.url).ground(screen(), "Save")
    if reason is None:
        assert isinstance(found, Grounding) and found.point == Point(0.5, 0.25)
    else:
        assert isinstance(found, Abstention) and found.reason == reason
    assert (found.usage.calls, found.usage.tokens_in, found.usage.tokens_out) == (1, 100, 5)
    assert found.usage.seconds > 0


def test_retries_are_in_the_usage_and_their_end_is_unavailable() -> None:
    with ChatServer([Drop(), Answer("(1, 2)")]) as server:
        found = VllmGrounder(MODEL, server.url).ground(screen(), "Save")
        assert isinstance(found, Grounding) and found.usage.calls == 2
    for behaviour in (Status(500), Drop(), HalfSent(), Body(b"?")):
        with ChatServer([behaviour]) as server, pytest.raises(ModelUnavailable):
            VllmGrounder(MODEL, server.url, retries=0).ground(screen(), "Save")


def test_a_wrong_model_name_is_told_by_the_server() -> None:
    with ChatServer(models=("other",), strict=True) as server:
        with pytest.raises(ConfigError, match="UGround-V1-7B` does not exist"):
            VllmGrounder(MODEL, server.url).ground(screen(), "Save")
        assert isinstance(VllmGrounder(MODEL, server.url, served_name="other").ground(screen(), "Save"), Grounding)
    assert [request.json["model"] for request in server.requests] == ["osunlp/UGround-V1-7B", "other"]


def test_nothing_to_look_at_and_ids_are_abstained_from_without_a_call() -> None:
    with ChatServer() as server:
        grounder = VllmGrounder(MODEL, server.url)
        blind = grounder.ground(Observation("phone", 1.0, SIZE, Absent("ablated")), "Save")
        by_id = grounder.ground(screen(), Ref("e12"))
        thin = grounder.ground(screen(Size(2000, 2)), "Save")
    assert isinstance(blind, Abstention) and blind.reason == "no_view" and "ablated" in blind.detail
    assert isinstance(by_id, Abstention) and by_id.reason == "not_found" and "e12" in by_id.detail
    assert isinstance(thin, Abstention) and thin.reason == "no_view" and "200" in thin.detail
    assert server.requests == []


def test_a_screenshot_is_resized_once_for_all_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    resized = []
    prepare = asking.prepare
    monkeypatch.setattr(
        "omnipilot.grounders.families.point_query.prepare", lambda *it: resized.append(it[0].digest) or prepare(*it)
    )
    with ChatServer() as server, ThreadPoolExecutor(8) as pool:
        grounder = VllmGrounder(MODEL, server.url)
        found = list(pool.map(lambda i: grounder.ground(screen(shade=i % 2), f"row {i}"), range(16)))
    assert all(isinstance(one, Grounding) for one in found)
    assert len(resized) == 2


def test_structured_output_where_the_family_has_a_schema() -> None:
    for family in SERVED:
        if family.schema is None:
            with pytest.raises(ConfigError, match="leave structured out"):
                VllmGrounder(family.models[0], family=family.name, structured=True)
    with_schema = next((family for family in SERVED if family.schema is not None), None)
    if with_schema is None:
        pytest.skip("no family has a schema")
    with ChatServer([Answer("?")]) as server:
        VllmGrounder(with_schema.models[0], server.url, with_schema.name, structured=True).ground(screen(), "Save")
        VllmGrounder(with_schema.models[0], server.url, with_schema.name).ground(screen(), "Save")
    first, second = (request.json for request in server.requests)
    assert first["response_format"]["json_schema"]["schema"] == with_schema.schema
    assert "response_format" not in second


def test_samples_may_be_drawn_at_another_temperature() -> None:
    with ChatServer() as server:
        VllmGrounder(MODEL, server.url, temperature=0.7).ground(screen(), "Save")
        VllmGrounder(MODEL, server.url).ground(screen(), "Save")
    assert [request.json["temperature"] for request in server.requests] == [0.7, 0.0]


def test_calls_that_a_server_took_out_of_the_text_are_put_back() -> None:
    seen = []

    class Spy:
        """A family as far as `ask` uses one."""

        name, sampling, schema = "spy", None, None

        def messages(self, image: Image, description: str) -> tuple[()]:
            return ()

        def completed(self, text: str) -> str:
            return "PREFILL" + text

        def parse(self, raw: str, sent: Size, screenshot: Size) -> Abstention:
            seen.append(raw)
            return Abstention("unparsable")

    image = screen().screenshot
    assert isinstance(image, Image)
    for reply in (Reply("x"), Reply("", (("computer_use", '{"a": 1}'),), Usage(calls=2))):
        found = asking.ask(Spy(), lambda *_: reply, image, "Save", prepared=lambda image, _: image)  # type: ignore[arg-type]
    assert seen == ["PREFILLx", '<tool_call>\n{"name": "computer_use", "arguments": {"a": 1}}\n</tool_call>']
    assert found.usage.calls == 2


@pytest.mark.parametrize(
    ("family", "reasoning", "read"),
    [
        ("qwen3.5", '[{"bbox_2d": [500, 250, 500, 250], "label": "it"}]', True),
        ("ui-tars-1.5", "Thought: There.\nAction: click(start_box='(10,5)')", True),
        ("uground-v1", "(500, 250)", False),
        ("qwen3.5", "It is at the top.", False),
    ],
)
def test_an_answer_that_the_server_took_for_reasoning(family: str, reasoning: str, read: bool) -> None:
    """Of a model that was told not to think it is the answer; else it counts from where an answer is announced."""
    record = next(one for one in families() if one.name == family)
    image = screen().screenshot
    assert isinstance(image, Image)
    found = asking.ask(record, lambda *_: Reply("", reasoning=reasoning, finish="stop"), image, "Save")
    assert isinstance(found, Grounding) is read
    if isinstance(found, Abstention):
        assert "without --reasoning-parser" in found.detail


def test_answers_are_kept_in_a_cassette_and_replayed_without_a_server(tmp_path: Path) -> None:
    folder = str(tmp_path / "calls")
    with ChatServer([Answer("(250, 500)", usage=(100, 8))]) as server:
        first = VllmGrounder("uground-v1", server.url, cassette=folder).ground(screen(), "OK")
    kept = VllmGrounder("uground-v1", server.url, cassette=folder, replay=True)
    again = kept.ground(screen(), "OK")
    assert isinstance(first, Grounding) and isinstance(again, Grounding)
    assert again.point == first.point and again.usage.cost == first.usage.cost == 0.0
    with pytest.raises(ConfigError, match="has no answer to this request"):
        kept.ground(screen(), "Cancel")
    warm = VllmGrounder("uground-v1", server.url, cassette=folder, replay=True, temperature=0.7)
    with pytest.raises(ConfigError, match="temperature"):
        warm.ground(screen(), "OK")


def test_a_screen_is_sent_as_a_square_and_the_answer_is_mapped_back() -> None:
    def answer(request: Request) -> Answer:
        (image,) = sent(request)
        family = grounder.family
        assert image.size == family.sent_size(Size(120, 120))
        assert not any(image.array()[-20:].flat) and image.array()[:60].all()
        return Answer(family.render(asked.pop(), image.size).removeprefix(family.layout.prefill))

    # The screen, 300x200, fills the upper two thirds of the square; the lower third is padding.
    asked = [Point(0.5, 0.9), Point(0.25, 0.5)]
    with ChatServer(answer) as server:
        grounder = VllmGrounder(MODEL, server.url, square=120)
        found = grounder.ground(screen(), "the Save button")
        beyond = grounder.ground(screen(), "the Save button")
    assert isinstance(found, Grounding) and isinstance(beyond, Abstention)
    assert (found.point.x, found.point.y) == (pytest.approx(0.25, abs=0.01), pytest.approx(0.75, abs=0.01))
    assert beyond.reason == "out_of_range" and beyond.usage.calls == 1
