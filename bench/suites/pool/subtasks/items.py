"""Items of the account as resources: what value stands for one, which one a value means, and words for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, replace
from typing import Any

from omnipilot.bench.suites.pool.subtasks.resource_types import ItemKind, ResourceTypes
from omnipilot.envs.sim.inventory import item_id
from omnipilot.envs.sim.state import files
from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.desktop_data import Dir
from omnipilot.envs.sim.state.phone_data import spoken_date

KEY_JOINT = "/"
STAND_IN = "stand-in"


def kind_for(types: ResourceTypes, app: str, kind: str) -> ItemKind:
    """The entry of a collection, in the words of an app if it has its own: a document is a note in Notes."""
    return types.kinds.get(f"{app}/{kind}") or types.kind(kind)


def items_of_kind(account: Account, kind: str) -> Sequence[Any]:
    """The items of a collection; folders include those that exist only because a file is in them."""
    if kind == "dirs":
        return [Dir(path) for path in files.folders(account)]
    if kind == "files":
        return list(files.files(account))
    found = getattr(account, kind, ())
    return found if isinstance(found, tuple) else ()


def find_item(account: Account, entry: ItemKind, value: str) -> Any | None:
    """The item whose id, or whose key, is a resource's value; None if there is none."""
    items = items_of_kind(account, entry.name.rpartition("/")[2])
    return next((item for item in items if item_id(item) == value), None) or next(
        (item for item in items if key_value(item, entry) == value), None
    )


def key_value(item: Any, entry: ItemKind) -> str:
    """The value of the resource that an item is."""
    return KEY_JOINT.join(str(getattr(item, name)) for name in entry.key)


def has_lasting_key(item: Any, entry: ItemKind) -> bool:
    """Whether the value says which item it is even where another task made one before: not so for counted ids."""
    return entry.key != ("id",) or not item_id(item).rpartition("-")[2].isdigit()


def stand_in(account: Account, entry: ItemKind, value: str, left: Any | None = None) -> Any | None:
    """An item such as a resource's value means, for rehearsals before another subtask makes it; None if it cannot be
    thought of, because there is none of its kind to resemble.

    Args:
        left: what the other subtask leaves of it, if that is known.
    """
    kind = entry.name.rpartition("/")[2]
    if left is not None:
        return left if entry.key == ("id",) or not hasattr(left, "id") else replace(left, id=f"{kind[:-1]}-{STAND_IN}")
    like = next(iter(items_of_kind(account, kind)), None)
    if like is None:
        return None
    plain = {field.name: field.default for field in fields(like) if field.default is not MISSING}
    like = replace(like, **plain)
    if entry.key == ("id",):
        return replace(like, id=value, **({"name": value.replace("-", " ").title()} if hasattr(like, "name") else {}))
    parts = value.rsplit(KEY_JOINT, len(entry.key) - 1)
    if len(parts) != len(entry.key):
        return None
    kinds = {field.name: type(getattr(like, field.name)) for field in fields(like)}
    changes: dict[str, Any] = {name: kinds[name](part) for name, part in zip(entry.key, parts, strict=True)}
    return replace(like, **changes, **({"id": f"{kind[:-1]}-{STAND_IN}"} if "id" in kinds else {}))


def describe_item(account: Account, item: Any, entry: ItemKind) -> str:
    """How an instruction calls an item."""
    return entry.words.format_map(_Facts(account, item))


def distinct_items(account: Account, entry: ItemKind) -> list[Any]:
    """The items of a collection that are called like no other of it."""
    items = items_of_kind(account, entry.name.rpartition("/")[2])
    words = [describe_item(account, item, entry) for item in items]
    counts = Counter(words)
    return [item for item, word in zip(items, words, strict=True) if counts[word] == 1]


class _Facts(Mapping[str, str]):
    """What is known of an item, by name: its fields, and `field_name` for whom or what a field points at."""

    def __init__(self, account: Account, item: Any) -> None:
        self._account = account
        self._item = item

    def __getitem__(self, name: str) -> str:
        if hasattr(self._item, name):
            value = getattr(self._item, name)
            return spoken_date(value) if name in ("day", "due") and value else str(value)
        if name.endswith("_name"):
            key = str(getattr(self._item, name.removesuffix("_name"), ""))
            key = str(self._item.id) if name == "product_name" else key
            person = self._account.contact(key)
            thing = self._account.find("products", key) or self._account.find("places", key)
            return str((person or thing).name) if person or thing else key
        raise KeyError(name)

    def __iter__(self) -> Any:
        return iter(())

    def __len__(self) -> int:
        return 0
