"""The benchmarks by name, with their scoring rules."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from omnipilot.agents import Registry
from omnipilot.bench.scoring.score import Scored


class Benchmark(Protocol):
    """The rules of a benchmark.

    Attributes:
        name: on the command line. variants: whose rules apply; the first is the default.
        format: of prediction files, in a line.
    """

    name: str
    variants: tuple[str, ...]
    format: str

    def score(self, data: str, predictions: Path, variant: str) -> Scored:
        """Score a file of predictions in the benchmark's own format, or a run directory.

        Args:
            data: a folder, or hf://OWNER/NAME.

        Raises:
            ConfigError: data or predictions are missing or have another format; the message gives the cure.
        """
        ...


BENCHMARKS = Registry(
    "benchmark",
    {
        "crab": "omnipilot.bench.suites.crab.score:Crab",
        "omnibench": "omnipilot.bench.suites.omnibench.score:OmniBench",
        "mmbench-l1": "omnipilot.bench.suites.mmbench_gui.level1.score:MMBenchL1Score",
        "mmbench-l2": "omnipilot.bench.suites.mmbench_gui.level2.score:MMBenchL2Score",
        "mmbench-l3": "omnipilot.bench.suites.mmbench_gui.level3.score:MMBenchL3",
        "mmbench-l4": "omnipilot.bench.suites.mmbench_gui.level3.score:MMBenchL4",
        "omniact": "omnipilot.bench.suites.omniact.score:OmniActScore",
        "omniact-os-atlas": "omnipilot.bench.suites.os_atlas.score:OmniActInStyle",
        "omnigui": "omnipilot.bench.suites.omnigui.score:OmniGuiScore",
        "screenspot": "omnipilot.bench.suites.screenspot.score:ScreenSpotScore",
        "screenspot-v2": "omnipilot.bench.suites.screenspot.score:ScreenSpotV2Score",
        "screenspot-pro": "omnipilot.bench.suites.screenspot.pro.score:ScreenSpotProScore",
        "osworld-g": "omnipilot.bench.suites.osworld_g.score:OSWorldGScore",
        "android-control": "omnipilot.bench.suites.android_control.score:AndroidControlScore",
        "gui-odyssey": "omnipilot.bench.suites.os_atlas.score:GuiOdyssey",
        "guiact-web": "omnipilot.bench.suites.os_atlas.score:GuiActWeb",
    },
    "omnipilot.benchmarks",
)

MINIATURES = Registry(
    "miniature",
    {
        "crab": "omnipilot.bench.suites.crab.sample:write",
        "omnibench": "omnipilot.bench.suites.omnibench.sample:write",
        "mmbench-l1": "omnipilot.bench.suites.mmbench_gui.level1.sample:write",
        "mmbench-l2": "omnipilot.bench.suites.mmbench_gui.level2.sample:write",
        "mmbench-l3": "omnipilot.bench.suites.mmbench_gui.level3.sample:write",
        "omniact": "omnipilot.bench.suites.omniact.sample:write",
        "omnigui": "omnipilot.bench.suites.omnigui.sample.write:write",
        "screenspot": "omnipilot.bench.suites.screenspot.sample:write",
        "screenspot-v2": "omnipilot.bench.suites.screenspot.sample_v2:write",
        "screenspot-pro": "omnipilot.bench.suites.screenspot.pro.sample:write",
        "osworld-g": "omnipilot.bench.suites.osworld_g.sample:write",
        "android-control": "omnipilot.bench.suites.android_control.sample:write",
        "omniact-os-atlas": "omnipilot.bench.suites.os_atlas.sample_omniact:write",
        "gui-odyssey": "omnipilot.bench.suites.os_atlas.sample_gui_odyssey:write",
        "guiact-web": "omnipilot.bench.suites.os_atlas.sample_guiact_web:write",
    },
    "omnipilot.miniatures",
)
