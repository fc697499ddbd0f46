"""The ranker that shows what hard negatives are worth learns from its negatives, and only from those."""

from __future__ import annotations

import numpy as np
from hard_negatives import Sample, errors, features_of, misses, train

from omnipilot.bench.pointing import Shot, Target
from omnipilot.envs import Box, Element, Elements, Observation, Size


def sample(text: str, at: int) -> Sample:
    """An instruction for one of three elements of a screen: two are called Back."""
    elements = (
        Element("button", "Back", Box(0.1, 0.1, 0.2, 0.2)),
        Element("button", "Save", Box(0.4, 0.4, 0.5, 0.5)),
        Element("button", "Back", Box(0.8, 0.8, 0.9, 0.9)),
    )
    seen = Observation("desktop", 0.0, Size(100, 100), elements=Elements(elements))
    target = Target(f"t{at}", elements[at].box, "icon", "button", elements[at].name, text)
    shot = Shot(f"s{at}", "desktop", "light", seen, (target,))
    return Sample(shot, target, "basic", text, features_of(text, elements), frozenset({at}))


def test_what_was_hit_instead_teaches_what_a_random_element_does_not() -> None:
    samples = [sample('the first "Back" button', 0), sample('the second "Back" button', 2)]
    plain = train(samples, [[1], [1]])
    hit = misses(samples, plain)
    assert errors(samples, plain).sum() == 1 == len(hit)
    ((at, element),) = hit.items()
    assert element.name == "Back" and at == 1
    taught = train(samples, [[1], [1, 0]])
    assert not errors(samples, taught).any() and not np.allclose(plain, taught)
