"""Its debug tasks."""

from double_cube.benchmark import Config


def get_debug_benchmark():
    return Config(("sum",))
