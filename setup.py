"""The packages of the distribution: omnipilot, and in it the six rooms, to which `src/omnipilot` holds links.

A checkout without symbolic links (Windows, unless developer mode and `core.symlinks` are on) has small text files in
their place. There the rooms are named one by one: everything runs, but static tools don't follow an editable install.
"""

from pathlib import Path

from setuptools import find_packages, setup

ROOMS = ("envs", "memory", "planners", "grounders", "agents", "bench")

# Relative, as setuptools wants it; every build runs in this folder.
if all(Path("src", "omnipilot", room).is_dir() for room in ROOMS):
    setup(packages=find_packages("src"), package_dir={"": "src"})
else:
    setup(
        packages=[
            "omnipilot",
            *(
                f"omnipilot.{name}"
                for room in ROOMS
                for name in (room, *(f"{room}.{sub}" for sub in find_packages(room)))
            ),
        ],
        package_dir={"omnipilot": "src/omnipilot", **{f"omnipilot.{room}": room for room in ROOMS}},
    )
