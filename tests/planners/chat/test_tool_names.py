"""Names of tools with what servers leave around them."""

from __future__ import annotations

import pytest

from omnipilot.envs.toy import ToyPhone
from omnipilot.memory import MalformedReply
from omnipilot.planners import Verbs
from omnipilot.planners.chat.tool_calls import is_plain, read_call

ENVS = {name: Verbs(env.platform, env.verbs, env.custom) for name, env in ToyPhone().envs.items()}


@pytest.mark.parametrize(
    "name",
    [
        "wait",
        "wait<|channel|>commentary",
        "wait<|channel|>json",
        "wait<|constrain|>json",
        "functions.wait",
        "functions.wait:0",
        "default_api.wait",
        "default_api:wait",
        " wait",
        "wait\n",
    ],
)
def test_a_tool_is_known_behind_the_decoration_of_a_server(name: str) -> None:
    assert read_call(name, {"seconds": 1}, ENVS) == read_call("wait", {"seconds": 1}, ENVS)


@pytest.mark.parametrize("name", ["waits", "wai", "functions.", "phone.wipe", "", "<|channel|>wait", "other.wait"])
def test_another_name_is_refused_as_it_was_written(name: str) -> None:
    with pytest.raises(MalformedReply, match="there is no tool") as raised:
        read_call(name, {"seconds": 1}, ENVS)
    assert name in str(raised.value)


def test_plain_names() -> None:
    assert is_plain("click_in_phone") and is_plain("open-app")
    assert not is_plain("functions.wait") and not is_plain("") and not is_plain("wait\n")
