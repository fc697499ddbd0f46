"""Whether DetACT's lexical filter keeps what a task needs.

    python tests/perf/detact_filter.py [--held-out] [--every 1] [--keep 20]

With `--held-out` the content is another than the filter was developed on: instances 40 to 43 of the screens, and the
miniature of seeds 40 to 43.

Tasks are those of miniature OmniACT data, all splits, with the places that their scripts point at as targets; and one
for every named element of the embedded screens that can be operated (`readers_ocr.py`), "Click the NAME ROLE".
`listed`: targets on which anything lies that DetACT found; `kept`: the share of these of which the filter leaves
something; `left`, `most`: how many elements it leaves, on average and at most. 95 % intervals, in which a screen is one
cluster, with whatever content: what is lost in one instance is lost in the others, too.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import typer
from detact_found import DEVELOPED
from marks_found import operable
from readers_ocr import screens

from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.intervals import mean_interval
from omnipilot.bench.suites.omniact.data import SPLITS, load
from omnipilot.bench.suites.omniact.sample import write
from omnipilot.bench.tables import Table
from omnipilot.envs import Box, Element, Image, Point
from omnipilot.envs.sim.render.icons import write_icons
from omnipilot.grounders.sources.detact import DetAct
from omnipilot.grounders.sources.detact.lexical import choose_by_words

HELD_OUT = (40, 41, 42, 43)
"""Instances and seeds that nothing was chosen by. Developed on were 10 to 13 and the seeds 0 to 2; held out before were
20, 21, 30, 31 and the seed 3."""
PLACE = re.compile(r"\((\d+(?:\.\d+)?), ?(\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class Target:
    """A task, the screen that it is about, and the box that has to be found."""

    screen: str
    picture: Image
    task: str
    box: Box


def data_targets(folder: Path) -> Iterator[Target]:
    """Every place that a script of the data points at, with the smallest box of the data there."""
    for split in SPLITS:
        for item in load(Source(folder, ""), split).items:
            picture = Image.encoded(item.image.read_bytes())
            for x, y in PLACE.findall(item.script):
                at = Point.from_pixels(float(x), float(y), picture.size)
                boxes = [Box.from_pixels(*corners, picture.size) for corners in item.boxes]
                around = [box for box in boxes if box.contains(at)]
                if around:
                    yield Target(item.screen, picture, item.instruction, min(around, key=lambda box: box.area))


def screen_targets(every: int, instances: Sequence[int]) -> Iterator[Target]:
    """Every named element of the embedded screens that can be operated."""
    for screen in islice(screens(instances), 0, None, every):
        for one in operable(screen):
            if one.name:
                yield Target(screen.name, screen.image, f"Click the {one.name} {one.role}", one.box)


def row(name: str, source: DetAct, targets: Sequence[Target], keep: int) -> tuple[str, ...]:
    """What the filter keeps of these targets."""
    kept: list[tuple[str, float]] = []
    left: list[int] = []
    for target in targets:
        every = source.read(target.picture)
        if not _any_on(every, target.box):
            continue
        chosen = choose_by_words(every, target.task, keep)
        kept.append((target.screen.split(", instance")[0], float(_any_on(chosen, target.box))))
        left.append(len(chosen))
        if not kept[-1][1]:
            typer.echo(f"  lost: {target.task} (of {len(every)} elements)", err=True)
    groups = cluster([str(at) for at in range(len(kept))], [{screen} for screen, _ in kept])
    share = mean_interval(np.array([hit for _, hit in kept]), groups).text(1)
    return name, str(len(targets)), str(len(kept)), share, f"{np.mean(left):.1f}", str(max(left))


def _any_on(elements: Sequence[Element], box: Box) -> bool:
    return any(box.contains(one.box.center) for one in elements)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; targets that were lost go to the error output."""
    parser = argparse.ArgumentParser(prog="python tests/perf/detact_filter.py", description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="one embedded screen in so many")
    parser.add_argument("--held-out", action="store_true", help="content that it was not developed on")
    parser.add_argument("--keep", type=int, default=20, help="most elements that are left")
    options = parser.parse_args(arguments)
    seeds, instances = (HELD_OUT, HELD_OUT) if options.held_out else ((0,), DEVELOPED)
    with tempfile.TemporaryDirectory() as folder:
        write_icons(Path(folder, "icons"))
        source = DetAct(pack=str(Path(folder, "icons")))
        for seed in seeds:
            write(Path(folder, f"omniact-{seed}"), seed)
        data = [one for seed in seeds for one in data_targets(Path(folder, f"omniact-{seed}"))]
        rows = (
            row("OmniACT miniature", source, data, options.keep),
            row("embedded screens", source, list(screen_targets(options.every, instances)), options.keep),
        )
    columns = ("tasks", "targets", "listed", "kept %", "left", "most")
    typer.echo(Table(columns, rows, labels=1).text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
