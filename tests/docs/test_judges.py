"""docs/judges.md tells the truth: its evaluators are read, its kinds and their arguments are those that there are."""

from __future__ import annotations

import json
import re
from inspect import Parameter
from pathlib import Path

import pytest

from omnipilot.bench.judges import load_judge, read_evaluator
from omnipilot.bench.judges.kinds import JUDGES
from omnipilot.envs import ConfigError

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/judges.md").read_text(encoding="utf-8")
ENGINE = "omnipilot.bench.judges."


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("block", blocks("json"), ids=lambda block: str(len(block)))
def test_its_evaluators_are_read(block: str) -> None:
    values = {"code": "12AB", "address": "a@b.example", "name": "Ana Silva"}
    assert read_evaluator(json.loads(block), values).nodes


def test_it_lists_the_engines_kinds_with_their_arguments() -> None:
    told = dict(re.findall(r"`(check_\w+)\(([^)`]*)\)`", PAGE))
    kinds = [load_judge(name) for name in JUDGES.names()]
    engine = [kind for kind in kinds if kind.examine.__module__.startswith(ENGINE)]
    assert set(told) == {kind.name for kind in engine}
    for kind in engine:
        written = [
            name if default is Parameter.empty else f"[{name}]" for name, (_, default) in kind.parameters.items()
        ]
        assert told[kind.name] == ", ".join(written), kind.name


def test_its_mistakes_are_told_as_it_says() -> None:
    first, second = blocks("text")[0].splitlines()
    ok = {"check": "check_state", "args": {"path": "a", "op": "absent"}}
    for words, entry in (
        (first.rstrip("?"), {"all": [ok, {"check": "check_stat"}]}),
        (second, {"check": "check_mouse_clicks", "args": {"text": 3}}),
    ):
        with pytest.raises(ConfigError, match=re.escape(words)):
            read_evaluator({"checks": [entry]})
