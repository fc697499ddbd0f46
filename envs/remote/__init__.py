"""Worlds on other machines: a server, a client, and adapters for the servers inside others' virtual machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.envs.admission import Admission as Admission
    from omnipilot.envs.remote.server import EnvServer as EnvServer
    from omnipilot.envs.remote.server import is_loopback as is_loopback
    from omnipilot.envs.remote.verbs import remote_verb as remote_verb
    from omnipilot.envs.remote.world import RemoteEnv as RemoteEnv
    from omnipilot.envs.remote.world import RemoteWorld as RemoteWorld

__all__, __getattr__, __dir__ = lazy_exports(__name__)
