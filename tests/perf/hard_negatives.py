"""What hard negatives are worth beside random ones: the error of a small ranker on held-out screens with near-alikes.

    python tests/perf/hard_negatives.py [--draws 20]

The ranker scores each element of a screen for an instruction by eleven features (words, role, place, order among
equals) and points at the best; it is a softmax over the target and some negatives. Taught on the pointing suite's
screens of one seed, with three random elements of the same screen as negatives (`first`), it misses some of its own
targets. Each miss then gets one further negative: another random element (`random`), or the one that was hit instead
(`hard`, by `hard_negatives`). Both are taught anew, with equally many samples. Errors are on screens of another seed,
by which nothing was chosen; the hard cell is the style and kind of target at which the first ranker failed most on its
own screens. Means over draws of the random negatives; 95 % intervals by bootstrap over screens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from omnipilot.bench.pointing import STYLES, Shot, Target, hard_negatives
from omnipilot.bench.pointing.evaluation import PointingAnswer, Style
from omnipilot.bench.suites.pointing.suite import PointingSuite
from omnipilot.bench.tables import Table
from omnipilot.envs import Box, Element, Elements, Point
from omnipilot.grounders.sources.detact.lexical import words_of
from omnipilot.memory import Usage

TAUGHT, HELD_OUT = 60, 61
"""Seeds of the suite's screens."""
ARMS = ("none", "random", "hard")
NEGATIVES, STEPS, RATE, DECAY = 3, 300, 0.5, 1e-3
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sample:
    """An instruction with the elements of its screen.

    Attributes:
        features: of each element, shape (elements, features). right: numbers of the elements that it means.
    """

    shot: Shot
    target: Target
    style: Style
    text: str
    features: Floats
    right: frozenset[int]


def features_of(text: str, elements: Sequence[Element]) -> Floats:
    """The features of each element for an instruction."""
    words, squashed = words_of(text), text.casefold().replace(" ", "")
    said = set(text.casefold().replace(",", " ").split())
    seen: dict[tuple[str, str], int] = {}
    rows = []
    for one in elements:
        own, at = words_of(one.name), one.box.center
        order = seen[one.role, one.name] = seen.get((one.role, one.name), -1) + 1
        shared = len(own & words)
        rows.append(
            (
                shared / max(1, len(own)),
                shared / max(1, len(words)),
                float(bool(one.name) and f'"{one.name}"' in text),
                float(one.role.removeprefix("list") in squashed),
                -at.x * ("left" in said),
                at.x * ("right" in said),
                -at.y * ("top" in said),
                at.y * ("bottom" in said),
                -float(min(order, 3)) * ("first" in said),
                -float(min(abs(order - 1), 3)) * ("second" in said),
                float(np.log(max(one.box.area, 1e-6))) / 10,
            )
        )
    return np.array(rows)


def read_samples(seed: int) -> list[Sample]:
    """The instructions of the suite's screens of a seed whose target is one of their elements."""
    found = []
    for shot in PointingSuite(seed, web=False).shots():
        elements = shot.observation.elements
        for target in shot.targets:
            for style in STYLES:
                text = target.instruction(style)
                if not text or not isinstance(elements, Elements) or not isinstance(target.box, Box):
                    continue
                right = {n for n, one in enumerate(elements.items) if one.box == target.box}
                if right:
                    features = features_of(text, elements.items)
                    found.append(Sample(shot, target, style, text, features, frozenset(right)))
    return found


def train(samples: Sequence[Sample], negatives: Sequence[Sequence[int]]) -> Floats:
    """The weights of the features: gradient descent on the softmax over the target and its negatives."""
    most = 1 + max(map(len, negatives))
    width = samples[0].features.shape[1]
    given, mask = np.zeros((len(samples), most, width)), np.zeros((len(samples), most), bool)
    for row, (one, wrong) in enumerate(zip(samples, negatives, strict=True)):
        numbers = [min(one.right), *wrong]
        given[row, : len(numbers)], mask[row, : len(numbers)] = one.features[numbers], True
    weights = np.zeros(width)
    for _ in range(STEPS):
        scores = np.where(mask, given @ weights, -np.inf)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        shares[:, 0] -= 1
        weights -= RATE * (np.einsum("nk,nkf->f", shares, given) / len(samples) + DECAY * weights)
    return weights


def misses(samples: Sequence[Sample], weights: Floats) -> dict[int, Element]:
    """What was hit instead, by the number of the sample, as `hard_negatives` tells it."""
    answers, number = [], {}
    for at, one in enumerate(samples):
        elements = one.shot.observation.elements
        assert isinstance(elements, Elements)
        point = elements.items[int((one.features @ weights).argmax())].box.center
        answers.append(_answer(one, point))
        number[answers[-1].key] = at
    return {
        number[answer.key]: element
        for _, answer, element in hard_negatives(dict.fromkeys(one.shot for one in samples), answers)
    }


def errors(samples: Sequence[Sample], weights: Floats) -> Floats:
    """1 for each sample at which the ranker points elsewhere than into the target, else 0."""
    return np.array([float(not _answer(one, _best(one, weights)).hit) for one in samples])


def _best(one: Sample, weights: Floats) -> Point:
    elements = one.shot.observation.elements
    assert isinstance(elements, Elements)
    return elements.items[int((one.features @ weights).argmax())].box.center


def _answer(one: Sample, point: Point) -> PointingAnswer:
    size, target = one.shot.observation.size, one.target
    cell = (one.shot.platform, one.shot.theme, target.kind, target.distractor)
    return PointingAnswer(
        target.id, one.style, *cell, size.width, size.height, one.text, target.box, point, "", "", 0.0, Usage()
    )


def cell_of(one: Sample) -> str:
    """Style and kind of a sample's target, in words."""
    return f"{one.style} {one.target.kind}"


def measure(draws: int) -> tuple[list[Sample], dict[str, Floats], str, float]:
    """Held-out samples, the mean error of each of them by arm, the hard cell, and the mean number of misses."""
    taught, held = read_samples(TAUGHT), read_samples(HELD_OUT)
    found: dict[str, list[Floats]] = {arm: [] for arm in ARMS}
    missed, failed = [], np.zeros(len(taught))
    for draw in range(draws):
        random = np.random.default_rng(draw)
        others = [[n for n in range(len(one.features)) if n not in one.right] for one in taught]
        base = [random.permutation(wrong)[:NEGATIVES].tolist() for wrong in others]
        first = train(taught, base)
        hit = misses(taught, first)
        missed.append(len(hit))
        failed += errors(taught, first)
        found["none"].append(errors(held, first))
        for arm in ARMS[1:]:
            more = list(base)
            for at, element in hit.items():
                elements = taught[at].shot.observation.elements
                assert isinstance(elements, Elements)
                extra = elements.items.index(element) if arm == "hard" else int(random.choice(others[at]))
                more[at] = [*base[at], extra]
            found[arm].append(errors(held, train(taught, more)))
    cells = np.array([cell_of(one) for one in taught])
    hardest = max(np.unique(cells).tolist(), key=lambda cell: failed[cells == cell].mean())
    return held, {arm: np.mean(every, axis=0) for arm, every in found.items()}, hardest, float(np.mean(missed))


def main(draws: Annotated[int, typer.Option(help="Draws of the random negatives.", min=1)] = 20) -> None:
    """Print the errors."""
    held, found, hardest, missed = measure(draws)
    near = np.array([one.target.distractor for one in held])
    hard = np.array([cell_of(one) == hardest for one in held])
    _, screens = np.unique([one.shot.id for one in held], return_inverse=True)
    rows = []
    groups = ((f"hard cell: {hardest}", hard), ("beside a near-alike", near), ("all", near | ~near))
    for name, chosen in groups:
        cells = [_interval(found[arm][chosen], screens[chosen]) for arm in ARMS]
        cells.append(_interval((found["hard"] - found["random"])[chosen], screens[chosen]))
        rows.append((name, str(int(chosen.sum())), *cells))
    columns = ("held-out targets", "n", "first %", "random %", "hard %", "hard - random")
    typer.echo(Table(columns, tuple(rows), labels=1).text())
    typer.echo(f"  further negatives: {missed:.0f} of as many misses, mean of {draws} draws")


def _interval(values: Floats, screens: NDArray[np.int64]) -> str:
    groups = [values[screens == one] for one in np.unique(screens)]
    sums, sizes = np.array([one.sum() for one in groups]), np.array([len(one) for one in groups])
    chosen = np.random.default_rng(0).integers(len(groups), size=(2000, len(groups)))
    means = sums[chosen].sum(axis=1) / sizes[chosen].sum(axis=1)
    low, high = np.percentile(means, (2.5, 97.5))
    return f"{100 * values.mean():.1f} [{100 * low:.1f}, {100 * high:.1f}]"


if __name__ == "__main__":
    typer.run(main)
