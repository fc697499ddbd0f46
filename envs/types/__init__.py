"""The vocabulary: places, actions, media, observations, and the errors of environments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs.lazy import lazy_exports

if TYPE_CHECKING:
    from omnipilot.envs.types.actions import CONTROL_VERBS as CONTROL_VERBS
    from omnipilot.envs.types.actions import VERBS as VERBS
    from omnipilot.envs.types.actions import Action as Action
    from omnipilot.envs.types.actions import Answer as Answer
    from omnipilot.envs.types.actions import AskUser as AskUser
    from omnipilot.envs.types.actions import Browser as Browser
    from omnipilot.envs.types.actions import Click as Click
    from omnipilot.envs.types.actions import Custom as Custom
    from omnipilot.envs.types.actions import Direction as Direction
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
    from omnipilot.envs.types.actions import Status as Status
    from omnipilot.envs.types.actions import Swipe as Swipe
    from omnipilot.envs.types.actions import System as System
    from omnipilot.envs.types.actions import TypeText as TypeText
    from omnipilot.envs.types.actions import Wait as Wait
    from omnipilot.envs.types.actions import described_places as described_places
    from omnipilot.envs.types.actions import place_fields as place_fields
    from omnipilot.envs.types.actions import resolve as resolve
    from omnipilot.envs.types.custom import CustomVerb as CustomVerb
    from omnipilot.envs.types.custom import custom_verb as custom_verb
    from omnipilot.envs.types.element_query import ORDINAL_WORDS as ORDINAL_WORDS
    from omnipilot.envs.types.element_query import QUOTED as QUOTED
    from omnipilot.envs.types.element_query import Description as Description
    from omnipilot.envs.types.element_query import describe as describe
    from omnipilot.envs.types.element_query import fold as fold
    from omnipilot.envs.types.element_query import is_covered as is_covered
    from omnipilot.envs.types.element_query import likeness as likeness
    from omnipilot.envs.types.element_query import matches as matches
    from omnipilot.envs.types.element_query import score as score
    from omnipilot.envs.types.element_reading import describe_element as describe_element
    from omnipilot.envs.types.errors import ActionRejected as ActionRejected
    from omnipilot.envs.types.errors import ConfigError as ConfigError
    from omnipilot.envs.types.errors import EnvLost as EnvLost
    from omnipilot.envs.types.errors import MalformedAction as MalformedAction
    from omnipilot.envs.types.errors import MissingExtra as MissingExtra
    from omnipilot.envs.types.errors import NotFound as NotFound
    from omnipilot.envs.types.errors import OmnipilotError as OmnipilotError
    from omnipilot.envs.types.errors import check_installed as check_installed
    from omnipilot.envs.types.errors import require as require
    from omnipilot.envs.types.fields import Described as Described
    from omnipilot.envs.types.fields import Place as Place
    from omnipilot.envs.types.fields import Ref as Ref
    from omnipilot.envs.types.fields import Verb as Verb
    from omnipilot.envs.types.films import FilmSpan as FilmSpan
    from omnipilot.envs.types.films import film_span as film_span
    from omnipilot.envs.types.films import pixel_ratio as pixel_ratio
    from omnipilot.envs.types.films import shown_pixels as shown_pixels
    from omnipilot.envs.types.films import shown_size as shown_size
    from omnipilot.envs.types.films import sound_seconds as sound_seconds
    from omnipilot.envs.types.films import upright as upright
    from omnipilot.envs.types.foreign_media import SAMPLE_RATES as SAMPLE_RATES
    from omnipilot.envs.types.foreign_media import open_film as open_film
    from omnipilot.envs.types.foreign_media import open_picture as open_picture
    from omnipilot.envs.types.foreign_media import open_sound as open_sound
    from omnipilot.envs.types.foreign_media import read_sound as read_sound
    from omnipilot.envs.types.frames import Frame as Frame
    from omnipilot.envs.types.frames import OutOfRange as OutOfRange
    from omnipilot.envs.types.geometry import Box as Box
    from omnipilot.envs.types.geometry import Point as Point
    from omnipilot.envs.types.geometry import Size as Size
    from omnipilot.envs.types.installation import install_line as install_line
    from omnipilot.envs.types.keys import parse_combination as parse_combination
    from omnipilot.envs.types.media import SAMPLE_RATE as SAMPLE_RATE
    from omnipilot.envs.types.media import AudioClip as AudioClip
    from omnipilot.envs.types.media import Image as Image
    from omnipilot.envs.types.media import VideoClip as VideoClip
    from omnipilot.envs.types.observation import ALL_MODALITIES as ALL_MODALITIES
    from omnipilot.envs.types.observation import Absent as Absent
    from omnipilot.envs.types.observation import Context as Context
    from omnipilot.envs.types.observation import Element as Element
    from omnipilot.envs.types.observation import Elements as Elements
    from omnipilot.envs.types.observation import Modality as Modality
    from omnipilot.envs.types.observation import Observation as Observation
    from omnipilot.envs.types.regular_files import check_file as check_file
    from omnipilot.envs.types.regular_files import open_file as open_file
    from omnipilot.envs.types.regular_files import read_file as read_file
    from omnipilot.envs.types.regular_files import read_text as read_text
    from omnipilot.envs.types.resize import AsIs as AsIs
    from omnipilot.envs.types.resize import Resize as Resize
    from omnipilot.envs.types.resize import SmartResize as SmartResize
    from omnipilot.envs.types.resize import Square as Square
    from omnipilot.envs.types.resize import resize_image as resize_image
    from omnipilot.envs.types.roles import FIELDS as FIELDS
    from omnipilot.envs.types.roles import INTERACTIVE as INTERACTIVE
    from omnipilot.envs.types.roles import roles_of as roles_of
    from omnipilot.envs.types.words_origin import ORIGIN_KINDS as ORIGIN_KINDS
    from omnipilot.envs.types.words_origin import SHOWN_KINDS as SHOWN_KINDS
    from omnipilot.envs.types.words_origin import OriginKind as OriginKind
    from omnipilot.envs.types.words_origin import WordsOrigin as WordsOrigin
    from omnipilot.envs.types.words_origin import origin_of as origin_of
    from omnipilot.envs.types.words_origin import read_origin as read_origin
    from omnipilot.envs.types.words_origin import write_origin as write_origin

__all__, __getattr__, __dir__ = lazy_exports(__name__)
