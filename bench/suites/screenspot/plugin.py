"""What the benchmark screenspot adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import BenchmarkInfo, Plugin

PLUGIN = Plugin(
    name="screenspot",
    about="ScreenSpot v1, v2 and Pro",
    pointing={
        "screenspot": "omnipilot.bench.suites.screenspot.suite:ScreenSpotSuite",
        "screenspot-v2": "omnipilot.bench.suites.screenspot.suite:ScreenSpotV2Suite",
        "screenspot-pro": "omnipilot.bench.suites.screenspot.pro.suite:ScreenSpotProSuite",
    },
    scores={
        "screenspot": "omnipilot.bench.suites.screenspot.score:ScreenSpotScore",
        "screenspot-v2": "omnipilot.bench.suites.screenspot.score:ScreenSpotV2Score",
        "screenspot-pro": "omnipilot.bench.suites.screenspot.pro.score:ScreenSpotProScore",
    },
    miniatures={
        "screenspot": "omnipilot.bench.suites.screenspot.sample:write",
        "screenspot-v2": "omnipilot.bench.suites.screenspot.sample_v2:write",
        "screenspot-pro": "omnipilot.bench.suites.screenspot.pro.sample:write",
    },
    benchmarks={
        "screenspot": BenchmarkInfo(
            "ScreenSpot v1: pointing on mobile, desktop, web",
            "screenspot_{mobile,desktop,web}.json and screenspot_imgs/, or parquet files",
            "see https://github.com/njucckevin/SeeClick; or hf://rootsautomation/ScreenSpot",
        ),
        "screenspot-v2": BenchmarkInfo(
            "ScreenSpot v2: the same with corrected annotations",
            "screenspot_{mobile,desktop,web}_v2.json and screenspotv2_image/",
            "hf://OS-Copilot/ScreenSpot-v2, its screenspotv2_image.zip unpacked",
        ),
        "screenspot-pro": BenchmarkInfo(
            "ScreenSpot-Pro: small targets on screens of professional software",
            "annotations/*.json and images/",
            "hf://likaixin/ScreenSpot-Pro",
        ),
    },
    place=60,
)
