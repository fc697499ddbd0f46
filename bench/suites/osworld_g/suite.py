"""OSWorld-G as a pointing suite: boxes, polygons and instructions that must be refused.

Its files are `OSWorld-G.json` and `OSWorld-G_refined.json` (the same with longer instructions), lists of `{id,
image_path, image_size, instruction, box_type, box_coordinates, GUI_types}`, `classification_result.json` with the ids
of each ability under `classified`, and `images/`. Of a bbox the coordinates are left, top, width, height, of a polygon
x and y of its corners in turn, all in pixels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from omnipilot.bench.pointing.data import DataPointing, Screen, Screens, box_on, written_size
from omnipilot.bench.pointing.evaluation import Target
from omnipilot.bench.pointing.place import Nowhere, Place, Polygon
from omnipilot.bench.scoring.data.json_file import read_json
from omnipilot.bench.scoring.data.records import Bad, BadRecord, Loaded, Record, read_each
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.osworld_g.figures import UNCLASSIFIED, figures
from omnipilot.bench.suites.osworld_g.metrics import BoxType
from omnipilot.bench.suites.screenspot.metrics import from_corner
from omnipilot.envs import ConfigError, Point, Size

if TYPE_CHECKING:
    from omnipilot.bench.pointing.given_answers import Given
    from omnipilot.bench.scoring.score import Scored

GET = (
    "How to get it: `git clone https://github.com/xlang-ai/OSWorld-G`, whose folder benchmark/ holds the data; DIR is "
    "the clone or that folder. `omnipilot miniature DIR osworld-g` writes a small one instead."
)
BOX_TYPES: tuple[BoxType, ...] = ("bbox", "polygon", "refusal")
_ENTRIES = "entries"


@dataclass(frozen=True, slots=True)
class OSWorldGItem:
    """One target.

    Attributes:
        coordinates: as the file has them; of a refusal they mean nothing. size: in whose pixels they are.
        abilities: of the classification file; `unclassified` where it does not name the record.
    """

    target: Target
    screen: Screen
    box_type: BoxType
    coordinates: tuple[float, ...]
    size: tuple[int, int]
    abilities: tuple[str, ...]

    @property
    def written(self) -> tuple[float, ...]:
        """The coordinates as written in the file."""
        return self.coordinates

    @property
    def marks(self) -> Mapping[str, str]:
        """The kind of target."""
        return {"box_type": self.box_type}


class OSWorldGSuite(DataPointing[OSWorldGItem]):
    """OSWorld-G.

    Args:
        data: the folder of its files: the repository, or its folder `benchmark`.
        refined: ask the longer instructions.
        refusals: whether the instructions that must be refused belong to it.

    Raises:
        ConfigError: no data, or not one record that can be used.
    """

    name = "osworld-g"

    def __init__(self, data: str = "", refined: bool = False, refusals: bool = True) -> None:
        source = Source.open(data, GET)
        wanted = "OSWorld-G_refined.json" if refined else "OSWorld-G.json"
        file = source.path(wanted, f"benchmark/{wanted}")
        classes = file.parent / "classification_result.json"
        folder = "" if file.parent == source.root else f"{source.name(file.parent)}/"
        if not classes.is_file():
            raise ConfigError(f"{source.root} has no {folder}{classes.name}, which lists the abilities. {GET}")
        abilities, strange = read_abilities(classes, source.name(classes))
        screens = Screens(source)

        def read(record: Record) -> OSWorldGItem:
            return _item(record, screens, (f"{folder}images", folder), abilities)

        loaded = read_each(source.records(file), read, key=lambda item: item.target.id)
        chosen = tuple(item for item in loaded.items if refusals or item.box_type != "refusal")
        super().__init__(source, [file, classes], Loaded(chosen, (*strange, *loaded.bad)))

    def figures(self, spots: Sequence[OSWorldGItem], given: Mapping[str, Given], variant: str = "") -> Scored:
        """Overall, without refusals, and by ability."""
        return figures(spots, given, variant, self.bad)


def read_abilities(file: Path, name: str) -> tuple[Mapping[str, tuple[str, ...]], tuple[Bad, ...]]:
    """The abilities of each id, in file order, and the entries without an ability.

    An entry is an id, or an object that has one.

    Raises:
        ConfigError: it is no JSON of that form.
    """
    form = f'{name} is not an object {{"classified": {{ability: [{{"id": …}}, …]}}}}'
    try:
        groups = read_json(file)["classified"]
        fields = [(ability, Record(name, ability, {_ENTRIES: entries})) for ability, entries in groups.items()]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(f"{form} ({type(error).__name__}: {error})") from None
    found: dict[str, list[str]] = {}
    bad: list[Bad] = []
    for ability, record in fields:
        try:
            entries = record.items(_ENTRIES)
        except BadRecord as error:
            bad.append(error.bad)
            continue
        for place, entry in enumerate(entries):
            id = entry.get("id") if isinstance(entry, Mapping) else entry
            if not isinstance(id, str | int) or isinstance(id, bool):
                reason = f"it is the id of a record, or an object that has one, not {entry!r:.80}"
                bad.append(record.wrong(f"{_ENTRIES}[{place}]", reason).bad)
            else:
                found.setdefault(str(id), []).append(ability)
    return {id: tuple(names) for id, names in found.items()}, tuple(bad)


def _item(
    record: Record, screens: Screens, folders: Sequence[str], abilities: Mapping[str, tuple[str, ...]]
) -> OSWorldGItem:
    record = record.named(record.text("id"))
    screen = screens.at(record, "image_path", "desktop", *folders)
    size = written_size(record, "image_size", screen)
    kind = record.choice("box_type", BOX_TYPES)
    box_type: BoxType = next(known for known in BOX_TYPES if known == kind)
    instruction = record.text("instruction")
    if not instruction.strip():
        raise record.wrong("instruction", "it is empty")
    place, coordinates = _place(record, box_type, size)
    return OSWorldGItem(
        Target(record.record, place, "unknown", "", "", instruction),
        screen,
        box_type,
        coordinates,
        (size.width, size.height),
        abilities.get(record.record, (UNCLASSIFIED,)),
    )


def _place(record: Record, box_type: BoxType, size: Size) -> tuple[Place, tuple[float, ...]]:
    name = "box_coordinates"
    if box_type == "refusal":
        return Nowhere(), ()
    numbers = record.numbers(name, 4 if box_type == "bbox" else None)
    if box_type == "bbox":
        return box_on(record, name, from_corner(*numbers), size), numbers
    if len(numbers) < 6 or len(numbers) % 2:
        raise record.wrong(name, f"a polygon needs x and y of at least three corners, not {len(numbers)} numbers")
    corners = list(zip(numbers[::2], numbers[1::2], strict=True))
    across, down = [x for x, _ in corners], [y for _, y in corners]
    box_on(record, name, (min(across), min(down), max(across), max(down)), size)
    on = [Point.from_pixels(min(max(x, 0), size.width), min(max(y, 0), size.height), size) for x, y in corners]
    return Polygon(tuple(on)), numbers
