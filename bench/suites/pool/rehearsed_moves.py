"""What rehearsals did in the embedded world.

Whoever plays the moves that one of them found, from the same state, need neither make them nor lay out their screens
again.
"""

from __future__ import annotations

from omnipilot.envs.sim.move_memo import MoveMemo

REHEARSED = MoveMemo(512, pieces=16)
"""Enough for the graph that is being played. Rehearsals of other graphs begin in other states."""
