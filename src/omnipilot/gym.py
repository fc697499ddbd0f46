"""Every suite as a Gymnasium environment: `gymnasium.make("omnipilot.gym:omnipilot/duet-v0", task="send-message")`.

Importing this registers one id for each suite, `omnipilot/SUITE-v0`; see `omnipilot.bench.doors.gymnasium_env.TaskEnv`
for its arguments. Needs `pip install 'omnipilot[gym]'`.
"""

from omnipilot.bench.registry import SUITES
from omnipilot.envs.types import require

_gymnasium = require("gymnasium", "gym")
for _suite in SUITES.names():
    _gymnasium.register(f"omnipilot/{_suite}-v0", "omnipilot.bench.doors:TaskEnv", kwargs={"suite": _suite})
