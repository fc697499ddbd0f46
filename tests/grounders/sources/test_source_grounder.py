"""The grounder `source` looks up among what a source found, and never among the tree."""

from __future__ import annotations

import numpy as np
import pytest

from omnipilot.envs import Box, ConfigError, Element, Elements, Image, Modality, Observation, Size
from omnipilot.envs.types.actions import Ref
from omnipilot.grounders import Abstention, Grounding, check_grounder
from omnipilot.grounders.sources import ElementSource, FoundElements
from omnipilot.grounders.sources.grounder import SourceGrounder
from omnipilot.memory import Usage

SAVE = Element("button", "Save", Box(0.1, 0.1, 0.2, 0.2), id="seen/0", source="detector")
TREE = Elements((Element("button", "Save", Box(0.7, 0.7, 0.9, 0.9), id="notes/save"),))
SEEN = Observation(
    "phone", 1.0, Size(40, 90), screenshot=Image.from_array(np.zeros((90, 40, 3), np.uint8), "phone"), elements=TREE
)


class Eyes(ElementSource):
    """Finds one button on every picture."""

    def __init__(self) -> None:
        self.shown: list[Observation] = []

    def find(self, seen: Observation, task: str = "") -> FoundElements:
        self.shown.append(seen)
        return FoundElements(Elements((SAVE,)), usage=Usage(calls=1))


def test_it_points_at_what_the_source_found_and_shows_it_no_tree() -> None:
    eyes = Eyes()
    grounder = SourceGrounder(eyes)
    for target in ('the "Save" button', Ref("seen/0")):
        found = grounder.ground(SEEN, target)
        assert isinstance(found, Grounding) and found.point == SAVE.box.center and found.usage.calls == 1
    assert all(Modality.ELEMENTS not in _given(one) for one in eyes.shown)


def test_what_the_source_did_not_find_is_not_found() -> None:
    for target in ('the "Send" button', Ref("notes/save")):
        found = SourceGrounder(Eyes()).ground(SEEN, target)
        assert isinstance(found, Abstention) and found.reason == "not_found"


def test_without_a_picture_nothing_is_seen() -> None:
    found = SourceGrounder(Eyes()).ground(SEEN.only((Modality.ELEMENTS,)), "Save")
    assert isinstance(found, Abstention) and found.reason == "no_view"


def test_it_keeps_the_contract() -> None:
    check_grounder(lambda: SourceGrounder(Eyes()))


def test_a_source_that_no_plug_in_has_is_told() -> None:
    with pytest.raises(ConfigError, match="no plug-in has a source of elements 'owl-eyes'; there are: "):
        SourceGrounder("owl-eyes")


def _given(seen: Observation) -> set[Modality]:
    return {one for one in Modality if seen.only((one,)) != seen.only(())}
