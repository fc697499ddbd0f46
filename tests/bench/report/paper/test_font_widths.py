"""Reckoned widths of text are not below those that pdflatex sets, and not far above."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from omnipilot.bench.report.paper.font_widths import text_points
from omnipilot.bench.report.paper.latex_text import escape

TEXTS = ("UI-TARS-72B-DPO", "Qwen2.5-VL-72B", "cross-domain decision-making", "100.0", "Overall", "Wwmil MQ &%", "−3.5")


@pytest.mark.parametrize("size", [7, 8, 9, 10])
def test_widths_grow_with_the_text(size: int) -> None:
    assert text_points("", size) == 0
    assert text_points("ab", size) == pytest.approx(text_points("a", size) + text_points("b", size))
    assert text_points("0.5", size, bold=True) > text_points("0.5", size)
    assert text_points("é", size) == text_points("e", size)
    assert 4 * size / 10 < text_points("0", size) < 6.2 * size / 10


def test_widths_are_those_of_pdflatex_where_it_is_installed(tmp_path: Path) -> None:
    """In Computer Modern and in Times; without pdflatex, the digits of Computer Modern at ten points are checked."""
    assert text_points("0123456789", 10) == pytest.approx(50.0, abs=0.1)
    if not shutil.which("pdflatex"):
        return
    lines = [
        rf"\setbox0\hbox{{{font}\fontsize{{{size}}}{{{size}}}\selectfont {escape(text)}}}\typeout{{W \the\wd0}}"
        for font in ("", r"\fontfamily{ptm}\selectfont")
        for size in (7, 8, 9, 10)
        for text in TEXTS
    ]
    (tmp_path / "w.tex").write_text(
        "\n".join(["\\documentclass{article}\\begin{document}", *lines, "\\end{document}"]), encoding="utf-8"
    )
    done = subprocess.run(
        ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "w.tex"],
        cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=120, check=False,
    )  # fmt: skip
    found = [float(points) for points in re.findall(r"W ([\d.]+)pt", done.stdout)]
    reckoned = [text_points(text, size) for _ in range(2) for size in (7, 8, 9, 10) for text in TEXTS]
    assert len(found) == len(reckoned)
    for wide, ours in zip(found, reckoned, strict=True):
        assert 0.7 * ours <= wide <= 1.015 * ours, (wide, ours)
