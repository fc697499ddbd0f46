"""Benchmarks by name: by whose rules predictions are scored."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from omnipilot.agents.registry import Registry
from omnipilot.bench.scored import Scored


class Benchmark(Protocol):
    """The rules of a benchmark.

    Attributes:
        name: on the command line. variants: by whose rules; the first is the default.
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
            ConfigError: data or predictions are not there, or are no such thing; the message says the cure.
        """
        ...


BENCHMARKS = Registry(
    "benchmark",
    {
        "crab": "omnipilot.bench.suites.crab_score:Crab",
        "omnibench": "omnipilot.bench.suites.omnibench_score:OmniBench",
        "mmbench-l1": "omnipilot.bench.suites.mmbench_l1_score:MMBenchL1Score",
        "mmbench-l2": "omnipilot.bench.suites.mmbench_l2_score:MMBenchL2Score",
        "mmbench-l3": "omnipilot.bench.suites.mmbench_l3_score:MMBenchL3",
        "mmbench-l4": "omnipilot.bench.suites.mmbench_l3_score:MMBenchL4",
        "omniact": "omnipilot.bench.suites.omniact_score:OmniActScore",
        "omniact-os-atlas": "omnipilot.bench.suites.os_atlas_score:OmniActInStyle",
        "omnigui": "omnipilot.bench.suites.omnigui_score:OmniGuiScore",
        "screenspot": "omnipilot.bench.suites.screenspot_score:ScreenSpotScore",
        "screenspot-v2": "omnipilot.bench.suites.screenspot_score:ScreenSpotV2Score",
        "screenspot-pro": "omnipilot.bench.suites.screenspot_pro_score:ScreenSpotProScore",
        "osworld-g": "omnipilot.bench.suites.osworld_g_score:OSWorldGScore",
        "android-control": "omnipilot.bench.suites.android_control_score:AndroidControlScore",
        "gui-odyssey": "omnipilot.bench.suites.os_atlas_score:GuiOdyssey",
        "guiact-web": "omnipilot.bench.suites.os_atlas_score:GuiActWeb",
    },
    "omnipilot.benchmarks",
)

MINIATURES = Registry(
    "miniature",
    {
        "crab": "omnipilot.bench.suites.mini_crab:write",
        "omnibench": "omnipilot.bench.suites.mini_omnibench:write",
        "mmbench-l1": "omnipilot.bench.suites.mini_mmbench_l1:write",
        "mmbench-l2": "omnipilot.bench.suites.mini_mmbench_l2:write",
        "mmbench-l3": "omnipilot.bench.suites.mini_mmbench_l3:write",
        "omniact": "omnipilot.bench.suites.mini_omniact:write",
        "omnigui": "omnipilot.bench.suites.mini_omnigui:write",
        "screenspot": "omnipilot.bench.suites.mini_screenspot:write",
        "screenspot-v2": "omnipilot.bench.suites.mini_screenspot_v2:write",
        "screenspot-pro": "omnipilot.bench.suites.mini_screenspot_pro:write",
        "osworld-g": "omnipilot.bench.suites.mini_osworld_g:write",
        "android-control": "omnipilot.bench.suites.mini_android_control:write",
        "omniact-os-atlas": "omnipilot.bench.suites.mini_omniact_os_atlas:write",
        "gui-odyssey": "omnipilot.bench.suites.mini_gui_odyssey:write",
        "guiact-web": "omnipilot.bench.suites.mini_guiact_web:write",
    },
    "omnipilot.miniatures",
)
