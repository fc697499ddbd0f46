"""What docs/omniact.md shows is what happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "omniact.md"


@pytest.mark.exhibit("sim")
@pytest.mark.needs("omnipilot[ocr]", "omnipilot[marks]")
def test_the_list_and_what_the_filter_leaves_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    exec(compile(block, str(PAGE), "exec"), {})  # noqa: S102
    whole, left = re.split(r"^5 elements", capsys.readouterr().out, flags=re.M)
    assert "text 'Compose'" in whole and "image 'send'" in whole and "color 'violet'" in whole
    assert "text 'Trash'" in left and "image 'trash'" in left
