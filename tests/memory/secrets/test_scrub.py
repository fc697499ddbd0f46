"""Keys are taken out of texts in every form, and ordinary texts stay as they are."""

from __future__ import annotations

import json
import secrets as dice
import string
import threading
import time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from secret_forms import FORMS, letters, shows
from strategies import examples

from omnipilot.memory import Reply, Usage
from omnipilot.memory.messages import scrub_reply
from omnipilot.memory.secrets import scrub as secrets
from omnipilot.memory.secrets.escapes import decode, decode_located
from omnipilot.memory.secrets.scrub import forget, is_weak, register, scrub, scrub_error, scrub_values

KEY = "sk-proj-aB3/xY_9+Zk7Lm2QpR5sT8uVw="
SIGNS = "-_./+=~:!$%&'\"\\<>"
KEYS = st.text(string.ascii_letters + string.digits + SIGNS, min_size=24, max_size=80).filter(
    lambda key: len(set(letters(key))) > 12
)
WORDS = st.text(st.characters(codec="utf-8"), max_size=60)


@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_taken_out_wherever_it_stands(form: str) -> None:
    register(KEY, "MY_KEY")
    told = FORMS[form](KEY)
    assert shows(told, KEY)
    for text in (told, f"you sent {told}", f"{told} was sent", f'{{"a": "{told}", "b": [1]}}', f"é{told}…"):
        clean = scrub(text)
        assert not shows(clean, KEY), clean
        assert "(MY_KEY)" in clean and scrub(clean) == clean


@settings(max_examples=examples(4))
@given(KEYS, st.sampled_from(sorted(FORMS)), WORDS, WORDS)
def test_any_key_in_any_form_in_any_text(key: str, form: str, before: str, after: str) -> None:
    forget()
    register(key, "K")
    # What a sign of the key and the words beside it mean together is not the key's any more.
    text = f"{before} {FORMS[form](key)} {after}"
    assert not shows(scrub(text), key, 20)


@settings(max_examples=examples(4))
@given(KEYS, WORDS, st.data())
def test_a_key_that_was_cut_is_taken_out(key: str, words: str, data: st.DataObject) -> None:
    # Cut in the middle of an escape, a piece means something else.
    key = key.translate(str.maketrans("\\%&", "-_="))
    # Words that happen to hold the signs of the key, others between them, are no cut key.
    assume(not shows(words, key, 16))
    forget()
    register(key, "K")
    at = data.draw(st.integers(0, len(key)))
    for piece, text in ((key[:at], f"{words} {key[:at]}"), (key[at:], f"{key[at:]} {words}")):
        if len(letters(piece)) >= 16:
            assert not shows(scrub(text), key, 16)


@pytest.mark.parametrize(
    ("cut", "gone"),
    [("sk-proj-aB3", True), ("sk-proj-", False), ("5sT8uVw=", True), ("uVw=", False), ("Zk7Lm2Qp", False)],
)
def test_beginnings_and_ends_that_tell_go_and_other_pieces_stay(cut: str, gone: bool) -> None:
    register(KEY, "MY_KEY")
    for text in (f"it ended with {cut}", f"{cut}… began it", f"in the {cut}... middle"):
        assert (cut not in scrub(text)) == gone


@settings(max_examples=examples(4))
@given(st.text(max_size=400))
def test_a_text_without_keys_is_unchanged(text: str) -> None:
    for key in (KEY, "key-of-the-planner", "0123456789abcdef" * 4, "EMPTY", "x", "password"):
        register(key, "K")
    assert scrub(text) == text


@pytest.mark.parametrize("key", ["x", "EMPTY", "none", "abc1234", "password", "placeholder"])
def test_a_key_like_a_word_goes_only_where_it_stands_as_a_credential(key: str) -> None:
    register(key, "K")
    assert is_weak(key)
    text = f"the {key} of {key}s is {key}: {key}, {json.dumps([key])}"
    assert scrub(text) == text
    for told in (f"Bearer {key}", f'"Authorization": "{key}"', f"?api_key={key}&a=1", f'{{"api_key": "{key}"}}'):
        assert scrub(told) == told.replace(key, "(K)")


def test_words_that_a_key_is_made_of_stay() -> None:
    register("key-of-the-planner-anywhere", "K")
    text = "The planner of the key is anywhere; a tool-planner keeps out of the plan."
    assert scrub(text) == text
    assert scrub("it is key-of-the-planner-anywhere") == "it is (K)"


def test_digests_and_media_stay_beside_a_key_of_hexadecimal_digits() -> None:
    register(dice.token_hex(32), "K")
    for _ in range(200):
        digest = dice.token_hex(32)
        assert scrub(f'{{"screenshot": "{digest}"}}') == f'{{"screenshot": "{digest}"}}'


def test_what_is_put_between_pieces_stays_so_that_json_stays_json() -> None:
    register(KEY, "K")
    told = json.dumps({"a": [KEY[:14], [KEY[14:]]], KEY: 7, "n": 0.25})
    clean = json.loads(scrub(told))
    assert clean["n"] == 0.25 and clean["(K)"] == 7 and not shows(json.dumps(clean), KEY)


def test_values_are_scrubbed_text_by_text_and_numbers_stay() -> None:
    value = {"a": [f"x {KEY}", 1.5, None, True], KEY: ("b", 12345678901234567890)}
    assert scrub_values(value) is value
    register(KEY, "K")
    register("12345678901234567890", "N")
    assert scrub_values(value) == {"a": ["x (K)", 1.5, None, True], "(K)": ["b", 12345678901234567890]}


def test_every_text_of_a_reply_is_scrubbed() -> None:
    register(KEY, "K")
    reply = Reply(KEY, ((KEY, f'{{"a": "{KEY}"}}'),), Usage(models=(KEY,)), KEY, KEY, KEY, (KEY,))
    assert shows(repr(reply), KEY)
    assert not shows(repr(scrub_reply(reply)), KEY)


def test_errors_are_scrubbed_of_what_the_environment_holds_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_SERVICE_TOKEN", KEY)
    monkeypatch.setenv("SSL_KEY_FILE", "/dev/null")
    assert scrub(KEY) == KEY
    assert scrub_error(f"{KEY} /dev/null") == "(SOME_SERVICE_TOKEN) /dev/null"
    assert scrub_values([KEY], error=True) == ["(SOME_SERVICE_TOKEN)"]


def test_the_first_name_stays_and_nothing_is_no_secret() -> None:
    register("", "EMPTY")
    assert scrub("") == ""
    register(f"{KEY}\n", "A")
    register(KEY, "B")
    assert scrub(KEY) == "(A)"


def test_threads_register_at_the_same_time() -> None:
    keys = [dice.token_urlsafe(24) for _ in range(40)]
    threads = [threading.Thread(target=register, args=(key, f"K{i}")) for i, key in enumerate(keys)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert scrub(" ".join(keys)) == " ".join(f"(K{i})" for i in range(40))


@settings(max_examples=examples(4))
@given(st.text(st.sampled_from("\\nu0072f%25&amp;#x4;a/ é"), max_size=80))
def test_places_belong_to_the_characters_that_are_read(text: str) -> None:
    read, starts, ends = decode_located(text)
    assert read == decode(text)
    assert len(read) == len(starts) == len(ends)
    for char, start, end in zip(read, starts, ends, strict=True):
        assert 0 <= start < end <= len(text)
        assert end > start + 1 or char == text[start]


HARD = {
    "words": "the quick brown fox, number 17; ",
    "JSON": '{\\"a\\": \\"b\\\\n\\"}, ',
    "backslashes": "\\",
    "line ends": "\\n",
    "percent": "%25",
    "ampersands": "&amp;",
    "half escapes": "\\u",
    "pieces too short": "xY_9+Zk ",
    "whole keys": f"{KEY} ",
    "escaped keys": FORMS["unicode"](KEY),
    "split keys": " ".join(KEY) + "  ",
}


@pytest.mark.parametrize("kind", HARD)
def test_the_time_grows_with_the_length_alone(kind: str) -> None:
    for number in range(20):
        register(dice.token_urlsafe(36), f"K{number}")
    register(KEY, "K")

    def seconds(size: int) -> float:
        text = (HARD[kind] * size)[:size]
        times = []
        for _ in range(3):
            began = time.process_time()
            scrub(text)
            times.append(time.process_time() - began)
        return min(times)

    short, long = seconds(20_000), seconds(200_000)
    assert long < 40 * max(short, 0.001), (short, long)


def test_without_keys_nothing_is_looked_at() -> None:
    assert secrets._known is None
    text = "a" * 1_000_000
    assert scrub(text) is text
