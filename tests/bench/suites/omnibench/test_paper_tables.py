"""Numbers that OmniBench's tables print, recomputed from others that they print (table 5 is in `..._complexity`)."""

from __future__ import annotations

import pytest

from omnipilot.bench.suites.omnibench.metrics.complexity import ABBREVIATIONS
from omnipilot.bench.suites.omnibench.metrics.execution import mean

COLUMNS = ("PP", "LRP", "CDDM", "SDM", "SI", "DI", "LSR", "LIF", "DSK", "CDK")
TABLE_4 = """
human 80.1 92.8 80.1 76.9 91.9 93.0 69.1 72.1 79.5 66.1 89.4 71.5
qwen2-7b 14.8 9.0 15.5 13.5 16.5 17.8 14.1 13.8 14.7 12.4 15.8 13.8
internvl2 14.2 13.0 15.0 13.5 16.2 16.9 12.1 12.9 15.8 11.7 15.8 12.4
internvl2.5 17.4 18.8 18.2 16.7 19.6 21.5 16.4 15.3 15.8 15.4 19.0 16.3
qwen-max 18.4 23.3 18.7 19.4 19.6 23.3 15.0 16.7 18.3 16.1 19.6 17.3
gemini 25.9 38.0 24.8 24.6 31.5 33.2 22.5 22.5 25.7 21.9 27.8 24.8
claude 27.6 35.0 30.5 24.7 32.0 31.3 24.5 25.0 26.6 23.5 33.4 24.5
gpt-4o 38.7 49.0 38.4 37.8 43.2 49.4 30.6 35.5 42.7 32.2 43.2 34.2
aguvis 22.9 27.1 21.2 23.5 25.5 28.1 20.2 20.0 22.8 20.1 26.3 21.6
os-atlas-pro 19.1 23.9 20.6 17.6 22.9 23.6 15.0 17.7 18.7 15.9 22.0 16.8
showui 23.2 24.6 23.2 23.1 26.3 26.6 21.5 20.3 24.7 20.4 24.8 20.7
os-atlas 22.2 23.8 23.2 21.9 26.2 25.6 19.4 19.5 23.5 20.0 23.4 19.3
uground 25.0 26.3 25.7 25.1 30.6 31.4 21.5 21.3 24.8 21.3 27.2 21.5
omni-os-atlas 29.7 30.1 24.2 33.0 34.9 35.3 28.7 24.2 27.9 26.5 33.8 28.2
omni-uground 34.4 37.4 33.2 31.3 43.1 42.4 21.9 35.0 40.3 31.7 36.7 27.6
"""
"""CR and LC overall, then CR by capability."""

TABLE_9 = """
omni-os-atlas 24.2 33.0 28.6 25.7 34.9 30.3
omni-uground 33.2 31.3 32.3 34.4 32.6 33.5
qwen-max 21.9 20.8 21.4 24.5 23.5 24.0
gemini 23.1 22.7 22.9 28.9 26.7 27.8
claude 24.2 23.7 24.0 30.6 28.1 29.4
gpt-4o 25.7 25.1 25.4 32.9 35.7 34.3
"""
"""PP, LRP and overall, without and with intents."""
TUNED = ("omni-os-atlas", "omni-uground")

TABLES_6_7 = """
os-atlas 80.64 67.54 73.91 84.78
omni-os-atlas 81.38 67.71 74.62 85.53
uground 83.29 70.31 79.85 91.89
omni-uground 83.57 70.83 80.24 92.10
"""
"""SR on AndroidControl low and high, and in OmniACT's style on the web and the desktop."""


def rows(table: str) -> dict[str, list[float]]:
    """The figures by name."""
    return {line.split()[0]: [float(word) for word in line.split()[1:]] for line in table.strip().split("\n")}


def test_overall_cr_is_the_mean_of_the_ten_capabilities_but_for_two_rows() -> None:
    assert set(COLUMNS) == set(ABBREVIATIONS)
    off = {}
    for name, (overall, _, *capabilities) in rows(TABLE_4).items():
        assert len(capabilities) == 10
        found = mean(capabilities)
        assert found is not None
        if abs(found - overall) > 0.0501:
            off[name] = round(found, 2)
    assert off == {"human": 78.96, "omni-uground": 34.32}  # printed 80.1 and 34.4


def test_table_9_s_overall_is_the_mean_of_the_two_and_begins_with_table_4_s() -> None:
    table_4 = rows(TABLE_4)
    for name, (first, second, both, *more) in rows(TABLE_9).items():
        assert mean([first, second]) == pytest.approx(both, abs=0.0501), name
        assert mean(more[:2]) == pytest.approx(more[2], abs=0.0501), name
        if name in TUNED:
            assert [first, second] == table_4[name][2:4]


def test_the_texts_gains_by_intents_are_means_of_table_9() -> None:
    closed = [row for name, row in rows(TABLE_9).items() if name not in TUNED]
    tuned = [rows(TABLE_9)[name] for name in TUNED]
    assert [round(mean([row[column] for row in closed]) or 0, 1) for column in (2, 5)] == [23.4, 28.9]
    assert [mean([row[column] for row in tuned]) for column in (2, 5)] == pytest.approx([30.5, 31.9], abs=0.0501)
    gains = {name: round(row[5] - row[2], 1) for name, row in rows(TABLE_9).items()}
    assert list(gains.values()) == [1.7, 1.2, 2.6, 4.9, 5.4, 8.9]


def test_table_8_s_drops_and_their_means() -> None:
    base, navigating, ours = (2.97, 2.58), (9.07, 12.9), (3.49, 2.67)
    more = [after - before for before, after in zip(base, navigating, strict=True)]
    less = [before - after for before, after in zip(navigating, ours, strict=True)]
    assert more == pytest.approx([6.1, 10.32])
    assert less == pytest.approx([5.58, 10.23])
    assert (mean(more), mean(less)) == (pytest.approx(8.21), pytest.approx(7.91, abs=0.0051))


def test_the_texts_gains_on_androidcontrol_and_omniact_are_means_of_tables_6_and_7() -> None:
    table = rows(TABLES_6_7)
    found = {}
    for name in ("os-atlas", "uground"):
        gains = [after - before for before, after in zip(table[name], table["omni-" + name], strict=True)]
        found[name] = mean(gains[:2]), mean(gains[2:])
    assert found["os-atlas"] == pytest.approx((0.46, 0.73), abs=0.0051)
    assert found["uground"] == pytest.approx((0.4, 0.3), abs=0.0051)
