"""Where the probe's targets are."""

from __future__ import annotations

from omnipilot.grounders.calibrate_targets import TARGETS

AT = {target.description: target.at for target in TARGETS}
