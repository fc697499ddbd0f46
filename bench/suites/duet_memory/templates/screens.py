"""Scenes that are seen: a film's counter, a price, a mail beside a noise, a room that changed, what was open before a
call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from omnipilot.bench.suites.duet.kit.desktop import folder_of
from omnipilot.bench.suites.duet.kit.moves import on_desktop, strays
from omnipilot.bench.suites.duet.templates.both.across import MAIL_BOTH
from omnipilot.bench.suites.duet.templates.phone.notes import WRITE_NOTE
from omnipilot.bench.suites.duet_memory.stage import Span, Stage, close_window, read_and_lose, take_back
from omnipilot.bench.suites.duet_memory.template import Given, MemoryScene, MemoryTemplate
from omnipilot.bench.suites.duet_memory.templates.sounds import FIRST, SECOND, VOICES, code
from omnipilot.bench.suites.duet_memory.wandering import LOADING
from omnipilot.bench.synthesis.sampling import TaskSampler
from omnipilot.bench.synthesis.template import Piece, Resource, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Click, OpenApp, Ref, System, TypeText, Wait
from omnipilot.envs.sim.apps.desktop.films import STOPS
from omnipilot.envs.sim.apps.phone.calls import CallArrives
from omnipilot.envs.sim.state.account import Document, Mail, fresh_id
from omnipilot.envs.sim.state.desktop_data import Film
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.memory import CandidateValue, Move, NeededFact

SHELF = 8
"""Products that are in sight when the shop opens, which sorts them by name."""
ROOMS = tuple(f"{floor}{number}" for floor in "ABCDEF" for number in range(10, 40))


def _at_the_top(_: str) -> tuple[float, float]:
    """When the counter comes to its highest number, and goes down again."""
    return 4.6, 6.3


def _at_the_stop(stop: str) -> tuple[float, float]:
    """When the tram comes to a stop, and leaves it again."""
    arrives = 0.5 + 6.0 * (0.1 + 0.2 * STOPS.index(stop))
    return arrives - 0.2, arrives + 2.2


def _nothing(stage: Stage, dice: Random) -> Iterator[Move]:  # noqa: ARG001
    yield Move("", Wait(2.0))


def _film(
    kind: Film,
    what: str,
    draw_fact: Callable[[Random], str],
    telling: Callable[[str], tuple[float, float]],
) -> Callable[[TaskSampler, WorldState], MemoryScene]:
    """A film that is played once.

    Args:
        telling: from its fact to the part of the film, in seconds, that tells it.
    """

    def make(draw: TaskSampler, state: WorldState) -> MemoryScene:
        films = [clip for clip in state.account.clips if clip.kind == kind]
        clip = draw.choice(films)
        clip = replace(clip, fact=draw.fact(draw_fact))
        name = f'{what} in the film "{clip.name}", which was played on the desktop and is deleted by now'

        def play(stage: Stage) -> Iterator[Move]:
            others = [one for one in films if one.id != clip.id][:2]
            for film in (others[0], clip, others[1]):
                yield Move("desktop", OpenApp("Video Player"))
                yield Move("desktop", TypeText(film.name, Ref("player/search"), clear=True))
                yield Move("desktop", Click(Ref(f"player/list/{film.id}")))
                yield Move("desktop", Click(Ref("player/clip/play")))
                started = stage.world.state().account.find("playbacks", film.id).since
                yield Move("", Wait(film.seconds + 0.5))
                first, last = telling(clip.fact)
                stage.spans[film.id] = Span("desktop", started + first, started + last)
                yield close_window("player")
            stage.happen(take_back("clips", clip.id))

        def facts(stage: Stage) -> tuple[NeededFact, ...]:
            seen = stage.spans[clip.id].as_film()
            return (NeededFact(name, clip.fact, (CandidateValue(clip.fact, ((seen,),), seen.end),)),)

        given: Given = {"subject": "Film", "text": Resource("text", clip.fact, name)}
        return MemoryScene(given, 18, play, facts, _nothing, state.own(state.account.put(clip)))

    return make


def _price(draw: TaskSampler, state: WorldState) -> MemoryScene:
    shelf = sorted(state.account.products, key=lambda one: one.name)[:SHELF]
    product = draw.choice(shelf)
    cents = draw.fact(lambda dice: dice.randrange(1000, 9900))
    now, later = replace(product, cents=cents), product.cents
    value = f"{cents // 100}.{cents % 100:02d}"
    name = f'the price that "{product.name}" had on its page in the shop (as in "12.90"), before it changed'

    def play(stage: Stage) -> Iterator[Move]:
        near = [one for one in shelf if one.id != product.id][:2]
        stage.happen(lambda state: state.own(state.account.put(now)))
        yield Move("desktop", OpenApp("Browser"))
        for one in (near[0], product, near[1]):
            yield Move("desktop", TypeText("shop.example", Ref("browser/address"), clear=True, submit=True))
            yield Move("", Wait(LOADING))
            stage.spans[f"shelf/{one.id}"] = Span("desktop", stage.world.now, stage.world.now)
            yield Move("desktop", Click(Ref(f"browser/shop/item/{one.id}")))
            yield from stage.reads(one.id, "desktop")
        yield close_window("browser")
        stage.happen(lambda state: state.own(state.account.put(replace(now, cents=later))))

    def facts(stage: Stage) -> tuple[NeededFact, ...]:
        # Its own page, and the shelf before it and before the others, where all prices stand.
        spans = [span for id, span in stage.spans.items() if id == product.id or id.startswith("shelf/")]
        ways = tuple((span.as_screen(product.name, value),) for span in spans)
        return (NeededFact(name, value, (CandidateValue(value, ways, max(span.end for span in spans)),)),)

    given: Given = {"subject": "Price", "text": Resource("text", value, name)}
    return MemoryScene(given, 14, play, facts, _nothing, state)


def _mail(draw: TaskSampler, state: WorldState, subject: str, body: str) -> Mail:
    """A mail of somebody that has yet to arrive; `play` says when."""
    person = draw.choice(state.account.contacts)
    taken = (*state.account.mails, *(Mail(id, "", "", "", "", 0.0) for id in draw.claimed("mails")))
    id = fresh_id("mail", taken)
    draw.claim("mails", id)
    first = person.name.split()[0]
    return Mail(id, person.email, state.account.owner.email, subject, f"Hello,\n\n{body}\n\n{first}", 0.0)


def _beside_noise(draw: TaskSampler, state: WorldState) -> MemoryScene:
    said, other, spoken = draw.fact(code), code(draw), code(draw)
    mail = _mail(draw, state, "Key box", f"the key box opens with {said}.")
    near = _mail(draw, state, "Bike shed", f"the bike shed opens with {other}.")
    name = "the code that opens the key box, from the mail on the desktop that its sender took back"

    def play(stage: Stage) -> Iterator[Move]:
        yield from read_and_lose(stage, near)
        stage.happen(lambda state: state.sound("desktop", "noise:pink:-30", 16.0))
        stage.happen(lambda state: state.sound("desktop", f"speech:en-a:the code is {spoken}", 3.0))
        yield from read_and_lose(stage, mail)
        yield from stage.sounds("", ("phone", f"speech:en-b:the code is {other}"))

    def facts(stage: Stage) -> tuple[NeededFact, ...]:
        seen = stage.spans[mail.id].as_screen("key box", said)
        return (NeededFact(name, said, (CandidateValue(said, ((seen,),), seen.end),)),)

    def distract(stage: Stage, dice: Random) -> Iterator[Move]:
        yield from stage.sounds("", ("desktop", f"speech:{dice.choice(VOICES)}:the code is {code(dice)}"))

    given: Given = {"subject": "Key box", "text": Resource("text", said, name)}
    return MemoryScene(given, 9, play, facts, distract, state)


def _changed_room(draw: TaskSampler, state: WorldState) -> MemoryScene:
    old, new = draw.fact(lambda dice: tuple(dice.sample(ROOMS, 2)))
    other = draw.choice(ROOMS)
    first = _mail(draw, state, "Review", f"the review is in room {old}.")
    near = _mail(draw, state, "Tasting", f"the tasting is in room {other}.")
    last = _mail(draw, state, "Review, new room", f"the review is in room {new}.")
    name = "the room of the review, as the last mail about it said before its sender took it back (as in A12)"

    def play(stage: Stage) -> Iterator[Move]:
        for mail in (first, near, last):
            yield from read_and_lose(stage, mail)

    def facts(stage: Stage) -> tuple[NeededFact, ...]:
        seen = [stage.spans[mail.id].as_screen("review", room) for mail, room in ((first, old), (last, new))]
        each = [CandidateValue(room, ((one,),), one.end) for one, room in zip(seen, (old, new), strict=True)]
        return (NeededFact(name, new, tuple(each)),)

    given: Given = {"subject": "Review", "text": Resource("text", new, name)}
    return MemoryScene(given, 12, play, facts, _nothing, state)


def _delete_that(draw: TaskSampler, given: dict[str, str], state: WorldState) -> Piece:
    file = state.account.document(given["file"])
    assert file is not None
    draw.claim("documents", file.id)

    def deleted(case: Case) -> Verdict:
        wrong = strays(case, "documents", draw)
        there = case.state.account.document(file.id) is not None
        return Verdict(float(not there and not wrong), f"still there: {there}; touched besides: {wrong}")

    row, yes = f"files/list/{file.id}", Click(Ref("files/delete/yes"))
    return Piece(
        JudgeGraph((Judge("file deleted", deleted),)),
        state,
        lambda _: on_desktop(*folder_of(file.folder), Click(Ref(row)), Click(Ref("files/delete-selected")), yes),
        alternative=lambda _: on_desktop(
            *folder_of(file.folder), Click(Ref(row), "right"), Click(Ref(f"{row}/delete")), yes
        ),
    )


DELETE_THAT = Template(
    "delete-that-file",
    'on the desktop, delete, from the folder "Documents" in Files, {file}',
    "desktop",
    "files",
    _delete_that,  # type: ignore[arg-type]
    {"file": "file"},
)
OFFERS = ("Offer Aalto", "Offer Brandt", "Offer Costa", "Offer Duval")


def _offers(draw: TaskSampler, state: WorldState, folder: str) -> tuple[WorldState, list[Document]]:
    """Four documents of nearly equal names."""
    made: list[Document] = []
    for name in OFFERS:
        id = fresh_id("document", (*state.account.documents, *made))
        made.append(Document(id, folder, name, f"{name}\nTerms as discussed\nReference {code(draw)}", -3600.0))
    return state.own(state.account.put(*made)), made


def _before_call(
    draw: TaskSampler,
    state: WorldState,
    made: list[Document],
    visit: Callable[[Stage, Document], Iterator[Move]],
    on: str,
) -> tuple[str, Callable[[Stage], Iterator[Move]], Callable[[Stage, str, str], tuple[NeededFact, ...]], list[Document]]:
    """Two documents are opened, somebody calls, and two others are opened."""
    person = draw.choice([one for one in state.account.contacts if not one.blocked])
    right, order = draw.fact(lambda dice: dice.randrange(len(made))), draw.sample(range(len(made) - 1), len(made) - 1)
    others = [one for at, one in enumerate(made) if at != right]
    in_order = [others[at] for at in order]
    in_order.insert(1, made[right])
    name = f"the one that was opened last, on the {on}, before {person.name} called"

    def play(stage: Stage) -> Iterator[Move]:
        for one in in_order[:2]:
            yield from visit(stage, one)
        stage.happen(CallArrives(person.id))
        start = stage.world.now
        yield Move("", Wait(4.0))
        stage.spans["call"] = Span("phone", start, stage.world.now)
        yield Move("phone", Click(Ref("phone/ringing/decline")))
        for one in in_order[2:]:
            yield from visit(stage, one)

    def facts(stage: Stage, right: str, ids: str) -> tuple[NeededFact, ...]:
        call = stage.spans["call"]
        rang = call.as_sound(), call.as_screen("decline", until=call.end + 0.1)
        found = []
        for one in in_order[:2]:
            span = stage.spans[one.id]
            seen = span.as_screen(one.name, until=span.end)
            value = getattr(one, right)
            found.append(
                CandidateValue(value, tuple((seen, ring) for ring in rang), span.end, (ids + one.id,) if ids else ())
            )
        return (NeededFact(name, found[-1].value, tuple(found)),)

    return name, play, facts, in_order


def _file_before_call(draw: TaskSampler, state: WorldState) -> MemoryScene:
    state, made = _offers(draw, state, "Documents")

    def visit(stage: Stage, one: Document) -> Iterator[Move]:
        yield Move("desktop", OpenApp("Text Editor"))
        yield Move("desktop", Click(Ref(f"editor/files/{one.id}")))
        yield from stage.reads(one.id, "desktop")
        yield close_window("editor")

    name, play, facts, in_order = _before_call(draw, state, made, visit, "desktop")
    given: Given = {"file": Resource("file", in_order[1].id, f'the "Offer …" {name.removeprefix("the one ")}')}
    return MemoryScene(given, 18, play, lambda stage: facts(stage, "id", "files/list/"), _nothing, state)


def _note_before_call(draw: TaskSampler, state: WorldState) -> MemoryScene:
    state, made = _offers(draw, state, "Notes")

    def visit(stage: Stage, one: Document) -> Iterator[Move]:
        yield Move("phone", OpenApp("Notes"))
        yield Move("phone", TypeText(one.name, Ref("notes/notes/search"), clear=True))
        yield Move("phone", Click(Ref(f"notes/notes/{one.id}")))
        yield from stage.reads(one.id, "phone")
        yield Move("phone", System("back"))
        yield Move("phone", System("home"))

    name, play, facts, in_order = _before_call(draw, state, made, visit, "phone")
    words = f'the title of the note "Offer …" {name.removeprefix("the one ")}'
    given: Given = {"subject": "Offer", "text": Resource("text", in_order[1].name, words)}
    return MemoryScene(given, 26, play, lambda stage: facts(stage, "name", ""), _nothing, state)


TEMPLATES = (
    MemoryTemplate(
        "film-counter",
        "film",
        _film(
            "counter",
            "the highest number that the counter reached",
            lambda dice: str(dice.randrange(12, 60)),
            _at_the_top,
        ),
        WRITE_NOTE,
        "desktop",
        "motion",
        FIRST,
        "because the film is gone",
    ),
    MemoryTemplate(
        "film-tram",
        "film",
        _film("tram", "the letter of the stop at which the tram waited", lambda dice: dice.choice(STOPS), _at_the_stop),
        MAIL_BOTH,
        "desktop",
        "motion",
        SECOND,
        "because the film is gone",
    ),
    MemoryTemplate(
        "price-seen", "seen-before", _price, WRITE_NOTE, "desktop", "screen", FIRST, "to compare it with today's"
    ),
    MemoryTemplate(
        "price-to-mail", "seen-before", _price, MAIL_BOTH, "desktop", "screen", SECOND, "to ask for the old price"
    ),
    MemoryTemplate(
        "code-beside-noise", "noise", _beside_noise, WRITE_NOTE, "desktop", "screen", FIRST, "to open the key box"
    ),
    MemoryTemplate(
        "code-beside-voice", "noise", _beside_noise, MAIL_BOTH, "desktop", "screen", SECOND, "to pass the code on"
    ),
    MemoryTemplate(
        "changed-room", "changed", _changed_room, WRITE_NOTE, "desktop", "screen", FIRST, "because it was moved"
    ),
    MemoryTemplate(
        "file-before-call",
        "before-call",
        _file_before_call,
        DELETE_THAT,
        "desktop",
        "screen",
        FIRST,
        "because it is out of date",
    ),
    MemoryTemplate(
        "note-before-call", "before-call", _note_before_call, MAIL_BOTH, "phone", "screen", SECOND, "to go on with it"
    ),
)
