"""DetACT: texts, icons and colours of a screenshot as a short list of elements (OmniACT, section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.grounders.sources.detact.colors import region_color as region_color
    from omnipilot.grounders.sources.detact.grounder import DetactGrounder as DetactGrounder
    from omnipilot.grounders.sources.detact.lexical import word_likeness as word_likeness
    from omnipilot.grounders.sources.detact.lexical import words_of as words_of
    from omnipilot.grounders.sources.detact.source import DetAct as DetAct

__all__, __getattr__, __dir__ = lazy_exports(__name__)
