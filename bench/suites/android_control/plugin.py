"""What the benchmark android-control adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin

PLUGIN = Plugin(
    name="android-control",
    about="AndroidControl",
    suites={
        "android-control": "omnipilot.bench.suites.android_control.suite:AndroidControl",
    },
    scores={
        "android-control": "omnipilot.bench.suites.android_control.score:AndroidControlScore",
    },
    miniatures={
        "android-control": "omnipilot.bench.suites.android_control.sample:write",
    },
    benchmarks={
        "android-control": BenchmarkInfo(
            "AndroidControl: recorded phone episodes, teacher-forced; Type, Grounding, step SR as OS-Atlas scores them",
            "android_control-*-of-00020, splits.json, test_subsplits.json; or rows (JSON, parquet) with pictures",
            "gs://gresearch/android_control, 50 GB",
        ),
    },
    place=80,
)
