"""What headings call columns, in any language: one dictionary, made of the declarations of columns and of these words.

:func:`meanings_of` says what a heading may mean; :func:`column_of` which contestants' column it names in this program's
own words, with a number or letter where one belongs to it. Those words are in :mod:`resultproc.model.columns`, beside
the columns; here are the others, a part for each language; another language is a part more.

A word is compared without letter case, accents, dots and blanks. Where a word stands under several names, what is in
the column decides. Names: place (a rank), number (of the contestant), names (of one player or of all), player (one),
north, south, east, west (a player's seat); percentage; score (matchpoints or what else a total is), imps, vps; award
(masterpoints won; the points of other bodies are unread); member (a member number), section, direction, stratum, table,
wins, carryover, adjustment, handicap; unread (what ranks and awards don't need); boards (columns of tables of single
boards: no list of results). This is Python and no TOML because it is loaded compiled: to parse it took a third of the
time that a list is read in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

from resultproc.model.columns import CONTESTANT_COLUMNS
from resultproc.model.game import EAST_WEST, NORTH_SOUTH
from resultproc.model.text import folded, tidy

# fmt: off
WORDS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "english": {
        "place": (
            "place", "pos", "posn", "position", "rank", "rk", "pl", "plc", "ranking", "standing", "finish", "placing",
        ),
        "number": (
            "num", "pair nr", "pair #", "pr", "pair id", "team #", "player no", "entry", "contestant", "id", "nos",
            "prno", "seat",
        ),
        "names": (
            "name", "names", "pair", "pairs", "pair names", "players", "player", "player names", "player name",
            "partnership", "partners", "members", "team", "teams", "team members", "competitors", "contestants",
            "name of players", "who", "team name", "teamname", "roster", "contestant", "names of players", "name(s)",
            "player(s)",
        ),
        "player": (
            "player 1", "player 2", "player 3", "player 4", "partner", "player1", "player2", "first player",
            "second player", "name 1", "name 2", "player a", "player b", "1st player", "2nd player",
        ),
        "north": ("n", "north", "north player", "n player"),
        "south": ("s", "south", "south player", "s player"),
        "east": ("e", "east", "east player", "e player"),
        "west": ("w", "west", "west player", "w player"),
        "percentage": (
            "result", "totalpercentage", "sessionpercentage", "final %", "result %", "scr%", "score", "session pct",
            "total pct", "average %", "% total", "% mp", "scratch %", "scratch", "raw %", "net %", "net", "gross %",
            "handicap %", "hcp %", "with handicap",
        ),
        "score": (
            "points", "pts", "totals", "result", "totalscoremp", "sessionscoremp", "total mps", "total points",
            "pointsscored", "scr", "matchpoint score", "total mp", "total matchpoints", "final", "sum", "scores", "tot",
            "match score", "match scores", "boards won", "won boards",
        ),
        "imps": (
            "imps", "imp", "butler", "butlern", "x-imps", "ximps", "cross-imps", "cross imps", "total imps",
            "imp score", "sessionscoreimp", "totalscoreimp", "imps won", "datum", "net imps",
        ),
        "vps": ("vp", "vps", "victory points", "victorypoints", "total vp", "total vps"),
        "award": ("mpts", "m/ps", "acbl masterpoints", "mps awarded", "points won", "mpoints"),
        "member": ("player number", "player no", "m-id", "ref no"),
        "section": ("sect", "sectn"),
        "direction": ("n/s or e/w", "orientation", "seating", "dirn"),
        "stratum": ("flgt",),
        "table": ("table", "tbl", "start table", "starting table", "table no"),
        "wins": ("win",),
        "carryover": ("carry", "carry forward", "c/f"),
        "adjustment": ("adjust", "penalty", "penalties", "pen", "adjustments", "bonus"),
        "handicap": ("h'cap", "h/cap"),
        "unread": (
            "lps", "local points", "local", "club points", "ngs", "grade", "county", "club", "boards played", "played",
            "boards", "tops", "top", "bottoms", "rating", "diff", "difference", "country", "state", "max", "maximum",
            "avg", "average", "colour", "color", "points colour", "green", "black", "rounds", "bds", "max score",
            "out of", "possible", "draws", "losses", "lost", "drawn", "matches", "played boards", "rank change",
            "captain", "capitaine", "capitan", "kapitan", "tie", "tiebreak", "count", "sex", "age", "zone", "prize",
            "qualified", "m-id",
        ),
        "boards": (
            "board", "bd", "ns", "ew", "bimpn", "contract", "contr", "declarer", "decl", "by", "lead", "ld", "tricks",
            "trk", "ns+", "ns-", "result ns", "dealer", "vul", "bid", "made", "opps", "versus", "vs", "opponents",
            "round",
        ),
    },
    "french": {
        "place": ("rang", "clt", "class", "classement", "cl", "rg", "place"),
        "number": ("paire", "no paire", "numero", "n°", "num paire", "no", "equipe", "n° paire", "num"),
        "names": (
            "noms", "nom", "paire", "paires", "joueurs", "joueur", "equipe", "equipes", "nom des joueurs",
            "noms des joueurs", "nom prenom", "prenom nom", "equipiers",
        ),
        "player": ("joueur 1", "joueur 2", "partenaire", "joueur1", "joueur2"),
        "north": ("nord",),
        "south": ("sud",),
        "east": ("est",),
        "west": ("ouest", "o"),
        "percentage": ("pourcentage", "pourcent", "moyenne", "moy", "% moyen", "resultat"),
        "score": ("total", "points", "marque", "note", "resultat", "topage", "pts", "points de match", "pts de match"),
        "vps": ("pv", "points de victoire"),
        "imps": ("imp",),
        "member": ("licence", "no licence", "n° licence"),
        "section": ("section", "sect", "groupe"),
        "direction": ("ligne", "orientation", "axe"),
        "table": ("table",),
        "handicap": ("handicap",),
        "adjustment": ("penalite", "penalites"),
        "unread": (
            "rang general", "rang national", "rang ligue", "pe", "pp", "points d'expert", "points expert", "pts expert",
            "iv", "indice", "club", "comite", "bonus", "serie", "cat", "categorie",
        ),
        "boards": ("donne", "etui", "contrat", "declarant", "entame", "levees"),
    },
    "spanish": {
        "place": ("puesto", "posicion", "lugar", "clasificacion", "orden", "pto", "puest"),
        "number": ("pareja", "par", "numero", "num", "no pareja", "equipo", "n°", "nº", "nº pareja"),
        "names": (
            "nombre", "nombres", "pareja", "parejas", "jugadores", "jugador", "equipo", "equipos", "integrantes",
            "nombre y apellidos",
        ),
        "player": ("jugador 1", "jugador 2", "companero", "jugador1", "jugador2"),
        "north": ("norte",),
        "south": ("sur",),
        "east": ("este",),
        "west": ("oeste", "o"),
        "percentage": ("porcentaje", "porciento", "promedio", "resultado", "porc"),
        "score": ("puntos", "total", "puntuacion", "resultado", "ptos", "puntaje", "total puntos", "puntos totales"),
        "vps": ("pv", "puntos de victoria"),
        "member": ("licencia", "no socio", "nº licencia", "socio"),
        "section": ("seccion", "grupo"),
        "direction": ("linea", "direccion", "orientacion"),
        "table": ("mesa",),
        "handicap": ("handicap",),
        "adjustment": ("penalidad", "penalizacion", "ajuste"),
        "unread": (
            "puntos maestro", "pm", "puntos master", "club", "categoria", "cat", "federacion", "pais", "delegacion",
        ),
        "boards": ("mano", "estuche", "contrato", "carteo", "salida", "bazas", "declarante"),
    },
    "polish": {
        "place": ("miejsce", "m-ce", "lokata", "m", "msc", "poz", "pozycja", "mce", "lp", "m."),
        "number": ("nr", "numer", "nr pary", "para", "numer pary", "nr teamu", "team"),
        "names": (
            "nazwiska", "nazwisko", "zawodnicy", "zawodnik", "para", "pary", "nazwisko i imie", "imie i nazwisko",
            "gracze", "druzyna", "team", "sklad", "nazwa", "imiona i nazwiska", "uczestnicy", "uczestnik",
        ),
        "player": ("zawodnik 1", "zawodnik 2", "partner", "gracz 1", "gracz 2", "nazwisko 1", "nazwisko 2"),
        "north": ("polnoc",),
        "south": ("poludnie",),
        "east": ("wschod",),
        "west": ("zachod",),
        "percentage": ("procent", "wynik", "srednia", "proc", "wynik %", "procenty"),
        "score": ("wynik", "punkty", "suma", "maksy", "pkt", "maxy", "razem", "maks"),
        "imps": ("impy", "imp", "butler", "wynik imp"),
        "vps": ("vp", "pz"),
        "member": ("pid", "nr leg", "legitymacja", "pzbs"),
        "section": ("sektor", "grupa"),
        "direction": ("linia", "kierunek"),
        "table": ("stol", "stolik"),
        "adjustment": ("kary", "kara", "korekta"),
        "carryover": ("przeniesienie", "carry-over"),
        "unread": (
            "pkl", "pdf", "wk", "okreg", "klub", "okr", "wojewodztwo", "tytul", "kat", "ranking", "swk", "miasto",
            "nagroda", "nagrody", "uwagi", "rozd", "rozdan", "zmiana", "miejscowosc",
        ),
        "boards": (
            "rozdanie", "kontrakt", "wist", "lew", "lewy", "rozgrywa", "zapis", "rozgrywajacy", "zapis ns", "zapis ew",
            "przeciwnik",
        ),
    },
    "romanian": {
        "place": ("loc", "locul", "clasament", "poz", "pozitia", "pozitie", "rang"),
        "number": ("pereche", "perechea", "nr", "numar", "nr pereche", "nr perechii", "nr crt", "echipa", "axa"),
        "names": (
            "nume", "numele", "perechi", "pereche", "perechea", "jucatori", "jucator", "echipa", "echipe", "componenta",
            "nume jucatori", "jucatorii",
        ),
        "player": ("jucator 1", "jucator 2", "partener", "jucatorul 1", "jucatorul 2"),
        "north": ("nord",),
        "south": ("sud",),
        "east": ("est",),
        "west": ("vest", "v"),
        "percentage": ("procent", "procentaj", "procente", "scor", "rezultat", "media"),
        "score": ("scor", "puncte", "total", "punctaj", "rezultat", "puncte match", "pct"),
        "imps": ("imp", "impuri"),
        "vps": ("pv", "puncte victorie", "pct victorie"),
        "section": ("sectiune", "sectiunea", "grupa"),
        "direction": ("axa", "linia", "directia", "linie"),
        "table": ("masa",),
        "handicap": ("handicap",),
        "adjustment": ("penalizare", "penalizari"),
        "unread": (
            "pm", "puncte maestru", "pe", "top", "club", "oras", "localitate", "puncte de expert", "puncte expert",
            "judet", "categorie",
        ),
        "boards": ("dona", "mana", "contract", "declarant", "atac", "levate", "etui"),
    },
    "portuguese": {
        "place": ("lugar", "classificacao", "posicao", "clas", "class"),
        "number": ("dupla", "no dupla", "par", "numero", "n°", "nº", "equipe"),
        "names": ("duplas", "dupla", "pares", "par", "nomes", "nome", "jogadores", "jogador", "equipe", "equipes"),
        "north": ("norte",),
        "south": ("sul",),
        "east": ("leste", "este"),
        "west": ("oeste",),
        "percentage": ("porcentagem", "percentagem", "porcentual", "percentual", "perc"),
        "score": ("pontos", "total", "pontuacao"),
        "table": ("mesa",),
    },
    "german": {
        "place": ("platz", "rang", "rg", "platzierung"),
        "number": ("paar", "paar-nr", "paarnr", "paarnummer", "startnummer", "startnr", "nr", "nummer", "team-nr"),
        "names": (
            "namen", "name", "spieler", "paar", "paare", "teilnehmer", "team", "teams", "mannschaft",
            "vor- und nachname",
        ),
        "player": ("spieler 1", "spieler 2", "spieler a", "spieler b", "partner"),
        "south": ("süd",),
        "east": ("ost",),
        "percentage": ("prozent", "prozente", "ergebnis", "proz"),
        "score": ("punkte", "ergebnis", "summe", "gesamt", "matchpunkte"),
        "vps": ("siegpunkte",),
        "member": ("mitgliedsnummer", "mitgliedsnr", "dbv-nr"),
        "section": ("gruppe", "sektion"),
        "direction": ("richtung", "linie", "achse"),
        "table": ("tisch",),
        "unread": ("verein", "cp", "clubpunkte", "ort", "land", "kategorie", "bemerkung"),
        "boards": ("kontrakt", "ausspiel", "stiche", "alleinspieler"),
    },
    "dutch": {
        "place": ("plaats", "rang", "positie", "plts"),
        "number": ("paar", "paarnr", "paarnummer", "nr", "nummer", "startnummer"),
        "names": ("namen", "naam", "spelers", "speler", "paar", "paren", "viertal", "viertallen", "team", "deelnemers"),
        "player": ("speler 1", "speler 2", "partner"),
        "north": ("noord",),
        "south": ("zuid",),
        "east": ("oost",),
        "percentage": ("percentage", "procent", "uitslag", "perc"),
        "score": ("punten", "totaal", "uitslag", "matchpunten"),
        "member": ("lidnr", "lidnummer", "nbb-nr", "nbb nummer"),
        "section": ("lijn", "groep", "poule"),
        "direction": ("lijn", "richting", "windrichting"),
        "table": ("tafel",),
        "unread": ("district", "vereniging", "meesterpunten", "gemiddelde", "gem", "stad", "woonplaats", "opmerkingen"),
        "boards": ("spel", "contract", "leider", "uitkomst", "slagen"),
    },
    "italian": {
        "place": ("classifica", "posizione", "posto", "clas"),
        "number": ("coppia", "numero", "n coppia", "num coppia", "squadra"),
        "names": (
            "coppia", "coppie", "nomi", "nome", "giocatori", "giocatore", "nominativo", "nominativi", "squadra",
            "squadre", "componenti",
        ),
        "player": ("giocatore 1", "giocatore 2", "nome 1", "nome 2", "compagno"),
        "south": ("sud",),
        "west": ("ovest",),
        "percentage": ("percentuale", "risultato", "perc"),
        "score": ("punti", "punteggio", "totale", "risultato"),
        "member": ("tessera", "codice", "cod figb"),
        "section": ("girone", "gruppo", "settore"),
        "direction": ("linea", "direzione"),
        "table": ("tavolo",),
        "unread": ("associazione", "asd", "società", "categoria", "città", "punti federali", "premi", "note"),
        "boards": ("mano", "contratto", "dichiarante", "attacco", "prese"),
    },
    "swedish": {
        "place": ("plac", "placering", "plats"),
        "number": ("par", "parnr", "par nr", "nr", "startnr", "lag"),
        "names": ("namn", "spelare", "par", "lag", "deltagare"),
        "player": ("spelare 1", "spelare 2", "partner"),
        "south": ("syd",),
        "east": ("öst",),
        "west": ("väst",),
        "percentage": ("procent", "resultat"),
        "score": ("poäng", "resultat", "summa", "totalt"),
        "member": ("medlemsnr", "medlemsnummer"),
        "section": ("grupp", "sektion", "pulje"),
        "direction": ("riktning",),
        "table": ("bord",),
        "unread": ("klubb", "bp", "mästarpoäng", "ort", "distrikt", "anmärkning"),
        "boards": ("bricka", "kontrakt", "utspel", "spelförare", "stick"),
    },
    "norwegian": {
        "place": ("plass", "plassering", "plas"),
        "number": ("par", "parnr", "nr", "startnr", "lag"),
        "names": ("navn", "spillere", "spiller", "par", "lag", "deltakere"),
        "player": ("spiller 1", "spiller 2", "makker"),
        "south": ("sør", "syd"),
        "east": ("øst",),
        "west": ("vest",),
        "percentage": ("prosent", "resultat", "prs"),
        "score": ("poeng", "resultat", "sum", "totalt"),
        "section": ("gruppe", "pulje"),
        "table": ("bord",),
        "unread": ("klubb", "krets", "kp", "fp", "mesterpoeng"),
        "boards": ("spill", "kontrakt", "utspill", "spillefører", "stikk"),
    },
    "danish": {
        "place": ("placering", "plads", "plac"),
        "number": ("par", "parnr", "nr", "hold"),
        "names": ("navn", "navne", "spillere", "spiller", "par", "hold", "deltagere"),
        "player": ("spiller 1", "spiller 2", "makker"),
        "south": ("syd",),
        "east": ("øst",),
        "west": ("vest",),
        "percentage": ("procent", "resultat", "pct"),
        "score": ("point", "resultat", "sum", "i alt"),
        "section": ("række", "gruppe"),
        "table": ("bord",),
        "unread": ("klub", "distrikt", "mesterpoint", "handicappoint"),
        "boards": ("spil", "kontrakt", "udspil", "spilfører", "stik"),
    },
    "finnish": {
        "place": ("sija", "sijoitus", "sijat"),
        "number": ("pari", "parinro", "nro", "numero", "joukkue"),
        "names": ("nimet", "nimi", "pelaajat", "pelaaja", "pari", "parit", "joukkue"),
        "player": ("pelaaja 1", "pelaaja 2", "partneri"),
        "percentage": ("prosentti", "prosentit", "tulos"),
        "score": ("pisteet", "tulos", "yhteensä"),
        "section": ("lohko", "ryhmä"),
        "table": ("pöytä",),
        "unread": ("kerho", "seura", "mestaripisteet"),
        "boards": ("jako", "sitoumus", "lähtö", "pelinviejä", "tikit"),
    },
    "turkish": {
        "place": ("sıra", "sira", "derece"),
        "number": ("çift no", "çift", "no", "takım no"),
        "names": ("oyuncular", "oyuncu", "isim", "isimler", "ad soyad", "adı soyadı", "çift", "takım", "sporcular"),
        "player": ("oyuncu 1", "oyuncu 2", "oyuncu1", "oyuncu2"),
        "north": ("kuzey",),
        "south": ("güney",),
        "east": ("doğu",),
        "west": ("batı",),
        "percentage": ("yüzde", "skor", "sonuç"),
        "score": ("skor", "puan", "toplam", "sonuç"),
        "section": ("grup", "bölüm", "salon"),
        "direction": ("yön",),
        "unread": ("kulüp", "il", "şehir"),
        "boards": ("el", "kontrat", "deklaran", "atak"),
    },
    "hungarian": {
        "place": ("helyezés", "hely", "helyezett"),
        "number": ("pár", "párszám", "sorszám", "csapat"),
        "names": ("név", "nevek", "játékos", "játékosok", "pár", "párok", "csapat"),
        "player": ("játékos 1", "játékos 2", "1 játékos", "2 játékos", "partner"),
        "percentage": ("százalék", "eredmény"),
        "score": ("pont", "pontok", "pontszám", "eredmény", "összesen"),
        "section": ("szekció", "csoport"),
        "direction": ("vonal", "irány"),
        "unread": ("egyesület", "város", "mesterpont"),
    },
    "czech": {
        "place": ("pořadí", "umístění", "místo", "poradie"),
        "number": ("pár", "dvojice", "číslo", "číslo páru", "družstvo"),
        "names": ("hráči", "hráč", "jména", "jméno", "dvojice", "pár", "páry", "družstvo", "tým", "mená", "hráči páru"),
        "player": ("hráč 1", "hráč 2", "partner"),
        "percentage": ("procenta", "procento", "výsledek", "výsledok"),
        "score": ("body", "skóre", "výsledek", "výsledok", "celkem"),
        "section": ("skupina", "sekce"),
        "direction": ("linie", "směr"),
        "unread": ("oddíl", "město", "KB"),
    },
    "croatian": {
        "place": ("mjesto", "mesto", "plasman", "rang"),
        "number": ("par", "broj", "br", "broj para", "ekipa"),
        "names": ("igrači", "igrač", "imena", "ime", "par", "parovi", "pari", "ekipa", "ime i prezime", "igralci"),
        "player": ("igrač 1", "igrač 2", "partner"),
        "percentage": ("postotak", "procenat", "odstotek", "rezultat"),
        "score": ("bodovi", "poeni", "rezultat", "točke"),
        "section": ("grupa", "skupina"),
        "unread": ("klub", "grad"),
    },
    # What stands for nobody where a name would be, and what begins a row of sums, in any of the languages. English ones
    # are known to all tables.
    "sums": {
        "words": (
            "total", "totals", "average", "avg", "mean", "medie", "media", "moyenne", "promedio", "srednia", "suma",
            "sum", "sums", "averages", "median", "count", "razem", "ogolem", "maximum", "max", "top", "topage",
        ),
    },
    # How headings of first names and of last names end, where each has a column.
    "given": {
        "words": (
            "first name", "given name", "forename", "first", "prenom", "vorname", "nombre", "voornaam", "förnamn",
            "fornavn", "imie", "etunimi", "prenume", "nome", "ad",
        ),
    },
    "family": {
        "words": (
            "last name", "surname", "family name", "last", "nom", "nachname", "apellido", "apellidos", "achternaam",
            "efternamn", "etternavn", "efternavn", "nazwisko", "sukunimi", "nume", "cognome", "sobrenome", "apelido",
            "soyad",
        ),
    },
    # Those among these that are rows of the most that can be reached.
    "tops": {
        "words": ("maximum", "max", "top", "topage"),
    },
    # What titles count, by what that is in English: as they are written, in small letters.
    "counts": {
        "tables": ("mesas", "mesa", "stoły", "stołów", "stoliki", "stolików", "mese", "masa"),
        "boards": ("donnes", "donne", "étuis", "manos", "estuches", "rozdań", "rozdania", "rozdanie", "done", "dona"),
        "matches": (
            "matchs", "rencontres", "partidos", "encuentros", "mecze", "meczów", "meciuri", "tours", "rondas", "rund",
            "rundy", "runde",
        ),
    },
    # How words begin that name the kind of an event, without accents.
    "events": {
        "swiss": ("swiss", "suisse", "suiz[oa]", "szwajcar", "elvetian"),
        "individual": ("individual", "individuel", "indywidual", r"indiv\b"),
        "pairs": ("pair", "paire", "pareja", r"para\b", r"pary\b", r"par\b", "perech", "partnership", "mixte"),
        "teams": ("team", "equipe", "equipo", "druzyn", "echip", "quatre"),
    },
    # What stands before a name and is none, such as that of a couple: "Mr & Mrs Poe".
    "titles": {
        "words": (
            "mr", "mrs", "ms", "miss", "dr", "prof", "sir", "lady", "m", "mme", "mlle", "monsieur", "madame", "herr",
            "frau", "sr", "sra", "pan", "pani", "dl", "d-na", "dhr", "mevr", "mevrouw", "sig", "sig.ra",
        ),
    },
}


PLACE_COLUMN = "place"
"""What stands for a column of plain ranks, whose header names no stratum and basis."""

DATED = {"date", "eventdate", "gamedate", "sessiondate", "playdate", "dateplayed", "dateofplay", "datum", "fecha"}
"""What a column is called that has the day of a game in each row."""

_CALLED = {"printed_award": "award", "id{n}": "member"}
"""What columns are called among the meanings."""

_SIDE = re.compile(r"\s*(?:(n[\s/-]?[sz])|[eoöø][\s/-]?[wov]|w[\s/-]?[ez])\b", re.IGNORECASE)
"""What a heading of one direction's column begins with; its first group is of North-South."""


def side_of(head: str) -> str:
    """Return the direction that a heading begins with; empty for any other beginning."""
    found = _SIDE.match(head)
    return "" if found is None else NORTH_SOUTH if found[1] else EAST_WEST




_OTHERS = {"titles", "sums", "tops", "counts", "events", "given", "family"}
"""The parts of the words that are no language's columns."""


@cache
def _meanings() -> dict[str, frozenset[str]]:
    """Return what each word may mean, of every language."""
    found: dict[str, set[str]] = {}
    for column in NAMED:
        words: Iterable[str] = (*column.words(), *column.beside_score)
        if column.numbered:  # of players, of whom Number and No are the contestants'
            words = [word for word in column.synonyms if column.family == "id" and heading_word(word) not in OWN_NAMES]
        for word in words:
            found.setdefault(folded(word), set()).add(_CALLED.get(column.name, column.name))
    for language in (part for name, part in WORDS.items() if name not in _OTHERS):
        for name, called in language.items():
            for word in called:
                found.setdefault(folded(word), set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


@lru_cache(maxsize=4096)
def meanings_of(text: str) -> frozenset[str]:
    """Return what a heading may mean, in any of the languages; nothing for a text that is no known word."""
    word = folded(text)
    known = _meanings()
    if word in known:
        return known[word]
    # A header may say what the column holds and in which unit, or of which side: ``Pairs (names)``, ``N/S %``.
    bare = re.sub(r"\(.*?\)|\[.*?\]", "", text)
    return known.get(folded(_without_side(bare))) or known.get(folded(bare)) or frozenset()


def _without_side(text: str) -> str:
    found = _SIDE.match(text)
    return text[found.end() :] if found else text




@lru_cache(maxsize=4096)
def column_of(text: str) -> str | None:
    """Return the contestants' column that a header means, None for any other text."""
    squashed = heading_word(text)
    if squashed in OWN_NAMES:
        return OWN_NAMES[squashed]
    numbered = re.fullmatch(r"(.+?)([1-9][0-9]?)", squashed)
    family = (numbered[1].rstrip("#") or "#") if numbered else ""
    if numbered and family in FAMILY_NAMES:
        return FAMILY_NAMES[family] + numbered[2]
    lettered = re.fullmatch(r"(.+)[\s_.-]([A-Za-z])", tidy(text))
    family = FAMILY_NAMES.get(heading_word(lettered[1]), "") if lettered else ""
    if lettered and lettered[2] in "ABCDabcd" and (family == "player" or heading_word(lettered[1]) in UNSAID_PLAYER):
        return f"{family}{'ABCD'.index(lettered[2].upper()) + 1}"
    if of_player := _of_player(squashed):
        return of_player
    if session := re.fullmatch("(?:session|sess|s)([1-9])(?:%|pct|percent(?:age)?)", squashed):
        return f"percentage{session[1]}"
    if lettered and heading_word(lettered[1]) in _RANK_NAMES:
        return f"{_RANK_NAMES[heading_word(lettered[1])]} {lettered[2].upper()}"
    return None


def columns_of_people(texts: Sequence[str]) -> list[str | None]:
    """Return what each heading of a list of people says of them: player, id, mp, ...; first and last of names in parts.

    A word of another language, or that may mean more, counts where no heading is one of this program's own.
    """
    parts = [_part_of_name(text) for text in texts]
    if {"first", "last"} <= {*parts}:
        found = [part or _said_of_a_player(text) for part, text in zip(parts, texts, strict=True)]
    else:
        found = [_said_of_a_player(text) for text in texts]
    for i, text in enumerate(texts):
        meant = meanings_of(text) if found[i] is None else frozenset()
        also = "player" if meant == {"names"} else "id" if "member" in meant else None
        if also and also not in found:
            found[i] = also
    return found


def _said_of_a_player(text: str) -> str | None:
    family = FAMILY_NAMES.get(heading_word(text))
    return family if family in OF_PLAYERS else None


def _part_of_name(text: str) -> str | None:
    word = folded(text)
    parts = (("last", "family"), ("first", "given"))
    return next((part for part, of in parts if word in map(folded, WORDS[of]["words"])), None)


def _of_player(word: str) -> str | None:
    """Return the column of a player that is named before it: ``Player 1 name``, ``Partner ACBL #``."""
    said = re.fullmatch(f"(?:player([1-9][0-9]?)|{'|'.join(_SECOND)})(?:'?s)?(.+)", word)
    if said and said[2] in FAMILY_NAMES:
        return f"{FAMILY_NAMES[said[2]]}{said[1] or 2}"
    return None


@lru_cache(maxsize=4096)
def heading_word(text: str) -> str:
    """Return a heading as those of this program's own tables are compared: as words are, and without hyphens."""
    return folded(text).replace("-", "")


NAMED = [column for column in CONTESTANT_COLUMNS if column.name != "where"]
"""The columns that a header may name."""

TOGETHER = {heading_word(word) for c in NAMED for word in c.together}
ALL_NAMES = {word for word in TOGETHER if word.endswith("s")}
BESIDE_SCORE = {heading_word(word): c.name for c in NAMED for word in c.beside_score}
OWN_NAMES = {
    **dict.fromkeys(("rank", "place", "position", "pos", "posn"), PLACE_COLUMN),
    **{heading_word(word): c.of(1) for c in NAMED if c.numbered for word in c.together},
    **{heading_word(word): c.of(2) for c in NAMED for word in c.second},
    **{heading_word(word): c.name for c in NAMED if not c.numbered for word in c.words()},
}
FAMILY_NAMES = {heading_word(word): c.family for c in NAMED if c.numbered for word in c.words()}
OF_PLAYERS = [c.family for c in NAMED if c.of_players]
_SECOND = [heading_word(word) for c in NAMED for word in c.second]
UNSAID_PLAYER = {
    word: family for word, family in FAMILY_NAMES.items() if family in OF_PLAYERS and word not in OWN_NAMES
}
"""What a column of one player is called that does not say whose it is."""
_RANK_NAMES = {heading_word(word): c.name for c in NAMED if c.per_stratum for word in (c.per_stratum, *c.words())}
