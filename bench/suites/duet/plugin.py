"""What duet adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Command, Plugin

PLUGIN = Plugin(
    name="duet",
    about="our benchmark on a phone and a desktop that share an account",
    suites={
        "duet": "omnipilot.bench.suites.duet.suite:Duet",
    },
    subtasks={
        "embedded": "omnipilot.bench.suites.subtasks.duet_pool:POOL",
    },
    benchmarks={
        "duet": BenchmarkInfo(
            "live tasks on a phone and a desktop that share an account, with sound and video; embedded"
        ),
    },
    commands={
        "demo": Command(
            "omnipilot.bench.suites.duet.commands.demo:demo",
            "Run baseline agents on the embedded world and, if a Chromium is installed, on real web pages.",
        ),
        "phone": Command(
            "omnipilot.bench.suites.duet.commands.phone:phone",
            "The embedded phone as an Android device, for adb and everything that works through adb.",
        ),
    },
    defaults={"suite": "duet"},
    place=-50,
)
