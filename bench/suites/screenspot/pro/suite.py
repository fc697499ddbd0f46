"""ScreenSpot-Pro as a pointing suite: large screens of professional programs.

Its files are `annotations/*.json`, lists of `{id, img_filename, bbox, img_size, instruction, instruction_cn, ui_type,
platform, application, group}` with boxes as left, top, right, bottom in pixels, and `images/`. The published records
all have a target; one without carries `gt_type: "negative"` and needs no box.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from omnipilot.bench.pointing.data import DataPointing, Screen, Screens, box_on, written_size
from omnipilot.bench.pointing.evaluation import Target
from omnipilot.bench.pointing.place import Nowhere
from omnipilot.bench.scoring.data.records import Loaded, Record, read_each
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.screenspot.pro.figures import figures
from omnipilot.bench.suites.screenspot.pro.metrics import GROUPS
from omnipilot.envs import ConfigError

if TYPE_CHECKING:
    from omnipilot.bench.pointing.given_answers import Given
    from omnipilot.bench.scoring.score import Scored

GET = (
    "How to get it: `hf download likaixin/ScreenSpot-Pro --repo-type dataset --local-dir DIR`, or "
    "hf://likaixin/ScreenSpot-Pro. `omnipilot miniature DIR screenspot-pro` writes a small one instead."
)
Language = Literal["en", "cn"]
Wording = Literal["instruction", "action", "description"]
Truth = Literal["positive", "negative", "all"]
PLATFORMS = ("windows", "macos", "linux")


@dataclass(frozen=True, slots=True)
class ProItem:
    """A target, or its absence.

    Attributes:
        box: left, top, right, bottom in pixels of a screenshot of `size`; None where there is no target.
    """

    target: Target
    screen: Screen
    platform: str
    application: str
    group: str
    ui_type: str
    box: tuple[float, float, float, float] | None
    size: tuple[int, int]
    wording: Wording
    language: Language
    truth: Literal["positive", "negative"]

    @property
    def written(self) -> tuple[float, ...]:
        """The box as written in the file."""
        return self.box or ()

    @property
    def marks(self) -> Mapping[str, str]:
        """Fields that appear in the release's results."""
        return {"gt_type": self.truth, "platform": self.platform, "application": self.application}


class ScreenSpotProSuite(DataPointing[ProItem]):
    """ScreenSpot-Pro.

    Args:
        data: the folder of its files, or `hf://OWNER/NAME`.
        language: of the instructions.
        style: the wording to use; the published data has only `instruction`.
        gt_type: items with a target, without, or all.

    Raises:
        ConfigError: no data, no usable record, or an unknown option.
    """

    name = "screenspot-pro"

    def __init__(
        self, data: str = "", language: Language = "en", style: Wording = "instruction", gt_type: Truth = "positive"
    ) -> None:
        for option, value, known in (
            ("language", language, get_args(Language)),
            ("style", style, get_args(Wording)),
            ("gt_type", gt_type, get_args(Truth)),
        ):
            if value not in known:
                raise ConfigError(f"{self.name}: {option} must be one of {', '.join(known)}, not {value!r}")
        if language == "cn" and (style != "instruction" or gt_type != "positive"):
            raise ConfigError(
                f"{self.name}: Chinese instructions exist only for style=instruction and gt_type=positive"
            )
        source = Source.open(data, GET)
        files = source.find("annotations/*.json") or [source.path("annotations/*.json")]
        screens = Screens(source)

        def read(record: Record) -> ProItem:
            return _item(record, screens, language, style)

        records = (record for path in files for record in source.records(path))
        loaded = read_each(records, read, key=lambda item: item.target.id)
        chosen = tuple(item for item in loaded.items if gt_type in ("all", item.truth))
        if loaded.items and not chosen:
            raise ConfigError(
                f"{self.name}: no record is {gt_type}; the published ones all have a target, and one without has to be "
                'marked with "gt_type": "negative"'
            )
        super().__init__(source, files, Loaded(chosen, loaded.bad))

    def figures(self, spots: Sequence[ProItem], given: Mapping[str, Given], variant: str = "") -> Scored:
        """The overall accuracy and the released report's groupings."""
        return figures(spots, given, variant, self.bad)


def _item(record: Record, screens: Screens, language: Language, style: Wording) -> ProItem:
    record = record.named(record.text("id"))
    truth: Literal["positive", "negative"] = (
        "negative" if record.choice("gt_type", ("positive", "negative"), "positive") == "negative" else "positive"
    )
    screen = screens.at(record, "img_filename", "desktop", "images", "")
    size = written_size(record, "img_size", screen)
    kind: Literal["text", "icon"] = "text" if record.choice("ui_type", ("text", "icon")) == "text" else "icon"
    field = "instruction_cn" if language == "cn" else style
    instruction = record.text(field)
    if not instruction.strip():
        raise record.wrong(field, "it is empty")
    box = None
    if truth == "positive":
        left, top, right, bottom = record.numbers("bbox", 4)
        box = (left, top, right, bottom)
    place = Nowhere() if box is None else box_on(record, "bbox", box, size)
    return ProItem(
        Target(record.record, place, kind, "", "", instruction),
        screen,
        record.choice("platform", PLATFORMS),
        record.text("application"),
        record.choice("group", GROUPS),
        kind,
        box,
        (size.width, size.height),
        style,
        language,
        truth,
    )
