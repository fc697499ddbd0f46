"""Sub-tasks of `duet` in Gallery. A picture's content is only in its pixels; its name reveals nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from omnipilot.bench.suites.duet.kit.moves import front, on_phone, strays
from omnipilot.bench.suites.duet.kit.phone import some_text, tap, to
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Intent, OpenApp, Ref, TypeText
from omnipilot.envs.sim.state.phone_data import ALBUMS, Photo
from omnipilot.envs.sim.state.world_state import View, WorldState
from omnipilot.envs.sim.words.phone import SCENE_NAMES

NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def _shows(photo: Photo) -> str:
    things = SCENE_NAMES[photo.scene].lower()
    return f"{NUMBERS[photo.count]} {photo.color} {things[:-1] if photo.count == 1 else things}"


def _looks(photo: Photo) -> tuple[str, int, str]:
    return photo.scene, photo.count, photo.color


def _some_photo(draw: TaskSampler, state: WorldState) -> Photo:
    """A picture, not a favourite, that no other sub-task uses and that has no near-duplicate."""
    photos = state.account.photos
    seen = [_looks(photo) for photo in photos]
    return draw.pick("photos", [p for p in photos if seen.count(_looks(p)) == 1 and not p.favourite])


def _alone(draw: TaskSampler, state: WorldState) -> dict[str, str | Resource]:
    photo = _some_photo(draw, state)
    return {"photo": Resource("photo", photo.id, f"the picture with {_shows(photo)}")}


def _shown(now: WorldState, photo: str) -> list[Intent]:
    window = now.phone.window("gallery")
    if window is not None and window.stack[-2:] == (View("photo", photo), View("details", photo)):
        return [OpenApp("Gallery"), tap("gallery/details/back")]
    return [OpenApp("Gallery"), *to(now, "gallery", "photo", photo, f"gallery/photos/{photo}")]


def _detailed(now: WorldState, photo: str) -> list[Intent]:
    """Moves to a picture's details from wherever the phone is."""
    window = now.phone.window("gallery")
    if window is not None and window.view == View("details", photo):
        return [OpenApp("Gallery")]
    return [*_shown(now, photo), tap("gallery/photo/info")]


def _opened(photo: str) -> Judge:
    return Judge("picture opened", front("phone", "gallery", "photo", photo))


def _details(photo: str) -> Judge:
    return Judge("details opened", front("phone", "gallery", "details", photo))


def _has(photo: str, goal: str, draw: TaskSampler, **wanted: object) -> Judge:
    """Judge that the picture, still in its place, has these attributes at the end and no other was touched."""

    def ask(case: Case) -> Verdict:
        now, others = case.state.account.find("photos", photo), strays(case, "photos", draw)
        hit = now is not None and not now.binned and all(getattr(now, key) == value for key, value in wanted.items())
        return Verdict(float(hit and not others), f"{now}; others touched: {others}")

    return Judge(goal, ask)


def _find(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    photo = _some_photo(draw, state)
    return Piece(
        JudgeGraph((_opened(photo.id),)),
        state,
        lambda now: on_phone(*_shown(now, photo.id)),
        {"what": _shows(photo)},
        Resource("photo", photo.id, "this picture"),
    )


FIND_PHOTO = Template(
    "find-photo",
    "on the phone, open the picture with {what} in Gallery",
    "phone",
    "gallery",
    _find,
    output="photo",
    lasts=False,
)


def _reads(what: str) -> Callable[[TaskSampler, Mapping[str, str], WorldState], Piece]:
    def make(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
        photo = state.account.find("photos", given["photo"])
        draw.claim("photos", photo.id)
        judge, way = (_details, _detailed) if what == "place" else (_opened, _shown)
        output = {
            "place": Resource("text/place", photo.place, "the place where the picture was taken"),
            "name": Resource("text/word", photo.name, "the name of the picture"),
        }[what]
        return Piece(JudgeGraph((judge(photo.id),)), state, lambda now: on_phone(*way(now, photo.id)), output=output)

    return make


PHOTO_PLACE = Template(
    "photo-place",
    "on the phone, open the details of {photo} in Gallery and see where it was taken",
    "phone",
    "gallery",
    _reads("place"),
    {"photo": "photo"},
    "text/place",
    _alone,
    lasts=False,
)
PHOTO_NAME = Template(
    "photo-name",
    "on the phone, open {photo} in Gallery and read its name at the top",
    "phone",
    "gallery",
    _reads("name"),
    {"photo": "photo"},
    "text/word",
    _alone,
    lasts=False,
)


def _count(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    photo = draw.pick("photos", state.account.photos)
    things = SCENE_NAMES[photo.scene].lower()
    return Piece(
        JudgeGraph((_opened(photo.id),)),
        state,
        lambda now: on_phone(*_shown(now, photo.id)),
        {"name": photo.name, "things": things},
        Resource("text/number", str(photo.count), f'the number of {things} in "{photo.name}" (as a digit)'),
    )


COUNT_THINGS = Template(
    "count-things",
    'on the phone, open the picture "{name}" in Gallery and count the {things} in it',
    "phone",
    "gallery",
    _count,
    output="text/number",
    dimension="semantic understanding",
    lasts=False,
)


def _favourite(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    photo = state.account.find("photos", given["photo"])
    draw.claim("photos", photo.id)
    return Piece(
        JudgeGraph.chain([_opened(photo.id), _has(photo.id, "favourite added", draw, favourite=True)]),
        state,
        lambda now: on_phone(*_shown(now, photo.id), tap("gallery/photo/favourite")),
    )


FAVOURITE_PHOTO = Template(
    "favourite-photo",
    "on the phone, open {photo} in Gallery and add it to the favourites",
    "phone",
    "gallery",
    _favourite,
    {"photo": "photo"},
    alone=_alone,
)


def _move(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    photo = state.account.find("photos", given["photo"])
    draw.claim("photos", photo.id)
    album = draw.choice([name for name in ALBUMS if name != photo.album])
    return Piece(
        JudgeGraph.chain([_details(photo.id), _has(photo.id, "picture moved", draw, album=album)]),
        state,
        lambda now: on_phone(
            *_detailed(now, photo.id),
            tap("gallery/details/album"),
            tap(f"gallery/details/album/{album.lower()}"),
        ),
        {"album": album},
    )


MOVE_PHOTO = Template(
    "move-photo",
    'on the phone, open the details of {photo} in Gallery and choose the album "{album}" for it',
    "phone",
    "gallery",
    _move,
    {"photo": "photo"},
    alone=_alone,
)


def _rename(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    photo = state.account.find("photos", given["photo"])
    draw.claim("photos", photo.id)
    return Piece(
        JudgeGraph.chain([_details(photo.id), _has(photo.id, "picture renamed", draw, name=given["text"])]),
        state,
        lambda now: on_phone(
            *_detailed(now, photo.id),
            TypeText(given["text"], Ref("gallery/details/name"), clear=True),
            tap("gallery/details/save"),
        ),
    )


RENAME_PHOTO = Template(
    "rename-photo",
    "on the phone, open {photo} in Gallery, type {text} as its name in the details instead of the old one and save it",
    "phone",
    "gallery",
    _rename,
    {"photo": "photo", "text": "text"},
    alone=lambda draw, state: {**_alone(draw, state), **some_text(draw, state)},
)

TEMPLATES = (FIND_PHOTO, PHOTO_PLACE, PHOTO_NAME, COUNT_THINGS, FAVOURITE_PHOTO, MOVE_PHOTO, RENAME_PHOTO)
