"""What follows from a failed call: an error that says what to change, or another attempt."""

import json

import pytest
from chat_server import ChatServer, Status

from omnipilot.envs import ConfigError, Image, Size
from omnipilot.memory import Message
from omnipilot.memory.models import Tool
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.failures import ConversationTooLong, failure, moved_base
from omnipilot.memory.models.model import ChatModel
from omnipilot.memory.models.retry import TransientError

ASKED = "http://here/v1/chat/completions"


@pytest.mark.parametrize(
    ("base", "asked", "location", "moved"),
    [
        ("http://here/v1", ASKED, "https://there/v1/chat/completions", "https://there/v1"),
        ("http://here/v1/", ASKED, "https://there/v1/chat/completions", "https://there/v1"),
        ("http://here/v1", ASKED, "/v2/chat/completions", "http://here/v2"),
        ("http://here/v1", ASKED, "//there/chat/completions", "http://there"),
        # No other path of the same kind, and no base: all of it is told.
        ("http://here/v1", ASKED, "https://there/login", "https://there/login"),
        ("", ASKED, "https://there/v1/chat/completions", "https://there/v1/chat/completions"),
        ("http://else/v1", ASKED, "https://there/v1/chat/completions", "https://there/v1/chat/completions"),
        ("http://here/v1", ASKED, "", ""),
    ],
)
def test_the_base_of_a_moved_server_is_told_where_it_can_be_seen(
    base: str, asked: str, location: str, moved: str
) -> None:
    assert moved_base(base, asked, location) == moved


@pytest.mark.parametrize("location", ["http://[::bad/v1", "\x00", "http://a b/"])
def test_a_location_that_is_no_address_is_told_as_it_is(location: str) -> None:
    assert moved_base("http://here/v1", ASKED, location)


def test_a_limit_that_says_when_to_come_back_is_waited_for() -> None:
    endpoint = LlmEndpoint("gemini/gemini-2.5-pro")
    quota = "You exceeded your current quota, please check your plan and billing details."
    passing = failure(endpoint, 429, f"{quota} Please retry in 34.5s.")
    assert isinstance(passing, TransientError) and passing.asked == 34.5
    assert isinstance(failure(endpoint, 429, quota), ConfigError)
    limited = failure(endpoint, 429, "Please try again in 6m0s.", wait=3.0)
    assert isinstance(limited, TransientError) and limited.asked == 3.0


@pytest.mark.parametrize(
    "said",
    [
        "This model's maximum context length is 8192 tokens. However, your prompt contains at least 8193 input tokens.",
        "This model's maximum context length is 4096 tokens. However, you requested 4117 tokens",
        "the request exceeds the available context size, try increasing it",
    ],
)
def test_a_conversation_that_does_not_fit_is_told_with_what_makes_it_smaller(said: str) -> None:
    told = str(failure(LlmEndpoint("hosted_vllm/tiny", "http://here/v1"), 400, said))
    assert said in told and "conversation is too long" in told
    assert all(cure in told for cure in ("history_tokens", "scale", "max_tokens", "a longer context"))


def test_an_error_about_the_length_says_how_much_of_the_conversation_is_what() -> None:
    said = json.dumps({"error": {"message": "This model's maximum context length is 8192 tokens."}})
    picture = Image.raw(Size(2, 2), bytes(12))
    with ChatServer([Status(400, said)]) as server, pytest.raises(ConversationTooLong) as error:
        ChatModel(LlmEndpoint("hosted_vllm/tiny", server.url)).complete(
            [Message("user", ("word " * 9000, picture))], tools=[Tool("look", "looks", {"type": "object"})]
        )
    assert "8192" in str(error.value)
    assert "9,000 tokens of text in its messages, 17 in the descriptions of its tools" in str(error.value)
    assert "and pictures, sounds and films: 1" in str(error.value)


@pytest.mark.parametrize(
    "said",
    [
        "max_tokens=9000 cannot be greater than max_model_len=8192. Please request fewer output tokens.",
        "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 4096 "
        "tokens and your request has 1500 input tokens (4096 > 4096 - 1500).",
    ],
)
def test_an_answer_that_may_not_be_so_long_is_no_matter_of_the_history(said: str) -> None:
    told = str(failure(LlmEndpoint("hosted_vllm/tiny", "http://here/v1"), 400, said))
    assert said in told and "set max_tokens to" in told and "history" not in told


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "smollm2-135m is not a multimodal model"),
        (500, "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"),
    ],
)
def test_a_model_of_words_alone_is_told_with_what_to_show_it_instead(status: int, said: str) -> None:
    told = failure(LlmEndpoint("hosted_vllm/tiny", "http://here/v1"), status, said)
    assert isinstance(told, ConfigError)
    assert said in str(told) and "images=0" in str(told) and "--planner-modalities elements,context" in str(told)
