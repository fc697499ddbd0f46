"""Instructions in other words: what a task hangs on stays."""

from __future__ import annotations

import re

import pytest

from omnipilot.bench.synthesis.rewording import reword

PLACE = re.compile(r"(?:^|\W)on (?:the|my) (?:phone|desktop|computer), ", re.IGNORECASE)
KEPT = re.compile(r'"[^"]*"|\{\w+\}')


@pytest.mark.parametrize(
    ("text", "other"),
    [
        (
            'On the phone, open Messages, type "open it" and press "Send".',
            'On my phone, bring up Messages, enter "open it" and hit "Send".',
        ),
        ("wait until it rings, and open it at once", "hold on until it rings, and bring it up straight away"),
        ("add {track} to the playlist", "put {track} on the playlist"),
        ("Open the list. Press it.", "Bring up the list. Hit it."),
        ("the opening of the play", "the opening of the play"),
        ("send it to Mark, then mark it. Mark it", "dispatch it to Mark, then flag it. Flag it"),
        ("open “Add it” and press Show", "bring up “Add it” and hit Show"),
        ("", ""),
    ],
)
def test_words_change_and_quotes_places_and_capitals_stay(text: str, other: str) -> None:
    assert reword(text) == other


@pytest.mark.exhibit("duet")
def test_every_template_of_duet_says_the_same_values_in_other_words() -> None:
    from omnipilot.bench.suites.duet.recipe_book import book

    for template in book().templates.values():
        told = reword(template.instruction)
        assert told != template.instruction
        assert sorted(KEPT.findall(told)) == sorted(KEPT.findall(template.instruction)), template.id


@pytest.mark.exhibit("duet")
def test_a_reworded_task_names_the_device_once_and_asks_for_every_value() -> None:
    from omnipilot.bench.suites.duet.suite import Duet

    plain, other = Duet(), Duet().vary(("reworded",))
    for info in plain.tasks():
        one, two = plain.composed(info.id, 0), other.composed(info.id, 0)
        assert two.instruction != one.instruction
        assert sorted(re.findall(r'"[^"]*"', two.instruction)) == sorted(re.findall(r'"[^"]*"', one.instruction))
        assert re.findall(r"\d[\d:.]*", two.instruction) == re.findall(r"\d[\d:.]*", one.instruction)
        assert len(PLACE.findall(two.instruction)) == len(PLACE.findall(one.instruction))
        assert two.state == one.state
