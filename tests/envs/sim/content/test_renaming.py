"""A world with other names is the same world otherwise."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import fields, is_dataclass
from typing import Any

from omnipilot.envs.sim.content.generate import initial_world
from omnipilot.envs.sim.content.renaming import rename, rename_text
from omnipilot.envs.sim.words.other_names import DOMAINS, PEOPLE, PLACES, PRODUCTS

NAMES = {**PEOPLE, **PLACES, **PRODUCTS}


def texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, tuple):
        return [text for item in value for text in texts(item)]
    if is_dataclass(value):
        return [text for field in fields(value) for text in texts(getattr(value, field.name))]
    if hasattr(value, "items"):
        return [text for pair in value.items() for text in texts(pair)]
    return []


def test_no_two_names_become_one_and_none_becomes_one_of_the_old() -> None:
    assert [name for name, count in Counter(NAMES.values()).items() if count > 1] == []
    assert not set(NAMES.values()) & set(NAMES)
    assert not set(DOMAINS.values()) & set(DOMAINS)


def test_names_addresses_and_ids_of_a_person_agree() -> None:
    assert rename_text("ana-silva") == "lia-ramos"
    assert rename_text("Ana Silva (ana.silva@harbor.example)") == "Lia Ramos (lia.ramos@haven.example)"
    assert rename_text("A harbor for Analysts, 12 Harbour Road") == "A harbor for Analysts, 12 Havens Road"
    for before, after in zip(initial_world(3).account.contacts, rename(initial_world(3)).account.contacts, strict=True):
        assert after.id == after.name.lower().replace(" ", "-")
        assert after.email.startswith(f"{after.id.replace('-', '.')}@")
        assert after.phone == before.phone


def test_no_old_name_is_left_and_nothing_else_has_changed() -> None:
    before, after = initial_world(7), rename(initial_world(7))
    old = re.compile(rf"\b(?:{'|'.join(map(re.escape, NAMES))})\b")
    told = texts(after)
    assert [text for text in told if old.search(text)] == []
    assert len(told) == len(texts(before))
    assert len(set(told)) == len(set(texts(before)))
    assert (after.start, after.phone, after.desktop, after.signals) == (
        before.start,
        before.phone,
        before.desktop,
        before.signals,
    )
