"""What detectors of widgets find on screenshots of the embedded world, in which every element is known.

    python tests/perf/marks_found.py [--omniparser FILE] [--every 1]

The screens are every app as it opens and with a row chosen (`readers_ocr.py`). FILE holds the weights of OmniParser's
icon detector, `icon_detect/model.pt` of microsoft/OmniParser-v2.0; without it, only our own detector is measured.
`found`: operable elements that a mark stands for: a click into its middle reaches them, and no smaller one. `useful`:
marks in whose middle an operable element lies. 95 % intervals, in which a screen is one cluster.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from itertools import islice

import numpy as np
import typer
from readers_ocr import Screen, screens

from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.intervals import mean_interval
from omnipilot.bench.tables import Table
from omnipilot.envs import Box, Element, Elements
from omnipilot.envs.types import INTERACTIVE
from omnipilot.grounders.marks.detectors.edges import WidgetDetector
from omnipilot.grounders.marks.detectors.models import OmniParser
from omnipilot.grounders.marks.marks import Detector


def operable(screen: Screen) -> list[Element]:
    """The elements of a screen that can be operated."""
    elements = screen.observation.elements
    shown = elements.items if isinstance(elements, Elements) else ()
    return [one for one in shown if one.role in INTERACTIVE and not one.states & {"disabled", "offscreen"}]


def reached(elements: Sequence[Element], mark: Box) -> int | None:
    """Which element a click into the middle of a mark reaches: the smallest there; None for none."""
    at = mark.center
    here = [n for n, one in enumerate(elements) if one.box.contains(at)]
    return min(here, key=lambda n: elements[n].box.area) if here else None


def measure(name: str, detector: Detector, every: Sequence[Screen]) -> tuple[str, ...]:
    """A row: what a detector finds on these screens."""
    found: list[tuple[int, float]] = []
    useful: list[tuple[int, float]] = []
    seconds = 0.0
    for number, screen in enumerate(every):
        began = time.process_time()
        marks = detector.find(screen.image)
        seconds += time.process_time() - began
        elements = operable(screen)
        hits = [reached(elements, mark.box) for mark in marks]
        found += [(number, float(n in hits)) for n in range(len(elements))]
        useful += [(number, float(hit is not None)) for hit in hits]
    counts = (str(len(every)), str(len(found)))
    marked = f"{len(useful) / len(every):.0f}"
    return (name, *counts, _share(found), marked, _share(useful), f"{seconds / len(every):.2f} s")


def _share(hits: Sequence[tuple[int, float]]) -> str:
    names = [str(at) for at in range(len(hits))]
    groups = cluster(names, [{str(screen)} for screen, _ in hits])
    return mean_interval(np.array([hit for _, hit in hits]), groups).text(1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python tests/perf/marks_found.py", description=__doc__)
    parser.add_argument("--omniparser", default="", help="file of the weights")
    parser.add_argument("--every", type=int, default=1, help="one screen in so many")
    options = parser.parse_args(arguments)
    every = list(islice(screens((10, 11)), 0, None, options.every))
    rows = [measure("detector", WidgetDetector(), every)]
    if options.omniparser:
        model = OmniParser(options.omniparser)
        model.warm_up()
        rows.append(measure("omniparser", model, every))
    columns = ("source", "screens", "operable", "found %", "marks a screen", "useful %", "a screen")
    typer.echo(Table(columns, tuple(rows)).text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
