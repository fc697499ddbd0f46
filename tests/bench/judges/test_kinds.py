"""The kinds of judges that ship, each where it holds and where it does not."""

from __future__ import annotations

import io
import zipfile
from types import SimpleNamespace
from typing import Any

import pytest
from office_documents import noise, office, png
from PIL import Image

from omnipilot.bench.judges import DeviceEvidence, JudgeKind, load_judge
from omnipilot.bench.judges.kinds import JUDGES, as_verdict, describe_type
from omnipilot.bench.tasks import Case
from omnipilot.envs import Click, ConfigError, Context, Observation, Ref, Size, TypeText, Wait, resolve
from omnipilot.envs.base import Capability
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.toy import ToyPhone


class Device:
    """A device with files and a shell that answers what it is told to."""

    name = "pc"
    platform = "desktop"
    capabilities = frozenset({Capability.FILES, Capability.SHELL})

    def __init__(
        self, files: dict[str, bytes] | None = None, said: dict[str, str] | None = None, **context: Any
    ) -> None:
        self.files = files or {}
        self.said = said or {}
        self.context = Context(**context)

    def read_file(self, path: str) -> bytes:
        if path not in self.files:
            raise FileNotFoundError(path)
        return self.files[path]

    def shell(self, command: str, timeout: float) -> str:
        return next((answer for part, answer in self.said.items() if part in command), "")

    def observe(self, modalities: object, since: float) -> Observation:
        return Observation("pc", 0.0, Size(10, 10), context=self.context)


def holds(kind: str, device: Any, /, **given: Any) -> bool:
    world: Any = SimpleNamespace(envs={device.name: device}, now=device.now if hasattr(device, "now") else 0.0)
    world.capabilities = frozenset()
    return kind_holds(kind, Case(world), **given)


def kind_holds(kind: str, case: Case, /, **given: Any) -> bool:
    one = load_judge(kind)
    return as_verdict(one.examine(DeviceEvidence(case), **one.read(given))).reached


def phone(*intents: Any) -> ToyPhone:
    world = ToyPhone()
    world.reset(0)
    for intent in intents:
        if isinstance(intent, Wait):
            world.wait(intent.seconds)
        else:
            world.act(resolve(intent, lambda ref: world.ui_tree().by_id(ref.id).box.center))  # type: ignore[union-attr]
    return world


NOTES = Click(Ref("Notes"))


@pytest.mark.parametrize("name", JUDGES.names())
def test_every_kind_is_named_after_itself_and_described(name: str) -> None:
    kind = load_judge(name)
    assert isinstance(kind, JudgeKind) and kind.name == name
    assert kind.about
    assert all(describe_type(hint) for hint, _ in kind.parameters.values())


def test_files() -> None:
    device = Device({"/a": b"Bread and milk\n", "/b": b"Bread and milk\n", "/c": b"Bread"})
    assert holds("check_file_exists", device, file_path="/a") and not holds("check_file_exists", device, file_path="/x")
    assert holds("check_file_contains", device, path="/a", text="and m")
    assert not holds("check_file_contains", device, path="/a", text="AND") and not holds(
        "check_file_contains", device, path="/x", text=""
    )
    assert holds("check_file_equals", device, path="/a", text="Bread and milk")
    assert not holds("check_file_equals", device, path="/c", text="Bread and milk")
    assert holds("check_same_content", device, path="/a", other="/b")
    assert not holds("check_same_content", device, path="/a", other="/c")
    assert not holds("check_same_content", device, path="/x", other="/y")


def test_pictures_have_a_size() -> None:
    device = Device({"/a.png": png(Image.new("RGB", (30, 20))), "/b": b"no picture"})
    assert holds("check_image_size", device, path="/a.png", width=30, height=20)
    assert not holds("check_image_size", device, path="/a.png", width=20, height=30)
    assert not holds("check_image_size", device, path="/b", width=30, height=20)


@pytest.mark.needs("omnipilot[marks]")
def test_a_picture_is_found_in_another_and_beside_one() -> None:
    whole = Image.new("RGB", (600, 300), "white")
    whole.paste(noise(1), (20, 60))
    whole.paste(noise(2), (330, 90))
    device = Device({"/1.png": png(noise(1)), "/2.png": png(noise(2)), "/3.png": png(noise(3)), "/w.png": png(whole)})
    assert holds("check_picture_in", device, part="/1.png", whole="/w.png")
    assert not holds("check_picture_in", device, part="/3.png", whole="/w.png")
    assert not holds("check_picture_in", device, part="/1.png", whole="/none.png")
    beside = {"first": "/1.png", "second": "/2.png", "path": "/w.png"}
    assert holds("check_pictures_beside", device, **beside, side="left")
    assert not holds("check_pictures_beside", device, **beside, side="right")


def open_xml(parts: dict[str, str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, xml in parts.items():
            archive.writestr(name, xml)
    return file.getvalue()


WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
CELLS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
DRAW = "http://schemas.openxmlformats.org/drawingml/2006/main"
SLIDE = "http://schemas.openxmlformats.org/presentationml/2006/main"


def test_office_documents_of_both_families() -> None:
    odt = office("<office:text><text:p>Two  boxes</text:p></office:text>")
    runs = "<w:r><w:t>Two </w:t></w:r><w:r><w:t>boxes</w:t></w:r>"
    docx = open_xml({"word/document.xml": f'<w:document xmlns:w="{WORD}"><w:p>{runs}</w:p></w:document>'})
    row = "<table:table-row><table:table-cell{}><text:p>{}</text:p></table:table-cell></table:table-row>"
    empty = "<table:table-row table:number-rows-repeated='2'/>"
    rows = row.format("", "a") + empty + row.format(" table:number-columns-repeated='2'", "7")
    ods = office(f"<office:spreadsheet><table:table>{rows}</table:table></office:spreadsheet>")
    cells = '<row><c r="A1" t="s"><v>0</v></c><c r="B4"><v>7</v></c></row>'
    xlsx = open_xml(
        {
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{CELLS}"><sheetData>{cells}</sheetData></worksheet>',
            "xl/sharedStrings.xml": f'<sst xmlns="{CELLS}"><si><t>a</t></si></sst>',
        }
    )
    page = f'<p:sld xmlns:p="{SLIDE}" xmlns:a="{DRAW}"><p:pic/><a:p><a:r><a:t>{{}}</a:t></a:r></a:p></p:sld>'
    pptx = open_xml({f"ppt/slides/slide{n}.xml": page.format(f"Page {n}") for n in (2, 1, 10)})
    device = Device({"/t.odt": odt, "/t.docx": docx, "/s.ods": ods, "/s.xlsx": xlsx, "/p.pptx": pptx})
    for path in ("/t.odt", "/t.docx"):
        assert holds("check_document_text", device, path=path, text="two boxes", exact=True)
        assert not holds("check_document_text", device, path=path, text="three")
    for path in ("/s.ods", "/s.xlsx"):
        assert holds("check_table_cell", device, path=path, cell="A1", text="a")
        assert holds("check_table_cell", device, path=path, cell="B4", text="7")
        assert not holds("check_table_cell", device, path=path, cell="B3", text="7")
        assert not holds("check_table_cell", device, path=path, cell="nowhere", text="7")
    assert holds("check_slide", device, path="/p.pptx", number=3, text="page 10", pictures=1)
    assert not holds("check_slide", device, path="/p.pptx", number=2, text="page 10")
    assert not holds("check_slide", device, path="/p.pptx", number=1, text="page 1", pictures=2)
    assert not holds("check_slide", device, path="/t.odt", number=1)


def test_processes_settings_and_what_is_in_front() -> None:
    running = Device(said={"ps -A": f"{'gimp-2.10':<64} gimp\n"}, title="Draft - Editor")
    assert holds("check_process_runs", running, name="GIMP") and not holds("check_process_ended", running, name="gimp")
    assert holds("check_process_ended", running, name="vim") and not holds("check_process_runs", running, name="vim")
    assert holds("check_front_title", running, text="Draft") and not holds("check_front_title", running, text="draft")
    for said, scheme in (("'prefer-dark'", "dark"), ("'default'", "light")):
        device = Device(said={"color-scheme": said})
        assert holds("check_colour_scheme", device, scheme=scheme)
        assert not holds("check_colour_scheme", device, scheme={"dark": "light", "light": "dark"}[scheme])
    quiet = Device(said={"show-banners": "false\n"})
    assert holds("check_do_not_disturb", quiet) and not holds("check_do_not_disturb", quiet, on=False)
    assert not holds("check_do_not_disturb", Device(), on=True) and not holds(
        "check_do_not_disturb", Device(), on=False
    )
    android = Device(said={"zen_mode": "1\n"})
    android.platform = "phone"
    assert holds("check_do_not_disturb", android) and not holds("check_do_not_disturb", android, on=False)
    wall = Device({"/w": b"1", "/x": b"2", "/my wall": b"1"}, {"picture-uri": "'file:///my%20wall'"})
    assert holds("check_wallpaper", wall, path="/w") and not holds("check_wallpaper", wall, path="/x")


def test_a_screen_is_judged_by_its_controls() -> None:
    case = Case(phone(NOTES, TypeText("Tea", Ref("field"))))
    assert kind_holds("check_text_exists_via_control", case, text="notes")
    assert kind_holds("check_text_exists_via_control", case, text="tea", exact=True)
    assert not kind_holds("check_text_exists_via_control", case, text="te", exact=True)
    assert kind_holds("check_app_in_front", case, app="Notes") and not kind_holds(
        "check_app_in_front", case, app="Mail"
    )


def test_the_clipboard_is_that_of_the_state_where_a_world_has_one() -> None:
    world = SimWorld()
    world.reset(0)
    world.prepare(lambda state: state.on("phone", clipboard="Meet at noon"))
    check = load_judge("check_clipboard")
    held = {env: check.examine(DeviceEvidence(Case(world), env), text="noon") for env in world.envs}
    assert {env: as_verdict(one).reached for env, one in held.items()} == {"phone": True, "desktop": False}
    assert holds("check_clipboard", Device(clipboard="noon"), text="noon")
    assert holds("check_clipboard", Device(said={"xclip": "at noon"}), text="noon")


def test_layout_is_found_by_path_and_attribute() -> None:
    case = Case(phone(NOTES, TypeText("Tea", Ref("field"))))
    for path in ("textbox", 'textbox"Note"', "#field", 'textbox"note"#field', "textbox[1]"):
        assert kind_holds("check_layout", case, path=path), path
    for path in ("checkbox", 'textbox"Mail"', "#none", "textbox[2]", 'textbox > button"Save"'):
        assert not kind_holds("check_layout", case, path=path), path
        assert kind_holds("check_layout", case, path=path, value=False), path
    assert kind_holds("check_layout", case, path="textbox", attribute="value", value="tea")
    assert not kind_holds("check_layout", case, path="textbox", attribute="value", value="note")
    assert kind_holds("check_layout", case, path="textbox", attribute="focused")
    assert not kind_holds("check_layout", case, path='button"Save"', attribute="focused")
    with pytest.raises(ConfigError, match="must be true or false"):
        kind_holds("check_layout", case, path="textbox", attribute="checked", value="yes")
    with pytest.raises(ConfigError, match="a path of elements is like"):
        kind_holds("check_layout", case, path="textbox >")


def test_sounds_count_since_the_subtask_became_active() -> None:
    world = phone(Click(Ref("Voicemail")), Click(Ref("play")))
    world.wait(world.state().speech.seconds + 1)
    case = Case(world)
    assert kind_holds("check_sound", case, name=world.state().message.split()[0])
    assert kind_holds("check_sound", case, kind="speech") and not kind_holds("check_sound", case, kind="alarm")
    assert not kind_holds("check_sound", Case(world, since_time=world.now - 0.5), kind="speech")
    assert not kind_holds("check_sound", Case(world, since_time=world.now), kind="speech")
    with pytest.raises(ConfigError, match="needs a name"):
        kind_holds("check_sound", case)


def test_a_check_has_to_say_which_of_several_devices_it_is_about() -> None:
    world: Any = SimpleNamespace(envs={"a": None, "b": None})
    with pytest.raises(ConfigError, match="one of a, b"):
        _ = DeviceEvidence(Case(world)).device
    with pytest.raises(ConfigError, match="no device 'c'"):
        _ = DeviceEvidence(Case(world), "c").device
