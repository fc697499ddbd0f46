"""The small ears: a reader of English speech of 1.6 million parameters, run with numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.memory.mini.alphabet import BLANK as BLANK
    from omnipilot.memory.mini.alphabet import OUTPUTS as OUTPUTS
    from omnipilot.memory.mini.alphabet import SIGNS as SIGNS
    from omnipilot.memory.mini.alphabet import encode_text as encode_text
    from omnipilot.memory.mini.decoding import best_outputs as best_outputs
    from omnipilot.memory.mini.decoding import read_scores as read_scores
    from omnipilot.memory.mini.mel import BANDS as BANDS
    from omnipilot.memory.mini.mel import mel_features as mel_features
    from omnipilot.memory.mini.mel import mel_power as mel_power
    from omnipilot.memory.mini.model_folder import EarsConfig as EarsConfig
    from omnipilot.memory.mini.network import EarsNetwork as EarsNetwork
    from omnipilot.memory.mini.network import stack_frames as stack_frames
    from omnipilot.memory.mini.transcriber import EarsTranscriber as EarsTranscriber

__all__, __getattr__, __dir__ = lazy_exports(__name__)
