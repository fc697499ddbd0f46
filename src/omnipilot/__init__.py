"""omnipilot: multimodal agents that operate phones, desktops and browsers, and a harness that judges them.

The six packages hold everything, and what most programs begin with is offered here, too; each is imported on first use,
so that `import omnipilot` costs nothing. In the repository the packages lie at the top, and beside this file are links
to them.
"""

from pkgutil import extend_path

TYPE_CHECKING = False  # as typing's, without importing it
if TYPE_CHECKING:
    from omnipilot import agents as agents
    from omnipilot import bench as bench
    from omnipilot import envs as envs
    from omnipilot import grounders as grounders
    from omnipilot import memory as memory
    from omnipilot import planners as planners
    from omnipilot.bench.session.pool import SessionPool as SessionPool
    from omnipilot.bench.session.session import Session as Session

__all__ = ["Session", "SessionPool", "__version__", "agents", "bench", "envs", "grounders", "memory", "planners"]
__path__ = extend_path(__path__, __name__)  # other distributions may bring packages of omnipilot

__version__: str

if not TYPE_CHECKING:  # else checkers would believe that every name is there

    def __getattr__(name: str) -> object:
        """The version of the installed distribution, one of the six packages, or a name that is offered here."""
        if name == "__version__":
            from importlib.metadata import PackageNotFoundError, version

            try:
                return version("omnipilot")
            except PackageNotFoundError:
                return "0+unknown"  # a source tree on the path, which nobody installed
        if name in __all__:
            from importlib import import_module

            if name in ("Session", "SessionPool"):
                return getattr(import_module("omnipilot.bench.session"), name)
            return import_module(f"omnipilot.{name}")
        raise AttributeError(f"module 'omnipilot' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
