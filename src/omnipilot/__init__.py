"""omnipilot: multimodal agents that operate phones, desktops and browsers, and a harness that judges them.

The six packages below hold everything; each is imported on first use, so that `import omnipilot` costs nothing. In the
repository they lie at the top, and here are links to them.
"""

from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)  # another distribution may bring packages of its own

__all__ = ["__version__", "agents", "bench", "envs", "grounders", "memory", "planners"]

__version__: str


def __getattr__(name: str) -> object:
    """The version of the installed distribution, or one of the six packages."""
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("omnipilot")
        except PackageNotFoundError:
            return "0+unknown"  # a source tree on the path that nobody installed
    if name in __all__:
        from importlib import import_module

        return import_module(f"omnipilot.{name}")
    raise AttributeError(f"module 'omnipilot' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
