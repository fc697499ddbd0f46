"""What judges read of documents and pictures, from files made here."""

from __future__ import annotations

import pytest
from office_documents import noise, office, png
from PIL import Image

from omnipilot.bench.judges.documents import document_paragraphs, find_picture, picture_brightness, sheet_cells


def test_paragraphs_of_a_text_come_with_their_spaces_and_breaks() -> None:
    body = "<text:h>Head</text:h><text:p>a<text:s text:c='2'/>b<text:line-break/><text:span>c</text:span>d</text:p>"
    assert document_paragraphs(office(f"<office:text>{body}</office:text>")) == ["Head", "a  b\ncd"]


def test_cells_of_a_sheet_are_those_that_are_shown() -> None:
    row = "<table:table-row>{}</table:table-row>"
    cell = "<table:table-cell{}><text:p>{}</text:p></table:table-cell>"
    rows = row.format(cell.format("", "Bhutan") + cell.format("", "Thimphu") + cell.format("", "777,486"))
    rows += row.format('<table:table-cell table:number-columns-repeated="16384"/>')
    rows += row.format(cell.format(' table:number-columns-repeated="2"', "x"))
    sheet = f"<office:spreadsheet><table:table>{rows}</table:table><table:table/></office:spreadsheet>"
    assert sheet_cells(office(sheet)) == [["Bhutan", "Thimphu", "777,486"], ["x", "x"]]


@pytest.mark.parametrize(
    "data",
    [b"", b"PK", office("<broken"), office("<!DOCTYPE a>"), b"\x00" * 100],
    ids=["empty", "cut", "broken", "with a type", "zeros"],  # else the time in the archive is part of the test's name
)
def test_what_is_no_document_is_none(data: bytes) -> None:
    assert document_paragraphs(data) is None and sheet_cells(data) is None


def test_brightness_is_the_mean_length_of_colours() -> None:
    assert picture_brightness(png(Image.new("RGB", (4, 4), (255, 255, 255)))) == pytest.approx(255)
    # |(30, 40, 0)| / sqrt(3)
    assert picture_brightness(png(Image.new("RGB", (4, 4), (30, 40, 0)))) == pytest.approx(50 / 3**0.5)
    assert picture_brightness(b"none") is None


@pytest.mark.needs("omnipilot[marks]")
def test_a_picture_is_found_where_it_was_put_and_another_is_not() -> None:
    whole = Image.new("RGB", (600, 300), "white")
    whole.paste(noise(1), (20, 60))
    whole.paste(noise(2).resize((240, 180)), (330, 90))
    first, second = find_picture(png(noise(1)), png(whole)), find_picture(png(noise(2)), png(whole))
    assert first == pytest.approx((100, 120), abs=3) and second == pytest.approx((450, 180), abs=3)
    assert find_picture(png(noise(3)), png(whole)) is None
    assert find_picture(png(Image.new("RGB", (50, 50), "white")), png(whole)) is None
