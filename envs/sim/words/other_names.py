"""Names that stand for those of the world's people, places and products in its variation `names`.

Names that are easily mistaken for one another stay so: "Ana Silva" and "Ana Silveira" become "Lia Ramos" and "Lia
Ramires".
"""

from __future__ import annotations

from collections.abc import Mapping

PEOPLE: Mapping[str, str] = dict(
    pair.split(" = ")
    for line in """
    Robin = Kim | Avery = Sutton | Sam = Pat | Whitlock = Ellery | Alex = Dominic | Moreau = Vance | Jamie = Charlie
    Castell = Brandt | Ana = Lia | Silva = Ramos | Silveira = Ramires | Jon = Rob | John = Robb | Peters = Andrews
    Peterson = Anderson | Maria = Paola | Marina = Paolina | Costa = Neves | Lee = Kai | Lea = Kaia | Wong = Sung
    Eric = Filip | Erik = Philip | Holm = Dahl | Holmes = Dahlen | Sara = Nora | Sarah = Norah | Kent = Frost
    Priya = Asha | Nair = Rao | Tom = Max | Becker = Huber | Yuki = Hana | Tanaka = Sato | Omar = Karim
    Haddad = Nasser | Nina = Bianca | Rossi = Conti | Carl = Lars | Jensen = Nygaard | Leila = Samira | Farah = Aziz
    Hugo = Louis | Martin = Bernard | Grace = Joy | Obi = Eze | Ivan = Boris | Petrov = Volkov | Dana = Jill
    Fisher = Hunter | Victor = Henry | Chen = Lin | Paul = Alan | Irene = Helen | Kofi = Kwame | Mei = Xia
    Oscar = Edgar | Ruth = Edith | Amir = Farid | Clara = Stella | Mark = Nick | Olsen = Hansen | Marc = Nic
    Olson = Hanson | Julia = Adriana | Julian = Adrian | Stern = Vogt | Peter = Gabriel | Petra = Gabriela | Lang = Kern
    Anna = Ella | Anne = Elle | Berg = Thal | Berger = Thaler | Daniel = Michel | Danielle = Michelle | Cross = Stone
    Frida = Thea | Frieda = Theia | Moss = Reed | Moos = Reet | Rosa = Inez | Delgado = Fuentes | Stefan = Konrad
    Wirth = Maurer | Aiko = Emi | Mori = Kato | Ben = Luke | Carter = Mason | Chloe = Elodie | Dubois = Garnier
    Emil = Axel | Emilia = Axelle | Larsson = Lindgren | Zoe = Eleni | Papadakis = Markou | Abel = Noel | Abela = Noela
    Bruno = Arno | Carla = Vera | Carlo = Vero | Dina = Rita | Edda = Gesa | Finn = Joris | Greta = Lotte
    Hanna = Tessa | Hannes = Tessen | Ida = Ute | Jonas = Lukas | Jona = Luka | Kira = Alma | Leo = Theo
    Leona = Theona | Marta = Berta | Nils = Knut | Olga = Vilma | Pia = Mia | Sven = Uwe | Tilda = Hilda | Otto = Hans
    Brand = Keller | Mira = Vida | Vale = Grove
    """.split("\n")
    for pair in line.strip().split(" | ")
    if pair
)
"""Words of people's names; addresses and ids have them in lower case."""
PLACES: Mapping[str, str] = {
    "Northwind": "Eastgate",
    "Nordwind": "Ostgate",
    "Harbor": "Haven",
    "Harbour": "Havens",
    "Linden": "Willow",
    "Linde": "Willo",
    "Mill": "Forge",
    "Fjord": "Geyser",
    "Porto": "Cadiz",
    "Bergen": "Turku",
    "Lugano": "Como",
    "Kyoto": "Nara",
    "Aarhus": "Odense",
    "Riga": "Tartu",
    "Oak Avenue": "Elm Avenue",
}
"""Words of the names of places, companies and networks."""
DOMAINS: Mapping[str, str] = {"northwind": "eastgate", "harbor": "haven", "linden": "willow"}
"""Words of addresses alone: in a text, a harbor is a harbor."""
PRODUCTS: Mapping[str, str] = {
    "Desk lamp": "Floor lamp",
    "Reading light": "Book light",
    "Kettle": "Coffee maker",
    "Toaster": "Sandwich grill",
    "Tea pot": "Milk jug",
    "Backpack": "Rucksack",
    "Travel pillow": "Neck cushion",
    "Suitcase": "Trolley",
    "Headphones": "Earphones",
    "Radio": "Tuner",
    "Notebook": "Writing pad",
    "Pencils": "Crayons",
}
"""Names of what the shop sells."""
