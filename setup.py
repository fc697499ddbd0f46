"""The packages of the distribution: omnipilot, and in it everything below the six rooms."""

from setuptools import find_packages, setup

ROOMS = ("envs", "memory", "planners", "grounders", "agents", "bench")

setup(
    packages=[
        f"omnipilot.{name}" for room in ROOMS for name in (room, *(f"{room}.{sub}" for sub in find_packages(room)))
    ],
    package_dir={f"omnipilot.{room}": room for room in ROOMS},
)
