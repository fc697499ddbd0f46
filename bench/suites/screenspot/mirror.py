"""The mirror of ScreenSpot v1 in parquet files, `{file_name, bbox, instruction, data_type, data_source, image}`.

Pictures stay in the files until they are asked for: together they are some gigabytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omnipilot.bench.scoring.data.pictures import picture_size
from omnipilot.bench.scoring.data.records import Fields, Loaded, read_each
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.pointing.data import Screen
from omnipilot.envs import ConfigError, Size
from omnipilot.envs.base import Platform
from omnipilot.envs.types import require

if TYPE_CHECKING:
    from omnipilot.bench.suites.screenspot.suite import ScreenSpotItem

ORIGINS: Mapping[str, tuple[str, Platform]] = {
    **dict.fromkeys(("ios", "android"), ("mobile", "phone")),
    **dict.fromkeys(("windows", "macos"), ("desktop", "desktop")),
    **dict.fromkeys(("gitlab", "shop", "forum", "tool"), ("web", "browser")),
}
"""`data_source` → the platform of the original's files, which the mirror does not name."""


def mirrored(
    source: Source, files: Sequence[Path], read: Callable[[Fields, Screen, str], ScreenSpotItem]
) -> Loaded[ScreenSpotItem]:
    """The records of all files, as one list.

    Raises:
        MissingExtra: the package `datasets` is not installed.
        ConfigError: the files hold no pictures.
    """
    datasets: Any = require("datasets", "hub")
    table = datasets.load_dataset("parquet", data_files=[str(path) for path in files], split="train")
    if "image" not in table.column_names:
        raise ConfigError(f"{source.root}: its parquet files have no pictures, a column image. {source.get}")
    table = table.cast_column("image", datasets.Image(decode=False))
    names = [name for name in table.column_names if name != "image"]
    rows = table.select_columns(names)
    sizes: dict[str, Size] = {}

    def item(record: Fields) -> ScreenSpotItem:
        number = int(record.record)
        origin = record.choice("data_source", tuple(ORIGINS))
        platform, device = ORIGINS[origin]
        name = record.text("file_name")

        def picture() -> bytes:
            file: bytes | None = (table[number]["image"] or {}).get("bytes")
            if not file:
                raise record.wrong("image", "the file does not hold the picture")
            return file

        if name not in sizes:
            try:
                sizes[name] = picture_size(picture())
            except OSError as error:
                raise record.wrong("image", f"it is no picture: {error}") from None
        return read(record, Screen(name, device, sizes[name], picture), platform)

    file = source.name(files[0] if len(files) == 1 else files[0].parent)
    return read_each(
        (Fields(file, number, row) for number, row in enumerate(rows)), item, key=lambda one: one.target.id
    )
