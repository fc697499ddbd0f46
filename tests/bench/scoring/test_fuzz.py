"""Whatever is wrong in one place of the data or the predictions: a result, or one line with the cure; never a crash."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from made_parts import make_part

from omnipilot.bench.scoring.benchmark import BENCHMARKS, MINIATURES
from omnipilot.bench.scoring.score import scored_tables, scored_to_json
from omnipilot.envs import ConfigError

ROUNDS = {"mmbench-l3": 1, "omnigui": 5}
"""All others 7: where one score takes long, fewer."""
TEXTS = (".json", ".jsonl", ".csv", ".txt", "")
DEEP: Any = json.loads("[" * 800 + "]" * 800)
JUNK: tuple[Any, ...] = (
    *(None, "", 0, -1, 1.5, True, [], {}, [[]], {"a": 1}, ["x"], [None], [1, 2, 3], [[1e308] * 4], DEEP),
    *(float("nan"), float("inf"), 10**400, "\ud800", "x" * 300, "a\0b", "\x1b[31m", "²", "１２", "é\u202e", "NaN"),
    *("../../etc/passwd", "/etc/passwd", "C:\\x\\y.png", "[1,2]", "{", "9" * 5000, "[" * 3000, "click(" * 3000),
)
BYTES: tuple[Callable[[bytes, int], bytes], ...] = (
    lambda data, at: data[:at] + bytes([data[at] ^ 0x15]) + data[at + 1 :],
    lambda data, at: data[:at] + b"\xff" + data[at:],
    lambda data, at: data[:at] + b"\0" + data[at:],
    lambda data, at: data[:at] + b"9" * 5000 + data[at:],
    lambda data, at: data[:at],
    lambda data, at: b"\xef\xbb\xbf" + data,
    lambda data, at: data.replace(b"\n", b"\r\n"),
    lambda data, at: data.decode("utf-8", "replace").encode("utf-16"),
    lambda data, at: b"[" * 50_000,
    lambda data, at: b'{"a":' * 50_000,
    lambda data, at: b"",
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from places(one, (*path, key))


def one_wrong(data: Any, dice: random.Random) -> None:
    """Replace, remove, repeat or rename one value, wherever it stands."""
    *way, key = dice.choice(list(places(data)))
    for step in way:
        data = data[step]
    how = dice.choice(("junk", "junk", "junk", "remove", "repeat"))
    if how == "junk":
        data[key] = dice.choice(JUNK)
    elif how == "remove":
        del data[key]
    elif isinstance(data, list):
        data.append(data[key])
    else:
        data[dice.choice(("", "\ud800", "../x", "1"))] = data.pop(key)


def spoilt(file: Path, dice: random.Random) -> bytes:
    """The content of a file with one thing wrong."""
    old = file.read_bytes()
    if file.suffix in (".json", ".jsonl") and dice.random() < 0.75:
        lines = [json.loads(line) for line in old.decode().splitlines() if line] if file.suffix == ".jsonl" else None
        data = json.loads(old) if lines is None else lines
        one_wrong(data, dice)
        text = json.dumps(data) if lines is None else "\n".join(map(json.dumps, data))
        return text.encode()
    return dice.choice(BYTES)(old, dice.randrange(len(old)))


LONG = ("mmbench-l2", "mmbench-l3", "omnigui")
"""Scored in seconds, not in a moment."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in MINIATURES.names()]
)
def test_one_thing_wrong_is_a_result_or_a_line(name: str, miniature: Callable[[str], Path], tmp_path: Path) -> None:
    folder, dice, rules = tmp_path / name, random.Random(name), make_part(BENCHMARKS, name)
    shutil.copytree(miniature(name), folder)
    predictions = import_module(MINIATURES.load(name).__module__).sample_predictions(folder)
    if name == "android-control":
        # The export's own records are of another test; here are the rows.
        for shard in folder.glob("android_control-*"):
            shard.unlink()
        shutil.copytree(folder / "rows", folder, dirs_exist_ok=True)
        shutil.rmtree(folder / "rows")
    files = [f for f in sorted(folder.rglob("*")) if f.is_file() and f.suffix in TEXTS and f.stat().st_size]
    upper = [f for f in files if f.parent == folder or f.parent.name == "annotations"]
    results = 0
    for _ in range(ROUNDS.get(name, 7)):
        file = dice.choice(upper if upper and dice.random() < 0.8 else files)
        old = file.read_bytes()
        file.write_bytes(spoilt(file, dice))
        try:
            found = rules.score(str(folder), predictions, dice.choice(rules.variants))
            text = "".join(table.text() for table in scored_tables(found))
            text += json.dumps(scored_to_json(found), ensure_ascii=False, allow_nan=False)
            results += 1
        except ConfigError as error:
            text = str(error)
        finally:
            file.write_bytes(old)
        # It can be printed and written.
        assert text.encode()
    assert results or name == "mmbench-l3"
