"""Names as lists of many countries have them, and the encodings in which their programs saved them. They were chosen
without a look at `tournament/extras/imports/files/names.txt`, by which lists are read."""

from collections.abc import Sequence
from random import Random

NORTH = ("cp1252", "iso-8859-1", "iso-8859-15", "cp850", "cp437", "cp865", "mac-roman")
BALTIC = ("cp1257", "iso-8859-4", "iso-8859-13")
CENTRAL = ("cp1250", "iso-8859-2", "cp852", "mac-latin2")
WEST = ("cp1252", "iso-8859-1", "iso-8859-15", "cp850", "cp437", "mac-roman")
CYRILLIC = ("cp1251", "koi8-r", "iso-8859-5", "cp866", "mac-cyrillic")
UNICODE = ("utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "utf-16")

NAMES: dict[str, tuple[tuple[str, ...], str]] = {
    "fi": (
        (*NORTH, *BALTIC),
        "Kimi Räikkönen, Teemu Selänne, Mika Häkkinen, Jari Litmanen, Sami Hyypiä, Väinö Linna, Minna Canth, "
        "Tove Jansson, Aleksis Kivi, Eero Heinäluoma, Sauli Niinistö, Tarja Halonen, Alexander Stubb, Jyrki Katainen, "
        "Iivo Niskanen, Krista Pärmäkoski, Kerttu Niskanen, Lauri Markkanen, Elina Gustafsson, Wilma Murto, "
        "Pekka Haavisto, Mari Kiviniemi, Antti Törmänen, Päivi Räsänen, Kirsi Välimäki, Seppo Räty, Heli Öhman",
    ),
    "sv": (
        NORTH,
        "Björn Borg, Zlatan Ibra, Annika Sörenstam, Ingmar Bergman, Greta Garbo, Åsa Linderborg, Göran Persson, "
        "Fredrik Reinfeldt, Stefan Löfven, Magdalena Andersson, Håkan Hellström, Börje Salming, Peter Forsberg, "
        "Sarah Sjöström, Charlotte Kalla, Armand Duplantis, Pär Lagerkvist, Selma Lagerlöf, Jan Guillou, "
        "Olof Palme, Tomas Tranströmer, Märta Torén, Östen Undén, Gösta Ekman, Måns Zelmerlöw, Örjan Ramberg",
    ),
    "da": (
        NORTH,
        "Søren Kierkegaard, Hans Christian Ørsted, Niels Bohr, Mette Frederiksen, Lars Løkke Rasmussen, "
        "Helle Thorning-Schmidt, Anders Fogh, Michael Laudrup, Peter Schmeichel, Caroline Wozniacki, Mads Mikkelsen, "
        "Viggo Mortensen, Connie Nielsen, Bjarne Ingels, Jørn Utzon, Arne Jacobsen, Pia Kjærsgaard, Pernille Blume, "
        "Mikkel Hansen, Jonas Vingegaard, Åge Hareide, Jesper Grønkjær, Rasmus Højlund, Kasper Hjulmand",
    ),
    "no": (
        NORTH,
        "Erling Haaland, Martin Ødegaard, Ole Gunnar Solskjær, Marit Bjørgen, Petter Northug, Johannes Høsflot Klæbo, "
        "Therese Johaug, Ole Einar Bjørndalen, Johannes Bø, Tiril Eckhoff, Marte Olsbu Røiseland, Karsten Warholm, "
        "Jakob Ingebrigtsen, Magnus Carlsen, Jens Stoltenberg, Erna Solberg, Jonas Gahr Støre, Bjørnstjerne Bjørnson, "
        "Knut Hamsun, Sigrid Undset, Åge Aleksandersen, Øystein Sunde, Håkon Wium Lie, Åse Kleveland",
    ),
    "is": (
        ("cp1252", "iso-8859-1", "cp850"),
        "Björk Guðmundsdóttir, Vigdís Finnbogadóttir, Halldór Laxness, Guðni Jóhannesson, Katrín Jakobsdóttir, "
        "Ólafur Grímsson, Gylfi Sigurðsson, Eiður Guðjohnsen, Aron Gunnarsson, Sara Gunnarsdóttir, Hannes Halldórsson, "
        "Birkir Bjarnason, Ragnar Sigurðsson, Kári Árnason, Jóhann Guðmundsson, Alfreð Finnbogason, Ari Skúlason, "
        "Hörður Magnússon, Sverrir Ingason, Rúrik Gíslason, Emil Hallfreðsson, Þóra Arnórsdóttir, Dagur Eggertsson",
    ),
    "de": (
        (*WEST, "cp1250", "iso-8859-2", "cp852"),
        "Thomas Müller, Mesut Özil, Manuel Neuer, Jürgen Klopp, Joachim Löw, Jérôme Boateng, İlkay Gündogan, "
        "Rudi Völler, Gerd Müller, Günter Grass, Heinrich Böll, Angela Merkel, Gerhard Schröder, Wolfgang Schäuble, "
        "Annalena Baerbock, Robert Habeck, Jens Weißflog, Magdalena Neuner, Laura Dahlmeier, Denise Herrmann, "
        "Felix Loch, Maria Höfl-Riesch, Karl-Heinz Grasser, Herbert Grönemeyer, Til Schweiger, Jörg Haider",
    ),
    "fr": (
        WEST,
        "Zinédine Zidane, Thierry Henry, Kylian Mbappé, Olivier Giroud, Raphaël Varane, Ousmane Dembélé, N’Golo Kanté, "
        "Aimé Jacquet, François Mitterrand, Valéry Giscard, Emmanuel Macron, Ségolène Royal, Hervé Renard, "
        "Audrey Tautou, Gérard Depardieu, Mélanie Laurent, Léa Seydoux, Édith Piaf, Marie-Thérèse Dubois, Renée Zola, "
        "Benoît Hamon, Anaïs Bescond, Martin Fourcade, Loïs Habert, Justine Braisaz, Émilien Jacquelin, Noël Forgeard",
    ),
    "es": (
        WEST,
        "Rafael Nadal, Andrés Iniesta, Xavi Hernández, Sergio Ramos, David Silva, Fernando Torres, Iker Muniain, "
        "Santi Cazorla, Raúl González, Víctor Valdés, César Azpilicueta, Álvaro Morata, Penélope Cruz, Javier Bardem, "
        "Pedro Almodóvar, Pedro Sánchez, José Zapatero, Mariano Rajoy, Garbiñe Muguruza, Conchita Martínez, "
        "Fernando Verdasco, Miguel Induráin, Alberto Contador, Óscar Freire, Joaquín Sabina, Begoña Peña",
    ),
    "et": (
        ("cp1252", "iso-8859-15", *BALTIC),
        "Ott Tänak, Kersti Kaljulaid, Toomas Ilves, Lennart Meri, Arnold Rüütel, Jüri Ratas, Kaja Kallas, "
        "Kristina Šmigun, Andrus Veerpalu, Jaak Mae, Gerd Kanter, Erki Nool, Baruto Höövelson, Anett Kontaveit, "
        "Kaia Kanepi, Arvo Pärt, Tõnu Kaljuste, Neeme Järvi, Paavo Järvi, Tõnis Mägi, Mihkel Räud, Ülle Lichtfeldt, "
        "Märt Avandi, Veiko Õunpuu, Rasmus Mägi, Õnne Pillak, Jaan Kõrgesaar",
    ),
    "lv": (
        BALTIC,
        "Vaira Vīķe-Freiberga, Valdis Zatlers, Andris Bērziņš, Raimonds Vējonis, Egils Levits, Krišjānis Kariņš, "
        "Aļona Ostapenko, Anastasija Sevastova, Ernests Gulbis, Kristaps Porziņģis, Dāvis Bertāns, Artūrs Irbe, "
        "Sandis Ozoliņš, Zemgus Girgensons, Elvis Merzļikins, Teodors Bļugers, Martins Dukurs, Māris Štrombergs, "
        "Jānis Timma, Rolands Šmits, Laila Pakalniņa, Gidons Krēmers, Mihails Barišņikovs, Raimonds Pauls",
    ),
    "lt": (
        BALTIC,
        "Dalia Grybauskaitė, Gitanas Nausėda, Valdas Adamkus, Ingrida Šimonytė, Andrius Kubilius, Saulius Skvernelis, "
        "Arvydas Sabonis, Domantas Sabonis, Jonas Valančiūnas, Šarūnas Jasikevičius, Šarūnas Marčiulionis, "
        "Rimas Kurtinaitis, Mantas Kalnietis, Rūta Meilutytė, Virgilijus Alekna, Laura Asadauskaitė, "
        "Ričardas Berankis, Mykolas Čiurlionis, Salomėja Nėris, Justinas Marcinkevičius, Jurga Ivanauskaitė, "
        "Žydrūnas Ilgauskas, Edgaras Jankauskas, Deividas Šemberas",
    ),
    "pl": (
        CENTRAL,
        "Robert Lewandowski, Wojciech Szczęsny, Łukasz Fabiański, Jakub Błaszczykowski, Łukasz Piszczek, "
        "Kamil Glik, Grzegorz Krychowiak, Piotr Zieliński, Arkadiusz Milik, Iga Świątek, Agnieszka Radwańska, "
        "Adam Małysz, Kamil Stoch, Justyna Kowalczyk, Lech Wałęsa, Aleksander Kwaśniewski, Lech Kaczyński, "
        "Bronisław Komorowski, Andrzej Duda, Donald Tusk, Wisława Szymborska, Czesław Miłosz, Stanisław Lem, "
        "Olga Tokarczuk, Krzysztof Kieślowski, Paweł Pawlikowski, Małgorzata Foremniak",
    ),
    "cs": (
        CENTRAL,
        "Václav Havel, Václav Klaus, Miloš Zeman, Petr Pavel, Petr Čech, Pavel Nedvěd, Tomáš Rosický, Jan Koller, "
        "Milan Baroš, Vladimír Šmicer, Petra Kvitová, Karolína Plíšková, Barbora Krejčíková, Markéta Vondroušová, "
        "Tomáš Berdych, Radek Štěpánek, Jaromír Jágr, Dominik Hašek, Martina Sáblíková, Ester Ledecká, "
        "Gabriela Koukalová, Bohumil Hrabal, Jaroslav Hašek, Miloš Forman, Jiří Menzel, Antonín Dvořák",
    ),
    "hu": (
        CENTRAL,
        "Ferenc Puskás, Sándor Kocsis, Nándor Hidegkuti, József Bozsik, Gyula Grosics, László Kubala, Zoltán Gera, "
        "Balázs Dzsudzsák, Gábor Király, Ádám Szalai, Dominik Szoboszlai, Péter Gulácsi, Viktor Orbán, Gordon Bajnai, "
        "Ferenc Gyurcsány, János Áder, Katalin Novák, Imre Kertész, Péter Esterházy, Krisztina Egerszegi, "
        "Katinka Hosszú, Krisztián Pars, Áron Szilágyi, Danuta Kozák, László Cseh, Judit Polgár, Péter Lékó, "
        "Jenő Hubay, Győző Leblanc",
    ),
    "tr": (
        ("cp1254",),
        "Recep Erdoğan, Ahmet Davutoğlu, Binali Yıldırım, Abdullah Gül, Ekrem İmamoğlu, Kemal Kılıçdaroğlu, "
        "Hakan Şükür, Emre Belözoğlu, Arda Turan, Hakan Çalhanoğlu, Rüştü Reçber, Tuncay Şanlı, Orhan Pamuk, "
        "Elif Şafak, Yaşar Kemal, Nuri Ceylan, Fazıl Say, Cüneyt Çakır, Naim Süleymanoğlu, Çağla Büyükakçay",
    ),
    "ru": (
        CYRILLIC,
        "Юрий Гагарин, Валентина Терешкова, Лев Толстой, Фёдор Достоевский, Антон Чехов, Анна Ахматова, "
        "Марина Цветаева, Борис Пастернак, Иосиф Бродский, Анатолий Карпов, Гарри Каспаров, Владимир Крамник, "
        "Ян Непомнящий, Мария Шарапова, Евгений Кафельников, Марат Сафин, Даниил Медведев, Андрей Рублёв, "
        "Лев Яшин, Андрей Аршавин, Ольга Корбут, Светлана Хоркина, Евгений Плющенко, Алина Загитова",
    ),
    "el": (
        ("cp1253", "iso-8859-7"),
        "Γιώργος Σεφέρης, Οδυσσέας Ελύτης, Κωνσταντίνος Καβάφης, Νίκος Καζαντζάκης, Μίκης Θεοδωράκης, "
        "Μαρία Κάλλας, Μελίνα Μερκούρη, Ειρήνη Παππά, Θόδωρος Αγγελόπουλος, Κυριάκος Μητσοτάκης, Αλέξης Τσίπρας, "
        "Στέφανος Τσιτσιπάς, Μαρία Σάκκαρη, Γιάννης Αντετοκούνμπο, Κατερίνα Στεφανίδη, Άγγελος Χαριστέας, "
        "Θεόδωρος Ζαγοράκης, Αντώνης Νικοπολίδης, Πύρρος Δήμας, Βούλα Πατουλίδου",
    ),
}


def list_of(language: str, size: int, seed: int = 0) -> str:
    """A list of so many names with headings and clubs, which are anybody's; full names are mixed."""
    chance = Random(seed)
    full = [name.split(" ", 1) for name in NAMES[language][1].split(", ")]
    firsts, lasts = ([name[at] for name in full] for at in (0, 1))
    rows = [f"{first} {last}" for first, last in full] if size == len(full) else []
    rows = rows or [f"{chance.choice(firsts)} {chance.choice(lasts)}" for _row in range(size)]
    return "\r\n".join(
        ["Nimi;Kerho", *(f"{name};{chance.choice(('Noppa', 'Arpa', ''))}" for name in rows), ""]
    )


def encodings_of(language: str) -> Sequence[str]:
    """The encodings in which a list of this language comes."""
    return (*UNICODE, *NAMES[language][0])
