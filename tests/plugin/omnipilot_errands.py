"""The benchmark `errands`: recorded taps on a phone, one JSON file and its screenshots; data, suite and rules."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from omnipilot.bench import Case, Judge, JudgeGraph, Suite, Task, TaskInfo, load_run
from omnipilot.bench.scoring import Figure, Item, Scored
from omnipilot.bench.scoring.data.pictures import picture_size
from omnipilot.bench.scoring.data.records import Bad, Record, read_each
from omnipilot.bench.scoring.data.source import Source, records_of
from omnipilot.bench.scoring.predictions import load_predictions
from omnipilot.bench.stats.intervals import Interval
from omnipilot.bench.stats.ratio import mean_of
from omnipilot.envs import Box, Click, ConfigError, Image, Modality, Observation, Point, Thinking
from omnipilot.envs.recorded import Prediction, RecordedStep, Recording, ReplayWorld
from omnipilot.envs.recorded.replay import Look
from omnipilot.envs.schema.validation_messages import nearest
from omnipilot.memory import Move

GET = "It is a folder with errands.json and its screenshots; `omnipilot miniature DIR errands` makes a small one."
ENV = "phone"
Hits: TypeAlias = Sequence[tuple[str, bool]]
"""Of each tap: the id of its errand, and whether it was right."""


@dataclass(frozen=True, slots=True)
class Errand:
    """One recorded episode: at each screenshot, the box in which the tap belongs.

    In the file: {"id", "goal", "taps": [{"image", "box": [left, top, right, bottom] as shares of the sides}, …]}.
    """

    id: str
    goal: str
    taps: tuple[tuple[Path, Box], ...]


class Data:
    """The errands of a folder, those that cannot be read (`bad`), and a version that changes with the data."""

    def __init__(self, folder: str) -> None:
        source = Source.open(folder, GET)
        file = source.path("errands.json")

        def tap(fields: Record) -> tuple[Path, Box]:
            image = source.root / fields.text("image")
            if not image.is_file():
                raise fields.wrong("image", "there is no such file")
            try:
                return image, Box(*fields.numbers("box", 4))
            except ValueError as error:
                raise fields.wrong("box", str(error)) from None

        def errand(fields: Record) -> Errand:
            one = fields.named(fields.text("id"))
            raw = enumerate(one.items("taps"))
            taps = tuple(tap(Record(one.file, f"{one.record}, tap {number}", value)) for number, value in raw)
            if not taps:
                raise one.wrong("taps", "there is none")
            return Errand(one.record, one.text("goal"), taps)

        read = read_each(source.records(file), errand, key=lambda one: one.id)
        self.errands: tuple[Errand, ...] = read.items
        self.bad: tuple[Bad, ...] = read.bad
        self.version = "1-" + source.digest({file, *(image for one in read.items for image, _ in one.taps)})


class Errands(Suite):
    """Recorded taps: any agent is asked at each screenshot, whatever it said before."""

    name = "errands"

    def __init__(self, data: str = "") -> None:
        read = Data(data)
        self.version, self.bad = read.version, read.bad
        self._by_id = {one.id: one for one in read.errands}

    def tasks(self) -> Sequence[TaskInfo]:
        """A task an errand; all instances are the same."""
        return [TaskInfo(one.id, one.goal, (ENV,), seeded=False) for one in self._by_id.values()]

    def instantiate(self, task_id: str, instance: int) -> Task:
        """One errand: its recording, a judge for each tap, and the right taps for the planner `oracle`."""
        if task_id not in self._by_id:
            raise ConfigError(f"there is no errand {task_id!r}; {nearest(task_id, list(self._by_id))}")
        errand = self._by_id[task_id]

        def setup(world: ReplayWorld) -> str:
            steps = tuple(RecordedStep(_look(image), (Click(box.center),)) for image, box in errand.taps)
            size = picture_size(errand.taps[0][0])
            world.load(Recording("phone", size, frozenset({"click"}), steps, ENV))
            return errand.goal

        judges = tuple(_judge(number, box) for number, (_, box) in enumerate(errand.taps))
        moves = [Move(ENV, Click(box.center)) for _, box in errand.taps]
        return Task(task_id, instance, setup, JudgeGraph(judges), lambda _: moves)

    def world(self, thinking: Thinking) -> ReplayWorld:
        """A world that plays recordings."""
        return ReplayWorld(thinking)


def _look(image: Path) -> Look:
    def look(env: str, time: float, modalities: Collection[Modality]) -> Observation:
        picture = Image.encoded(image.read_bytes(), env, time, image.name)
        return Observation(env, time, picture.size, picture)

    return look


def _judge(number: int, box: Box) -> Judge:
    def ask(case: Case) -> bool:
        done = case.state.predictions
        return len(done) > number and _hit(done[number], box)

    return Judge(f"tap {number}", ask, env=ENV)


def _hit(prediction: Prediction, box: Box) -> bool:
    """Whether the first thing that would have been done is a tap in the box."""
    first = prediction.actions[0] if prediction.actions else None
    return isinstance(first, Click) and first.at is not None and box.contains(first.at)


class ErrandsScore:
    """The share of taps in their box, and of errands with all of them."""

    name = "errands"
    variants = ("release",)
    format = 'rows (.jsonl, .json, .csv) of {"id", "tap" (from 0), "x", "y" (0..1)}, or a run directory'

    def score(self, data: str, predictions: Path, variant: str) -> Scored:
        """A tap without a prediction is void: it is wrong, and the figure without it stands beside the other."""
        read = Data(data)
        given = _of_run(predictions, read.version) if predictions.is_dir() else _of_file(predictions)
        taps = [(one.id, number, box) for one in read.errands for number, (_, box) in enumerate(one.taps)]
        missing = [(id, number) for id, number, _ in taps if (id, number) not in given]
        hits = [(id, (id, number) in given and _hit(given[id, number], box)) for id, number, box in taps]
        valid = [hit for hit, (id, number, _) in zip(hits, taps, strict=True) if (id, number) in given]
        if not valid:
            raise ConfigError(f"{predictions} answers no tap of the data. Predictions are {self.format}")
        lost = {id for id, _ in missing}
        items = tuple(Item(f"{id}-{n}", id, float(hit)) for (id, n, _), (_, hit) in zip(taps, hits, strict=True))
        whole = tuple(Item(one.id, one.id, float(_done(hits, one.id))) for one in read.errands)
        figures = (
            Figure("taps", _share(hits), len(hits), "taps", len(missing), _share(valid), items=items, noun="errands"),
            Figure("errands", _whole(hits), len(read.errands), "errands", len(lost), _whole(hits, lost), items=whole),
        )
        known = {(id, number) for id, number, _ in taps}
        extra = tuple(f"{id}, tap {number}" for id, number in given if (id, number) not in known)
        return Scored(self.name, variant, figures, (), read.bad, tuple(f"{id}, tap {n}" for id, n in missing), extra)


def _done(hits: Hits, id: str) -> bool:
    return all(hit for one, hit in hits if one == id)


def _share(hits: Hits) -> Interval | None:
    """The mean with its interval; taps of one errand are not independent of each other."""
    return mean_of([float(hit) for _, hit in hits], [id for id, _ in hits], "errands") if hits else None


def _whole(hits: Hits, without: Collection[str] = ()) -> Interval | None:
    ids = [id for id in dict.fromkeys(id for id, _ in hits) if id not in without]
    return mean_of([float(_done(hits, id)) for id in ids], ids, "errands") if ids else None


def _of_run(folder: Path, version: str) -> dict[tuple[str, int], Prediction]:
    made_of = load_run(folder).spec.suite_version
    if made_of != version:
        raise ConfigError(f"{folder} is a run of the version {made_of}, and these data are {version}; run it anew")
    tasks = load_predictions(folder).tasks
    return {(id, number): one for id, taps in tasks.items() for number, one in enumerate(taps)}


def _of_file(path: Path) -> dict[tuple[str, int], Prediction]:
    def row(fields: Record) -> tuple[tuple[str, int], Prediction]:
        x, y = fields.number("x"), fields.number("y")
        if not (0 <= x <= 1 and 0 <= y <= 1):
            raise fields.wrong("x", f"x and y are shares of the sides, in 0..1, not {x:g} and {y:g}")
        at = Point(x, y)
        return (fields.text("id"), fields.whole("tap", least=0)), Prediction((Click(at),))

    read = read_each(records_of(path), row, key=lambda one: one[0])
    if read.bad:
        raise ConfigError(f"{read.bad[0]}; predictions are {ErrandsScore.format}")
    return dict(read.items)


def write(folder: Path) -> None:
    """Write three errands of two taps each, with grey screenshots that show a dark square where the tap belongs."""
    from PIL import Image as pil

    errands = []
    for number in range(3):
        taps = []
        for step in range(2):
            left, top = 20 + 30 * number, 40 + 60 * step
            screen = pil.new("RGB", (120, 200), (220, 220, 220))
            screen.paste((40, 40, 40), (left, top, left + 20, top + 20))
            screen.save(folder / f"{number}-{step}.png")
            edges = [left / 120, top / 200, (left + 20) / 120, (top + 20) / 200]
            taps.append({"image": f"{number}-{step}.png", "box": edges})
        errands.append({"id": f"squares-{number}", "goal": "Tap the dark square.", "taps": taps})
    (folder / "errands.json").write_text(json.dumps(errands, indent=1), encoding="utf-8")


def sample_predictions(folder: Path) -> Path:
    """Predictions for all taps but the last: the first errand's are right, the others in the middle of the screen."""
    rows = []
    for errand in Data(str(folder)).errands:
        for number, (_, box) in enumerate(errand.taps):
            at = box.center if errand.id == "squares-0" else Point(0.5, 0.99)
            rows.append({"id": errand.id, "tap": number, "x": at.x, "y": at.y})
    path = folder / "predictions.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows[:-1]), encoding="utf-8")
    return path
