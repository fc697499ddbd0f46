"""Where data lies and how its records are read: folders, files of every form, the hub, and all that may be wrong."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from omnipilot.bench.scoring.data.records import Bad, BadRecord, Record, read_each
from omnipilot.bench.scoring.data.source import Source, media, records_of
from omnipilot.envs import ConfigError, MissingExtra

GET = "Fetch it from the moon."
ROWS = [{"id": "a", "n": 1}, {"id": "b", "n": 2.0}]


def test_a_folder_its_files_and_what_is_not_there(tmp_path: Path) -> None:
    for name in ("b.json", "a.json", "deep/c.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("[]")
    source = Source.open(str(tmp_path), GET)
    assert source.path("x.json", "deep/c.json") == tmp_path / "deep" / "c.json"
    assert source.path("*.json") == tmp_path / "a.json"
    assert [source.name(path) for path in source.find("**/*.json")] == ["a.json", "b.json", "deep/c.json"]
    assert source.find("x.json") == [] and source.name(Path("/elsewhere/d")) == "/elsewhere/d"
    with pytest.raises(ConfigError, match=r"has no x.json or y\*. Fetch it from the moon"):
        source.path("x.json", "y*")


@pytest.mark.parametrize(
    ("data", "reason"), [("", "the folder of the data is missing"), ("/no/such/folder", "there is no folder")]
)
def test_data_that_is_not_named_or_not_there_says_how_it_is_had(data: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=f"{reason}.*Fetch it from the moon"):
        Source.open(data, GET)


def test_the_digest_is_of_contents_and_names(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("1")
    two.write_text("2")
    source = Source.open(str(tmp_path), GET)
    first = source.digest([one, two])
    assert len(first) == 12 and first == source.digest([two, one]) != source.digest([one])
    two.write_text("3")
    assert source.digest([one, two]) != first
    one.write_text("3")
    two.write_text("1")
    assert source.digest([one, two]) not in (first, source.digest([one]))


def as_text(path: Path, rows: Any) -> None:
    forms: dict[str, Callable[[], str]] = {
        ".json": lambda: json.dumps(rows),
        ".jsonl": lambda: "\r\n".join(map(json.dumps, rows)) + "\n\n",
        ".csv": lambda: "id,n\r\na,1\r\nb,2.0\r\n",
    }
    path.write_text(forms[path.suffix](), encoding="utf-8-sig")


@pytest.mark.parametrize(
    "suffix", [".json", ".jsonl", ".csv", pytest.param(".parquet", marks=pytest.mark.needs("omnipilot[hub]"))]
)
def test_every_form_of_file_gives_the_same_records(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"rows{suffix}"
    if suffix == ".parquet":
        import pandas

        pandas.DataFrame(ROWS).to_parquet(path)
    else:
        as_text(path, ROWS)
    found = list(Source.open(str(tmp_path), GET).records(path))
    assert [(one.record, one.text("id"), one.whole("n")) for one in found] == [("0", "a", 1), ("1", "b", 2)]
    assert {one.file for one in found} == {f"rows{suffix}"}


def test_an_object_of_records_names_them_by_their_keys(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text('{"x": {"n": 1}, "y": 2}')
    first, second = records_of(path)
    assert (first.record, first.whole("n")) == ("x", 1)
    with pytest.raises(BadRecord, match="rows.json, record y: a record is an object with fields, not 2"):
        second.whole("n")


def test_a_line_that_is_no_json_is_a_bad_record_and_the_others_are_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"n": 1}\n{"n": \n[3]\n\n{"n": 4}')
    found = read_each(records_of(path), lambda one: one.whole("n"))
    assert found.items == (1, 4)
    assert [bad.record for bad in found.bad] == ["1", "2"]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.json", b"{", "a.json is not valid JSON"),
        ("a.json", b"7", "neither a list of records nor an object"),
        ("a.json", b"\xff\xfe\x00", "a.json cannot be read"),
        ("a.xml", b"<a/>", "records must be in a .json, .jsonl, .csv or .parquet"),
        ("none.json", None, "none.json cannot be read"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, content: bytes | None, reason: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigError, match=reason):
        list(records_of(tmp_path / name))


def test_media_are_found_in_the_folders_that_are_named(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "a.png").write_bytes(b"x")
    source = Source.open(str(tmp_path), GET)
    record = Record("f.json", 3, {"image": "a.png", "whole": "pictures/a.png", "no": "b.png", "number": [1]})
    assert media(source, record, "image", "elsewhere", "pictures") == tmp_path / "pictures" / "a.png"
    assert media(source, record, "whole") == tmp_path / "pictures" / "a.png"
    with pytest.raises(BadRecord, match="record 3, field no: there is no file x/b.png or pictures/b.png"):
        media(source, record, "no", "x", "pictures")
    with pytest.raises(BadRecord, match="field number: expected text"):
        media(source, record, "number")


def test_media_outside_of_the_data_are_refused_and_linked_folders_are_not(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("s")
    (tmp_path / "disk").mkdir()
    (tmp_path / "disk" / "a.png").write_bytes(b"x")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "images").symlink_to(tmp_path / "disk")
    (tmp_path / "data" / "b.png").symlink_to(tmp_path / "disk" / "a.png")
    source = Source.open(str(tmp_path / "data"), GET)
    named = {"up": "../secret.txt", "far": str(tmp_path / "secret.txt"), "linked": "a.png", "link": "b.png"}
    record = Record("f.json", 0, {**named, "down": "images/../../secret.txt"})
    assert media(source, record, "linked", "images").read_bytes() == b"x"
    assert media(source, record, "link").read_bytes() == b"x"
    for field in ("up", "far", "down"):
        with pytest.raises(BadRecord, match=f"field {field}: (it is outside the data folder|there is no file)"):
            media(source, record, field)


class Hub(ModuleType):
    """Stands in for the hub's client; gives a folder, or fails."""

    def __init__(self, answer: Path | Exception) -> None:
        super().__init__("huggingface_hub")
        self.answer = answer
        self.asked: list[tuple[str, str, str | None]] = []

    def snapshot_download(self, name: str, repo_type: str, revision: str | None) -> str:
        self.asked.append((name, repo_type, revision))
        if isinstance(self.answer, Exception):
            raise self.answer
        return str(self.answer)


@pytest.mark.parametrize(("data", "revision"), [("hf://some/data", None), ("hf://some/data@v2", "v2")])
def test_the_hub_is_asked_for_a_data_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: str, revision: str | None
) -> None:
    hub = Hub(tmp_path)
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    assert Source.open(data, GET) == Source(tmp_path, GET)
    assert hub.asked == [("some/data", "dataset", revision)]


def test_a_hub_that_fails_or_is_not_installed_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", Hub(OSError("no way out")))
    with pytest.raises(
        ConfigError, match="the data set some/data cannot be downloaded: no way out. Fetch it from the moon"
    ):
        Source.open("hf://some/data", GET)
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingExtra, match="hub"):
        Source.open("hf://some/data", GET)


RECORD = Record(
    "f.json", 7, {"t": "x", "n": "12", "f": 2.5, "s": [3, 4.0], "o": {"k": None, "v": 1, "d": {}}, "none": None}
)


def test_fields_of_a_record() -> None:
    assert (RECORD.text("t"), RECORD.text("gone", "else"), RECORD.whole("n"), RECORD.number("f")) == (
        "x",
        "else",
        12,
        2.5,
    )
    assert (RECORD.numbers("s", 2), RECORD.size("s"), RECORD.items("s")) == ((3.0, 4.0), (3, 4), [3, 4.0])
    assert (RECORD.choice("t", ("x", "y")), RECORD.table("o").whole("v")) == ("x", 1)
    assert (RECORD.has("t"), RECORD.has("none"), RECORD.has("gone")) == (True, False, False)
    assert RECORD.named("seven").record == "seven" and RECORD.raw("s") == [3, 4.0]


@pytest.mark.parametrize(
    ("read", "field", "reason"),
    [
        (lambda r: r.text("gone"), "gone", "it is missing; the record has t, n, f, s, o, none"),
        (lambda r: r.text("none"), "none", "it is null"),
        (lambda r: r.text("f"), "f", "expected text, got 2.5"),
        (lambda r: r.whole("f"), "f", "expected a whole number, got 2.5"),
        (lambda r: r.whole("n", least=13), "n", "must be at least 13"),
        (lambda r: r.number("t"), "t", "expected a number, got 'x'"),
        (lambda r: r.numbers("s", 3), "s", "expected 3 numbers, got 2"),
        (lambda r: r.choice("t", ("y", "z")), "t", "must be one of y, z, not 'x'"),
        (lambda r: r.items("t"), "t", "expected a list"),
        (lambda r: r.table("s"), "s", "expected an object"),
        (lambda r: r.table("o").text("k"), "o.k", "it is null; the record has k, v, d"),
        (lambda r: r.table("o").table("d").text("x"), "o.d.x", "it is missing; the record has no fields"),
    ],
)
def test_what_is_wrong_with_a_field_is_told_with_file_and_record(
    read: Callable[[Record], Any], field: str, reason: str
) -> None:
    with pytest.raises(BadRecord) as found:
        read(RECORD)
    bad = found.value.bad
    assert (bad.file, bad.record, bad.field) == ("f.json", "7", field) and reason in bad.reason


@pytest.mark.parametrize("number", [float("nan"), float("inf"), True, [1], {}, "nan", pytest.param(10**400, id="huge")])
def test_numbers_are_finite_numbers(number: Any) -> None:
    for read in ("number", "whole"):
        with pytest.raises(BadRecord, match="field n: expected a number"):
            getattr(Record("f", 0, {"n": number}), read)("n")


@pytest.mark.parametrize("size", [[0, 5], [5, 0.5], [1], [1, 2, 3], ["x", 2]])
def test_sizes_are_of_whole_pixels(size: Any) -> None:
    with pytest.raises(BadRecord):
        Record("f", 0, {"s": size}).size("s")


def test_nothing_disappears() -> None:
    raw = [Record("f", number, row) for number, row in enumerate([{"k": 1}, {"k": "x"}, None, {"k": 1}, {"k": 2}])]
    found = read_each(raw, lambda one: one.whole("k"), key=lambda k: k)
    assert found.items == (1, 2) and len(found.bad) == 3
    assert found.bad[2] == Bad("f", "3", "", "it appears twice, as 1")
    assert str(found.bad[0]) == "f, record 1, field k: expected a number, got 'x'"
    assert str(found.bad[1]).startswith("f, record 2: a record is an object")
