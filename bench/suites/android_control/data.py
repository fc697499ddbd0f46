"""Reads AndroidControl's episodes field by field, from the official export or from rows with picture files.

Format: https://github.com/google-research/google-research/tree/master/android_control
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from omnipilot.bench.scoring.data.json_file import parse, read_json
from omnipilot.bench.scoring.data.pictures import picture_size
from omnipilot.bench.scoring.data.records import Loaded, Record, read_each
from omnipilot.bench.scoring.data.source import Source, is_file
from omnipilot.bench.scoring.steps.metrics import split_of
from omnipilot.bench.suites.android_control.unpack import flat
from omnipilot.envs import Action, Click, ConfigError, LongPress, OpenApp, Point, Scroll, Size, System, TypeText, Wait

GET = (
    "AndroidControl: the 20 files android_control-*-of-00020 (50 GB), splits.json and test_subsplits.json of the "
    "bucket gs://gresearch/android_control in one folder; or a miniature: omnipilot miniature DIR android-control"
)
Split: TypeAlias = Literal["test", "validation", "train"]
SPLITS: tuple[Split, ...] = ("test", "validation", "train")
SUBSPLITS = ("android_control_test_subsplits.json", "test_subsplits.json")
DIRECTIONS = ("up", "down", "left", "right")


@dataclass(frozen=True, slots=True)
class RecordedAction:
    """One step: what was on the screen, the recorded action, and its instruction."""

    image: Path
    size: Size
    action: Action
    instruction: str


@dataclass(frozen=True, slots=True)
class AndroidControlEpisode:
    """One episode. `part`: the first sub-split of the test that lists it; "" if none does."""

    id: int
    goal: str
    steps: tuple[RecordedAction, ...]
    part: str

    @property
    def key(self) -> str:
        """Its name, as used in its pictures' file names."""
        return f"episode_{self.id}"

    def step_key(self, number: int) -> str:
        """The name of a step's picture, which identifies the step in OS-Atlas's lists."""
        return f"{self.key}_screenshot_{number}"


@dataclass(frozen=True, slots=True)
class Episodes:
    """The episodes of a split. `digest`: of the files that define them, for a version."""

    loaded: Loaded[AndroidControlEpisode]
    digest: str


def load(source: Source, split: Split) -> Episodes:
    """All episodes of a split, in the order of the files.

    Raises:
        ConfigError: there is no data, or a file of it cannot be read.
    """
    wanted = numbers(source, "splits.json").get(split) if source.find("splits.json") else None
    if source.find("splits.json") and wanted is None:
        raise ConfigError(f"{source.root / 'splits.json'} has no split {split!r}. {source.get}")
    subsplits = next((numbers(source, name) for name in SUBSPLITS if source.find(name)), {})
    rows = flat(source, split, wanted)
    loaded = read_each(_records(rows.source, rows.paths, wanted), lambda r: _episode(rows.source, r, subsplits), _id)
    lists = [source.root / name for name in ("splits.json", *SUBSPLITS) if source.find(name)]
    both = rows.source.digest(rows.paths) + source.digest(lists)
    return Episodes(loaded, hashlib.sha256(both.encode()).hexdigest()[:12])


def numbers(source: Source, name: str) -> dict[str, frozenset[int]]:
    """Lists of episodes by name, as in `splits.json`.

    Raises:
        ConfigError: the file holds something else.
    """
    path = source.path(name)
    try:
        data = read_json(path)
        return {str(key): frozenset(map(int, ids)) for key, ids in data.items()}
    except (ValueError, AttributeError, TypeError, OverflowError) as error:
        raise ConfigError(f"{path} must contain lists of episode numbers under the names of splits; {error}") from None


def _records(source: Source, paths: tuple[Path, ...], wanted: frozenset[int] | None) -> Iterator[Record]:
    for path in paths:
        for record in source.records(path):
            # What has no readable number is read, and found bad, whatever split it was meant for.
            number = str(record.raw("episode_id")) if record.has("episode_id") else ""
            if wanted is None or not number.isdecimal() or int(number) in wanted:
                yield record


def _id(episode: AndroidControlEpisode) -> int:
    return episode.id


def _episode(source: Source, record: Record, subsplits: Mapping[str, frozenset[int]]) -> AndroidControlEpisode:
    id = record.whole("episode_id", least=0)
    record = record.named(f"episode {id}")
    actions = record.items("actions")
    told = record.items("step_instructions")
    for one in told:
        if not isinstance(one, str):
            raise record.wrong("step_instructions", f"expected a list of texts, but it contains {one!r:.80}")
    pictures = record.items("screenshots" if record.has("screenshots") else "screenshot_paths")
    sizes = _sizes(record, len(pictures))
    if not actions:
        raise record.wrong("actions", "it is empty")
    if len(pictures) < len(actions):
        raise record.wrong("screenshots", f"there are {len(pictures)} for {len(actions)} actions; each needs one")
    if len(told) != len(actions):
        raise record.wrong("step_instructions", f"there are {len(told)} for {len(actions)} actions")
    steps = []
    for number, raw in enumerate(actions):
        image = _picture(source, record, str(pictures[number]))
        size = sizes[number] if sizes else _measured(record, image)
        steps.append(RecordedAction(image, size, action_of(_table(record, number, raw), size), told[number]))
    return AndroidControlEpisode(id, record.text("goal"), tuple(steps), split_of(id, subsplits))


def _table(record: Record, number: int, raw: Any) -> Record:
    """One action as a record whose fields are named `actions[3].x`."""
    if isinstance(raw, str | bytes):
        try:
            raw = parse(raw if isinstance(raw, str) else raw.decode())
        except ValueError as error:
            raise record.wrong(f"actions[{number}]", f"it is not valid JSON: {error}") from None
    return Record(record.file, record.record, {f"actions[{number}]": raw}).table(f"actions[{number}]")


def action_of(raw: Record, size: Size) -> Action:
    """A recorded action as a verb.

    Raises:
        BadRecord: it is of no kind that AndroidControl has, or lacks what that kind needs.
    """
    kind = raw.text("action_type")
    try:
        if kind == "click":
            return Click(_point(raw, size))
        if kind == "long_press":
            return LongPress(_point(raw, size))
        if kind == "scroll":
            return Scroll(raw.choice("direction", DIRECTIONS))  # type: ignore[arg-type]
        if kind == "input_text":
            return TypeText(raw.text("text"))
        if kind == "type":  # of the first release: a click, the text, and Enter
            return TypeText(raw.text("text"), _point(raw, size), submit=True)
        if kind == "open_app":
            return OpenApp(raw.text("app_name"))
        if kind in ("navigate_back", "navigate_home"):
            return System("back" if kind == "navigate_back" else "home")
        if kind == "wait":
            return Wait()
    except ValueError as error:
        raise raw.wrong("action_type", f"this {kind} is invalid: {error}") from None
    raise raw.wrong("action_type", f"AndroidControl has no action {kind!r}")


def _point(raw: Record, size: Size) -> Point:
    return Point.from_pixels(raw.number("x"), raw.number("y"), size)


def _sizes(record: Record, count: int) -> list[Size]:
    """The pictures' sizes as stated in the record; empty if it states none."""
    if not record.has("screenshot_widths") or not record.has("screenshot_heights"):
        return []
    widths, heights = record.numbers("screenshot_widths", count), record.numbers("screenshot_heights", count)
    try:
        return [Size(int(width), int(height)) for width, height in zip(widths, heights, strict=True)]
    except ValueError as error:
        raise record.wrong("screenshot_widths", str(error)) from None


def _measured(record: Record, image: Path) -> Size:
    try:
        return picture_size(image)
    except OSError as error:
        raise record.wrong("screenshots", f"{image.name} is not a readable picture: {error}") from None


def _picture(source: Source, record: Record, named: str) -> Path:
    for folder in ("", "screenshots", "images", "android_control_screenshots"):
        path = source.root / folder / named
        # As it is written: the hub's files are links, and folders of pictures may be.
        if is_file(path) and Path(os.path.normpath(path)).is_relative_to(os.path.normpath(source.root)):
            return path
    raise record.wrong("screenshots", f"there is no file {named} in the data")
