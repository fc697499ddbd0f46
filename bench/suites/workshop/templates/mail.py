"""Mail: letters that are read and written."""

from __future__ import annotations

from random import Random

from omnipilot.bench.suites.workshop.kit.checks import form_sent, text_is
from omnipilot.bench.suites.workshop.kit.content import PLACES, THINGS, TOPICS, code, names
from omnipilot.bench.suites.workshop.kit.mail import OPEN, Letter, address, draft_is, mailbox, nothing_sent, write_draft
from omnipilot.bench.suites.workshop.kit.pages import form, page
from omnipilot.bench.suites.workshop.kit.playing import MEMO, memo, memo_played, play, waiting_player
from omnipilot.bench.suites.workshop.kit.steps import fill, go_to, open_program, press_button, save_as, type_text
from omnipilot.bench.suites.workshop.template import Draw, TaskDraft, WorkshopTemplate


def number_to_text(draw: Random) -> TaskDraft:
    """A number in a mail is saved as text."""
    people, numbers = names(draw, 4), [code(draw, 5) for _ in range(4)]
    topics = draw.sample(TOPICS, 4)
    letters = [
        Letter(one, topic.title(), f"Hello,\n\nthe order number is {number}.\n\n{one}")
        for one, topic, number in zip(people, topics, numbers, strict=True)
    ]
    at = draw.randrange(4)
    return TaskDraft(
        f"{people[at]} has sent a mail with an order number. Save the number alone as order.txt in the folder "
        "Documents.",
        (text_is("Documents/order.txt", numbers[at]),),
        (open_program("mousepad"), type_text(numbers[at]), save_as("Documents/order.txt")),
        mailbox(letters),
        (OPEN,),
    )


def answer_draft(draw: Random) -> TaskDraft:
    """A mail is written and kept as a draft."""
    person, place, topic = names(draw, 1)[0], draw.choice(PLACES), draw.choice(TOPICS)
    text = f"We meet in {place}."
    return TaskDraft(
        f'Write a mail to {address(person)} with the subject "{topic.title()}" and the text "{text}" '
        "and save it as a draft, without sending it.",
        (draft_is(address(person), topic.title(), text), nothing_sent()),
        write_draft(address(person), topic.title(), text),
        mailbox([Letter(person, "Hello", "When and where do we meet?")]),
        (OPEN,),
    )


def memo_to_draft(draw: Draw) -> TaskDraft:
    """A code that is spoken is put into a mail."""
    person, number = names(draw, 1)[0], code(draw.media)
    return TaskDraft(
        "Play the voice memo that the player holds. Then write a mail with the code that is said, the digits alone, as "
        f'its text to {address(person)}, with the subject "Code", and save it as a draft.',
        (memo_played(), draft_is(address(person), "Code", number), nothing_sent()),
        (
            play(MEMO),
            go_to("claws-mail"),
            *write_draft(address(person), "Code", number),
        ),
        mailbox([Letter(person, "Code?", "Which code did they leave?")]),
        (OPEN, waiting_player(MEMO)),
        media={MEMO: memo(draw, f"the code is {number}")},
    )


def mail_to_form(draw: Random) -> TaskDraft:
    """An order that came by mail is placed on a page."""
    people = names(draw, 3)
    thing, other = draw.sample(THINGS, 2)
    count = draw.randrange(2, 20)
    letters = [
        Letter(people[0], "Greetings", f"Is the {other} still in the hall?"),
        Letter(people[1], "Order", f"Please order {count} of the {thing} for me.\n\n{people[1]}"),
        Letter(people[2], "Lunch", "At noon, as always?"),
    ]
    return TaskDraft(
        f"Place the order for which {people[1]} asks by mail, with the form in the browser.",
        (form_sent("order", thing=thing, count=str(count)),),
        (fill("Article", thing), fill("Quantity", str(count)), press_button("Order")),
        mailbox(letters),
        (OPEN,),
        {
            "": page("Order", form("order", {"thing": "Article", "count": "Quantity"}, "Order")),
            "order": page("Thank you", "<p>Your order has been received.</p>"),
        },
    )


TEMPLATES = (
    WorkshopTemplate("mail-number-to-text", "copy a number from a mail", ("claws-mail", "mousepad"), number_to_text),
    WorkshopTemplate("mail-draft", "write a mail and keep it as a draft", ("claws-mail",), answer_draft),
    WorkshopTemplate(
        "memo-to-draft", "write a spoken code into a mail", ("mpv", "claws-mail"), memo_to_draft, hangs_on="sound"
    ),
    WorkshopTemplate(
        "mail-to-form",
        "place an order that came by mail",
        ("claws-mail", "chromium"),
        mail_to_form,
        ("desktop", "browser"),
    ),
)
