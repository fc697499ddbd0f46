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
    judges={
        "check_film_position": "omnipilot.bench.suites.duet.judges:check_film_position",
        "check_new_sheet": "omnipilot.bench.suites.duet.judges:check_new_sheet",
        "check_cell_number": "omnipilot.bench.suites.duet.judges:check_cell_number",
        "check_rows_sorted": "omnipilot.bench.suites.duet.judges:check_rows_sorted",
        "check_terminal_count": "omnipilot.bench.suites.duet.judges:check_terminal_count",
        "check_mail_sent": "omnipilot.bench.suites.duet.judges:check_mail_sent",
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
