"""Tasks of `duet` on the desktop with three or more sub-tasks: chains, joins and branches."""

from __future__ import annotations

from omnipilot.bench.suites.duet.recipe import Recipe

FIVE = "note-five first=1 second=2 third=3 fourth=4 fifth=5"
ADD = "add-up first=1 second=2 third=3"

RECIPES = (
    # Chains.
    Recipe(
        "address-order-mail",
        "A parcel goes to a place in town, and somebody there must know its number",
        ("place-address", "order-product", "mail-text"),
    ),
    Recipe(
        "errors-help-document",
        "The errors of the day are reported, and a document is named after the report",
        ("count-lines", "ask-help", "retitle"),
    ),
    Recipe(
        "log-lines-filed",
        "The lines of one machine are to be filed under their own name",
        ("extract-lines", "move-made", "rename-made"),
    ),
    # Joins.
    Recipe(
        "voucher-order-note",
        "An order at a lower price, to a place in town, is to be noted down",
        ("find-voucher", "place-address", "order-with-voucher", "note-down"),
    ),
    Recipe(
        "three-signals-in-a-sheet",
        "The three signals of the day are recorded side by side",
        ("listen", "count-blinks", "watch", "list-three first=1 second=2 third=3"),
    ),
    Recipe(
        "three-numbers-summed",
        "Numbers from a film, a log and a sheet make one figure for the table",
        ("watch-counter", "count-lines", "look-up", ADD, "put-number"),
    ),
    Recipe(
        "three-prices-summed",
        "A colleague wants to know what three things cost together",
        ("read-price", "read-price", "read-price", ADD, "mail-text"),
    ),
    Recipe(
        "five-finds-one-note",
        "For the handover, five facts from all over the desktop are put on one page and filed",
        ("read-file", "look-up", "place-address", "read-help", "count-lines", FIVE, "move-made", "rename-made"),
    ),
    Recipe(
        "five-facts-one-note",
        "What was shown, heard and written today is put on one page and filed",
        ("watch-counter", "listen", "count-lines", "read-price", "read-code", FIVE, "rename-made", "move-made"),
    ),
    Recipe(
        "five-films-one-note",
        "The guard sums up what five cameras have recorded, and files it",
        (
            "watch-counter",
            "watch-tram",
            "watch-lamps",
            "watch-doors",
            "watch-counter",
            FIVE,
            "move-made",
            "rename-made",
        ),
    ),
    Recipe(
        "signals-and-films-one-note",
        "The signals and the films of the day are put on one page and filed",
        ("listen", "count-blinks", "watch-lamps", "watch-doors", "watch-tram", FIVE, "rename-made", "move-made"),
    ),
    Recipe(
        "awaited-code-and-four-finds",
        "As soon as the code is there, everything for the visit is put on one page and filed",
        ("await-code", "read-help", "look-up", "count-lines", "place-address", FIVE, "move-made", "rename-made"),
    ),
    # Branches.
    Recipe(
        "five-errands",
        "Small things are left to do before the week-end",
        ("move-file", "save-place", "choose-output", "archive-mail", "total"),
    ),
    Recipe(
        "voice-and-errands",
        "While the posters are decided upon, the round of the evening is done",
        ("obey-voice", "watch-counter", "put-number", "rate-help", "choose-language", "append-line text=alone"),
    ),
    Recipe(
        "sum-and-errands",
        "Three numbers make a figure for the table, and two things are put in order",
        ("look-up", "count-lines", "read-price", ADD, "put-number", "move-file", "choose-zone"),
    ),
    Recipe(
        "counted-sum-and-errands",
        "What was counted is summed up for a colleague, and two things are done by the way",
        ("watch-counter", "count-blinks", "look-up", ADD, "mail-text", "fill-cart", "archive-mail"),
    ),
    Recipe(
        "order-and-errands",
        "A parcel is on its way before the desk is put in order",
        (
            "place-address",
            "order-product",
            "mail-text",
            "move-file",
            "choose-output",
            "archive-mail",
            "append-line text=alone",
        ),
    ),
    Recipe(
        "voice-question-and-errands",
        "A question about the tones is asked and noted down, and the voice has its way too",
        (
            "obey-voice",
            "listen",
            "ask-help",
            "note-down",
            "move-made",
            "choose-output",
            "archive-mail",
            "append-line text=alone",
        ),
    ),
    Recipe(
        "tidy-desk",
        "The desk is handed over: logs, files and sheets in order",
        ("tidy-log text=alone", "sort-sheet", "delete-file", "mute-app"),
    ),
)
