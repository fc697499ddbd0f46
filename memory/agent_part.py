"""What every part of an agent may say of itself and be asked for, besides its work."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from omnipilot.envs import Modality


class AgentPart:
    """A planner, grounder, memory, gate, critic, …: the base class of each kind of part.

    All that stands here is optional. The bodies are those of a part that has nothing to say, so a part overrides only
    what concerns it.

    Attributes:
        optional: options that do without a package if they are false, each with what the part then does not do, as
            the end of a sentence.
        combines: "one" or "many" for a part that is made of other parts of its kind, which are then its argument `of`:
            the part, or a tuple of all of them; "" for a part of its own.
    """

    combines: ClassVar[str] = ""
    optional: ClassVar[Mapping[str, str]] = MappingProxyType({})

    @property
    def reads(self) -> frozenset[Modality] | None:
        """The modalities that it looks at; the others are not captured for it. None if it may look at all of them."""
        return None

    @property
    def needs(self) -> frozenset[Modality]:
        """The modalities without which it cannot work at all."""
        return frozenset()

    def identity(self) -> Mapping[str, str]:
        """What more than its options can change a run's numbers, by name: hashes of its prompts, and what it chose by
        what this machine has, such as a precision; the same for every instance with the same options on one machine."""
        return {}

    def warm_up(self) -> None:
        """Import, load and connect everything the first use would need; further calls do nothing.

        A worker calls it before any clock runs. No model is called. If a server is down or a package is missing, it may
        raise one of our errors: the first use raises it again.
        """

    def check_packages(self, shown: frozenset[Modality]) -> None:
        """Check, before anything is run, that what it would use of what it is shown is installed; nothing is imported.

        A part that always needs a package raises when it is made. None goes on without in silence: two runs of one
        identity would then have other results. What a part does without is asked for by an option, which is part of the
        identity.

        Args:
            shown: the modalities that it is granted and that there are.

        Raises:
            MissingExtra: something is not installed; the message says what installs it, and which option does without.
        """
