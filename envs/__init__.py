"""Environments: the vocabulary of actions and observations, and the worlds that agents act in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy

if TYPE_CHECKING:
    from omnipilot.envs.base import Capability as Capability
    from omnipilot.envs.base import Env as Env
    from omnipilot.envs.base import Heard as Heard
    from omnipilot.envs.base import Platform as Platform
    from omnipilot.envs.base import SoundKind as SoundKind
    from omnipilot.envs.base import Thinking as Thinking
    from omnipilot.envs.base import World as World
    from omnipilot.envs.clock import WallClock as WallClock
    from omnipilot.envs.contract.breaches import ContractBroken as ContractBroken
    from omnipilot.envs.contract.check import check_env as check_env
    from omnipilot.envs.file_lock import lock_file as lock_file
    from omnipilot.envs.lazy import lazy_exports as lazy_exports
    from omnipilot.envs.plugin import BenchmarkInfo as BenchmarkInfo
    from omnipilot.envs.plugin import Command as Command
    from omnipilot.envs.plugin import Plugin as Plugin
    from omnipilot.envs.requirements import failed_checks as failed_checks
    from omnipilot.envs.requirements import listens as listens
    from omnipilot.envs.types.actions import Action as Action
    from omnipilot.envs.types.actions import Answer as Answer
    from omnipilot.envs.types.actions import AskUser as AskUser
    from omnipilot.envs.types.actions import Browser as Browser
    from omnipilot.envs.types.actions import Click as Click
    from omnipilot.envs.types.actions import Custom as Custom
    from omnipilot.envs.types.actions import Done as Done
    from omnipilot.envs.types.actions import Drag as Drag
    from omnipilot.envs.types.actions import Intent as Intent
    from omnipilot.envs.types.actions import KeyDown as KeyDown
    from omnipilot.envs.types.actions import KeyUp as KeyUp
    from omnipilot.envs.types.actions import LongPress as LongPress
    from omnipilot.envs.types.actions import MouseDown as MouseDown
    from omnipilot.envs.types.actions import MouseMove as MouseMove
    from omnipilot.envs.types.actions import MouseUp as MouseUp
    from omnipilot.envs.types.actions import Noop as Noop
    from omnipilot.envs.types.actions import OpenApp as OpenApp
    from omnipilot.envs.types.actions import OpenUrl as OpenUrl
    from omnipilot.envs.types.actions import Press as Press
    from omnipilot.envs.types.actions import Screenshot as Screenshot
    from omnipilot.envs.types.actions import Scroll as Scroll
    from omnipilot.envs.types.actions import Select as Select
    from omnipilot.envs.types.actions import Swipe as Swipe
    from omnipilot.envs.types.actions import System as System
    from omnipilot.envs.types.actions import TypeText as TypeText
    from omnipilot.envs.types.actions import Wait as Wait
    from omnipilot.envs.types.actions import resolve as resolve
    from omnipilot.envs.types.custom import CustomVerb as CustomVerb
    from omnipilot.envs.types.custom import custom_verb as custom_verb
    from omnipilot.envs.types.errors import ActionRejected as ActionRejected
    from omnipilot.envs.types.errors import ConfigError as ConfigError
    from omnipilot.envs.types.errors import EnvLost as EnvLost
    from omnipilot.envs.types.errors import MissingExtra as MissingExtra
    from omnipilot.envs.types.errors import NotFound as NotFound
    from omnipilot.envs.types.errors import OmnipilotError as OmnipilotError
    from omnipilot.envs.types.fields import Ref as Ref
    from omnipilot.envs.types.geometry import Box as Box
    from omnipilot.envs.types.geometry import Point as Point
    from omnipilot.envs.types.geometry import Size as Size
    from omnipilot.envs.types.media import AudioClip as AudioClip
    from omnipilot.envs.types.media import Image as Image
    from omnipilot.envs.types.media import VideoClip as VideoClip
    from omnipilot.envs.types.observation import Absent as Absent
    from omnipilot.envs.types.observation import Context as Context
    from omnipilot.envs.types.observation import Element as Element
    from omnipilot.envs.types.observation import Elements as Elements
    from omnipilot.envs.types.observation import Modality as Modality
    from omnipilot.envs.types.observation import Observation as Observation

__all__, __getattr__, __dir__ = lazy.lazy_exports(__name__)
