"""Where a server says that it is, as the base URL to write instead."""

import pytest

from omnipilot.envs import ConfigError
from omnipilot.memory.models.endpoint import LlmEndpoint
from omnipilot.memory.models.failures import failure, moved_base
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
