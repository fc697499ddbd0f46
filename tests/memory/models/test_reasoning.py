"""Reasoning in replies: one table of tags, and all that read it agree."""

from __future__ import annotations

import json
import time

import pytest

from omnipilot.memory.messages import Reply
from omnipilot.memory.models.openai_chat.wire import read_reply
from omnipilot.memory.models.replies.reasoning import (
    TAGS,
    shorten_thought,
    split_leading_thought,
    split_thoughts,
    thought_of,
    without_loops,
    without_thoughts,
)
from omnipilot.memory.models.replies.text import without_reasoning as of_pointing

PLAIN = [tag.name for tag in TAGS if tag.name.isidentifier() or tag.name == "seed:think"]
BLOCKS = [
    *((f"<{name}>", f"</{name}>") for name in PLAIN),
    *((f"<{name.upper()}>", f"</{name.upper()}>") for name in PLAIN),
    ("<think_never_used_51bce0c785ca>", "</think_never_used_51bce0c785ca>"),
    ("◁think▷", "◁/think▷"),
    ("< think >", "</ think >"),
]


def body(text: str) -> bytes:
    return json.dumps({"choices": [{"message": {"content": text}}]}).encode()


def test_the_table_says_which_models_write_a_tag() -> None:
    assert len(PLAIN) == len(TAGS) - 1 and all(tag.models for tag in TAGS)


@pytest.mark.parametrize(("begin", "end"), BLOCKS)
def test_every_reader_takes_every_tag(begin: str, end: str) -> None:
    text = f"{begin}It is at [1, 2].{end}[3, 4]"
    assert split_thoughts(text) == (["It is at [1, 2]."], ["", "[3, 4]"])
    assert without_thoughts(text) == of_pointing(text) == "[3, 4]"
    assert split_leading_thought(text) == ("It is at [1, 2].", "[3, 4]")
    reply = read_reply(body(text))
    assert (reply.reasoning, reply.text) == ("It is at [1, 2].", "[3, 4]")
    # Opened by the chat template, or cut off.
    assert without_thoughts(f"It is.{end}[3, 4]") == "[3, 4]"
    assert without_thoughts(f"[3, 4]{begin}It is") == "[3, 4]"


@pytest.mark.parametrize("text", ["[3, 4]", "a < b", "<div>a</div>", "<action>think</action>", "<rethink>a</rethink>"])
def test_what_is_no_reasoning_stays(text: str) -> None:
    assert without_thoughts(text) == of_pointing(text) == text
    assert read_reply(body(text)) == Reply(text)


def test_only_a_whole_block_at_the_start_is_a_servers_unread_reasoning() -> None:
    for text in ("a <think>b</think>", "<think>b", "</think>b"):
        assert split_leading_thought(text) == ("", text)
    told = {"content": "<think>a</think>b", "reasoning_content": "c"}
    reply = read_reply(json.dumps({"choices": [{"message": told}]}).encode())
    assert (reply.reasoning, reply.text) == ("c", "<think>a</think>b")


def test_the_reason_in_words_is_the_text_or_else_the_reasoning() -> None:
    assert thought_of(Reply("<thought>a</thought>Now I click.")) == "Now I click."
    assert thought_of(Reply("", reasoning="a")) == "a" and thought_of(Reply("<think>a")) == "<think>a"


def test_time_is_linear_in_the_length_of_a_reply() -> None:
    for text in ("<" * 200_000, "<think>" * 30_000, "</think>" * 30_000, "<think" + "g" * 200_000):
        start = time.process_time()
        without_thoughts(text), split_leading_thought(text)
        assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("The task is done. " * 40 + "The", "The task is done. … The"),
        ("Look:\n" + "- click Save\n" * 3, "Look:\n- click Save …"),
        ("Save. Save. Then close it.", "Save. Save. Then close it."),
        ("Version 1.2.3 is open… or is it?", "Version 1.2.3 is open… or is it?"),
        ("", ""),
    ],
)
def test_a_sentence_that_is_written_again_and_again_stands_once(said: str, kept: str) -> None:
    assert without_loops(said) == kept
    assert shorten_thought(said) == kept
