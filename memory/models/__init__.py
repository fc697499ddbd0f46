"""Clients of language models, and shared parts of their requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.memory.model_folder import ModelKind as ModelKind
    from omnipilot.memory.model_folder import ModelValues as ModelValues
    from omnipilot.memory.model_folder import weights_digest as weights_digest
    from omnipilot.memory.models.cassette import Cassette as Cassette
    from omnipilot.memory.models.endpoint import LlmEndpoint as LlmEndpoint
    from omnipilot.memory.models.model import ChatModel as ChatModel
    from omnipilot.memory.models.model_options import ModelOptions as ModelOptions
    from omnipilot.memory.models.pictures import draw_boxes as draw_boxes
    from omnipilot.memory.models.pictures import side_by_side as side_by_side
    from omnipilot.memory.models.providers import Provider as Provider
    from omnipilot.memory.models.sampling import Sampling as Sampling
    from omnipilot.memory.models.tool import Tool as Tool
    from omnipilot.memory.safetensors_file import check_safetensors as check_safetensors
    from omnipilot.memory.safetensors_file import read_safetensors as read_safetensors
    from omnipilot.memory.safetensors_file import safetensors_shapes as safetensors_shapes
    from omnipilot.memory.secrets.scrub import scrub as scrub

__all__, __getattr__, __dir__ = lazy_exports(__name__)
