"""Texts for the desktop's files, sheets, clips, shop, maps and help."""

from __future__ import annotations

from omnipilot.envs.sim.state.desktop_data import Film

MONTHS = ("January", "February", "March", "April", "May", "June")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
FOLDERS = ("Documents", "Notes", "Reports", "Reports/2024", "Server", "Sheets", "Travel", "Videos", "Work")
TEXTS = (
    ("Reports", "Sales March", ("Sales in March", "", "North: {n} crates", "South: {m} crates", "Written by {name}")),
    ("Reports", "Sales March draft", ("DRAFT", "Sales in March", "", "North: {n} crates", "South: not yet counted")),
    ("Reports", "Sales May", ("Sales in May", "", "North: {n} crates", "South: {m} crates", "Written by {name}")),
    ("Reports", "Visitors", ("Visitors of the museum", "", "Weekdays: {n}", "Weekends: {m}", "Counted by {name}")),
    ("Reports/2024", "Sales March", ("Sales in March", "", "North: {m} crates", "South: {n} crates", "Old figures")),
    ("Reports/2024", "Visitors", ("Visitors of the museum", "", "Weekdays: {m}", "Weekends: {n}", "Old figures")),
    ("Travel", "Bergen hotel", ("Hotel Fjord, Bergen", "Booking {code}", "{n} nights", "Breakfast is included")),
    ("Travel", "Oslo hotel", ("Hotel Park, Oslo", "Booking {code}", "{n} nights", "Breakfast costs {m} extra")),
    ("Travel", "Oslo tickets", ("Train to Oslo", "Seat {n}, coach 4", "Reference {code}", "Change in Gothenburg")),
    ("Work", "Door list", ("Main door: {code}", "Workshop: {code2}", "Ask {name} for the cellar")),
    ("Work", "Door list old", ("Main door: {code2}", "Workshop: {code}", "No longer valid")),
    ("Work", "Rota week 11", ("Monday: {name}", "Tuesday: {name2}", "Friday: {name}, {n} hours")),
    ("Work", "Rota week 12", ("Monday: {name2}", "Tuesday: {name}", "Friday: {name2}, {m} hours")),
)
"""Folder, name and lines of text files."""
MACHINES = ("pump 1", "pump 2", "pump 12", "lamp 3", "lamp 13", "gate")
RESULTS = ("ok", "ok", "ok", "slow", "error", "restart")
SHEETS = (
    *(("Expenses", month) for month in MONTHS),
    *(("Stock", place) for place in ("north", "north hall", "south", "south hall")),
    *(("Grades", name) for name in ("7a", "7b", "8a", "8b")),
    *(("Hours", f"week {n}") for n in (10, 11, 12)),
    *(("Readings", room) for room in ("cellar", "kitchen", "attic")),
)
"""Kind and what it is about."""
EXPENSES = (
    *("Train ticket", "Bus ticket", "Paper", "Printer ink", "Coffee", "Coffee filters", "Lamp", "Lamp oil", "Stamps"),
    *("Flowers", "Cake", "Taxi", "Cable", "Cable ties", "Paint", "Brushes", "Screws", "Soap", "Towels", "Tea"),
)
PURPOSES = ("Office", "Travel", "Guests", "Repairs")
STOCK = (
    *("Chair", "Chair, folding", "Table", "Table, round", "Lamp", "Projector", "Screen", "Cable 5 m", "Cable 10 m"),
    *("Rope", "Ladder", "Ladder, short", "Bucket", "Broom", "Crate", "Crate, small", "Fan", "Heater", "Tent", "Tarp"),
)
PUPILS = (
    *("Abel", "Abela", "Bruno", "Carla", "Carlo", "Dina", "Edda", "Emil", "Emilia", "Finn", "Greta", "Hanna", "Hannes"),
    *("Ida", "Jonas", "Jona", "Kira", "Leo", "Leona", "Marta", "Nils", "Olga", "Pia", "Rosa", "Sven", "Tilda"),
)
CAMERAS: tuple[tuple[Film, str], ...] = (
    ("lamps", "Signal lamps"),
    ("tram", "Tram line"),
    ("counter", "Counter"),
    ("doors", "Three doors"),
)
"""Kind of a clip and the beginning of its name."""
PRODUCTS = (
    ("Desk lamp", ("white", "black"), "Light", "Switch in the cable of {m} m. Bulb not included."),
    ("Reading light", ("clip", "clip, long"), "Light", "Runs {n} hours with one battery."),
    ("Lantern", ("small", "large"), "Light", "For {m} tea lights. Not for indoor use."),
    ("Kettle", ("1.5 l", "1.7 l"), "Kitchen", "Boils in {m} minutes. Warranty {n} months."),
    ("Toaster", ("2 slices", "4 slices"), "Kitchen", "Crumb tray and {m} levels. Warranty {n} months."),
    ("Tea pot", ("glass", "china"), "Kitchen", "Holds {m} cups. Dishwasher safe up to {n} degrees."),
    ("Backpack", ("20 l", "22 l"), "Travel", "Has {m} pockets. Keeps out rain for {n} minutes."),
    ("Travel pillow", ("grey", "green"), "Travel", "Washable at {n} degrees. Weighs {m}00 g."),
    ("Suitcase", ("cabin", "cabin plus"), "Travel", "Weighs {m} kg. Warranty {n} months."),
    ("Headphones", ("HP-10", "HP-100"), "Sound", "Playing time {n} hours. Cable of {m} m."),
    ("Speaker", ("S2", "S20"), "Sound", "Playing time {n} hours. Charges in {m} hours."),
    ("Radio", ("FM", "DAB"), "Sound", "Stores {n} stations. Needs {m} batteries."),
    ("Notebook", ("ruled", "squared"), "Paper", "Has {n}0 pages. Pack of {m}."),
    ("Pencils", ("HB", "2B"), "Paper", "Box of {n}. Made of cedar. Hardness as printed."),
)
"""Name, the two variants, category and text of what the shop sells."""
CATEGORIES = ("All", "Kitchen", "Light", "Paper", "Sound", "Travel")
STREETS = ("Linden Street", "Linden Square", "Harbour Road", "Harbour Lane", "Mill Lane", "North Gate", "Station Road")
PLACES = (
    ("Café Linde", "Café"),
    ("Café Linden", "Café"),
    ("Harbour Café", "Café"),
    ("Mill Café", "Café"),
    ("Linden Pharmacy", "Pharmacy"),
    ("Harbour Pharmacy", "Pharmacy"),
    ("Pharmacy at the Harbour", "Pharmacy"),
    ("Central Station", "Station"),
    ("North Station", "Station"),
    ("Harbour Station", "Station"),
    ("City Library", "Library"),
    ("City Library, North", "Library"),
    ("Children's Library", "Library"),
    ("Museum of the Sea", "Museum"),
    ("Museum of the City", "Museum"),
    ("Toy Museum", "Museum"),
    ("Mill Park", "Park"),
    ("Mill Pond Park", "Park"),
    ("North Park", "Park"),
    ("Hotel Park", "Hotel"),
    ("Park Hotel", "Hotel"),
    ("Hotel Fjord", "Hotel"),
    ("Harbour Bakery", "Bakery"),
    ("Linden Bakery", "Bakery"),
)
KINDS = ("All", "Bakery", "Café", "Hotel", "Library", "Museum", "Park", "Pharmacy", "Station")
ARTICLES = (
    ("Reset the router R1", "Devices", "Hold the small button for {n} seconds. Then enter the code {code}."),
    ("Reset the router R10", "Devices", "Hold both buttons for {n} seconds. Then enter the code {code}."),
    ("Clean the printer", "Devices", "Choose programme {m} in the printer's menu and wait {n} minutes."),
    ("Clean the scanner", "Devices", "Use a dry cloth. Repeat it every {n} days."),
    ("The screen stays dark", "Devices", "Unplug it for {n} seconds. If it stays dark, give us error {code}."),
    ("The screen flickers", "Devices", "Set the rate to {n} Hz. If it still flickers, give us error {code}."),
    ("Return a product", "Orders", "You may return it within {n} days. Use the return code {code}."),
    ("Return a gift", "Orders", "You may return it within {n} days without a receipt. Use the return code {code}."),
    ("Change a delivery address", "Orders", "This is possible up to {m} hours after you ordered."),
    ("Cancel an order", "Orders", "This is possible up to {m} hours after you ordered. The form number is {code}."),
    ("Vouchers", "Orders", "The voucher SPRING{m} takes ten per cent off. It is for one order."),
    ("Gift cards", "Orders", "A gift card is valid for {n} months. It cannot be used with a voucher."),
    ("Forgotten password", "Account", "We send a code that is valid for {n} minutes."),
    ("Change your password", "Account", "It must have {n} characters. Change it every {m} months."),
    ("Two accounts", "Account", "Write to us with the number {code} and we join them."),
    ("Delete your account", "Account", "Your data is kept for {n} days. Confirm with the code {code}."),
    ("Opening hours of the desk", "Contact", "The desk is open for {m} hours from nine o'clock."),
    ("Opening hours of the shop", "Contact", "The shop is open for {m} hours from ten o'clock."),
    ("Call us", "Contact", "Dial 0800 {code} and choose {m}."),
    ("Call us from abroad", "Contact", "Dial +44 800 {code} and choose {m}."),
)
TOPICS = ("All", "Account", "Contact", "Devices", "Orders")
ZONES = (
    *("Athens", "Auckland", "Berlin", "Bern", "Brisbane", "Cairo", "Chicago", "Dakar", "Dublin", "Helsinki"),
    *("Hong Kong", "Honolulu", "Lima", "Lisbon", "London", "London (Ontario)", "Madrid", "Moscow", "Nairobi", "Oslo"),
    *("Paris", "Perth", "Reykjavik", "Rome", "Santiago", "Santiago (Cape Verde)", "Sydney", "Sydney (Nova Scotia)"),
)
LANGUAGES = ("Dansk", "Deutsch", "English", "English (Ireland)", "Español", "Français", "Italiano", "Norsk", "Suomi")
