"""What the account of the embedded world holds, by kind and by name: for those who make or explore content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from omnipilot.envs.sim.state import files
from omnipilot.envs.sim.state.account import Account

FOLDERS = "dirs"
"""The kind of folders, including those that exist only because a file is in them."""


def collections_of(account: Account) -> dict[str, tuple[Any, ...]]:
    """The items of the account by kind, which is the name of the account's field: `{"todos": (Todo(…), …), …}`."""
    return {field.name: value for field in fields(account) if isinstance(value := getattr(account, field.name), tuple)}


def singles_of(account: Account) -> dict[str, Any]:
    """What the account has one of, by the name of its field: the owner, the players, the settings, the terminal."""
    return {
        field.name: value for field in fields(account) if not isinstance(value := getattr(account, field.name), tuple)
    }


def item_id(item: Any) -> str:
    """The id of an item, unique in its collection; that of a conversation is its contact."""
    return str(getattr(item, "id", None) or item.contact)


def kinds_by_name(account: Account) -> Mapping[str, str]:
    """The kind of every item, by its id, and for files by their path, too.

    A name that is a plain word in lower case, such as the address "history", names a thing of the screens as well, and
    is left out. Where items of two kinds share an id (a product and its line in the cart), the kind that stands first
    in the account holds.
    """
    found: dict[str, str] = {}
    for kind, items in collections_of(account).items():
        for item in items:
            found.setdefault(item_id(item), kind)
    for path in files.folders(account):
        found.setdefault(path, FOLDERS)
    for file in files.files(account):
        if item_id(file) in found:
            found.setdefault(files.path_of(file), found[item_id(file)])
    return {name: kind for name, kind in found.items() if not (name.isalpha() and name.islower())}
