"""Names, and templates of messages, mails, notes and documents."""

from __future__ import annotations

OWNERS = ("Robin Avery", "Sam Whitlock", "Alex Moreau", "Jamie Castell")
DOMAINS = ("northwind.example", "harbor.example", "linden.example")
NEAR_NAMES = (
    ("Ana Silva", "Ana Silveira"),
    ("Jon Peters", "John Peterson"),
    ("Maria Costa", "Marina Costa"),
    ("Lee Wong", "Lea Wong"),
    ("Eric Holm", "Erik Holmes"),
    ("Sara Kent", "Sarah Kent"),
)
NAMES = (
    "Priya Nair",
    "Tom Becker",
    "Yuki Tanaka",
    "Omar Haddad",
    "Nina Rossi",
    "Carl Jensen",
    "Leila Farah",
    "Hugo Martin",
    "Grace Obi",
    "Ivan Petrov",
    "Dana Fisher",
    "Victor Chen",
)
FIRST_NAMES = ("Paul", "Irene", "Kofi", "Mei", "Oscar", "Ruth", "Amir", "Clara")
PLACES = ("the station", "the library", "Café Linde", "the north gate", "my office", "the harbour", "room 12")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
THINGS = ("the blue folder", "your umbrella", "the tickets", "two lamps", "the projector", "a birthday card")
CHATS = (
    "Are we still on for {day}?",
    "I left {thing} at {place}.",
    "See you at {hour}, {place}.",
    "Can you call {name} before {hour}?",
    "Thanks, that worked!",
    "{name} says hello.",
    "Running ten minutes late, sorry.",
    "The bus leaves at {hour}.",
    "Could you bring {thing}?",
    "Sounds good to me.",
    "Did you get my mail?",
    "We need {number} chairs for {day}.",
    "Locker number is {number}.",
    "Let's meet at {place} instead.",
    "Happy birthday!",
    "I will ask {name} and tell you.",
)
MAILS = (
    ("Your parcel", "Your parcel waits at {place}. The pick-up code is {code}. It is kept until {day}."),
    ("Meeting on {day}", "The meeting on {day} begins at {hour} in {place}. Please bring {thing}."),
    ("Invoice {number}", "Invoice {number} is attached to your account. The reference is {code}. It is due on {day}."),
    ("Sign-in code", "Your code is {code}. It can be used once."),
    ("Lunch?", "Would you like to have lunch at {place} on {day}? I could be there at {hour}."),
    ("Keys for the workshop", "The keys are with {name}. The door code is {code} until {day}."),
    ("Draft of the report", "I have finished the draft. It has {number} pages now. Could you read it before {day}?"),
    ("Library reminder", "{number} books are due on {day}. You can renew them with the number {code}."),
    ("Train times", "There is a train at {hour} from {place}. {name} takes the same one on {day}."),
    ("Team photo", "We take the team photo at {hour} on {day}, at {place}. Please wear something blue."),
    ("Lost and found", "Somebody handed in {thing}. Please ask at {place} after {hour}."),
    ("Workshop registration", "You are registered for {day}, {hour}. Your seat is number {number}."),
    ("New printer", "The printer moved to {place}. Its pin is {code}."),
    ("Garden party", "We are {number} guests so far. {name} brings {thing}. It begins at {hour} on {day}."),
)
SENT = (
    ("Thank you", "Thank you for the help on {day}. I owe you a coffee at {place}."),
    ("Question about the invoice", "Could you check invoice {number} again? I think the sum is wrong."),
    ("Holiday plans", "We leave on {day} at {hour}. {name} has the keys."),
)
NOTES = (
    ("Shopping", ("Milk", "Bread", "{number} eggs", "Coffee beans", "Candles")),
    ("Wifi", ("Network: lakeside", "Password: otter-{code}")),
    ("Ideas", ("Paint the shelf", "Ask {name} about {thing}", "A walk to {place}")),
    ("Gift list", ("{name}: a book", "Mother: tea", "{person}: {thing}")),
    ("Packing", ("Passport", "Charger", "Rain jacket", "{thing}")),
    ("Plants", ("Water the ferns on {day}", "New soil for the basil")),
    ("Books to read", ("The Lighthouse", "Salt and Paper", "{number} Letters")),
    ("Measurements", ("Window: {number} by 84 cm", "Shelf: 120 cm", "Door: 201 cm")),
    ("Recipe", ("200 g flour", "{number} g sugar", "2 eggs", "Bake until golden, about half an hour")),
)
NEAR_NOTES = {
    "Shopping": "Shopping (old)",
    "Wifi": "Wifi, guests",
    "Ideas": "Ideas (garden)",
    "Gift list": "Gift list (last year)",
    "Packing": "Packing, winter",
    "Plants": "Plants, balcony",
    "Books to read": "Books to return",
    "Measurements": "Measurements (attic)",
    "Recipe": "Recipe (half)",
}
"""A note that is easily mistaken for another one."""
MORE_NOTES = (
    ("Bus times", "Bus times, Sunday", ("From {place}: {hour}", "Back: {hour}", "Ask {name} for a lift")),
    ("Running log", "Running log (spring)", ("{day}: {number} km", "{day}: {number} km", "Shoes: since {day}")),
    ("Car", "Car insurance", ("Policy {code}", "Garage: {name}, {place}", "Due on {day}")),
    ("Film night", "Film nights", ("Host: {person}", "{day}, {hour}", "Bring {thing}")),
    ("Choir", "Choir trip", ("Rehearsal: {day}, {hour}", "{place}", "Scores: {name}")),
    ("Address book", "Address changes", ("{name}: {number} Mill Lane", "{person}: {number} Oak Avenue")),
)
"""Two similar names, and the lines of both notes."""
DOCUMENTS = (
    ("Minutes", ("Minutes of {day}", "", "Present: {name}, {person}", "Next meeting: {day}, {hour}, {place}")),
    ("Budget", ("Budget for the garden party", "", "Tables: {number}0", "Music: 250", "Food: {number}5")),
    ("Travel plan", ("Day one: arrive at {hour}", "Day two: {place}", "Day three: home")),
    ("Letter", ("Dear {name},", "", "thank you for {thing}. We hope to see you on {day}.", "", "Kind regards")),
    ("Guest list", ("{person}", "{name}", "Irene and Paul", "The neighbours from number {number}")),
    ("Inventory", ("Chairs: {number}", "Lamps: 4", "Projector: 1", "Extension leads: 6")),
    ("Agenda", ("1. Welcome", "2. Report by {name}", "3. {thing}", "4. Date of the next meeting")),
)
ALARMS = (("Wake up", 6), ("Run", 5), ("Medicine", 21), ("Call home", 20), ("Laundry", 22), ("Bins out", 7))
