"""What the benchmark webarena-verified adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin

PLUGIN = Plugin(
    name="webarena-verified",
    about="WebArena-Verified, by its own package",
    scores={
        "webarena-verified": "omnipilot.bench.suites.webarena_verified.score:WebArenaVerified",
    },
    benchmarks={
        "webarena-verified": BenchmarkInfo(
            "WebArena-Verified: recorded network traces and answers, judged by its own package",
            "a folder with agent_response.json and network.har for each task, its configuration with the servers' "
            "URLs (--data), and an environment with its package (-o python=…)",
            "python -m venv verified && verified/bin/pip install webarena-verified",
        ),
    },
    place=10,
)
