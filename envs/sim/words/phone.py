"""Texts for the phone's own apps: tasks, dates, songs, pictures, networks."""

from __future__ import annotations

NEAR_PEOPLE = (
    ("Mark Olsen", "Marc Olson"),
    ("Julia Stern", "Julian Stern"),
    ("Peter Lang", "Petra Lang"),
    ("Anna Berg", "Anne Berger"),
    ("Daniel Cross", "Danielle Cross"),
    ("Frida Moss", "Frieda Moos"),
)
PEOPLE = ("Rosa Delgado", "Stefan Wirth", "Aiko Mori", "Ben Carter", "Chloe Dubois", "Emil Larsson", "Zoe Papadakis")
COMPANIES = ("Northwind", "Harbor Clinic", "Linden School", "Harbour Clinic", "Nordwind", "")
TODOS = (
    ("Buy printer paper", "Buy printer ink"),
    ("Call the dentist", "Call the dentist back"),
    ("Pay the water bill", "Pay the winter tyres"),
    ("Return the library books", "Renew the library card"),
    ("Water the plants", "Water the plants"),
    ("Send the report to Irene", "Send the receipt to Irene"),
    ("Book train tickets", "Book theatre tickets"),
    ("Fix the bike light", "Fix the back light"),
    ("Clean the kitchen", "Clean the kitchen lamp"),
    ("Order new glasses", "Order new glasses"),
    ("Write to the landlord", "Write to the land office"),
    ("Check the smoke alarm", "Change the smoke alarm"),
    ("Pick up the parcel", "Pick up the parcel"),
    ("Pack the tent", "Pack the rent papers"),
    ("Print the boarding pass", "Print the parking pass"),
)
DETAILS = ("Ask for a receipt", "Before noon", "The number is on the fridge", "Take the old one along", "", "", "")
APPOINTMENTS = (
    ("Team meeting", "Team lunch"),
    ("Dentist", "Dentist with Clara"),
    ("Piano lesson", "Piano concert"),
    ("Project review", "Project preview"),
    ("Gym", "Gym"),
    ("Call with the bank", "Call with the band"),
    ("Parents' evening", "Parents' evening"),
    ("Swimming", "Swimming course"),
    ("Haircut", "Hair colour"),
    ("Interview, room 4", "Interview, room 14"),
    ("Book club", "Book fair"),
    ("Car inspection", "Car collection"),
)
INVITATIONS = ("Budget meeting", "Budget hearing", "Farewell drinks", "Summer planning")
PLACES = ("Room 4", "Room 14", "Harbor Clinic", "Linden School", "Café Linde", "North gate", "Town hall", "")
SONGS = (
    "Silver River",
    "Silver Rivers",
    "Home Again",
    "Home Again",
    "Paper Boats",
    "Paper Boat",
    "Night Train",
    "Night Rain",
    "Golden Hour",
    "Golden House",
    "Blue Window",
    "Blue Widow",
    "Long Way Down",
    "Long Way Round",
    "Morning Bells",
    "Evening Bells",
    "Slow Dance",
    "Snow Dance",
    "Lighthouse",
    "Light House",
    "Seven Steps",
    "Seventh Step",
    "Wild Roses",
    "White Roses",
    "Over the Hill",
    "Over the Wall",
)
ARTISTS = ("The Lanterns", "Mira Vale", "Oak & Ash", "Harbour Lights", "The Lantern Club", "Otto Brand")
RECORDS = ("First Light", "Low Tide", "Rooms", "Letters Home")
PLAYLISTS = ("Morning", "Evening", "Running", "Cooking")
SCENE_NAMES = {
    "balloons": "Balloons",
    "boats": "Boats",
    "trees": "Trees",
    "houses": "Houses",
    "flowers": "Flowers",
    "peaks": "Peaks",
}
TOWNS = ("Porto", "Bergen", "Lugano", "Kyoto", "Aarhus", "Riga")
NETWORKS = (
    "Harbor-Guest",
    "Harbor-Guests",
    "Harbour-Guest",
    "Linden-5G",
    "Linden-2G",
    "Linden_5G",
    "FRITZ-3471",
    "FRITZ-3417",
    "Café Linde",
    "Cafe Linden",
    "Library",
    "Library Staff",
    "Northwind",
    "Northwind-IoT",
    "lakeside",
    "lakeside2",
    "Room 4",
    "Room 14",
    "Train WiFi",
    "Tram WiFi",
    "Upstairs",
    "Upstairs-EXT",
)
LANGUAGES = (
    "Dansk",
    "Deutsch",
    "English",
    "English (Ireland)",
    "Español",
    "Español (México)",
    "Français",
    "Italiano",
    "Nederlands",
    "Norsk",
    "Polski",
    "Português",
    "Português (Brasil)",
    "Suomi",
    "Svenska",
    "Türkçe",
)
SAID = (
    "the code is {code}",
    "the room is {hour}",
    "please call back today",
    "please call back tomorrow",
    "the time is {code}",
)
"""Voicemail messages, in words available to the recorded voices."""
MORE_ALARMS = ("Medicine, late", "Laundry out", "Lock up")
NEAR_ALARMS = (
    ("School bus", "School bus, late", 7),
    ("Early shift", "Early shift, Sunday", 4),
    ("Tablets", "Tablets", 21),
    ("Feed the cat", "Feed the cats", 6),
    ("Yoga", "Yoga class", 5),
    ("Call Ana", "Call Anna", 20),
    ("Heating on", "Heating off", 22),
    ("Wash the car", "Wash the cart", 6),
)
"""Two labels, and the hour of both alarms, which are half an hour apart."""
