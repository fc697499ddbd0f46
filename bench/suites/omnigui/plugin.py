"""What the benchmark omnigui adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin

PLUGIN = Plugin(
    name="omnigui",
    about="OmniGUI",
    suites={
        "omnigui": "omnipilot.bench.suites.omnigui.suite:OmniGui",
    },
    scores={
        "omnigui": "omnipilot.bench.suites.omnigui.score:OmniGuiScore",
    },
    miniatures={
        "omnigui": "omnipilot.bench.suites.omnigui.sample.write:write",
    },
    benchmarks={
        "omnigui": BenchmarkInfo(
            "OmniGUI: recorded phone episodes with video and sound, step by step, teacher-forced",
            "merged_sorted.json and benchmark/ with its media; films need the extra video",
            "hf://OmniGUI/OmniGUI",
        ),
    },
    presets="omnipilot.bench.suites.omnigui:presets",
    place=50,
)
