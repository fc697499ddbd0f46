"""The JSON Schema of a run's files, made from the classes that write them.

    python -m omnipilot.bench.journal.events_schema > bench/journal/events.schema.json

`events.schema.json` beside this module is what that prints; a test holds the two together. Its root describes a line of
`journal.jsonl`, and `$defs/SpecFile` the file `spec.json`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from omnipilot.bench.journal.events import EVENTS, RunStarted
from omnipilot.bench.spec import FORMAT, RunSpec

FILE = "events.schema.json"
_ABOUT = (
    "A line of journal.jsonl, which is one event of a run of omnipilot; $defs/SpecFile is the file spec.json. Later "
    "versions may add events and fields: skip what you do not know."
)


def events_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of the events, by kind in the order of `EVENTS`, and of `spec.json`."""
    inner: dict[str, Any] = {}
    defs = {kind.__name__: _schema_of(kind, "event", kind.event, inner) for kind in EVENTS.values()}
    defs[RunStarted.__name__]["properties"]["spec"] = {"$ref": "#/$defs/RunSpec"}
    defs["RunSpec"] = _schema_of(RunSpec, "format", FORMAT, inner)
    defs["SpecFile"] = {
        "type": "object",
        "description": "The file spec.json of a run.",
        "properties": {"identity": {"type": "string"}, "spec": {"$ref": "#/$defs/RunSpec"}},
        "required": ["identity", "spec"],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Events of omnipilot",
        "description": _ABOUT,
        "oneOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in EVENTS.values()],
        "$defs": {name: _plain(one) for name, one in {**defs, **dict(sorted(inner.items()))}.items()},
    }


def schema_text() -> str:
    """The schema as the text of its file."""
    return json.dumps(events_schema(), indent=1, ensure_ascii=False) + "\n"


def _schema_of(record: type[Any], mark: str, value: Any, inner: dict[str, Any]) -> dict[str, Any]:
    """The schema of a record.

    Args:
        mark, value: a field that says what it is, and always has this value.
        inner: takes the records within it, by name.
    """
    found = TypeAdapter(record).json_schema()
    inner |= found.pop("$defs", {})
    found["properties"] = {mark: {"const": value}, **found["properties"]}
    found["required"] = [mark, *found.get("required", ())]
    return found


def _plain(schema: Any) -> Any:
    """The schema without titles, which repeat the names, and with the defaults of sets in order."""
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    found: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "title" and isinstance(value, str):
            continue
        if key == "properties":
            # The names of fields, which may be such as "title".
            found[key] = {name: _plain(item) for name, item in value.items()}
        elif key == "default" and isinstance(value, list) and schema.get("uniqueItems"):
            found[key] = sorted(value)
        else:
            found[key] = _plain(value)
    return found


if __name__ == "__main__":
    sys.stdout.write(schema_text())
