"""What the embedded world adds: its record, for the entry points `omnipilot.plugins`."""

from __future__ import annotations

from omnipilot.envs import Plugin

PLUGIN = Plugin(
    name="embedded-world",
    about="a simulated phone and desktop with one clock and one account; no device is needed",
    devices={
        "phone": "omnipilot.envs.sim.live:LivePhone",
        "phone-over-adb": "omnipilot.envs.sim.phone_over_adb:EmbeddedPhone",
        "sim": "omnipilot.envs.sim.world:SimWorld",
    },
    states={
        "sim": "omnipilot.envs.sim.records:state_codec",
    },
    defaults={"world": "sim"},
)
