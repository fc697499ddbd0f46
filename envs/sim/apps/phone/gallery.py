"""Gallery, on the phone: pictures, albums, one picture, its details, the bin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from omnipilot.envs.sim.apps.base import App, Ctx, typed_text
from omnipilot.envs.sim.apps.phone.shared_parts import buttons, change, fact, labelled_fields, page, remove
from omnipilot.envs.sim.apps.photo_art import draw_photo
from omnipilot.envs.sim.apps.question import ask, question
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state.phone_data import ALBUMS, Photo, day_of, spoken_date
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.containers import Column, Gap, PaddedBox, Row, ScrollView, Widget
from omnipilot.envs.sim.ui.controls import Button, Dropdown, IconButton, TabBar
from omnipilot.envs.sim.ui.display_widgets import Label
from omnipilot.envs.sim.ui.grid import Wall
from omnipilot.envs.sim.ui.layout_pass import Painter
from omnipilot.envs.sim.ui.media_widgets import Picture
from omnipilot.envs.sim.ui.navigation import back, both, go, remember, show
from omnipilot.envs.sim.ui.panels import card, empty, list_row, top_bar
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.text_field import TextField

SURE, EVER, WHOLE, ORDER = "gallery/photo/delete", "gallery/photo/forever", "gallery/bin/empty", "gallery/photos/order"


def _drawn(photo: Photo) -> Callable[[Painter, int, int, int, int], None]:
    return lambda p, x, y, w, h: draw_photo(p, x, y, w, h, photo.scene, photo.count, photo.color)


def _wall(view: str, photos: list[Photo], none: str) -> Widget:
    tiles = [
        Picture(f"gallery/{view}/{photo.id}", photo.name, _drawn(photo), 128, go("phone", "gallery", "photo", photo.id))
        for photo in photos
    ]
    return ScrollView(f"gallery/{view}/scroll", PaddedBox(Wall(tiles, 3, 3), (3, 3)) if tiles else empty(none))


def _sorted(ctx: Ctx, keep: Callable[[Photo], bool]) -> list[Photo]:
    photos = [photo for photo in ctx.account.photos if keep(photo)]
    return sorted(photos, key=lambda photo: (photo.taken, photo.id), reverse=ctx.value(ORDER, "Newest") == "Newest")


def _tabs(current: str, *actions: Widget) -> Widget:
    names = {"photos": "Photos", "loved": "Favourites", "albums": "Albums"}
    tabs = tuple((f"gallery/tab/{view}", name, show("phone", "gallery", view)) for view, name in names.items())
    return Column((top_bar("Gallery", actions=actions), TabBar(tabs, f"gallery/tab/{current}")))


def _photos(ctx: Ctx) -> Widget:
    options = tuple((name, remember("phone", ORDER, name)) for name in ("Newest", "Oldest"))
    order = Dropdown("gallery/photos/order", "Order", str(ctx.value(ORDER, "Newest")), options)
    return Column((_tabs("photos", order), _wall("photos", _sorted(ctx, lambda p: not p.binned), "No pictures")))


def _loved(ctx: Ctx) -> Widget:
    loved = _sorted(ctx, lambda photo: photo.favourite and not photo.binned)
    return Column((_tabs("loved"), _wall("loved", loved, "No favourites yet")))


def _albums(ctx: Ctx) -> Widget:
    rows = []
    for album in ALBUMS:
        inside = _sorted(ctx, lambda photo, album=album: photo.album == album and not photo.binned)  # type: ignore[misc]
        do = go("phone", "gallery", "album", album)
        rows.append(
            list_row(f"gallery/albums/{album.lower()}", album, do, subtitle=f"{len(inside)} pictures", icon="folder")
        )
    count = sum(photo.binned for photo in ctx.account.photos)
    bin = go("phone", "gallery", "bin")
    rows.append(list_row("gallery/albums/bin", "Bin", bin, subtitle=f"{count} pictures", icon="trash"))
    return Column((_tabs("albums"), ScrollView("gallery/albums/scroll", Column(rows))))


def _album(ctx: Ctx) -> Widget:
    arrow = IconButton("gallery/album/back", "back", "Back", back("phone", "gallery"))
    inside = _sorted(ctx, lambda photo: photo.album == ctx.arg and not photo.binned)
    return Column((top_bar(ctx.arg, arrow), _wall("album", inside, "This album is empty")))


def _empty_bin(state: WorldState) -> WorldState:
    kept = tuple(photo for photo in state.account.photos if not photo.binned)
    return state.own(replace(state.account, photos=kept))


def _bin(ctx: Ctx) -> Widget:
    arrow = IconButton("gallery/bin/back", "back", "Back", back("phone", "gallery"))
    inside = _sorted(ctx, lambda photo: photo.binned)
    clear = Button("gallery/bin/clear", "Empty", ask("phone", WHOLE), enabled=bool(inside))
    shown = Column((top_bar("Bin", arrow, [clear]), _wall("bin", inside, "The bin is empty")))
    note = f"{len(inside)} pictures will be gone for good."
    return question(shown, ctx, WHOLE, "Empty the bin?", note, "Empty", _empty_bin)


def _photo(ctx: Ctx) -> Widget:
    photo = ctx.account.find("photos", ctx.arg)
    if photo is None:
        return page("gallery", "photo", "Picture", [empty("This picture is gone")])
    heart = IconButton(
        "gallery/photo/favourite",
        "heart",
        "Remove from favourites" if photo.favourite else "Add to favourites",
        change("photos", photo.id, favourite=not photo.favourite),
        theme.DANGER if photo.favourite else theme.FAINT,
    )
    info = IconButton("gallery/photo/info", "info", "Details", go("phone", "gallery", "details", photo.id))
    bin = IconButton("gallery/photo/bin", "trash", "Delete", ask("phone", SURE))
    arrow = IconButton("gallery/photo/back", "back", "Back", back("phone", "gallery"))
    picture = Picture("gallery/photo/picture", photo.name, _drawn(photo), ctx.width * 3 // 4)
    leave = back("phone", "gallery")
    parts: list[Widget] = [Gap(24), picture]
    if photo.binned:
        restore = both(change("photos", photo.id, binned=False), leave)
        ever = Button("gallery/photo/ever", "Delete for good", ask("phone", EVER), "trash", "danger")
        parts.append(
            PaddedBox(buttons(Button("gallery/photo/restore", "Restore", restore, "undo", "outline"), ever), (20, 24))
        )
    shown = Column((top_bar(photo.name, arrow, [info] if photo.binned else [heart, info, bin]), Column(parts)))
    if photo.binned:
        gone = both(remove("photos", photo.id), leave)
        return question(shown, ctx, EVER, "Delete for good?", f"{photo.name} cannot come back.", "Delete", gone)
    gone = both(change("photos", photo.id, binned=True), leave)
    return question(shown, ctx, SURE, "Delete this picture?", f"{photo.name} goes to the bin.", "Delete", gone)


def _rename(photo: Photo) -> Do:
    def do(state: WorldState) -> WorldState:
        name = typed_text(state, "phone", "gallery/details/name", photo.name).strip()
        return change("photos", photo.id, name=name)(state) if name else state

    return do


def _details(ctx: Ctx) -> Widget:
    photo = ctx.account.find("photos", ctx.arg)
    if photo is None:
        return page("gallery", "details", "Details", [empty("This picture is gone")])
    albums = tuple((name, change("photos", photo.id, album=name)) for name in ALBUMS)
    save = _rename(photo)
    name = TextField("gallery/details/name", "Name", photo.name, submit=save, size=16)
    facts = [
        fact(
            "Taken",
            f"{spoken_date(day_of(photo.taken))}, {ctx.state.clock(photo.taken - ctx.state.start)}",
            "gallery/details/taken",
        ),
        fact("Place", photo.place, "gallery/details/place"),
    ]
    parts = [
        *labelled_fields(name),
        Row(
            (
                Label("Album", 14, color=theme.MUTED, flex=1),
                Dropdown("gallery/details/album", "Album", photo.album, albums),
            )
        ),
        card(Column(facts, 14)),
    ]
    done = Button("gallery/details/save", "Save", both(save, back("phone", "gallery")), style="filled")
    return page("gallery", "details", "Details", parts, [done])


VIEWS = {"photos": _photos, "loved": _loved, "albums": _albums}
GALLERY = App(
    "gallery",
    "Gallery",
    "gallery",
    (112, 78, 182),
    "phone",
    {**VIEWS, "album": _album, "bin": _bin, "photo": _photo, "details": _details},
)
