"""The table verb by platform, as `omnipilot list verbs --matrix` prints it.

Its rows are made from what the verbs declare of their fields and from the translations; no verb is listed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from functools import cache
from itertools import product
from typing import Any, get_args

from omnipilot.agents.verbs.translations import ADDED, TRANSLATIONS, translate
from omnipilot.envs import Custom, Intent, Platform
from omnipilot.envs.types import VERBS, place_fields
from omnipilot.planners import Verbs

PLATFORMS: tuple[Platform, ...] = get_args(Platform)
PLACES = {"end": "B"}
"""The place of an example, by its field; "A" for all others."""


@cache
def all_forms() -> tuple[Intent, ...]:
    """Examples of every verb of devices and of those that a translation adds, made of what their fields declare.

    There is one for each option of a field with several, such as each button of a click. Every place is filled in, A or
    B; of fields that exclude each other, each has its turn.
    """
    found = [one for kind, verb in VERBS.items() if kind in TRANSLATIONS for one in _forms_of(verb)]
    return (*found, *(Custom(name, {"at": "A"}) for name in ADDED))


def _forms_of(verb: type[Any]) -> Iterator[Intent]:
    """A verb with each combination of its options, the defaults first."""
    specs = fields(verb)
    fixed = {spec.name: _example(spec) for spec in specs if spec.metadata.get("place") and spec.default != ()}
    fixed |= {spec.name: _example(spec) for spec in specs if spec.default is MISSING and "options" not in spec.metadata}
    with_options = [spec for spec in specs if "options" in spec.metadata]
    made = dict.fromkeys(
        one
        for values in product(*(_options(spec) for spec in with_options))
        for one in _valid(verb, fixed | dict(zip((spec.name for spec in with_options), values, strict=True)))
    )
    yield from made


def _valid(verb: type[Any], given: Mapping[str, Any]) -> Iterator[Intent]:
    """The verb with these fields; where it refuses them, with one less or one more that may be left out."""
    optional = [spec for spec in fields(verb) if spec.default is not MISSING]
    tried = [given]
    tried += [
        {**given, spec.name: spec.default} for spec in optional if spec.name in given and "options" not in spec.metadata
    ]
    tried += [{**given, spec.name: _example(spec)} for spec in optional if spec.name not in given]
    for one in tried:
        try:
            yield verb(**one)
        except ValueError:
            continue
        return


def _options(spec: Any) -> tuple[Any, ...]:
    options = tuple(spec.metadata["options"])
    return options if spec.default is MISSING else (spec.default, *(one for one in options if one != spec.default))


def _example(spec: Any) -> Any:
    if spec.metadata.get("place"):
        return PLACES.get(spec.name, "A")
    return spec.metadata.get("example", 1)


@cache
def examples() -> tuple[Intent, ...]:
    """The rows of the table: of the forms of a verb those that some platform answers otherwise than the forms before.

    An answer is otherwise if it is no longer native, refused for another reason, or made of other verbs or keys.
    """
    devices = tuple(typical_devices().values())
    rows: dict[tuple[Any, ...], Intent] = {}
    for one in all_forms():
        name = one.name if isinstance(one, Custom) else one.kind
        rows.setdefault((name, *(_answer(one, device) for device in devices)), one)
    return tuple(rows.values())


def _answer(form: Intent, device: Verbs) -> str | tuple[str, ...]:
    """What a device answers, without the places and directions that the form itself gives."""
    found = translate(form, device)
    if isinstance(found, str):
        return found
    return (
        ("native",)
        if found == (form,)
        else tuple(one.kind if place_fields(one) else intent_words(one) for one in found)
    )


def typical_devices() -> Mapping[Platform, Verbs]:
    """What a phone over adb, an X11 desktop and a Chromium can do, which the table is about."""
    from omnipilot.envs import android, desktop, web

    return {
        "phone": Verbs("phone", android.VERBS),
        "desktop": Verbs("desktop", desktop.VERBS),
        "browser": Verbs("browser", web.POINTING_VERBS | web.TYPING_VERBS | web.BROWSING_VERBS),
    }


def verb_matrix(devices: Mapping[Platform, Verbs] | None = None) -> Iterator[tuple[str, ...]]:
    """The rows of the table: an example in words, and for each platform "native", the program, or "no: …" with the
    reason.

    Args:
        devices: what the device of each platform can do; None for `typical_devices`.
    """
    devices = typical_devices() if devices is None else devices
    for example in examples():
        yield intent_words(example), *(cell(example, devices[platform]) for platform in PLATFORMS)


def cell(example: Intent, device: Verbs) -> str:
    """What stands for an example on a device, in words."""
    found = translate(example, device)
    if isinstance(found, str):
        return f"no: {found.partition(': ')[2]}"
    return "native" if found == (example,) else "; ".join(map(intent_words, found))


def intent_words(intent: Intent) -> str:
    """An intent in a few words: "press ctrl+t", "drag B from A"."""
    if isinstance(intent, Custom):
        return " ".join((intent.name, *map(str, intent.arguments.values())))
    told = [_value_words(getattr(intent, spec.name)) for spec in fields(intent) if _is_told(intent, spec)]
    return " ".join((intent.kind, *told))


def _is_told(intent: Intent, spec: Any) -> bool:
    value = getattr(intent, spec.name)
    return value is not None and value != () and value != spec.default and value is not False


def _value_words(value: Any) -> str:
    if value is True:
        return "and enter"
    return "+".join(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else str(value)
