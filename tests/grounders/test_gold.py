"""The gold grounder points at what is meant, and says where that cannot be told."""

from __future__ import annotations

import pytest
from fixed_truth import FixedTruth, told

from omnipilot.envs import Absent, Box, ConfigError, Element, Observation, Point, Size
from omnipilot.envs.types.actions import Ref
from omnipilot.grounders import Abstention, GoldGrounder, Grounding

SAVE = Element("button", "Save", Box(0.1, 0.1, 0.3, 0.2), id="save")
TWINS = [Element("button", "Open", Box(0.1, top, 0.3, top + 0.1), id=f"open-{top}") for top in (0.3, 0.5)]
FAR = Element("button", "Far", Box(0.0, 1.0, 0.1, 1.0), id="far", states=frozenset({"offscreen"}))
BLIND = Observation("pc", 0.0, Size(200, 100), Absent("ablated"), Absent("ablated"))
"""A screen of which nothing is shown."""


def gold() -> GoldGrounder:
    return told(GoldGrounder(), FixedTruth({"pc": [SAVE, *TWINS, FAR]}))


def test_it_finds_by_words_and_by_id_whatever_it_is_shown() -> None:
    for target in ("Save", 'the button "Save"', "#save", Ref("save")):
        assert gold().ground(BLIND, target) == Grounding(SAVE.box.center, SAVE.box)
    found = gold().ground(BLIND, "the second Open button")
    assert isinstance(found, Grounding) and found.point == Point(0.2, 0.55)


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("Open", "2 elements answer to it"),
        ("Quit", "no element on the screen is called that"),
        (Ref("quit"), "no element on the screen has the id 'quit'"),
        ("Far", "no element on the screen is called that"),
        (Ref("far"), "no element on the screen has the id 'far'"),
    ],
)
def test_it_abstains_where_nothing_or_more_than_one_thing_is_meant(target: str | Ref, says: str) -> None:
    assert gold().ground(BLIND, target) == Abstention("not_found", says)


def test_where_nothing_knows_the_elements_it_has_no_view() -> None:
    found = told(GoldGrounder(), FixedTruth()).ground(BLIND, "Save")
    assert found == Abstention("no_view", "nothing knows the elements of pc")


def test_without_a_truth_it_says_how_it_is_used() -> None:
    with pytest.raises(ConfigError, match="grounder 'gold' takes its answers from the runner, and there is none here"):
        GoldGrounder().ground(BLIND, "Save")
