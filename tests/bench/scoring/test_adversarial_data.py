"""Data and run directories that nobody wrote by hand: doubled names, half characters, damaged and hostile files."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from omnipilot.bench import load_run
from omnipilot.bench.journal.run_directory import read_spec
from omnipilot.bench.pointing.given_answers import read_pointed
from omnipilot.bench.pointing.run import read_answers
from omnipilot.bench.scoring.data.json_file import Doubled, parse, read_json
from omnipilot.bench.scoring.data.pictures import picture_size
from omnipilot.bench.scoring.data.records import BadRecord, Record, read_each
from omnipilot.bench.scoring.data.source import Source, media, records_of
from omnipilot.bench.scoring.run_figures import data_of
from omnipilot.bench.scoring.steps.rows import TrueStep, replies
from omnipilot.bench.suites.android_control import sample as mini_android_control
from omnipilot.bench.suites.android_control.data import load
from omnipilot.envs import ConfigError
from omnipilot.envs.schema.validation_messages import short


def test_a_key_that_comes_twice_is_a_bad_record_and_none_disappears(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text('{"1": {"x": 1}, "1": {"x": 2}, "2": {"x": 3, "x": 4}, "3": {"x": 5}}')
    read = read_each(records_of(file), lambda record: (record.record, record.whole("x")))
    assert read.items == (("1", 1), ("3", 5))
    assert "record 1: a record is an object" in str(read.bad[0]) and "'x' is there twice" in str(read.bad[1])
    doubled = parse('{"a": 1, "b": 2, "a": 3, "b": 4}')
    assert isinstance(doubled, Doubled) and doubled.twice == "a" and len(doubled.pairs) == 4
    with pytest.raises(BadRecord, match="'a' is there twice"):
        Record("f", 1, doubled).named("other").whole("b")


def test_half_a_character_is_replaced_and_whole_ones_are_kept() -> None:
    assert parse(r'"cut \ud83d"') == "cut \ufffd"
    assert parse(r'{"\ude00": "\ud83d\ude00 \\ud83d \ud83d\ud83d\ude00"}') == {
        "\ufffd": "\U0001f600 \\ud83d \ufffd\U0001f600"
    }


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "9" * 5000, "{", ""])
def test_what_cannot_be_parsed_is_one_line(text: str, tmp_path: Path) -> None:
    for suffix in (".json", ".jsonl"):
        file = tmp_path / f"a{suffix}"
        file.write_text(text)
        try:
            read = read_each(records_of(file), lambda record: record.text("x"))
            assert suffix == ".jsonl" and not read.items and len(read.bad) == (text != "")
        except ConfigError as error:
            assert suffix == ".json" and "a.json is not valid JSON" in str(error)
    with pytest.raises(ValueError, match=r"."):
        parse(text)
    with pytest.raises(ValueError, match="No such file"):
        read_json(tmp_path / "none")


def test_values_nested_deep_are_told_in_one_line() -> None:
    deep: object = 0
    for _ in range(100_000):
        deep = [deep]
    assert short(deep) == "a list nested too deep to be shown"
    while isinstance(deep, list):
        deep = deep.pop()  # taken apart here: its own destructor would be as deep


def test_a_name_that_no_file_can_have_is_no_file(tmp_path: Path) -> None:
    source = Source(tmp_path, "")
    for name in ("x" * 5000, "a\0b", "../" * 500, "", ".", "/etc/passwd", "../" * 30 + "etc/passwd"):
        with pytest.raises(BadRecord):
            media(source, Record("f", 1, {"image": name}), "image", "", "images")


def test_a_picture_of_a_billion_pixels_is_none(tmp_path: Path) -> None:
    from PIL import Image

    file = tmp_path / "a.png"
    Image.new("RGB", (2, 3)).save(file)
    assert tuple(vars_of(file)) == (2, 3)
    content = file.read_bytes()
    file.write_bytes(content[:16] + b"\0\1\0\0" * 2 + content[24:])
    with pytest.raises(OSError, match=r"."):
        picture_size(file)


def vars_of(file: Path) -> tuple[int, int]:
    size = picture_size(file)
    return size.width, size.height


def test_an_episode_whose_number_is_a_path_stays_within_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    mini_android_control.write(tmp_path / "mini")
    first = json.loads((tmp_path / "mini" / "rows" / "episodes.jsonl").read_text().splitlines()[0])
    paths = first.pop("screenshots" if "screenshots" in first else "screenshot_paths")
    pictures = [base64.b64encode((tmp_path / "mini" / "rows" / path).read_bytes()).decode() for path in paths]
    rows = [{**first, "episode_id": id, "screenshots_b64": pictures} for id in (7, "x/../../../../../evil", 7, "²")]
    rows[2]["screenshots_b64"] = pictures[::-1]
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "test.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = load(Source(tmp_path / "data", ""), "test").loaded
    assert [episode.id for episode in found.items] == [7] and len(found.bad) == 3
    assert found.items[0].steps[0].image.read_bytes() == base64.b64decode(pictures[0])
    assert {path.parents[5] for path in tmp_path.rglob("*.png") if "mini" not in path.parts} == {tmp_path / "cache"}


def test_replies_in_order_skip_the_rows_that_the_data_cannot_use(tmp_path: Path) -> None:
    file = tmp_path / "p.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in ({"pred": "a"}, {"pred": "b"}, 3, {"pred": "d"})))
    steps = [TrueStep(key, "", "", at=at) for key, at in (("A", 0), ("C", 2), ("D", 3))]
    found = replies(file, steps, unusable=1)
    assert found.by_key == {"A": "a", "D": "d"} and "p.jsonl, record 2: a record is an object" in found.extra[0]
    with pytest.raises(ConfigError, match="has 4 rows, none of which names a step, but the data has 3"):
        replies(file, steps)


@pytest.mark.parametrize("text", ["{", "[]", '{"spec": []}', '{"spec": {"suite": "duet"}}', '{"suite": {}}', ""])
@pytest.mark.parametrize("name", ["spec.json", "pointing.json"])
def test_a_damaged_specification_is_one_line(text: str, name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    readers: tuple[Callable[[Path], object], ...] = (data_of, read_spec, load_run)
    if name == "pointing.json":
        readers = (lambda folder: read_pointed(folder, "screenspot"),)
    for reader in readers:
        with pytest.raises(ConfigError, match="cannot be read"):
            reader(tmp_path)


def test_an_answer_that_was_not_written_to_its_end_is_none_yet(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"target": "a", "po')
    assert list(read_answers(file)) == []
    file.write_text('{"target": "a"}\n')
    with pytest.raises(ConfigError, match=r"answers\.jsonl:1 is no answer"):
        list(read_answers(file))
