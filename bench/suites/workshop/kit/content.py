"""Content of homes: names, texts, sheets, pictures and PDF files, all drawn from the instance."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Sequence
from random import Random
from xml.sax.saxutils import escape

FIRST = (
    "Ada Ben Clara David Emma Felix Greta Hugo Iris Jonas Kira Leon Mara Nils Olga Paul Rosa Simon Tara Victor".split()
)
LAST = "Adler Berg Costa Duval Ekman Frank Grau Huber Ito Jansen Keller Lund Moreau Novak Okafor Petit Rossi".split()
THINGS = (
    "lamp chair kettle ladder mirror carpet radio basket clock drawer heater printer shelf stool table vase".split()
)
PLACES = "Aarhus Bergen Cadiz Dresden Evora Florence Ghent Halle Innsbruck Kiel Lyon Malaga Nantes Oulu Porto".split()
TOPICS = "budget garden kitchen lecture meeting moving recipe rehearsal repair survey travel workshop".split()


def names(draw: Random, count: int) -> list[str]:
    """Names of different people."""
    return [f"{first} {draw.choice(LAST)}" for first in draw.sample(FIRST, count)]


def code(draw: Random, digits: int = 4) -> str:
    """A code of different digits, the first not 0."""
    first = draw.choice("123456789")
    return first + "".join(draw.sample([digit for digit in "0123456789" if digit != first], digits - 1))


def list_text(lines: Sequence[str]) -> bytes:
    """A text file with these lines."""
    return "".join(f"{line}\n" for line in lines).encode()


def gnumeric(rows: Sequence[Sequence[str | int | float]], title: str = "Sheet1") -> bytes:
    """A spreadsheet of gnumeric with one sheet; texts that begin with "=" are formulas."""
    cells = []
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            text = str(value)
            # The format's numbers of value types: 60 is text, 40 a number; formulas have none.
            kind = "" if text.startswith("=") else f' ValueType="{60 if isinstance(value, str) else 40}"'
            cells.append(f'<gnm:Cell Row="{r}" Col="{c}"{kind}>{escape(text)}</gnm:Cell>')
    columns = max((len(row) for row in rows), default=1)
    book = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<gnm:Workbook xmlns:gnm="http://www.gnumeric.org/v10.dtd">'
        '<gnm:Version Epoch="1" Major="12" Minor="55" Full="1.12.55"/>'
        f'<gnm:SheetNameIndex><gnm:SheetName gnm:Cols="256" gnm:Rows="65536">{escape(title)}</gnm:SheetName>'
        "</gnm:SheetNameIndex><gnm:Sheets><gnm:Sheet>"
        f"<gnm:Name>{escape(title)}</gnm:Name><gnm:MaxCol>{columns - 1}</gnm:MaxCol>"
        f"<gnm:MaxRow>{len(rows) - 1}</gnm:MaxRow>"
        f"<gnm:Cells>{''.join(cells)}</gnm:Cells></gnm:Sheet></gnm:Sheets></gnm:Workbook>\n"
    )
    return gzip.compress(book.encode(), mtime=0)


def png(width: int, height: int, colour: tuple[int, int, int], band: tuple[int, int, int]) -> bytes:
    """A picture in one colour with a band along its top, so that it is seen which way up it is."""
    import numpy as np
    from PIL import Image

    pixels = np.empty((height, width, 3), np.uint8)
    pixels[:] = colour
    pixels[: height // 5] = band
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


def pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """A PDF file (version 1.4) with lines of text on each page, A4, in Helvetica."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for lines in pages:
        shown = "".join(f"({_pdf_text(line)}) Tj 0 -28 Td " for line in lines)
        stream = zlib.compress(f"BT /F1 18 Tf 60 760 Td {shown}ET".encode("latin-1"))
        number = len(objects) + 1
        kids.append(f"{number} 0 R")
        objects.append(
            (
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] "
                f"/Resources << /Font << /F1 3 0 R >> >> /Contents {number + 1} 0 R >>"
            ).encode()
        )
        head = f"<< /Length {len(stream)} /Filter /FlateDecode >>\nstream\n".encode()
        objects.append(head + stream + b"\nendstream")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    count = len(objects) + 1
    start = len(out)
    out += f"xref\n0 {count}\n0000000000 65535 f \n{table}trailer\n<< /Size {count} /Root 1 0 R >>\n".encode()
    return bytes(out + f"startxref\n{start}\n%%EOF\n".encode())


def _pdf_text(line: str) -> str:
    return line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def written_png(lines: Sequence[str]) -> bytes:
    """A picture of large text, dark on light: what can be read only by looking at it."""
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("RGB", (520, 60 + 70 * len(lines)), (245, 240, 225))
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default(44)
    for number, line in enumerate(lines):
        pen.text((30, 30 + 70 * number), line, (40, 40, 60), font=font)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()
