"""Short forms for the evaluators: each function gives an entry of one, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Entry: TypeAlias = Mapping[str, Any]


def check(name: str, **args: Any) -> Entry:
    """A check by name."""
    return {"check": name, "args": args}


def state(path: str, op: str = "present", value: Any = None) -> Entry:
    """A part of the world's state is so."""
    return check("check_state", path=path, op=op, value=value)


def saying(path: str, *texts: str, **how: Any) -> Entry:
    """What was written at a path says the texts of these names, and none of the other answers."""
    return check("check_said", path=path, texts=[f"{{{text}}}" for text in texts], others="{others}", **how)


def at(path: str, plus: Any = None) -> Entry:
    """The values at a path, as a value to compare with."""
    return {"path": path} if plus is None else {"path": path, "plus": plus}


def keep(path: str, *but: str) -> Entry:
    """All that the path picks is as it was at the start, but for some attributes."""
    return check("check_untouched", path=path, but=list(but))


def every(*entries: Entry) -> Entry:
    """All of them at one moment."""
    return {"all": list(entries)}


def some(*entries: Entry) -> Entry:
    """One of them at least."""
    return {"any": list(entries)}


def front(device: str, app: str, view: str = "", arg: Any = None) -> Entry:
    """An application is in front, with this view and subject if given."""
    entries = [state(f"{device}.front.app", "=", app)]
    entries += [state(f"{device}.front.view.name", "=", view)] if view else []
    entries += [state(f"{device}.front.view.arg", "=", arg)] if arg is not None else []
    return every(*entries)


def keep_others(kind: str) -> Entry:
    """The items of a collection that no sub-task of the task has claimed are as they were; of documents and folders,
    there are no new ones but those that some sub-task makes."""
    kept = keep(f"account.{kind}[id not in {{claimed_{kind}}}]")
    if kind != "documents":
        return kept
    written = state('account.documents[new, text != "", path not in {claimed_paths}]', "absent")
    return every(kept, written, state("account.dirs[new, path not in {claimed_paths}]", "absent"))


def in_order(*entries: Entry) -> Entry:
    """An evaluator: each after the one before."""
    return {"ordered": True, "checks": list(entries)}


def in_any_order(*entries: Entry) -> Entry:
    """An evaluator: each for itself."""
    return {"checks": list(entries)}
