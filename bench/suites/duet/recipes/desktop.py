"""Tasks of `duet` on the desktop with one or two sub-tasks."""

from __future__ import annotations

from omnipilot.bench.suites.duet.recipe import Recipe

RECIPES = (
    # One sub-task.
    Recipe("move-file", "The report was filed in the wrong place", ("move-file",)),
    Recipe("file-papers-away", "Papers that are done with should be out of the way", ("file-away",)),
    Recipe("delete-file", "A file is no longer needed and must not be mixed up with another", ("delete-file",)),
    Recipe("total-expenses", "The office wants to know what a month has cost", ("total",)),
    Recipe("save-route", "To find the way on foot without looking it up again", ("save-route",)),
    Recipe("choose-time-zone", "The owner has travelled", ("choose-zone",)),
    Recipe("pause-tram", "A picture of the waiting tram is wanted", ("pause-tram",)),
    Recipe("archive-true-report", "Only the report that counted right is to be kept", ("true-report",)),
    Recipe("obey-voice", "Somebody across the room decides about the posters", ("obey-voice",)),
    Recipe("count-bell", "The bell tells by its strokes which door is open", ("count-bell",)),
    Recipe("archive-true-code", "Three of four codes are old, and the tones dial the new one", ("true-code",)),
    # Two sub-tasks, one after the other.
    Recipe("counter-to-sheet", "The busiest moment of the hall belongs in the table", ("watch-counter", "put-number")),
    Recipe("lamps-to-folder", "Papers are filed under the signal of the day", ("watch-lamps", "file-away")),
    Recipe("doors-to-network", "The doors give away the password of the network", ("watch-doors", "join-network")),
    Recipe(
        "tram-stop-to-order", "A gift is to be sent to the stop where the tram waited", ("stop-name", "order-product")
    ),
    Recipe("blinks-to-log", "The log records how often the lamp blinked", ("count-blinks", "append-line")),
    Recipe("tones-to-reply", "Somebody asked for the digits that were dialled", ("listen", "reply-mail")),
    Recipe("ball-to-reply", "Somebody asked where the ball rests", ("watch", "reply-mail")),
    Recipe("awaited-code-to-network", "The password comes by mail and is needed now", ("await-code", "join-network")),
    Recipe(
        "awaited-code-to-document", "The code of today belongs under the document", ("await-code", "write-document")
    ),
    Recipe("help-code-to-network", "The network asks for the number in the manual", ("read-help", "join-network")),
    Recipe("price-to-sheet", "The table lacks the price of a product", ("read-price", "put-number")),
    Recipe("walk-to-mail", "A guest wants to know how long the way takes", ("directions", "mail-text")),
)
