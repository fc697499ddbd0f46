"""The questions of MMBench-GUI level 1, read from `L1_annotations.json` and the folder of screenshots.

The file lists screens, `{index, image_path, image_size, platform, app_name, groups}`; each of the three groups is one
question, `{question, options, answer, explanation, difficulty}`: easy, medium and hard, in this order. A screenshot is
`offline_images/<platform>/<image_path>`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from omnipilot.bench.scoring.data.pictures import picture_size
from omnipilot.bench.scoring.data.records import Bad, BadRecord, Loaded, Record, read_each
from omnipilot.bench.scoring.data.source import Source, media
from omnipilot.envs import ConfigError

Mode: TypeAlias = Literal["all", "easy", "medium", "hard"]
MODES: tuple[Mode, ...] = ("all", "easy", "medium", "hard")
LEVELS = MODES[1:]
PLATFORMS = ("os_windows", "os_mac", "os_linux", "os_ios", "os_android", "os_web")
LETTERS = "ABCDEF"
FILE = "L1_annotations.json"
GET = (
    "How to get it: `hf download OpenGVLab/MMBench-GUI --repo-type dataset --local-dir DIR`, then unzip "
    "DIR/MMBench-GUI-OfflineImages.zip so that DIR/offline_images/os_web and the other five platforms are there; "
    "`omnipilot miniature DIR mmbench-l1` writes a small one instead."
)


@dataclass(frozen=True, slots=True)
class ScreenQuestion:
    """One question about one screenshot.

    Attributes:
        id: the screen's index and the level by the group's place, as in "12-hard": the same in every mode.
        screen: the index of the screen, which three questions share.
        running: the index in mode `all`, where every question has one of its own.
        difficulty: as the group says it, which is what the scores go by.
        options: pairs of letter and text, in the order of letters. answer: the letter of the right one.
        hint: "" where the data has none.
    """

    id: str
    screen: int
    running: int
    platform: str
    app: str
    difficulty: str
    image: Path
    size: tuple[int, int]
    question: str
    options: tuple[tuple[str, str], ...]
    answer: str
    hint: str = ""

    def index(self, mode: Mode) -> int:
        """Its index in the release's tables of one mode."""
        return self.running if mode == "all" else self.screen


@dataclass(frozen=True, slots=True)
class Level1:
    """The result of reading. digest: of the annotations, 12 hexadecimal digits."""

    loaded: Loaded[ScreenQuestion]
    digest: str


def load(data: str, mode: Mode = "all") -> Level1:
    """The questions of a folder or `hf://…`; mode `all` has every screen's questions, other modes those of one level.

    Raises:
        ConfigError: no data, no such mode, or not one question that can be used; the message says how the data is had.
    """
    if mode not in MODES:
        raise ConfigError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
    source = Source.open(data, GET)
    file = source.path(FILE, f"MMBench-GUI/{FILE}")
    flat, bad = _flat(source, file, mode)
    prefix = "" if file.parent == source.root else f"{source.name(file.parent)}/"
    found = read_each(flat, lambda record: _question(source, record, prefix), key=lambda one: one.id)
    loaded = Loaded(found.items, (*bad, *found.bad))
    if not loaded.items:
        why = (
            f"none of its {len(loaded.bad)} questions can be used, the first because: {loaded.bad[0]}"
            if (loaded.bad)
            else "it holds no question"
        )
        raise ConfigError(f"{source.name(file)}: {why}. {GET}")
    return Level1(loaded, source.digest([file]))


def _flat(source: Source, file: Path, mode: Mode) -> tuple[list[Record], list[Bad]]:
    """One record per question with the fields of its screen, flattened as in the release; bad ones keep their index.

    A screen whose questions cannot be counted takes as many indices as any other, one a level.
    """
    flat: list[Record] = []
    bad: list[Bad] = []
    running = 0
    for record in source.records(file):
        try:
            # Without an index its questions are bad one by one, and those after them keep theirs.
            index = record.raw("index", record.record)
            screen = record.named(index)
            groups = screen.items("groups")
            if len(groups) != len(LEVELS):
                bad.append(screen.wrong("groups", f"there are {len(groups)} questions, not {len(LEVELS)}").bad)
        except BadRecord as error:
            bad.append(error.bad)
            # Its questions cannot be told, but predictions are numbered with them.
            running += len(LEVELS)
            continue
        shared = {name: screen.raw(name, None) for name in screen.names if name != "groups"}
        for place, group in enumerate(groups):
            level = LEVELS[place] if place < len(LEVELS) else f"extra-{place}"
            wanted = mode in ("all", level)
            one = Record(screen.file, f"{index}-{level}", _joined(shared, group, level, running))
            running += 1
            if wanted:
                flat.append(one)
    return flat, bad


def _joined(shared: Mapping[str, Any], group: Any, level: str, running: int) -> Mapping[str, Any]:
    own = {"group": group, **group} if isinstance(group, Mapping) else {"group": group}
    return {**shared, **own, "level": level, "running": running}


def _question(source: Source, record: Record, prefix: str) -> ScreenQuestion:
    record.table("group")
    level = record.choice("level", LEVELS)
    platform = record.choice("platform", PLATFORMS)
    options = _options(record)
    answer = record.choice("answer", [letter for letter, _ in options])
    folders = (f"{prefix}offline_images/{platform}", f"{prefix}offline_images", f"{prefix}{platform}")
    screen = record.whole("index", least=0)
    return ScreenQuestion(
        f"{screen}-{level}",
        screen,
        record.whole("running"),
        platform,
        record.text("app_name", ""),
        record.choice("difficulty", LEVELS),
        _picture(record, media(source, record, "image_path", *folders)),
        record.size("image_size"),
        _written(record, "question"),
        options,
        answer,
        record.text("hint", ""),
    )


def _picture(record: Record, path: Path) -> Path:
    try:
        picture_size(path)
        return path
    except OSError as error:
        raise record.wrong("image_path", f"{path.name} is not a readable picture: {error}") from None


def _options(record: Record) -> tuple[tuple[str, str], ...]:
    table = record.table("options")
    if strangers := [name for name in table.names if name not in tuple(LETTERS)]:
        raise table.wrong(strangers[0], f"options must be named A to F, not {strangers[0]!r}")
    # The release skips letters without a text, too.
    found = tuple((letter, _written(table, letter)) for letter in LETTERS if table.has(letter))
    if len(found) < 2:
        raise record.wrong("options", f"there are {len(found)}; a question needs at least two")
    return found


def _written(record: Record, field: str) -> str:
    text: str = record.text(field).strip()
    if not text:
        raise record.wrong(field, "it is empty")
    return text
