"""Memory: what was seen, heard and done, and how roles recall it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.memory.agent_part import AgentPart as AgentPart
    from omnipilot.memory.allowance import estimate_tokens as estimate_tokens
    from omnipilot.memory.base import ANCHOR as ANCHOR
    from omnipilot.memory.base import MOTION as MOTION
    from omnipilot.memory.base import TEXTS as TEXTS
    from omnipilot.memory.base import TRANSCRIPT as TRANSCRIPT
    from omnipilot.memory.base import Budget as Budget
    from omnipilot.memory.base import Memory as Memory
    from omnipilot.memory.base import Origin as Origin
    from omnipilot.memory.base import Recalled as Recalled
    from omnipilot.memory.base import Role as Role
    from omnipilot.memory.contract import check_memory as check_memory
    from omnipilot.memory.expectations import Expectation as Expectation
    from omnipilot.memory.macros import Macro as Macro
    from omnipilot.memory.messages import MalformedReply as MalformedReply
    from omnipilot.memory.messages import Message as Message
    from omnipilot.memory.messages import Model as Model
    from omnipilot.memory.messages import ModelUnavailable as ModelUnavailable
    from omnipilot.memory.messages import Reply as Reply
    from omnipilot.memory.messages import Usage as Usage
    from omnipilot.memory.store.index import MediaIndex as MediaIndex
    from omnipilot.memory.store.index import MediaRef as MediaRef
    from omnipilot.memory.store.media_store import MediaStore as MediaStore
    from omnipilot.memory.trajectory import Move as Move
    from omnipilot.memory.trajectory import Outcome as Outcome
    from omnipilot.memory.trajectory import Pointed as Pointed
    from omnipilot.memory.trajectory import Step as Step
    from omnipilot.memory.trajectory import Turn as Turn
    from omnipilot.memory.truth import CandidateValue as CandidateValue
    from omnipilot.memory.truth import Evidence as Evidence
    from omnipilot.memory.truth import NeededFact as NeededFact
    from omnipilot.memory.truth import TakesTruth as TakesTruth
    from omnipilot.memory.truth import WaitUntil as WaitUntil
    from omnipilot.memory.window import WindowMemory as WindowMemory
    from omnipilot.memory.word_origins import drop_plain_origin as drop_plain_origin

__all__, __getattr__, __dir__ = lazy_exports(__name__)
