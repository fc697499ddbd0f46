"""ScreenSpot v1 and v2 as pointing suites: mobile, desktop and web; texts and icons.

Their files are `screenspot_<platform>.json` (v2: `screenspot_<platform>_v2.json`), lists of `{img_filename, bbox,
instruction, data_type, data_source}` with boxes as left, top, width, height in pixels, and a folder of screenshots. The
mirror of v1 in parquet files is read too: its boxes are left, top, right, bottom in shares of the sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from omnipilot.bench.pointing.data import DataPointing, Screen, Screens, box_on
from omnipilot.bench.pointing.evaluation import Target
from omnipilot.bench.scoring.data.parquet_file import check_parquet
from omnipilot.bench.scoring.data.pictures import picture_size
from omnipilot.bench.scoring.data.records import Loaded, Record, read_each
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.screenspot.figures import figures
from omnipilot.bench.suites.screenspot.metrics import PLATFORMS, UI_TYPES, from_corner
from omnipilot.envs import ConfigError, Platform, Size
from omnipilot.envs.types import require

if TYPE_CHECKING:
    from omnipilot.bench.pointing.given_answers import Given
    from omnipilot.bench.scoring.score import Scored

GET = (
    "How to get it: the screenshots and the three annotation files of ScreenSpot from the repository SeeClick "
    "(github.com/njucckevin/SeeClick), as DIR/screenspot_imgs/ and DIR/screenspot_mobile.json and so on; or its mirror "
    "hf://rootsautomation/ScreenSpot. `omnipilot miniature DIR screenspot` writes a small one instead."
)
GET_V2 = (
    "How to get it: `hf download OS-Copilot/ScreenSpot-v2 --repo-type dataset --local-dir DIR`, then unzip "
    "DIR/screenspotv2_image.zip so that DIR/screenspotv2_image/ is there. `omnipilot miniature DIR screenspot-v2` "
    "writes a small one instead."
)
FOLDERS = ("screenspot_imgs", "screenspotv2_image", "images", "")
DEVICES: Mapping[str, Platform] = {"mobile": "phone", "desktop": "desktop", "web": "browser"}
MIRROR_ORIGINS: Mapping[str, tuple[str, Platform]] = {
    **dict.fromkeys(("ios", "android"), ("mobile", "phone")),
    **dict.fromkeys(("windows", "macos"), ("desktop", "desktop")),
    **dict.fromkeys(("gitlab", "shop", "forum", "tool"), ("web", "browser")),
}
"""`data_source` → the platform of the original's files, which the mirror does not name."""


@dataclass(frozen=True, slots=True)
class ScreenSpotItem:
    """One target.

    Attributes:
        platform: mobile, desktop or web. origin: the file's `data_source`, such as ios or gitlab.
        box: left, top, right, bottom in units of which the screenshot has `size`: pixels, in the mirror 1 x 1.
        written: the box as the file has it.
    """

    target: Target
    screen: Screen
    platform: str
    ui_type: Literal["text", "icon"]
    box: tuple[float, float, float, float]
    size: tuple[int, int]
    written: tuple[float, ...]
    origin: str = ""

    @property
    def marks(self) -> Mapping[str, str]:
        """None: no other field identifies a record."""
        return {}


class ScreenSpotSuite(DataPointing[ScreenSpotItem]):
    """ScreenSpot v1.

    Args:
        data: the folder of its files, or `hf://OWNER/NAME`.

    Raises:
        ConfigError: no data, or not one record that can be used.
    """

    name = "screenspot"
    get, tail = GET, ""

    def __init__(self, data: str = "") -> None:
        source = Source.open(data, self.get)
        files = [path for platform in PLATFORMS for path in source.find(f"screenspot_{platform}{self.tail}.json")]
        if files:
            loaded = read_each(_records(source, files), _Reader(source), key=lambda item: item.target.id)
        else:
            wanted = [f"screenspot_{platform}{self.tail}.json" for platform in PLATFORMS]
            source.path(*wanted, *([] if self.tail else ["data/*.parquet", "*.parquet"]))
            files = source.find("data/*.parquet") or source.find("*.parquet")
            loaded = read_mirror(source, files, mirror_item)
        super().__init__(source, files, loaded)

    def figures(self, spots: Sequence[ScreenSpotItem], given: Mapping[str, Given], variant: str = "") -> Scored:
        """The six cells, their mean, and the share over all items."""
        return figures(self.name, spots, given, variant, self.bad)


class ScreenSpotV2Suite(ScreenSpotSuite):
    """ScreenSpot v2: the same with corrected annotations.

    Args:
        data: the folder of its files, or `hf://OWNER/NAME`.

    Raises:
        ConfigError: no data, or not one record that can be used.
    """

    name = "screenspot-v2"
    get, tail = GET_V2, "_v2"

    def __init__(self, data: str = "") -> None:
        super().__init__(data)


def _records(source: Source, files: Sequence[Path]) -> Iterator[Record]:
    return (record for path in files for record in source.records(path))


class _Reader:
    """Reads records of the three files; the file determines the platform."""

    def __init__(self, source: Source) -> None:
        self._screens = Screens(source)

    def __call__(self, record: Record) -> ScreenSpotItem:
        platform = Path(record.file).stem.removeprefix("screenspot_").removesuffix("_v2")
        screen = self._screens.at(record, "img_filename", DEVICES[platform], *FOLDERS)
        left, top, width, height = record.numbers("bbox", 4)
        if width < 0 or height < 0:
            raise record.wrong(
                "bbox",
                f"expected left, top, width and height with sides of at least 0, got sides of {width:g} and {height:g}",
            )
        edges = from_corner(left, top, width, height)
        written = (left, top, width, height)
        return _item(record, f"{platform}-{record.record}", platform, screen, edges, screen.size, written)


def mirror_item(record: Record, screen: Screen, platform: str) -> ScreenSpotItem:
    """A record of the mirror, whose box is in fractions of the sides."""
    left, top, right, bottom = record.numbers("bbox", 4)
    edges = (left, top, right, bottom)
    return _item(record, f"{platform}-{record.record}", platform, screen, edges, Size(1, 1), edges)


def _item(
    record: Record,
    id: str,
    platform: str,
    screen: Screen,
    edges: tuple[float, float, float, float],
    size: Size,
    written: tuple[float, ...],
) -> ScreenSpotItem:
    kind: Literal["text", "icon"] = "text" if record.choice("data_type", UI_TYPES) == "text" else "icon"
    instruction = record.text("instruction")
    if not instruction.strip():
        raise record.wrong("instruction", "it is empty")
    target = Target(id, box_on(record, "bbox", edges, size), kind, "", "", instruction)
    sides = (size.width, size.height)
    return ScreenSpotItem(target, screen, platform, kind, edges, sides, written, record.text("data_source", ""))


def read_mirror(
    source: Source, files: Sequence[Path], read: Callable[[Record, Screen, str], ScreenSpotItem]
) -> Loaded[ScreenSpotItem]:
    """The records of the mirror's parquet files, as one list.

    Their columns are `{file_name, bbox, instruction, data_type, data_source, image}`. Pictures stay in the
    files until they are asked for: together they are some gigabytes.

    Raises:
        MissingExtra: the package `datasets` is not installed.
        ConfigError: the files hold no pictures, or are none of parquet.
    """
    datasets: Any = require("datasets", "hub")
    for path in files:
        check_parquet(path, source.name(path))
    table = datasets.load_dataset("parquet", data_files=[str(path) for path in files], split="train")
    if "image" not in table.column_names:
        raise ConfigError(f"{source.root}: its parquet files have no pictures (column image). {source.get}")
    table = table.cast_column("image", datasets.Image(decode=False))
    names = [name for name in table.column_names if name != "image"]
    rows = table.select_columns(names)
    sizes: dict[str, Size] = {}

    def item(record: Record) -> ScreenSpotItem:
        number = int(record.record)
        origin = record.choice("data_source", tuple(MIRROR_ORIGINS))
        platform, device = MIRROR_ORIGINS[origin]
        name = record.text("file_name")

        def picture() -> bytes:
            file: bytes | None = (table[number]["image"] or {}).get("bytes")
            if not file:
                raise record.wrong("image", "the file does not contain the picture")
            return file

        if name not in sizes:
            try:
                sizes[name] = picture_size(picture())
            except OSError as error:
                raise record.wrong("image", f"it is not a readable picture: {error}") from None
        return read(record, Screen(name, device, sizes[name], picture), platform)

    file = source.name(files[0] if len(files) == 1 else files[0].parent)
    return read_each(
        (Record(file, number, row) for number, row in enumerate(rows)), item, key=lambda one: one.target.id
    )
