"""Pointing: asks grounders where on a screen to point, and counts the hits; for every pointing benchmark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.pointing.data import DataPointing as DataPointing
    from omnipilot.bench.pointing.data import Screen as Screen
    from omnipilot.bench.pointing.data import Screens as Screens
    from omnipilot.bench.pointing.data import box_on as box_on
    from omnipilot.bench.pointing.data import written_size as written_size
    from omnipilot.bench.pointing.evaluation import STYLES as STYLES
    from omnipilot.bench.pointing.evaluation import Kind as Kind
    from omnipilot.bench.pointing.evaluation import Pointing as Pointing
    from omnipilot.bench.pointing.evaluation import Shot as Shot
    from omnipilot.bench.pointing.evaluation import Target as Target
    from omnipilot.bench.pointing.given_answers import Given as Given
    from omnipilot.bench.pointing.hard_cases import cell_of as cell_of
    from omnipilot.bench.pointing.hard_cases import corners as corners
    from omnipilot.bench.pointing.hard_cases import failure_weights as failure_weights
    from omnipilot.bench.pointing.hard_cases import hard_negatives as hard_negatives
    from omnipilot.bench.pointing.place import Nowhere as Nowhere
    from omnipilot.bench.pointing.place import Place as Place
    from omnipilot.bench.pointing.place import Polygon as Polygon
    from omnipilot.bench.pointing.rows import Rows as Rows
    from omnipilot.bench.pointing.rows import middle as middle
    from omnipilot.bench.pointing.rows import numbers_in as numbers_in
    from omnipilot.bench.pointing.rows import said_in as said_in
    from omnipilot.bench.pointing.run import read_pointing_run as read_pointing_run
    from omnipilot.bench.pointing.score import NO_POINT as NO_POINT
    from omnipilot.bench.pointing.score import Hit as Hit
    from omnipilot.bench.pointing.score import PointingScore as PointingScore
    from omnipilot.bench.pointing.score import mean_of_cells as mean_of_cells
    from omnipilot.bench.pointing.score import percent_of as percent_of
    from omnipilot.bench.pointing.score import share as share
    from omnipilot.bench.pointing.score import shares_by_part as shares_by_part
    from omnipilot.bench.tasks.failure_cells import draw_weighted as draw_weighted

__all__, __getattr__, __dir__ = lazy_exports(__name__)
