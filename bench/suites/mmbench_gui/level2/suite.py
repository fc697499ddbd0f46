"""MMBench-GUI level 2 as a pointing suite: basic and advanced instructions on six platforms.

Its file is `L2_annotations.json`, a list of `{index, image_path, instruction, bbox, image_size, data_type, platform,
app_name, grounding_type}` with boxes as left, top, right, bottom in shares of the sides (where one is above 1, in
pixels), and `offline_images/<platform>/`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from omnipilot.bench.pointing.data import DataPointing, Screen, Screens
from omnipilot.bench.pointing.evaluation import Target
from omnipilot.bench.scoring.data.records import Loaded, Record, read_each
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.mmbench_gui.level2.figures import DEVICES, figures
from omnipilot.bench.suites.mmbench_gui.level2.metrics import Grounded, Kind, box_of
from omnipilot.bench.suites.mmbench_gui.level2.metrics import Mode as Level
from omnipilot.envs import Box, ConfigError

if TYPE_CHECKING:
    from omnipilot.bench.pointing.given_answers import Given
    from omnipilot.bench.scoring.score import Scored

GET = (
    "How to get it: `hf download OpenGVLab/MMBench-GUI --repo-type dataset --local-dir DIR`, then unzip "
    "DIR/MMBench-GUI-OfflineImages.zip so that DIR/offline_images/os_web and the other five platforms are there; "
    "`omnipilot miniature DIR mmbench-l2` writes a small one instead."
)
FILE = "L2_annotations.json"
Mode = Literal["all", "basic", "advanced"]


@dataclass(frozen=True, slots=True)
class L2Item:
    """One target.

    Attributes:
        index: as the file has it; the target's id, where it is the only one of that index.
        box: as the file has it. size: of the picture in pixels.
    """

    target: Target
    screen: Screen
    index: str
    platform: str
    app: str
    mode: Level
    kind: Kind
    box: tuple[float, float, float, float]
    size: tuple[int, int]

    @property
    def written(self) -> tuple[float, ...]:
        """The box as written in the file."""
        return self.box

    @property
    def marks(self) -> Mapping[str, str]:
        """Fields that appear in the release's tables."""
        return {"index": self.index, "platform": self.platform, "grounding_type": self.mode}


class MMBenchL2Suite(DataPointing[L2Item]):
    """MMBench-GUI level 2.

    Args:
        data: the folder of its files, or `hf://OWNER/NAME`.
        mode: all instructions, or those of one kind.

    Raises:
        ConfigError: no data, no record that can be used, or no such mode.
    """

    name = "mmbench-l2"

    def __init__(self, data: str = "", mode: Mode = "all") -> None:
        if mode not in get_args(Mode):
            raise ConfigError(f"{self.name}: mode must be one of {', '.join(get_args(Mode))}, not {mode!r}")
        source = Source.open(data, GET)
        file = source.path(FILE, f"MMBench-GUI/{FILE}")
        folder = "" if file.parent == source.root else f"{source.name(file.parent)}/"
        screens = Screens(source)
        records = list(source.records(file))
        indexes = Counter(str(record.raw("index")) for record in records if record.has("index"))

        def read(record: Record) -> L2Item:
            return _item(record, screens, folder, indexes)

        loaded = read_each(records, read, key=lambda item: item.target.id)
        chosen = tuple(item for item in loaded.items if mode in ("all", item.mode))
        super().__init__(source, [file], Loaded(chosen, loaded.bad))

    def figures(self, spots: Sequence[L2Item], given: Mapping[str, Given], variant: str = "") -> Scored:
        """Basic, advanced, their average, and every cell."""
        return figures(spots, given, variant, self.bad)


def _item(record: Record, screens: Screens, folder: str, indexes: Mapping[str, int]) -> L2Item:
    index = record.text("index")
    record = record.named(index)
    platform = record.choice("platform", tuple(DEVICES))
    mode: Level = "basic" if record.choice("grounding_type", ("basic", "advanced")) == "basic" else "advanced"
    kind: Kind = "icon" if record.choice("data_type", ("icon", "text")) == "icon" else "text"
    places = (f"{folder}offline_images/{platform}", f"{folder}offline_images", f"{folder}{platform}")
    screen = screens.at(record, "image_path", DEVICES[platform], *places)
    record.size("image_size")
    left, top, right, bottom = record.numbers("bbox", 4)
    instruction = record.text("instruction")
    if not instruction.strip():
        raise record.wrong("instruction", "it is empty")
    # An index that several records bear names none of them.
    id = index if indexes[index] == 1 else f"{index}-{platform}-{mode}"
    box = (left, top, right, bottom)
    sides = (screen.size.width, screen.size.height)
    place = _place(record, Grounded(id, platform, mode, kind, box, *sides, ""))
    words = (instruction, "") if mode == "basic" else ("", instruction)
    target = Target(id, place, kind, "", "", *words)
    return L2Item(target, screen, index, platform, record.text("app_name", ""), mode, kind, box, sides)


def _place(record: Record, task: Grounded) -> Box:
    """The target's place, by the reading that first replaces -1 by 0.

    Raises:
        BadRecord: the box leaves the picture, where the release ends the whole run, or its edges are out of order.
    """
    try:
        left, top, right, bottom = box_of(task, "fixed")
    except ConfigError as error:
        raise record.wrong("bbox", str(error)) from None
    if left > right or top > bottom:
        raise record.wrong("bbox", f"its edges {task.box} (left, top, right, bottom) are in the wrong order")
    return Box(left, top, right, bottom)
