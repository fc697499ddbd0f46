"""Storage for media and other content, kept once and found again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.memory.store.durable import write_atomically as write_atomically
    from omnipilot.memory.store.index import MediaIndex as MediaIndex
    from omnipilot.memory.store.index import MediaRef as MediaRef
    from omnipilot.memory.store.media_store import MediaError as MediaError
    from omnipilot.memory.store.media_store import MediaStore as MediaStore

__all__, __getattr__, __dir__ = lazy_exports(__name__)
