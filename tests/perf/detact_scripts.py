"""What each part of DetACT is worth to a script writer without a model: OmniACT's action score with and without it.

    python tests/perf/detact_scripts.py [--data DIR] [--pack DIR]

The planner `lexical` takes the first element of the list that a task's words match. The tasks are the miniature's test
split, and of each of its screens one task for each colour that exactly one of its boxes has ("Click the blue one"). The
pack holds the embedded world's own icons. Action scores in percent, variant `fixed`, with 95 % intervals in which a
screen is one cluster.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import typer

from omnipilot.bench.scoring.data.pictures import picture
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.stats.ratio import ratio_of
from omnipilot.bench.suites.omniact import sample
from omnipilot.bench.suites.omniact.data import ScriptTask, load
from omnipilot.bench.suites.omniact.lexical import write_script
from omnipilot.bench.suites.omniact.metrics.scores import OmniActSample, SampleScore, score_sample
from omnipilot.bench.suites.omniact.script import respell, script_of
from omnipilot.bench.tables import Table
from omnipilot.envs import Action, Elements, Observation
from omnipilot.envs.sim.render.icons import write_icons
from omnipilot.grounders.sources.detact import DetAct, region_color

WITHOUT = {
    "everything": {},
    "no texts": {"texts": False},
    "no icons": {"icons": False},
    "no colours": {"colors": False},
    "no filter": {"filter": "none"},
}
PALE = ("white", "grey")
"""Colours that too much has for a task to name."""


def color_tasks(items: Sequence[ScriptTask]) -> Iterator[ScriptTask]:
    """For each screen a task for each colour that exactly one of its boxes has."""
    for item in {item.screen: item for item in items}.values():
        pixels = picture(item.image, "device", 0.0).array()
        named: dict[str, list[tuple[float, float, float, float]]] = {}
        for box in item.boxes:
            left, top, right, bottom = map(int, box)
            if left < right and top < bottom:
                named.setdefault(region_color(pixels[top:bottom, left:right])[0], []).append(box)
        for color, boxes in named.items():
            if len(boxes) == 1 and color not in PALE:
                ((x0, y0, x1, y1),) = boxes
                line = f"pyautogui.click({(x0 + x1) / 2},{(y0 + y1) / 2})"
                task = f"Click the {color} one"
                text = f"Task: {task}\nOutput Script:\n{line}"
                yield replace(item, id=f"{item.screen}/{color}", text=text, instruction=task, script=line)


def score(item: ScriptTask, source: DetAct) -> SampleScore:
    """The score of one task."""
    seen = Observation("device", 0.0, item.size, screenshot=picture(item.image, "device", 0.0))
    found = source.find(seen, item.instruction)
    assert isinstance(found.elements, Elements)
    actions: list[Action] = list(write_script(item.instruction, found.elements.items))  # type: ignore[arg-type]
    script = respell(script_of(actions, item.size), item.script, item.size)
    return score_sample(OmniActSample(item.text, item.boxes, script), "fixed")


def row(name: str, groups: Sequence[Sequence[ScriptTask]], source: DetAct) -> tuple[str, ...]:
    """The action score over each group of tasks."""
    cells = []
    for items in groups:
        scored = [score(item, source) for item in items]
        parts = [one.weight * one.action for one in scored]
        ratio = ratio_of(parts, [one.weight for one in scored], [item.screen for item in items], "screens")
        cells.append("—" if ratio is None else ratio.text(1))
    return name, *cells


def main() -> None:
    """Print the table."""
    read = argparse.ArgumentParser()
    read.add_argument("--data", default="", help="OmniACT's data; the miniature unless given")
    read.add_argument("--pack", default="", help="folder of labelled icons; the embedded world's unless given")
    options = read.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data, pack = options.data or f"{folder}/data", options.pack or f"{folder}/pack"
        if not options.data:
            sample.write(Path(data))
        if not options.pack:
            write_icons(Path(pack))
        named = load(Source.open(data, ""), "test").items
        colored = list(color_tasks(named))
        groups = (named, colored, [*named, *colored])
        heads = [f"{title} ({len(group)})" for title, group in zip(("named", "by colour", "all"), groups, strict=True)]
        rows = [row(name, groups, DetAct(pack=pack, **how)) for name, how in WITHOUT.items()]  # type: ignore[arg-type]
    note = "action score %, variant fixed; […]: 95 % intervals over screens; in brackets: tasks"
    typer.echo(Table(("DetACT", *heads), tuple(rows), (note,)).text())


if __name__ == "__main__":
    main()
