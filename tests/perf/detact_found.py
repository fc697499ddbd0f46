"""What DetACT finds on screens of the embedded world, where everything that is drawn is known.

    python tests/perf/detact_found.py [--held-out] [--every 1]

The screens are every app as it opens and with a row chosen (`readers_ocr.py`), light, dark and large; the pack holds
the world's own icons and its checkbox. `found`: texts that were read at their place, icons that were named rightly
there, and regions at whose place a colour of the right name is told. `right`: lines at a place where something is
written, named icons that are drawn there (or a checkbox, where one is), and colours that have the name of a region at
their place, of those that lie on one. Rows of an option (`strict`, `mode=dominant`) are of the kind that it changes.
95 % intervals, in which a screen is one cluster.

A region is a filled shape that can be seen: beyond half of each of its sides, but for the screen's own, another colour
is drawn. Its name is that of the mean of its pixels, as in the paper; with `mode=dominant`, of the most frequent one.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import typer
from numpy.typing import NDArray
from readers_ocr import LEAST, Screen, invented, screens, was_read

from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.intervals import mean_interval
from omnipilot.bench.tables import Table
from omnipilot.envs import Element, Elements
from omnipilot.envs.sim.render.icons import write_icons
from omnipilot.envs.sim.state.display import Look
from omnipilot.grounders.marks.detectors.regions import whole_pixels
from omnipilot.grounders.marks.filter import likeness, shared_area
from omnipilot.grounders.sources.detact import DetAct
from omnipilot.grounders.sources.detact.colors import region_color
from omnipilot.memory.perception import shared_reader

DEVELOPED, HELD_OUT = (10, 11), (44, 45)
"""Instances whose screens DetACT was developed on, and others that nothing was chosen by. It was developed on 12 and
13, too, and 20, 21, 30 and 31 were held out before."""
LOOKS = {"light": Look(), "dark": Look("dark"), "large": Look("light", "large")}
KINDS = ("text", "image", "color")
LEAST_SEEN = 10
"""Difference of a channel, of 255, from which two colours beside each other can be told apart."""
Hits = list[tuple[int, float]]
"""Number of the screen, and 1 for a hit or 0."""


def regions(screen: Screen, mode: str = "mean") -> list[Element]:
    """The filled shapes of a screen of which each side can be seen, named by the colour that is seen there."""
    pixels, size, found = screen.image.array(), screen.image.size, []
    beyond = np.pad(pixels.astype(int), ((1, 1), (1, 1), (0, 0)), mode="edge")
    for shape in screen.shapes:
        left, top, right, bottom = whole_pixels(shape, size)
        inner = pixels[top:bottom, left:right].astype(int)
        around = beyond[top : bottom + 2, left : right + 2]
        sides = (
            (left > 0, inner[:, 0], around[1:-1, 0]),
            (top > 0, inner[0], around[0, 1:-1]),
            (right < size.width, inner[:, -1], around[1:-1, -1]),
            (bottom < size.height, inner[-1], around[-1, 1:-1]),
        )
        if all(_differ(one, other) for inside, one, other in sides if inside):
            found.append(replace(shape, name=region_color(pixels[top:bottom, left:right], mode)[0]))
    return found


def _differ(inner: NDArray[np.int_], outer: NDArray[np.int_]) -> bool:
    """Whether half of the pixels along a side differ from their neighbours beyond it."""
    return bool((np.abs(inner - outer).max(axis=1) >= LEAST_SEEN).mean() >= 0.5)


def right_icons(found: Iterable[Element], drawn: Sequence[Element]) -> Iterator[bool]:
    """For each named icon whether one of this name is drawn there."""
    for one in found:
        yield any(_same_icon(one, other) for other in drawn)


def checkboxes(screen: Screen) -> Iterator[Element]:
    """The checkboxes of a screen, as icons."""
    elements = screen.observation.elements
    for one in elements.items if isinstance(elements, Elements) else ():
        if one.role == "checkbox":
            yield replace(one, name="checkbox")


def _same_icon(found: Element, drawn: Element) -> bool:
    """Whether the name is right, and a click into the middle of what was found hits it."""
    return drawn.box.contains(found.box.center) and found.name == drawn.name


def measure(
    name: str, source: DetAct, every: Sequence[Screen], misses: list[str] | None = None
) -> list[tuple[str, ...]]:
    """Rows: what is found of each kind on these screens."""
    found: dict[str, Hits] = defaultdict(list)
    right: dict[str, Hits] = defaultdict(list)
    seconds: dict[str, float] = defaultdict(float)
    for number, screen in enumerate(every):
        seen = source.find(screen.observation)
        for module, spent in seen.seconds.items():
            seconds[module] += spent / len(every)
        of = {kind: [one for one in seen.elements if one.role == kind] for kind in KINDS}
        found["text"] += [(number, float(was_read(text, of["text"]))) for text in screen.written]
        lines = [line for line in of["text"] if len(line.name) >= LEAST]
        right["text"] += [(number, float(not invented(line, screen.written))) for line in lines]
        for icon in screen.icons:
            hit = any(_same_icon(one, icon) for one in of["image"])
            found["image"].append((number, float(hit)))
            if misses is not None and not hit:
                near = [one.name for one in of["image"] if shared_area(one.box, icon.box)]
                misses.append(f"{name}, {screen.name}: {icon.name} {_pixels(icon, screen)} was not found, but {near}")
        hits = list(right_icons(of["image"], [*screen.icons, *checkboxes(screen)]))
        if misses is not None:
            wrong = [one for one, hit in zip(of["image"], hits, strict=True) if not hit]
            misses += [f"{name}, {screen.name}: no {one.name} is at {_pixels(one, screen)}" for one in wrong]
        right["image"] += [(number, float(hit)) for hit in hits]
        places = regions(screen, source.mode)
        for place in places:
            hit = any(one.name == place.name and likeness(one.box, place.box) >= 0.5 for one in of["color"])
            found["color"].append((number, float(hit)))
        for color in of["color"]:
            under = [place.name for place in places if likeness(place.box, color.box) >= 0.5]
            right["color"] += [(number, float(color.name in under))] if under else []
    modules = {"text": "texts", "image": "icons", "color": "colors"}
    return [
        (
            name,
            kind,
            str(len(every)),
            str(len(found[kind])),
            _share(found[kind]),
            str(len(right[kind])),
            _share(right[kind]),
            f"{seconds.get(modules[kind], 0.0):.3f} s",
        )
        for kind in KINDS
    ]


def _pixels(one: Element, screen: Screen) -> str:
    left, top, right, bottom = (round(edge) for edge in one.box.to_pixels(screen.image.size))
    return f"({left}, {top}, {right}, {bottom})"


def _share(hits: Hits) -> str:
    if not hits:
        return "–"
    names = [str(at) for at in range(len(hits))]
    groups = cluster(names, [{str(screen)} for screen, _ in hits])
    return mean_interval(np.array([hit for _, hit in hits]), groups).text(1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table, and with --misses what was not found."""
    parser = argparse.ArgumentParser(prog="python tests/perf/detact_found.py", description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="one screen in so many")
    parser.add_argument("--held-out", action="store_true", help="content that it was not developed on")
    parser.add_argument("--misses", action="store_true", help="list the icons that were missed or invented")
    options = parser.parse_args(arguments)
    misses: list[str] = []
    rows: list[tuple[str, ...]] = []
    reader = shared_reader()
    instances = HELD_OUT if options.held_out else DEVELOPED
    with tempfile.TemporaryDirectory() as folder:
        write_icons(Path(folder))
        for name, look in LOOKS.items():
            every = list(islice(screens(instances, look), 0, None, options.every))
            rows += measure(name, DetAct(ocr=reader, pack=folder), every, misses)
            _, strict, _ = measure(name, DetAct(ocr=reader, pack=folder, strict=True, colors=False), every)
            *_, dominant = measure(name, DetAct(ocr=reader, mode="dominant"), every)
            rows += [(name, "image, strict", *strict[2:]), (name, "color, mode=dominant", *dominant[2:])]
    columns = ("look", "kind", "screens", "there", "found %", "told", "right %", "a screen")
    typer.echo(Table(columns, tuple(rows), labels=2).text())
    if options.misses:
        typer.echo("\n".join(misses))
    return 0


if __name__ == "__main__":
    sys.exit(main())
