"""docs/grounders.md tells the truth: its example runs, its table and its picture are the ones that are made."""

from __future__ import annotations

import io
import re
import sys
from importlib import import_module
from inspect import signature
from pathlib import Path

import numpy as np
import pytest
from grounders_picture import coordinates
from grounders_table import table
from PIL import Image as pil
from put_plugin import forget_plugins, put_plugin

from omnipilot.envs import ConfigError, Point, Size
from omnipilot.grounders import Grounding
from omnipilot.grounders.families import find
from omnipilot.grounders.families.table import names

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/grounders.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.partition("## Add a model")[2], re.DOTALL)


def pixels(png: bytes) -> np.ndarray:
    with pil.open(io.BytesIO(png)) as picture:
        return np.asarray(picture.convert("RGB"), np.int16)


def test_the_record_of_the_page_passes_the_test_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record, test = BLOCKS
    (tmp_path / "pointer_of_the_page.py").write_text(f"{record}\n{test}", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    module = import_module("pointer_of_the_page")
    (told,) = [getattr(module, name) for name in vars(module) if name.startswith("test_")]
    told()
    family = module.POINTER
    screen = Size(2560, 1440)
    found = family.parse(family.render(Point(0.25, 0.5), family.sent_size(screen)), family.sent_size(screen), screen)
    assert isinstance(found, Grounding) and found.point.x == pytest.approx(0.25, abs=0.001)


def test_a_package_adds_its_families_and_changes_none_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = names()
    rename = 'from dataclasses import replace\nBOTH = (POINTER, replace(POINTER, name="uground-v1", models=("x/y",)))\n'
    (tmp_path / "pointer_package.py").write_text(BLOCKS[0] + rename, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        put_plugin(tmp_path, "pointers", 'families={"pointers": "pointer_package:BOTH"}')
        assert names() == (*ours, "pointer-1")
        assert find("pointer-1-7b").name == "pointer-1"
        assert find("osunlp/UGround-V1-7B").space == "norm1000"
        for broken, told in (
            ("pointer_package:NONE", "'pointers' cannot be loaded from the package pointers"),
            ("pointer_package:Family", "of the package pointers is neither a Family nor a collection"),
            ("sys:path", "neither a Family nor a collection"),
        ):
            put_plugin(tmp_path, "pointers", f'families={{"pointers": {broken!r}}}')
            assert names() == ours, "a broken one hides no other"
            with pytest.raises(ConfigError, match=told):
                find("pointer-1-7b")
    finally:
        monkeypatch.undo()
        sys.modules.pop("pointer_package", None)
        forget_plugins()
    assert names() == ours


def test_the_table_of_the_page_is_the_one_that_is_made() -> None:
    assert table() in PAGE, "run: python docs/figures/grounders_table.py, and put its table into docs/grounders.md"


def test_the_picture_of_the_page_is_the_one_that_is_made() -> None:
    shown = pixels((ROOT / "docs/pictures/coordinates.png").read_bytes())
    made = pixels(coordinates().png())
    assert shown.shape == made.shape == (770, 1310, 3)
    # Another version of the imaging library may round a scaled pixel otherwise.
    assert np.mean(np.abs(shown - made) > 8) < 0.002, "run: python docs/figures/grounders_picture.py"


def test_every_option_that_the_page_names_is_one() -> None:
    from omnipilot.grounders import AgreeGrounder, LocalGrounder, VllmGrounder, VoteGrounder, ZoomGrounder

    for grounder, start in ((VllmGrounder, "**vllm** asks"), (LocalGrounder, "**local** runs")):
        paragraph = PAGE[PAGE.index(start) :].split("\n\n")[0]
        named = re.findall(r"`(\w+)(?:=\w+)?`", paragraph.partition("Options:")[2])
        options = set(named) - {"api", "ground_all"}
        assert len(options) >= 7 and options <= set(signature(grounder.__init__).parameters), options
    for name, grounder in (("zoom", ZoomGrounder), ("vote", VoteGrounder), ("agree", AgreeGrounder)):
        (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| `{name}`")]
        options = {word.partition("=")[0] for word in re.findall(r"`([\w=]+)`", row)} - {name}
        assert options <= set(signature(grounder.__init__).parameters), options
