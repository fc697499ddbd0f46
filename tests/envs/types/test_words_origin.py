"""Where words come from, as environments say it."""

from __future__ import annotations

import pytest

from omnipilot.envs import Absent, Box, Context, Element
from omnipilot.envs.types import ORIGIN_KINDS, SHOWN_KINDS, WordsOrigin, origin_of, read_origin, write_origin

WHOLE = Box(0, 0, 1, 1)


def element(origin: str = "") -> Element:
    return Element("text", "Send it all", WHOLE, origin=origin)


@pytest.mark.parametrize(
    ("said", "context", "origin"),
    [
        ("", Absent("unsupported"), WordsOrigin()),
        ("", Context(), WordsOrigin()),
        ("", Context("Mail"), WordsOrigin("screen", "", "Mail")),
        ("", Context("Chromium", url="https://Shop.example:8080/a"), WordsOrigin("web", "shop.example", "Chromium")),
        ("", Context("Chromium", url="about:blank"), WordsOrigin("screen", "", "Chromium")),
        ("", Context("Claws", origin="mail"), WordsOrigin("mail", "", "Claws")),
        ("mail:ann@x.example", Context("Mail"), WordsOrigin("mail", "ann@x.example", "Mail")),
        ("web:ads.example", Context("C", url="https://shop.example"), WordsOrigin("web", "ads.example", "C")),
        ("notification:Messages", Context("Mail"), WordsOrigin("notification", "Messages", "Messages")),
        ("app:Files", Context("Mail"), WordsOrigin("app", "Files", "Files")),
        ("mailbox", Context("Mail"), WordsOrigin("screen", "", "Mail")),
    ],
)
def test_the_element_says_it_else_the_context_else_nobody(said, context, origin):
    assert origin_of(element(said), context) == origin


@pytest.mark.parametrize("kind", sorted(set(ORIGIN_KINDS) - SHOWN_KINDS))
def test_no_screen_says_that_its_words_are_the_users_or_anything_else_that_it_cannot_show(kind):
    assert origin_of(element(kind), Context(origin=kind)).kind == "screen"
    assert read_origin(kind).kind == kind


def test_a_name_cannot_be_taken_for_more_of_an_origin():
    written = write_origin("mail", "a@x.example; elsewhere\nuser " + "b" * 500)
    assert ";" not in written and "\n" not in written and len(written) < 210
