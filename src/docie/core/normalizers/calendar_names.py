"""The names of months and weekdays, in the languages of documents."""

from __future__ import annotations

import unicodedata

LANGUAGES = {
    "Czech": "led leden ledna|uno unor unora|bre brezen brezna|dub duben dubna|kve kveten kvetna|cvn cerven cervna|"
    "cvc cervenec cervence|srp srpen srpna|zar zari|rij rijen rijna|lis listopad listopadu|pro prosinec prosince",
    "Croatian": "sij sijecanj sijecnja|velj veljaca veljace|ozu ozujak ozujka|tra travanj travnja|svi svibanj svibnja|"
    "lip lipanj lipnja|srp srpanj srpnja|kol kolovoz kolovoza|ruj rujan rujna|lis listopad listopada|"
    "stu studeni studenoga studenog|pro prosinac prosinca",
    "Danish": "jan januar|feb februar|mar marts|apr april|maj|jun juni|jul juli|aug august|sep sept september|"
    "okt oktober|nov november|dec december",
    "Dutch": "jan januari|feb februari|mrt maart|apr april|mei|jun juni|jul juli|aug augustus|sep sept september|"
    "okt oktober|nov november|dec december",
    "English": "jan january|feb february|mar march|apr april|may|jun june|jul july|aug august|sep sept september|"
    "oct october|nov november|dec december",
    "Finnish": "tammi tammikuu tammikuuta|helmi helmikuu helmikuuta|maalis maaliskuu maaliskuuta|"
    "huhti huhtikuu huhtikuuta|touko toukokuu toukokuuta|kesa kesakuu kesakuuta|heina heinakuu heinakuuta|"
    "elo elokuu elokuuta|syys syyskuu syyskuuta|loka lokakuu lokakuuta|marras marraskuu marraskuuta|"
    "joulu joulukuu joulukuuta",
    "French": "janv janvier|fev fevr fevrier|mars|avr avril|mai|juin|juil juillet|aout|sept septembre|oct octobre|"
    "nov novembre|dec decembre",
    "German": "jan januar janner|feb februar feber|mar mrz marz|apr april|mai|jun juni|jul juli|aug august|"
    "sep sept september|okt oktober|nov november|dez dezember",
    "Hungarian": "jan januar|feb febr februar|mar marc marcius|apr aprilis|maj majus|jun junius|jul julius|"
    "aug augusztus|szept szeptember|okt oktober|nov november|dec december",
    "Indonesian": "jan januari|feb februari pebruari|mar maret|apr april|mei|jun juni|jul juli|agu ags agt agustus|"
    "sep sept september|okt oktober|nov november nopember|des desember",
    "Italian": "gen genn gennaio|feb febbr febbraio|mar marzo|apr aprile|mag maggio|giu giugno|lug luglio|ago agosto|"
    "set sett settembre|ott ottobre|nov novembre|dic dicembre",
    "Malay": "jan januari|feb februari|mac|apr april|mei|jun|jul julai|ogo ogos|sep sept september|okt oktober|"
    "nov november|dis disember",
    "Norwegian": "jan januar|feb februar|mar mars|apr april|mai|jun juni|jul juli|aug august|sep sept september|"
    "okt oktober|nov november|des desember",
    "Polish": "sty styczen stycznia|lut luty lutego|mar marzec marca|kwi kwiecien kwietnia|maj maja|"
    "cze czerwiec czerwca|lip lipiec lipca|sie sierpien sierpnia|wrz wrzesien wrzesnia|paz pazdziernik pazdziernika|"
    "lis listopad listopada|gru grudzien grudnia",
    "Portuguese": "jan janeiro|fev fevereiro|mar marco|abr abril|mai maio|jun junho|jul julho|ago agosto|set setembro|"
    "out outubro|nov novembro|dez dezembro",
    "Romanian": "ian ianuarie|feb febr februarie|mar martie|apr aprilie|mai|iun iunie|iul iulie|aug august|"
    "sept septembrie|oct octombrie|nov noi noiembrie|dec decembrie",
    "Slovak": "jan januar januara|feb februar februara|mar marec marca|apr april aprila|maj maja|jun juna|jul jula|"
    "aug august augusta|sep sept september septembra|okt oktober oktobra|nov november novembra|dec december decembra",
    "Spanish": "ene enero|feb febrero|mar marzo|abr abril|may mayo|jun junio|jul julio|ago agosto|"
    "sep sept set septiembre setiembre|oct octubre|nov noviembre|dic diciembre",
    "Swedish": "jan januari|feb februari|mar mars|apr april|maj|jun juni|jul juli|aug augusti|sep sept september|"
    "okt oktober|nov november|dec december",
    "Turkish": "oca ocak|sub subat|mar mart|nis nisan|may mayis|haz haziran|tem temmuz|agu agustos|eyl eylul|eki ekim|"
    "kas kasim|ara aralik",
}


def month_of(name: str) -> int | None:
    """The number of a month; None if the name is unknown, or stands for different months in two languages.

    >>> month_of("August"), month_of("août"), month_of("AĞUSTOS"), month_of("grudnia"), month_of("listopada")
    (8, 8, 8, 12, None)
    """
    return _MONTHS.get(_plain(name))


def _certain_names() -> dict[str, int]:
    months: dict[str, set[int]] = {}
    for names in LANGUAGES.values():
        for month, spellings in enumerate(names.split("|"), 1):
            for spelling in spellings.split():
                months.setdefault(spelling, set()).add(month)
    return {spelling: min(meanings) for spelling, meanings in months.items() if len(meanings) == 1}


_MONTHS = _certain_names()

WEEKDAYS = {
    "Czech": "pondeli utery streda ctvrtek patek sobota nedele",
    "Croatian": "ponedjeljak utorak srijeda cetvrtak petak subota nedjelja",
    "Danish": "mandag tirsdag onsdag torsdag fredag lørdag søndag",
    "Dutch": "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    "English": "monday tuesday wednesday thursday friday saturday sunday",
    "Finnish": "maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai",
    "French": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "German": "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "Hungarian": "hetfo kedd szerda csutortok pentek szombat vasarnap",
    "Indonesian": "senin selasa rabu kamis jumat sabtu minggu",
    "Italian": "lunedi martedi mercoledi giovedi venerdi sabato domenica",
    "Malay": "isnin selasa rabu khamis jumaat sabtu ahad",
    "Norwegian": "mandag tirsdag onsdag torsdag fredag lørdag søndag",
    "Polish": "poniedziałek wtorek sroda czwartek piatek sobota niedziela",
    "Portuguese": "segunda terca quarta quinta sexta sabado domingo",
    "Romanian": "luni marti miercuri joi vineri sambata duminica",
    "Slovak": "pondelok utorok streda stvrtok piatok sobota nedela",
    "Spanish": "lunes martes miercoles jueves viernes sabado domingo",
    "Swedish": "mandag tisdag onsdag torsdag fredag lordag sondag",
    "Turkish": "pazartesi sali carsamba persembe cuma cumartesi pazar",
}
_TWO_LETTERS = ("Dutch", "German")
"""The languages that shorten weekdays to two letters; elsewhere three, as two may be any small word."""


def weekdays_of(name: str) -> frozenset[int]:
    """The days that the name of a weekday may stand for, or what it begins with; Monday is 0.

    >>> [sorted(weekdays_of(name)) for name in ("Mon", "Mi", "mar", "VENDREDI", "Total")]
    [[0], [2], [1], [4], []]
    """
    return _WEEKDAYS.get(_plain(name), frozenset())


def _plain(name: str) -> str:
    letters = unicodedata.normalize("NFD", name.casefold().replace("ı", "i"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _beginnings() -> dict[str, frozenset[int]]:
    days: dict[str, set[int]] = {}
    for language, names in WEEKDAYS.items():
        for day, name in enumerate(names.split()):
            for length in range(2 if language in _TWO_LETTERS else 3, len(name) + 1):
                days.setdefault(name[:length], set()).add(day)
    return {beginning: frozenset(meanings) for beginning, meanings in days.items()}


_WEEKDAYS = _beginnings()
