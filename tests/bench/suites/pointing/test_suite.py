"""The pointing suite: what it promises of its targets, and what the grounders without a model reach on it."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from omnipilot.bench.pointing.evaluation import Shot, Target, evaluate
from omnipilot.bench.suites.pointing import PointingSuite
from omnipilot.bench.suites.pointing.looks import colour_name
from omnipilot.bench.suites.pointing.sim_screens import sim_shots
from omnipilot.bench.suites.pointing.words import region
from omnipilot.envs import Absent, Box, ConfigError, Size
from omnipilot.grounders import CentreGrounder, ElementsGrounder, RandomElementGrounder


@pytest.fixture(scope="module")
def shots() -> list[Shot]:
    """The embedded world's screens. Only every eighth keeps its picture, for a 4K one is 25 MB."""
    from dataclasses import replace

    kept = []
    for number, shot in enumerate(sim_shots(0)):
        blank = replace(shot.observation, screenshot=Absent("unsupported"))
        kept.append(shot if number % 8 == 0 else replace(shot, observation=blank))
    return kept


@pytest.fixture(scope="module")
def targets(shots: list[Shot]) -> list[Target]:
    return [target for shot in shots for target in shot.targets]


@pytest.mark.slow
def test_there_are_enough_targets_of_every_kind(shots: list[Shot], targets: list[Target]) -> None:
    assert len(targets) >= 1000 and len({target.id for target in targets}) == len(targets)
    kinds = Counter(target.kind for target in targets)
    assert kinds["icon"] >= len(targets) / 4 and kinds["control"] >= 40
    assert sum(target.distractor for target in targets) >= len(targets) / 5
    assert sum(bool(target.advanced) for target in targets) >= 0.6 * len(targets)
    assert Counter(target.name for target in targets).most_common(1)[0][1] <= 40


@pytest.mark.slow
def test_screens_reach_from_phone_to_4k_in_light_and_dark(shots: list[Shot]) -> None:
    seen = {(shot.observation.size, shot.theme) for shot in shots}
    sizes = (Size(412, 916), Size(1080, 2400), Size(1280, 800), Size(2560, 1440), Size(3840, 2160))
    assert seen == set(itertools.product(sizes, ("light", "dark")))


def test_equal_seeds_give_equal_screens_and_other_seeds_others() -> None:
    first, again, other = (list(itertools.islice(sim_shots(seed), 4)) for seed in (3, 3, 4))
    assert first == again
    assert [shot.targets for shot in first] != [shot.targets for shot in other]


@pytest.mark.slow
def test_an_icon_shows_none_of_its_name_and_a_text_does(shots: list[Shot]) -> None:
    """An independent look: what is listed as text inside a target."""
    for shot in shots:
        elements = shot.observation.elements
        assert not isinstance(elements, Absent)
        words = [element for element in elements if element.role in ("text", "label", "heading")]
        for target in shot.targets:
            if target.kind == "icon":
                assert not [word for word in words if target.box.contains(word.box.center)], target


@pytest.mark.slow
def test_the_elements_grounder_finds_what_is_named(shots: list[Shot]) -> None:
    answers = list(evaluate(shots, ElementsGrounder(), styles=("basic",)))
    assert sum(answer.hit for answer in answers) >= 0.99 * len(answers) >= 990


@pytest.mark.slow
@pytest.mark.needs("omnipilot[ocr]")
def test_the_ocr_grounder_abstains_on_icons_and_finds_text(shots: list[Shot]) -> None:
    from omnipilot.grounders import OcrGrounder

    some = [shot for shot in shots if shot.observation.screenshot][:8]
    answers = list(evaluate(some, OcrGrounder()))
    icons = [answer for answer in answers if answer.kind == "icon"]
    texts = [answer for answer in answers if answer.kind == "text" and answer.style == "basic"]
    assert len(icons) >= 20 and sum(answer.point is None for answer in icons) >= 0.9 * len(icons)
    assert len(texts) >= 20 and sum(answer.hit for answer in texts) >= 0.6 * len(texts)


@pytest.mark.slow
def test_pointing_without_looking_hits_little(shots: list[Shot]) -> None:
    for baseline, most in ((CentreGrounder(), 0.06), (RandomElementGrounder(), 0.12)):
        answers = list(evaluate(shots, baseline, styles=("basic",)))
        assert 0 <= sum(answer.hit for answer in answers) <= most * len(answers)


def test_regions_and_colours_in_words() -> None:
    assert region(Box(0.0, 0.0, 0.2, 0.1)) == "at the top left of the screen"
    assert region(Box(0.4, 0.4, 0.6, 0.6)) == "in the middle of the screen"
    assert region(Box(0.4, 0.9, 0.6, 1.0)) == "at the bottom of the screen"
    named = {(255, 255, 255): "white", (8, 8, 8): "black", (200, 30, 30): "red", (46, 112, 222): "blue"}
    assert {rgb: colour_name(*rgb) for rgb in named} == named


def test_a_seed_below_zero_is_refused() -> None:
    with pytest.raises(ConfigError, match="at least 0"):
        PointingSuite(seed=-1)


@pytest.mark.slow
@pytest.mark.web
def test_web_pages_belong_to_it(chromium_path: str) -> None:
    from omnipilot.bench.suites.pointing.web_screens import web_shots

    some = list(itertools.islice(web_shots(0), 6))
    answers = list(evaluate(some, ElementsGrounder(), styles=("basic",)))
    assert {shot.platform for shot in some} == {"browser"} and len(answers) >= 10
    assert sum(answer.hit for answer in answers) >= 0.9 * len(answers)
