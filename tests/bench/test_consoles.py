"""What is printed where the encoding lacks a letter: its nearest, and never an error."""

from __future__ import annotations

import io
import sys

import pytest

from omnipilot.bench.consoles import NEAREST, nearest_letters, write_any_letter

TABLE = "run · SR % ─── 21 of 24 — 95 % […], −3.5 × 2 ┼ ✓ naïve 비밀 Ω"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1", "cp437", "koi8-r", "gbk", "shift_jis"])
def test_every_text_can_be_printed(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    content = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(content, encoding=encoding))
    write_any_letter()
    print(TABLE, flush=True)
    printed = content.getvalue().decode(encoding).rstrip("\n")
    assert printed.startswith("run ") and "21 of 24 " in printed
    assert len(printed) >= len(TABLE)


def test_letters_that_an_encoding_has_stay_themselves() -> None:
    assert nearest_letters("naïve — 3 × 4", "cp1252") == "naïve — 3 × 4"
    assert nearest_letters("naïve — 3 × 4", "ascii") == "naive - 3 x 4"
    assert nearest_letters("비밀", "latin-1") == "??"


def test_nearest_letters_are_plain() -> None:
    assert all(one.isascii() for one in NEAREST.values())


def test_utf_8_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    content = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(content, encoding="utf-8"))
    write_any_letter()
    print(TABLE, flush=True)
    assert content.getvalue().decode() == f"{TABLE}\n"
