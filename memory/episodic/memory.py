"""Memories that keep a timeline: they recall what was seen, heard and done, whenever it was, by what matters now."""

from __future__ import annotations

import math
from array import array
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, ClassVar, cast

from omnipilot.envs import AudioClip, ConfigError, Image, Modality, NotFound, Observation, VideoClip
from omnipilot.envs.types import OriginKind, read_origin
from omnipilot.memory.allowance import Allowance
from omnipilot.memory.base import Budget, Memory, Origin, Recalled, Role
from omnipilot.memory.episodic.anchors.book import Anchors
from omnipilot.memory.episodic.anchors.extraction import EntityModel, anchor_prompt
from omnipilot.memory.episodic.answers import AnswerGroup, TimelineAnswer, group_candidates
from omnipilot.memory.episodic.companion import Companion
from omnipilot.memory.episodic.events import EventKind, TimelineEvent
from omnipilot.memory.episodic.packing import LONGEST_CLIP, ORDERS, Order, Packing, arrange, clip_span
from omnipilot.memory.episodic.ranking import COUNTED, SIGNALS, Asked, EpisodicPolicy, Policy, Sort, sort_of
from omnipilot.memory.episodic.readings import Readings
from omnipilot.memory.episodic.screen_map.companion import MapCompanion
from omnipilot.memory.episodic.streams import Keep, StreamChunk, StreamReader
from omnipilot.memory.episodic.timeline import Scope, Timeline
from omnipilot.memory.messages import Usage
from omnipilot.memory.models.embeddings import make_embeddings
from omnipilot.memory.perception import shared_reader
from omnipilot.memory.store.index import MediaRef
from omnipilot.memory.store.media_store import MediaStore, StoredMedia
from omnipilot.memory.trajectory import Turn
from omnipilot.memory.transcription import Transcriber, make_transcriber
from omnipilot.memory.warm_up import warm_up
from omnipilot.memory.word_origins import JOINT as ORIGIN_JOINT

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RECENT = 16
"""Captures that are kept ready, so that what was just seen is not read from the disk again."""
COMPANIONS = 0.4
"""The share of the texts that companions (anchors, the map) may take."""
CHARACTERS = 3
"""Characters of a companion's text for each token that is left to it: texts with many short words have so few."""
_WORDED: tuple[EventKind, ...] = ("text", "transcript")
"""Kinds of events whose words a guard is told of, as it has not seen them on a screen of the episode itself."""
_FRONT: tuple[EventKind, ...] = ("context",)
_SCREEN: tuple[EventKind, ...] = ("screen",)
_CLIPS: tuple[EventKind, ...] = ("audio", "video")
_TEXT: tuple[EventKind, ...] = ("text",)


class TimelineMemory(Memory):
    """Keeps a timeline of everything that its roles may see; policies choose what of it to recall.

    Args:
        policies: share the budget evenly; what one leaves is for the others.
        budget: most that is recalled for one decision.
        order: of the parts of a recall, see `omnipilot.memory.episodic.packing.ORDERS`.
        anchors: whether entities get names, such as `@code-1`, which planners may type; or who gives them.
        map: whether a map of the screens is kept, and told to roles that may see elements.

    Raises:
        ConfigError: an unknown order, or a limit below zero.
    """

    keeps_timeline: ClassVar[bool] = True

    def __init__(
        self,
        policies: Sequence[Policy],
        budget: Budget,
        order: str = "time",
        anchors: bool | Anchors = False,
        map: bool = False,
        transcriber: str | Transcriber = "",
        ocr: bool = False,
    ) -> None:
        if order not in ORDERS:
            raise ConfigError(f"memory: order must be {' or '.join(ORDERS)}, not {order!r}")
        for name in ("images", "clips", "tokens", "audio_seconds", "video_seconds"):
            if (most := getattr(budget, name)) is not None and not most >= 0:
                raise ConfigError(f"memory: {name} must be at least 0, not {most}")
        self.policies = tuple(policies)
        self._compares = any(policy.compares for policy in self.policies)
        self.budget = budget
        self.order: Order = order
        self.timeline = Timeline()
        self._store: MediaStore | None = None
        self._own = MediaStore()
        self._drained = 0
        self._watched: set[int] = set()
        self._now = 0
        self.transcriber: Transcriber | None = None
        if transcriber:
            self.transcriber = make_transcriber(transcriber) if isinstance(transcriber, str) else transcriber
        self.ocr = ocr
        self._readings = self._new_readings(self._own)
        self._screens: dict[str, list[TimelineEvent]] = {}
        self._clips: dict[str, list[TimelineEvent]] = {}
        self._texts: dict[str, list[TimelineEvent]] = {}
        self._alike: dict[Sort, array[int]] = {}
        self._worded: list[int] = []
        self._turns: dict[int, list[int]] = {}
        self._first_turn = 0
        self._looks: dict[str, NDArray[np.float32]] = {}
        self._thought = ""
        self._recent: OrderedDict[str, StoredMedia] = OrderedDict()
        self._answers: dict[tuple[object, ...], tuple[Recalled, ...]] = {}
        self.anchors = anchors if isinstance(anchors, Anchors) else Anchors() if anchors else None
        self._companions: list[Companion] = [self.anchors] if self.anchors is not None else []
        self.has_map = map
        if map:
            self._companions.append(MapCompanion())

    def take_store(self, store: MediaStore) -> None:
        """Keep captures in the run's store."""
        store.hold()
        self._store = store
        self._readings = self._new_readings(store)

    def warm_up(self) -> None:
        """Load the models of speech and of text on screens, where they run in this process, and those of policies."""
        warm_up(self.transcriber, shared_reader() if self.ocr else None, self.anchors, *self.policies)

    def clear(self) -> None:
        """Forget everything."""
        self.timeline.clear()
        self._own = MediaStore()
        self._readings = self._new_readings(self._store or self._own)
        self._drained, self._watched, self._now = 0, set(), 0
        self._worded.clear()
        self._screens, self._clips, self._texts, self._alike = {}, {}, {}, {}
        self._turns, self._first_turn, self._thought = {}, 0, ""
        self._looks.clear()
        self._recent.clear()
        self._answers.clear()
        for policy in self.policies:
            policy.clear()
        for companion in self._companions:
            companion.clear()

    def watch(self, turn: int, observations: Mapping[str, Observation], told: Sequence[Recalled] = ()) -> None:
        """Take in the observations on which a turn will be decided."""
        if turn in self._watched:
            return
        self._watched.add(turn)
        self._now = turn
        for seen in observations.values():
            self._append(self._readings.of_observation(seen, turn))
            self._keep_ready(seen)
            self._observe(seen, turn)
        self._append(self._readings.of_told(told))
        self._answers.clear()

    def record(self, turn: Turn) -> None:
        """Keep a completed turn."""
        self.watch(turn.index, turn.observations)
        self._append(self._readings.of_turn(turn))
        for step in turn.steps:
            if step.fresh and step.seen is not None:
                self._observe(step.seen, turn.index)
        self._now = turn.index + 1
        self._thought = turn.thought
        self._answers.clear()

    def identity(self) -> dict[str, str]:
        """What affects its results besides its options: the prompt of the model that finds anchors, as a hash, and what
        the transcriber and the policies state of themselves."""
        asked = self.anchors is not None and self.anchors.model is not None
        told = {"anchor_prompt": anchor_prompt().digest} if asked else {}
        if self.transcriber is not None:
            told |= {f"transcriber.{name}": what for name, what in self.transcriber.identity().items()}
        for policy in self.policies:
            told |= policy.identity()
        return told

    def conclude(self) -> None:
        """Keep the sounds that were still going on when the episode ended."""
        self._append(self._readings.finish())
        self._answers.clear()

    def fill_anchor(self, name: str, role: Role) -> str:
        """The value of an anchor that the role may see.

        Raises:
            NotFound: there is none; the message gives the near names.
        """
        if self.anchors is None:
            raise NotFound("this memory keeps no anchors; its option anchors is false")
        return self.anchors.fill(name, Scope.of(role, self.anchors.envs))

    @property
    def knows_anchors(self) -> bool:
        """Whether it gives entities names."""
        return self.anchors is not None

    def origins(self) -> Iterable[Origin] | None:
        """Where each value that has a name came from, and what was heard, read from pictures, or before the episode."""
        return None if self.anchors is None else chain(self.anchors.origins(), self._origins_of_words())

    def _origins_of_words(self) -> Iterator[Origin]:
        for event in map(self.timeline.get, self._worded):
            for one in (event.origin or "screen").split(ORIGIN_JOINT):
                origin, heard = read_origin(one, event.app), event.kind == "transcript"
                kind: OriginKind = "speech" if heard and origin.kind != "film" else origin.kind
                yield Origin(event.text, kind, event.env, origin.who, origin.app, event.turn, heard, words=True)

    def take_events(self, events: Iterable[TimelineEvent]) -> None:
        """Keep what others have found out."""
        self._append(events)

    def take_stream(self, chunks: Iterable[StreamChunk], env: str, keep: Keep = "events") -> Iterator[float]:
        """Read a stream into the timeline, each chunk once, as far as its result is asked for.

        The words of speech and the text of key frames are read where the memory has a transcriber, and OCR.

        Args:
            chunks: see `omnipilot.memory.episodic.streams.read_file`. env: the environment that the stream is from.
            keep: which media of it are kept in the memory's store.

        Yields:
            Up to when it has been read, in seconds on the world's clock; after each chunk.
        """
        ocr = shared_reader() if self.ocr else None
        reader = StreamReader(env, self._readings.store, keep, self._now, self.transcriber, ocr)
        for chunk in chunks:
            self._append(reader.feed(chunk))
            yield chunk.end
        self._append(reader.finish())
        self._now += 1
        self._answers.clear()

    def restore(self, events: Iterable[TimelineEvent], now: int) -> None:
        """Take in the events of an earlier timeline, so that it can be asked as before turn `now`.

        Entities are those that were sighted then, or are sighted anew if none was; summaries are made anew, for the
        role that asks.
        """
        sighted = False
        if self._companions:
            events = list(events)
            sighted = any(event.kind == "anchor" for event in events)
        for event in events:
            if event.kind == "summary":
                continue
            if not sighted:
                self._append([event])
            else:
                appended = self._append_one(event)
                if event.kind == "anchor":
                    for companion in self._companions:
                        # It restores what the event tells, and makes nothing of it.
                        list(companion.take(appended))
            if event.kind == "thought":
                self._thought = event.text
        self._now = now
        self._answers.clear()

    def drain_events(self) -> tuple[TimelineEvent, ...]:
        """The events appended since the last call."""
        found = tuple(self.timeline.get(id) for id in range(self._drained + 1, len(self.timeline) + 1))
        self._drained = len(self.timeline)
        made = (event for policy in self.policies for event in policy.drain_events())
        return (*found, *made)

    def drain_usage(self) -> Usage:
        """What the models that policies and companions call have cost since the last call of this."""
        of_policies = sum((policy.drain_usage() for policy in self.policies), Usage())
        return sum((companion.drain_usage() for companion in self._companions), of_policies)

    def recall(self, query: str, budget: Budget, role: Role, envs: Collection[str]) -> tuple[Recalled, ...]:
        """The parts that matter most for `query`, in the memory's order."""
        scope = Scope.of(role, envs)
        key = (query, budget, scope)
        if key not in self._answers:
            self._answers[key] = self._recall(query, budget, scope)
        return self._answers[key]

    def answer(self, question: str, role: Role, envs: Collection[str], most: int) -> list[TimelineAnswer]:
        """The moments that answer a question asked afterwards, the best first: at most so many.

        Unlike a recall for a decision it looks at nothing but the question, and what belongs together is one answer.
        """
        asked = replace(self._asked(question, Scope.of(role, envs), ""), afterwards=True)
        found = (one for policy in self.policies for one in policy.candidates(asked))
        return [self._answer(moment) for moment in group_candidates(found, asked, most)]

    def _answer(self, moment: AnswerGroup) -> TimelineAnswer:
        span, lead, media = moment.span, moment.lead.event, None
        if moment.ref is not None:
            media = self._capture(moment.ref)
            if not isinstance(media, Image):
                # What a reader told has no span of its own: then it is all of the clip.
                whole = (
                    span if span.end > span.start else replace(span, kind=cast(EventKind, moment.ref.kind), detail=None)
                )
                start, end = clip_span(whole, moment.ref, LONGEST_CLIP)
                media = media if (start, end) == (media.start, media.end) else media.slice(start, end)
        text, why = moment.words(), moment.why()
        return TimelineAnswer(lead.kind, lead.env, moment.start, span.end, lead.turn, text, why, media)

    def _asked(self, query: str, scope: Scope, aside: str) -> Asked:
        return Asked(
            query,
            scope,
            self.timeline,
            self._now,
            self._first_turn,
            aside,
            self._screens,
            self._clips,
            self._texts,
            self._alike,
            partial(self._of_turns, scope),
            self._look_of,
            going_on=tuple(self._readings.going_on()),
        )

    def _recall(self, query: str, budget: Budget, scope: Scope) -> tuple[Recalled, ...]:
        left = Allowance(budget)
        found: list[tuple[float, int, Recalled]] = []
        for one in self._of_companions(query, scope, left):
            found.append((one.time, 0, one))
        asked = self._asked(query, scope, self._aside(scope))
        packing = Packing(self._capture)
        offers = [list(policy.candidates(asked)) for policy in self.policies]
        # First each policy's share of all, then whatever the others have left.
        shares = [1 / (len(offers) - number) for number in range(len(offers))]
        rounds = [*zip(offers, shares, strict=True), *([(offer, 1.0) for offer in offers] if len(offers) > 1 else [])]
        for offer, part in rounds:
            for event, one in packing.pack(offer, Allowance(left.share(part))):
                left.take(one.part)
                found.append((one.time, event.id, one))
        found.sort(key=lambda item: item[:2])
        recalled = arrange([one for _, _, one in found], self.order)
        # Who is not told the context is not told by whom words are either.
        told = Modality.CONTEXT in scope.modalities
        return recalled if told else tuple(replace(one, origin="") for one in recalled)

    def _of_companions(self, query: str, scope: Scope, left: Allowance) -> Iterator[Recalled]:
        """What companions add: as much as fits into their share, which they divide; what one leaves is for the next."""
        share = Allowance(left.share(COMPANIONS if self.policies else 1.0))
        for number, companion in enumerate(self._companions):
            own = Allowance(share.share(1 / (len(self._companions) - number)))
            room = own.characters if math.isinf(own.tokens) else min(own.characters, CHARACTERS * int(own.tokens))
            for one in companion.recall(query, scope, room):
                if isinstance(one.part, str) and (not one.env or one.env in scope.envs) and own.take(one.part):
                    share.take(one.part)
                    left.take(one.part)
                    yield one

    def _of_turns(self, scope: Scope, first: int, last: int) -> list[TimelineEvent]:
        """The events of some turns that a scope admits, in order."""
        ids = sorted(id for turn in range(first, last + 1) for id in self._turns.get(turn, ()))
        return [event for event in self.timeline.events(ids) if scope.admits(event)]

    def _look_of(self, screen: TimelineEvent) -> NDArray[np.float32]:
        """A screen as grey cells; computed once."""
        assert screen.media is not None
        if (look := self._looks.get(screen.media.digest)) is None:
            image = self._capture(screen.media)
            assert isinstance(image, Image)
            look = self._looks[screen.media.digest] = grey_cells(image)
        return look

    def _aside(self, scope: Scope) -> str:
        """Words that are on the agent's mind besides the task: its last thought, and the pages in front."""
        fronts = [event.text for event in self.timeline.latest(scope, len(scope.envs), _FRONT)]
        return " ".join((self._thought, *fronts))

    def _new_readings(self, store: MediaStore) -> Readings:
        return Readings(store, self.transcriber, self.ocr)

    def _append(self, events: Iterable[TimelineEvent]) -> None:
        """Append events, and what the companions make of each."""
        for event in events:
            appended = self._append_one(event)
            for companion in self._companions:
                for further in companion.take(appended):
                    self._append_one(further)

    def _observe(self, seen: Observation, turn: int) -> None:
        """Append what the companions make of an observation; none of it is theirs to take in again."""
        for companion in self._companions:
            for event in companion.observe(seen, turn):
                self._append_one(event)

    def _append_one(self, event: TimelineEvent) -> TimelineEvent:
        appended = self.timeline.append(event)
        if appended.kind in _WORDED and (appended.turn < 0 or appended.modality is not Modality.ELEMENTS):
            self._worded.append(appended.id)
        self._turns.setdefault(appended.turn, []).append(appended.id)
        self._first_turn = min(self._first_turn, appended.turn)
        if appended.kind in COUNTED:
            self._alike.setdefault(sort_of(appended), array("q")).append(appended.id)
        for kinds, kept in ((_SCREEN, self._screens), (_CLIPS, self._clips), (_TEXT, self._texts)):
            if appended.kind in kinds:
                kept.setdefault(appended.env, []).append(appended)
        return appended

    def _keep_ready(self, seen: Observation) -> None:
        """Keep an observation's captures at hand."""
        for media in (seen.screenshot, seen.audio, seen.video):
            if isinstance(media, Image | AudioClip | VideoClip):
                self._keep_recent(media)
        if self._compares and isinstance(seen.screenshot, Image) and seen.screenshot.digest not in self._looks:
            # Now its pixels are at hand; later they would have to be decoded.
            self._looks[seen.screenshot.digest] = grey_cells(seen.screenshot)

    def _keep_recent(self, media: StoredMedia) -> None:
        self._recent[media.digest] = media
        self._recent.move_to_end(media.digest)
        while len(self._recent) > RECENT:
            self._recent.popitem(last=False)

    def _capture(self, ref: MediaRef) -> StoredMedia:
        """The capture of a reference, at the reference's time."""
        media = self._recent.get(ref.digest)
        if media is None or (media.env, media.start) != (ref.env, ref.start):
            media = self._readings.store.get(ref, check=False)
            self._keep_recent(media)
        return media


class EpisodicMemory(TimelineMemory):
    """Recalls what matters now, however old: by words, kind, device, known entities, and how long ago it was.

    Args:
        images, clips: most pictures, and most sounds and films together, of one recall.
        tokens: most tokens of text, by our estimate. seconds: most seconds of sound, and of film.
        order: of the parts: `time`, or `omnigui` (earlier pictures, films, sounds, the latest picture, texts).
        use: the signals that are weighed, comma-separated: text, recency, device, kind, anchors, moment.
        anchors: give entities names, such as `@code-1`, which planners may type.
        map: keep a map of the screens, and tell it to roles that may see elements.
        anchor_model: chat model that is asked for further entities in each new text, such as openai/gpt-4o-mini; a
            value counts only if it stands there letter for letter. "" for none. anchor_url, anchor_key_env: of its
            server, as of any endpoint. anchor_calls: most calls in one episode.
        transcriber: puts speech into words: `openai/whisper-1`, `hosted_vllm/NAME,url=…`, `whisper/FOLDER` in this
            process, …; see `omnipilot.memory.transcription.make_transcriber`. None where it is empty.
        ocr: read the text of screenshots where no elements are granted.
        embeddings: model by which what is nearest in meaning is found too: `openai/text-embedding-3-small`,
            `hosted_vllm/NAME,url=…`, `sentence-transformers/FOLDER` in this process, …; see
            `omnipilot.memory.models.embeddings.make_embeddings`. "" for none.
        cassette: folder in which answers of these models are kept, "" for none. replay: take all from there.

    Raises:
        ConfigError: an unknown order, signal or transcriber, a limit below zero, or a model that cannot be asked.
        MissingExtra: a package that the transcriber or the OCR needs is not installed.
    """

    def __init__(
        self,
        images: int = 2,
        clips: int = 2,
        tokens: int = 1_500,
        seconds: float = 30.0,
        order: str = "time",
        use: str = ",".join(SIGNALS),
        anchors: bool = True,
        map: bool = False,
        transcriber: str = "",
        ocr: bool = False,
        embeddings: str = "",
        anchor_model: str = "",
        anchor_url: str = "",
        anchor_key_env: str = "",
        anchor_calls: int = 100,
        cassette: str = "",
        replay: bool = False,
    ) -> None:
        if anchor_calls < 1:
            raise ConfigError(f"memory 'episodic': anchor_calls must be at least 1, not {anchor_calls}")
        if anchor_model and not anchors:
            raise ConfigError(
                "memory 'episodic': anchor_model finds anchors, and anchors is false; leave one of them out"
            )
        found_by: bool | Anchors = anchors
        if anchor_model:
            from omnipilot.memory.models.model_options import ModelOptions

            model = ModelOptions(anchor_model, anchor_url, anchor_key_env, cassette=cassette, replay=replay).connect()
            found_by = Anchors(EntityModel(model, anchor_model, anchor_calls))
        meaning = make_embeddings(embeddings, cassette, replay) if embeddings else None
        budget = Budget(images=images, clips=clips, tokens=tokens, audio_seconds=seconds, video_seconds=seconds)
        hears = make_transcriber(transcriber, cassette, replay) if transcriber else ""
        super().__init__([EpisodicPolicy(use, meaning)], budget, order, found_by, map, hears, ocr)


def grey_cells(image: Image) -> NDArray[np.float32]:
    """A picture as the mean brightness of 16x16 cells, sampled at 64x64 pixels: shape (256,), float32 in 0..1."""
    import numpy as np

    pixels = image.array()
    rows, columns = (np.arange(64) * side // 64 for side in pixels.shape[:2])
    sampled = pixels[np.ix_(rows, columns)].astype(np.float32).mean(axis=2) / 255
    cells: NDArray[np.float32] = sampled.reshape(16, 4, 16, 4).mean(axis=(1, 3)).ravel()
    return cells
