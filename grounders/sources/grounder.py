"""The grounder `source`: looks up the described place among the elements that a source finds on the picture."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from omnipilot.envs import Absent, ConfigError, Modality, Observation
from omnipilot.envs.installed_plugins import Declared, choose_declared, installed_plugins, load_declared
from omnipilot.envs.types.actions import Described
from omnipilot.grounders.base import Abstention, Grounder, Grounding
from omnipilot.grounders.elements import ElementsGrounder
from omnipilot.grounders.sources.base import ElementSource
from omnipilot.memory import Usage


class SourceGrounder(Grounder):
    """Finds a described place as `elements` does, among what a source of elements finds instead of the device's own.

    Args:
        source: one of a plug-in, by its name as `--perception` takes it; or an `ElementSource` itself.

    Raises:
        ConfigError: no plug-in has such a source.
    """

    main_option = "source"

    def __init__(self, source: str | ElementSource) -> None:
        self.source = source if isinstance(source, ElementSource) else make_source(source)
        self._lookup = ElementsGrounder()

    @property
    def needs(self) -> frozenset[Modality]:
        """What its source needs."""
        return frozenset(self.source.needs)

    @property
    def reads(self) -> frozenset[Modality]:
        """What its source needs."""
        return self.needs

    def identity(self) -> Mapping[str, str]:
        """What its source states of itself."""
        return self.source.identity()

    def warm_up(self) -> None:
        """Load what the source needs."""
        self.source.warm_up()

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """Find a described place; `usage` is what it took to find the elements."""
        lacking = [name for name in sorted(self.needs) if isinstance(getattr(observation, name.value), Absent)]
        if lacking:
            return Abstention("no_view", f"there is no {', '.join(lacking)} of {observation.env} to find elements on")
        began = time.perf_counter()
        found = self.source.find(observation.only(self.needs))
        usage = found.usage + Usage(seconds=time.perf_counter() - began)
        return replace(self._lookup.ground(replace(observation, elements=found.elements), target), usage=usage)


def make_source(name: str) -> ElementSource:
    """The source of elements of a plug-in, by its name.

    Raises:
        ConfigError: no plug-in has one of this name; the message names those that there are.
    """
    declared: tuple[Declared, ...] = installed_plugins().declared("sources")
    one = choose_declared("perception", name, declared)
    if one is None:
        known = ", ".join(sorted({one.name for one in declared})) or "none"
        raise ConfigError(f"grounder 'source': no plug-in has a source of elements {name!r}; there are: {known}")
    made: Any = load_declared("perception", one)()
    if not isinstance(made, ElementSource):
        raise ConfigError(f"grounder 'source': {name!r} makes a {type(made).__name__}, and no ElementSource")
    return made
