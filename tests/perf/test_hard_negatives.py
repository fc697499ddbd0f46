"""The ranker that shows what hard negatives are worth learns from its negatives, and only from those."""

from __future__ import annotations

from hard_negatives import Sample, errors, features_of, misses, train

from omnipilot.bench.pointing import Shot, Target
from omnipilot.envs import Box, Element, Elements, Observation, Size


def sample(text: str, at: int) -> Sample:
    """An instruction for one of three elements of a screen: two are called Back."""
    elements = (
        Element("button", "Back", Box(0.1, 0.1, 0.2, 0.2)),
        Element("button", "Save", Box(0.8, 0.4, 0.9, 0.5)),
        Element("button", "Back", Box(0.8, 0.8, 0.9, 0.9)),
    )
    seen = Observation("desktop", 0.0, Size(100, 100), elements=Elements(elements))
    target = Target(f"t{at}", elements[at].box, "icon", "button", elements[at].name, text)
    shot = Shot(f"s{at}", "desktop", "light", seen, (target,))
    return Sample(shot, target, "basic", text, features_of(text, elements), frozenset({at}))


def test_what_was_hit_instead_teaches_what_a_random_element_does_not() -> None:
    samples = [sample('the "Back" button at the right', 2)]
    plain = train(samples, [[1]])
    hit = misses(samples, plain)
    assert errors(samples, plain).tolist() == [1.0] and hit[0].box == Box(0.1, 0.1, 0.2, 0.2)
    taught = train(samples, [[1, 0]])
    assert errors(samples, taught).tolist() == [0.0] and misses(samples, taught) == {}
