"""Miniature data in AndroidControl's format, played on the embedded world's phone: TFRecords, splits, and rows.

The official export lies in the folder itself, the same episodes as rows with picture files in its folder `rows`.
"""

from __future__ import annotations

import gzip
import json
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from omnipilot.bench.suites.android_control.accessibility import VIEWS
from omnipilot.bench.suites.android_control.tfrecord import mask_checksum
from omnipilot.bench.suites.duet.kit.play import ground_move, play
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.envs import (
    Absent,
    Action,
    Box,
    Click,
    Elements,
    LongPress,
    Modality,
    OpenApp,
    Ref,
    Scroll,
    Size,
    Swipe,
    System,
    TypeText,
    Wait,
)
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.types import INTERACTIVE
from omnipilot.memory import Move

PLAYED = (
    "tick-the-right-task",
    "send-message",
    "answer-one-invitation",
    "song-out-of-playlist",
    "dismiss-alarm",
    "forget-old-network",
    "add-alarm",
    "place-of-picture",
)
"""Tasks of `duet` whose demonstrations are played."""
WALKS: tuple[tuple[str, tuple[Action, ...]], ...] = (
    (
        "Look through the contacts, then go back to the home screen",
        (OpenApp("Contacts"), Scroll("down"), Scroll("up"), System("back"), System("home")),
    ),
    ("Open the notes and wait for them", (OpenApp("Notes"), Wait())),
)
_BACK = {"up": "down", "down": "up", "left": "right", "right": "left"}
SPLITS = {"train": (9,), "validation": (4,)}
"""Which episodes, by their number, are not for the test."""
SUBSPLITS = {"IDD": (0, 1, 8), "app_unseen": (2, 3), "task_unseen": (5, 6, 2), "category_unseen": (7,)}
SHARDS = 2
ROWS = "rows"


@dataclass
class PlayedEpisode:
    """A played episode: a picture before each action and one at the end."""

    id: int
    goal: str
    pictures: list[bytes] = field(default_factory=list)
    sizes: list[Size] = field(default_factory=list)
    actions: list[dict[str, Any]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    trees: list[bytes] = field(default_factory=list)


def write(folder: Path, seed: int = 0) -> None:
    """Write the data."""
    made = list(episodes(seed))
    folder.mkdir(parents=True, exist_ok=True)
    for shard in range(SHARDS):
        mine = [_example(episode) for episode in made[shard::SHARDS]]
        packed = gzip.compress(b"".join(map(_record, mine)), 1, mtime=0)
        (folder / f"android_control-{shard:05d}-of-{SHARDS:05d}").write_bytes(packed)
    (folder / ROWS / "screenshots").mkdir(parents=True, exist_ok=True)
    with (folder / ROWS / "episodes.jsonl").open("w", encoding="utf-8") as rows:
        for episode in made:
            rows.write(json.dumps(_row(folder / ROWS, episode), ensure_ascii=False) + "\n")
    held = {number for numbers in SPLITS.values() for number in numbers}
    lists = {
        "splits.json": {**SPLITS, "test": tuple(n for n in range(len(made)) if n not in held)},
        "test_subsplits.json": SUBSPLITS,
    }
    for name, numbers in lists.items():
        text = json.dumps({key: [made[n].id for n in chosen] for key, chosen in numbers.items()})
        for place in (folder, folder / ROWS):
            (place / name).write_text(text + "\n")


def sample_predictions(folder: Path) -> Path:
    """Predictions for the steps of the test split in OS-Atlas's form, derived from the truth by a fixed rule.

    With k = n mod 7 for the n-th step: k 1 has another place, direction or app, or of a text the first word alone
    (right as released, wrong as a whole); 3 another kind of action; 5 no line "actions:"; the others are right. Every
    eleventh is missing.
    """
    from omnipilot.bench.scoring.data.source import Source
    from omnipilot.bench.suites.android_control.data import load
    from omnipilot.bench.suites.android_control.suite import truth_of

    read = load(Source.open(str(folder / ROWS), ""), "test").loaded.items
    steps = [(e.step_key(n), truth_of(step)) for e in read for n, step in enumerate(e.steps)]
    path = folder / "predictions.jsonl"
    with path.open("w", encoding="utf-8") as rows:
        for number, (key, truth) in enumerate(steps):
            if number % 11 != 10:
                rows.write(json.dumps({"id": key, "pred": amiss(truth, number % 7)}) + "\n")
    return path


def amiss(truth: str, kind: int) -> str:
    """A possibly wrong reply to a step whose right action is known, in OS-Atlas's form; see `sample_predictions`."""
    if kind == 1:
        name, *words = truth.split()
        text = f"TYPE {words[0].rstrip(']')} and then something else]" if words else ""
        wrong = {"SCROLL": "SCROLL [LEFT]", "TYPE": text, "OPEN_APP": "OPEN_APP [Calculator]"}
        return f"actions:\n{wrong.get(name, f'{name} <point>[[999,1]]</point>')}"
    if kind == 3:
        return "actions:\nPRESS_HOME" if truth != "PRESS_HOME" else "actions:\nPRESS_BACK"
    return truth if kind == 5 else f"thoughts:\nthe next step\nactions:\n{truth}"


def episodes(seed: int) -> Iterator[PlayedEpisode]:
    """Play the episodes one after another."""
    world, suite = SimWorld(), Duet(split="all")
    for number, name in enumerate(PLAYED):
        task = suite.instantiate(name, seed)
        goal = task.setup(world)
        assert task.solution is not None
        yield _played(PlayedEpisode(_id(number), goal), world, task.solution(world))
    for number, (goal, actions) in enumerate(WALKS, len(PLAYED)):
        world.reset(seed)
        yield _played(PlayedEpisode(_id(number), goal), world, [Move("phone", action) for action in actions])


def _id(number: int) -> int:
    return 140 + 521 * number


def _played(episode: PlayedEpisode, world: SimWorld, moves: Sequence[Move]) -> PlayedEpisode:
    env = world.envs["phone"]
    for move in moves:
        named = _named(world, move)
        for action in _single(ground_move(world, move)):
            _shot(episode, world)
            recorded, told = _recorded(action, env.size, named)
            episode.actions.append(recorded)
            episode.told.append(told)
            play(world, Move("phone", action))
            world.wait(0.5)
    _shot(episode, world)
    return episode


def _single(action: Action) -> tuple[Action, ...]:
    """Split typing into a place into two actions, as AndroidControl does: a click and the text."""
    if isinstance(action, TypeText) and action.at is not None:
        return Click(action.at), TypeText(action.text, clear=action.clear)
    return (action,)


def _named(world: SimWorld, move: Move) -> str:
    place = getattr(move.intent, "at", None)
    element = world.envs["phone"].ui_tree().by_id(place.id) if isinstance(place, Ref) else None
    return element.name if element is not None else "place"


def _recorded(action: Action, size: Size, named: str) -> tuple[dict[str, Any], str]:
    """An action as AndroidControl records it, and the instruction for it."""
    if isinstance(action, Click | LongPress) and action.at is not None:
        x, y = action.at.to_pixel(size)
        kind = "click" if isinstance(action, Click) else "long_press"
        return {"action_type": kind, "x": x, "y": y}, f"{'Click on' if kind == 'click' else 'Long press'} {named}"
    if isinstance(action, Scroll | Swipe) and action.direction is not None:
        way = action.direction if isinstance(action, Scroll) else _BACK[action.direction]
        return {"action_type": "scroll", "direction": way}, f"Scroll {way}"
    if isinstance(action, TypeText):
        return {"action_type": "input_text", "text": action.text}, f"Type {action.text}"
    if isinstance(action, OpenApp):
        return {"action_type": "open_app", "app_name": action.app}, f"Open the {action.app} app"
    if isinstance(action, System):
        return {"action_type": f"navigate_{action.name}"}, f"Go {action.name}"
    if isinstance(action, Wait):
        return {"action_type": "wait"}, "Wait until it has loaded"
    raise ValueError(f"AndroidControl has no action for {action}")


def _shot(episode: PlayedEpisode, world: SimWorld) -> None:
    import io

    from PIL import Image

    seen = world.envs["phone"].observe({Modality.SCREENSHOT}, world.now)
    assert not isinstance(seen.screenshot, Absent)
    out = io.BytesIO()
    size = seen.size.width, seen.size.height
    Image.frombytes("RGB", size, seen.screenshot.rgb).save(out, "PNG", compress_level=6)
    episode.pictures.append(out.getvalue())
    episode.sizes.append(seen.size)
    episode.trees.append(forest(world.envs["phone"].ui_tree(), seen.size))


def forest(elements: Elements, size: Size) -> bytes:
    """An accessibility forest with one window that shows these elements below its root."""
    below = b"".join(map(_varint, range(1, len(elements) + 1)))
    nodes = [_number(1, 0) + _rect(Box(0, 0, 1, 1), size) + _number(23, 1) + _field(25, below)]
    for number, element in enumerate(elements, 1):
        kind = next((name for name, role in VIEWS.items() if role == element.role), "View")
        named = 4 if element.role == "textbox" else 7
        node = _number(1, number) + _rect(element.box, size) + _field(3, f"android.widget.{kind}".encode())
        node += _field(named, element.name.encode())
        flags = {14: element.role in INTERACTIVE | {"listitem"}, 15: element.role == "textbox", 23: True}
        flags |= {13: "checked" in element.states, 16: "disabled" not in element.states}
        nodes.append(node + b"".join(_number(key, 1) for key, on in flags.items() if on))
    tree = b"".join(_field(1, node) for node in nodes)
    return _field(1, _number(3, 1) + _number(4, 1) + _field(11, tree))


def _rect(box: Box, size: Size) -> bytes:
    sides = (round(side) for side in box.to_pixels(size))
    return _field(2, b"".join(_number(key, side) for key, side in enumerate(sides, 1)))


def _number(key: int, value: int) -> bytes:
    return _varint(key << 3) + _varint(value)


def _row(folder: Path, episode: PlayedEpisode) -> dict[str, Any]:
    named = [f"screenshots/episode_{episode.id}_screenshot_{n}.png" for n in range(len(episode.pictures))]
    for name, picture in zip(named, episode.pictures, strict=True):
        (folder / name).write_bytes(picture)
    return {
        "episode_id": episode.id,
        "goal": episode.goal,
        "screenshots": named,
        "screenshot_widths": [size.width for size in episode.sizes],
        "screenshot_heights": [size.height for size in episode.sizes],
        "actions": episode.actions,
        "step_instructions": episode.told,
    }


def _example(episode: PlayedEpisode) -> bytes:
    texts = {"goal": [episode.goal], "actions": list(map(json.dumps, episode.actions))}
    texts["step_instructions"] = episode.told
    features = {name: _list(1, b"".join(_field(1, one.encode()) for one in many)) for name, many in texts.items()}
    features["screenshots"] = _list(1, b"".join(_field(1, one) for one in episode.pictures))
    features["accessibility_trees"] = _list(1, b"".join(_field(1, one) for one in episode.trees))
    widths, heights = ([getattr(size, side) for size in episode.sizes] for side in ("width", "height"))
    for name, numbers in (("episode_id", [episode.id]), ("screenshot_widths", widths), ("screenshot_heights", heights)):
        features[name] = _list(3, _field(1, b"".join(map(_varint, numbers))))
    entries = (_field(1, _field(1, name.encode()) + _field(2, held)) for name, held in sorted(features.items()))
    return _field(1, b"".join(entries))


def _list(kind: int, data: bytes) -> bytes:
    return _field(kind, data)


def _field(number: int, data: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def _record(data: bytes) -> bytes:
    head = struct.pack("<Q", len(data))
    return head + struct.pack("<I", mask_checksum(head)) + data + struct.pack("<I", mask_checksum(data))
