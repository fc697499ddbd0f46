"""What docs/evidence.md shows and says of the page is so."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import evidence_pictures
import pytest
from evidence_pictures import VIEWS, play, take_pictures
from evidence_runs import QUESTIONS
from page_commands import commands
from PIL import Image
from shared_folders import ROOT

TEXT = (ROOT / "docs/evidence.md").read_text(encoding="utf-8")
LARGEST = 80_000


def test_its_questions_are_those_that_are_tried() -> None:
    table = TEXT[TEXT.index("| question |") :].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    told = {row[0]: 0 if row[1] == "none" else len(row[1].split(" → ")) for row in rows}
    assert told == {question: len(clicks) for question, (clicks, _, _) in QUESTIONS.items()}
    assert len(told) >= 10 and max(told.values()) <= 3


def test_its_pictures_are_small_and_of_the_commands_above_them() -> None:
    said = set(commands(TEXT))
    for words in evidence_pictures.commands("runs"):
        assert " ".join(["omnipilot", *words]) in said
    for name in VIEWS:
        assert f"](pictures/{name}.png)" in TEXT
        assert (ROOT / f"docs/pictures/{name}.png").stat().st_size <= LARGEST


@pytest.mark.slow
@pytest.mark.web
def test_its_commands_make_its_pictures(tmp_path: Path) -> None:
    """Of the same size; letters are those of the machine's fonts. That they can be taken shows that the first
    difference, the causes and the inspected element are there."""
    made = take_pictures(play(tmp_path))
    assert set(made) == set(VIEWS)
    for name, content in made.items():
        assert Image.open(BytesIO(content)).size == Image.open(ROOT / f"docs/pictures/{name}.png").size
