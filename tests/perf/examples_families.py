"""Whether the nearest examples are of the task's kind, by letters and by a model's meaning, on miniature OmniACT data.

    python tests/perf/examples_families.py [--model FOLDER] [--seeds 4]

A kind is the calls of a script in order: click; rightClick; click, write, press. Tasks are those of the test splits, in
the words that the miniature gives every task of the kind, and in others without those words (`OTHERWISE`); examples are
those of the training splits, of other screens. Tasks whose kind no example has are left out. `first`: the nearest is of
the task's kind; `of five`: the share that is among the five nearest. FOLDER holds a model of sentence-transformers,
such as all-MiniLM-L6-v2. 95 % intervals, in which a screen is one cluster.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.stats.clusters import cluster
from omnipilot.bench.stats.intervals import mean_interval
from omnipilot.bench.suites.omniact import sample as mini_omniact
from omnipilot.bench.suites.omniact.data import ScriptTask, load
from omnipilot.bench.suites.omniact.examples import examples_of, wording_of
from omnipilot.bench.tables import Table
from omnipilot.envs import Absent
from omnipilot.memory.examples import ExampleIndex
from omnipilot.memory.models.embeddings import make_embeddings

SAME, OTHER = "the data's", "others"
OTHERWISE = (
    (r"Click (.+), then (.+)", r"First hit \1 and afterwards \2"),
    (r"Put the pointer on (.+)", r"Hover over \1 with the mouse"),
    (r"Open the context menu of (.+)", r"Right-press \1"),
    (r"Double click (.+)", r"Tap \1 twice in a row"),
    (r"Click (.+)", r"Hit \1 with the left button"),
    (r"Search for (.+) in (.+)", r"Look up \1 by means of \2"),
    (r"Replace what (.+) holds by (.+) and confirm", r"Overwrite \1 so that it reads \2"),
    (r"Go down a little", r"Scroll the page lower"),
    (r"Select everything and copy it", r"Put all of the contents on the clipboard"),
)
"""The miniature's wordings, and others that share no word with them but names; written before any result was seen."""


def say_otherwise(instruction: str) -> str:
    """A task in other words.

    Raises:
        ValueError: it has none of the miniature's wordings.
    """
    for pattern, words in OTHERWISE:
        if found := re.fullmatch(pattern, instruction):
            return found.expand(words)
    raise ValueError(f"the miniature has a wording that is not known here: {instruction!r}")


def kind_of(lines: Sequence[str]) -> tuple[str, ...]:
    """The names of the calls of a script."""
    return tuple(re.findall(r"pyautogui\.(\w+)", "\n".join(lines)))


def read_data(seeds: int) -> tuple[list[ScriptTask], list[ScriptTask]]:
    """Tasks of the test and of the training splits of miniatures of these seeds."""
    tested: list[ScriptTask] = []
    training: list[ScriptTask] = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(seeds):
            mini_omniact.write(Path(folder, str(seed)), seed)
            source = Source.open(str(Path(folder, str(seed))), "")
            tested += load(source, "test").items
            training += load(source, "train").items
    return tested, training


def measure(
    index: ExampleIndex, items: Sequence[ScriptTask], other: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each task whether its nearest example is of its kind, and the share of such examples among five."""
    first, five = [], []
    for item in items:
        words = say_otherwise(item.instruction) if other else item.instruction
        nearest = index.nearest(words, 5, {wording_of(item), item.screen})[::-1]
        hits = [kind_of(one.steps) == kind_of(item.script.split("\n")) for one in nearest]
        first.append(float(bool(hits) and hits[0]))
        five.append(sum(hits) / 5)
    return np.array(first), np.array(five)


def main(
    model: Annotated[str, typer.Option(help="Folder of a model of sentence-transformers.")] = "",
    seeds: Annotated[int, typer.Option(help="Miniatures, each with other content.", min=1)] = 4,
) -> None:
    """Print what each ranking finds."""
    tested, training = read_data(seeds)
    known = {kind_of(one.script.split("\n")) for one in training}
    items = [one for one in tested if kind_of(one.script.split("\n")) in known]
    examples = examples_of(training, lambda item: Absent("failed"))
    indexes = {"letters": ExampleIndex(examples, ways=("letters",))}
    if model:
        meaning = make_embeddings(f"sentence-transformers/{model}")
        indexes["meaning"] = ExampleIndex(examples, meaning, ("meaning",))
    groups = cluster([str(at) for at in range(len(items))], [{one.screen} for one in items])
    rows = []
    for words in (SAME, OTHER):
        for name, index in indexes.items():
            shares = [mean_interval(hits, groups).text(1) for hits in measure(index, items, words == OTHER)]
            rows.append((words, name, str(len(items)), *shares))
    typer.echo(Table(("words", "ranked by", "tasks", "first %", "of five %"), tuple(rows), labels=2).text())


if __name__ == "__main__":
    typer.run(main)
