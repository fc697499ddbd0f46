"""What the benchmark mmbench-gui adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Command, Plugin

PLUGIN = Plugin(
    name="mmbench-gui",
    about="MMBench-GUI, levels 1 to 4",
    suites={
        "mmbench-l1": "omnipilot.bench.suites.mmbench_gui.level1.suite:MMBenchL1",
    },
    pointing={
        "mmbench-l2": "omnipilot.bench.suites.mmbench_gui.level2.suite:MMBenchL2Suite",
    },
    scores={
        "mmbench-l1": "omnipilot.bench.suites.mmbench_gui.level1.score:MMBenchL1Score",
        "mmbench-l2": "omnipilot.bench.suites.mmbench_gui.level2.score:MMBenchL2Score",
        "mmbench-l3": "omnipilot.bench.suites.mmbench_gui.level3.score:MMBenchL3",
        "mmbench-l4": "omnipilot.bench.suites.mmbench_gui.level3.score:MMBenchL4",
    },
    miniatures={
        "mmbench-l1": "omnipilot.bench.suites.mmbench_gui.level1.sample:write",
        "mmbench-l2": "omnipilot.bench.suites.mmbench_gui.level2.sample:write",
        "mmbench-l3": "omnipilot.bench.suites.mmbench_gui.level3.sample:write",
    },
    benchmarks={
        "mmbench-l1": BenchmarkInfo(
            "MMBench-GUI L1: questions about a screen, six platforms, three difficulties",
            "L1_annotations.json and offline_images/",
            "hf://OpenGVLab/MMBench-GUI, its MMBench-GUI-OfflineImages.zip unpacked",
        ),
        "mmbench-l2": BenchmarkInfo(
            "MMBench-GUI L2: pointing by basic and advanced instructions, six platforms",
            "L2_annotations.json and offline_images/",
            "hf://OpenGVLab/MMBench-GUI, its MMBench-GUI-OfflineImages.zip unpacked",
        ),
        "mmbench-l3": BenchmarkInfo(
            "MMBench-GUI L3: SR and EQA of tasks within one application, from results or any run"
        ),
        "mmbench-l4": BenchmarkInfo("MMBench-GUI L4: SR and EQA of tasks across applications, from results or any run"),
    },
    commands={
        "questions": Command(
            "omnipilot.bench.suites.mmbench_gui.commands:questions",
            "Make and check questions about screens, and pointing targets, in MMBench-GUI's formats.",
        ),
    },
    presets="omnipilot.bench.suites.mmbench_gui:presets",
    place=30,
)
