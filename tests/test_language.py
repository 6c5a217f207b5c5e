import re
from itertools import pairwise

import pytest

from ists import language
from ists.language import is_english, words_of
from tests.conftest import EXAMPLES

FOREIGN = {
    "German": [
        "Eine getigerte Katze schläft auf dem warmen Dach des alten Hauses.",
        "Der Minister will nach dem Streit mit dem Parlament im Mai zurücktreten.",
        "Die Fähre sank am Morgen vor der Küste, vierzehn Menschen wurden gerettet.",
        "Zwei Kinder bauen am Strand eine Burg aus Sand, während der Vater schläft.",
        "Was war das für ein Mann, der in der Stadt so viel Geld ausgegeben hat?",
        "Das Wetter war also am Montag in Berlin so warm, dass man im Garten sitzen konnte.",
        "Die Aktien der Bank stiegen, nachdem der Bericht veröffentlicht worden war.",
        "Ich habe gestern Abend einen langen Brief an meine Schwester geschrieben.",
    ],
    "Spanish": [
        "Un gato duerme sobre el tejado caliente de la vieja casa.",
        "El ministro dimitirá en mayo después de la disputa con el parlamento.",
        "El barco se hundió por la mañana frente a la costa; catorce personas fueron rescatadas.",
        "Dos niños construyen un castillo de arena en la playa mientras su padre duerme.",
        "No he visto a nadie en la calle, pero me han dicho que son once los heridos.",
        "Las acciones del banco subieron tras la publicación del informe.",
        "Ayer por la noche escribí una carta larga a mi hermana.",
        "La policía busca a un hombre que robó dos coches en el centro de la ciudad.",
    ],
    "French": [
        "Un chat dort sur le toit chaud de la vieille maison.",
        "Le ministre va démissionner en mai après une dispute avec le parlement.",
        "Le ferry a coulé au large de la côte et quatorze personnes ont été sauvées.",
        "Deux enfants construisent un château de sable sur la plage pendant que leur père dort.",
        "On a vu un homme courir dans la rue avec un grand chien noir.",
        "Les actions de la banque ont grimpé après la publication du rapport.",
    ],
    "Dutch": [
        "Een kat slaapt op het warme dak van het oude huis.",
        "De minister treedt in mei af na de ruzie met het parlement.",
        "De veerboot is voor de kust gezonken en veertien mensen zijn gered.",
        "Twee kinderen bouwen een kasteel van zand op het strand terwijl hun vader slaapt.",
        "Ik was in de stad en had over de brug een man met een hond gezien.",
        "De aandelen van de bank stegen na het verschijnen van het rapport.",
    ],
    "Chinese": [
        "一只猫在老房子温暖的屋顶上睡觉。",
        "部长在与议会发生争执后将于五月辞职。",
        "渡轮早上在海岸附近沉没，十四人获救。",
        "两个孩子在海滩上用沙子建造城堡。",
    ],
    "Russian": [
        "Кошка спит на тёплой крыше старого дома.",
        "Министр уйдёт в отставку в мае после спора с парламентом.",
        "Паром затонул у побережья, четырнадцать человек спасены.",
        "Двое детей строят на пляже замок из песка.",
    ],
}
HEADLINES = [
    "Harbour ferry sinks off Lisbon , 14 rescued",
    "Shares tumble after bank report",
    "Minister Quits Amid Bribery Inquiry",
    "Storm kills three hikers near Alpine pass",
    "Police arrest two suspects over museum theft",
]
SHORT_FOREIGN = [
    ("Der Hund schläft auf dem Sofa.", "Die Katze liegt auf dem Sofa."),
    ("Wo ist der Bahnhof?", "Wann fährt der Zug?"),
    ("Le chien dort.", "Le chat dort."),
    ("Il fait beau aujourd'hui.", "Il pleut."),
    ("El perro duerme en el sofá.", "El gato está en el sofá."),
    ("Las acciones suben.", "Las acciones bajan."),
    ("Il cane dorme sul divano.", "Il gatto è sul divano."),
    ("Um homem toca violão.", "Uma mulher canta uma música."),
    ("De hond slaapt op de bank.", "De kat ligt op de bank."),
    ("Hunden sover på soffan.", "Katten ligger på soffan."),
    ("Jeg er sulten.", "Vi går hjem."),
    ("Pies śpi na kanapie.", "Kot leży na kanapie."),
    ("Dnes prší.", "Počasí je hezké."),
    ("Köpek kanepede uyuyor.", "Kedi kanepede yatıyor."),
    ("Koira nukkuu sohvalla.", "Kissa makaa sohvalla."),
    ("Ma esik az eső.", "Szép az idő."),
    ("Un bărbat cântă la chitară.", "O femeie cântă."),
    ("Anjing itu tidur di sofa.", "Kucing itu duduk di sofa."),
    ("Con chó ngủ trên ghế.", "Con mèo nằm trên ghế."),
    ("Привет!", "Пока!"),
    ("犬がソファで寝ている。", "猫がソファで寝ている。"),
    ("你好", "再见"),
    ("الكلب ينام.", "القطة تنام."),
    ("Ο σκύλος κοιμάται.", "Η γάτα κοιμάται."),
    ("कुत्ता सो रहा है।", "बिल्ली सो रही है।"),
    ("개가 자고 있다.", "고양이가 자고 있다."),
]
SHORT_ENGLISH = [
    ("Visit https://ex.com/a?b=1 &amp;amp; mail me@x.org #fun @joe", "See https://ex.com"),
    ("Le Pen quits", "Edwin van der Sar retires"),
    ("El Niño hits Peru", "Rio de Janeiro"),
    ("Los Angeles Lakers", "San Antonio Spurs"),
    ("Médecins Sans Frontières", "Der Spiegel reports"),
    ("Recep Tayyip Erdoğan", "Volodymyr Zelenskyy"),
    ("crème brûlée", "a French dessert"),
    ("C'est la vie", "That's life"),
    ("sudo apt-get install numpy", "kubectl apply -f pod.yaml"),
    ("SKU-123 ABX-99", "x = y + 2"),
    ("gonna sleep lol", "omg so tired"),
    ("α particles", "β decay"),
    ("I'm happy 😀", "😂😂"),
    ("Hi!", "OK"),
]


@pytest.mark.parametrize("name", FOREIGN)
def test_other_languages_are_reported(name):
    assert not is_english(FOREIGN[name])


@pytest.mark.parametrize("name", FOREIGN)
def test_a_few_names_do_not_make_them_english(name):
    assert not is_english([*FOREIGN[name], "John Smith", "New York Times"])


def test_headlines_are_english():
    assert is_english(HEADLINES)
    assert is_english([headline.upper() for headline in HEADLINES])


def test_a_quotation_does_not_make_a_file_foreign():
    assert is_english([*HEADLINES, *FOREIGN["Spanish"][:2]])


@pytest.mark.parametrize("name", FOREIGN)
def test_two_short_sentences_are_enough(name):
    lines = FOREIGN[name]
    assert [pair for pair in pairwise(lines) if is_english(pair)] == []


@pytest.mark.parametrize("pair", SHORT_FOREIGN)
def test_short_sentences_of_other_languages_are_reported(pair):
    assert not is_english(pair)


@pytest.mark.parametrize("pair", SHORT_ENGLISH)
def test_names_codes_and_captions_are_no_evidence(pair):
    assert is_english(pair)
    assert is_english(pair[:1])


def test_too_few_words_do_not_show_the_language():
    assert is_english(["Guten Morgen!", "Gute Nacht!"])
    assert is_english([])
    assert is_english(["1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23"])


def test_addresses_are_no_words():
    text = "Visit https://ex.com/a?b=1 www.ex.org &amp;amp; mail me@x.org #fun @joe"
    assert list(words_of([text])) == ["Visit", "mail"]


def test_words_are_letters_and_a_script_without_spaces_has_words_too():
    assert list(words_of(["It 's 14 o'clock , café_x"])) == ["It", "s", "o'clock", "café", "x"]
    assert list(words_of(["一只猫睡觉。"])) == ["一只", "猫睡", "觉"]


def test_only_the_first_words_are_examined():
    def endless():
        while True:
            yield HEADLINES[0]

    assert is_english(endless())


@pytest.fixture
def without_wordnet(monkeypatch):
    def evidences(words):
        raise AssertionError("WordNet was asked")

    monkeypatch.setattr(language, "_evidences", evidences)


def test_our_examples_are_english(without_wordnet):
    assert is_english((EXAMPLES / "sentences.txt").read_text().splitlines())


def columns(file):
    text = file.read_text(errors="replace")
    if file.suffix == ".wa":
        return [line[3:] for line in text.splitlines() if line.startswith("// ")]
    return [re.sub(r"\[ | \]", "", line) for line in text.replace("\t", "\n").splitlines()]


def test_the_english_data_sets_are_english_without_wordnet(shared, without_wordnet):
    """WordNet takes a tenth of a second to load, which an English file must not need."""
    files = [
        *shared.glob("ists201*/**/*.txt"),
        *shared.glob("ists201*/**/*.wa"),
        *shared.glob("sts/**/*.tsv"),
        *shared.glob("snli/*.tsv"),
        *shared.glob("sick2014/*.txt"),
        *shared.glob("stss131/*.tsv"),
        *shared.glob("everyday/*.wa"),
    ]
    assert len(files) > 40
    assert [file for file in files if not is_english(columns(file))] == []


def test_single_pairs_of_the_english_data_sets_are_english(shared):
    lines = [
        line
        for file in (
            *sorted(shared.glob("sts/**/*.tsv")),
            *sorted(shared.glob("ists201*/**/*.wa")),
            *sorted(shared.glob("s[in]*/*.t*")),
        )
        for line in columns(file)[::10]
    ]
    assert len(lines) > 5000
    assert [line for line in lines if not is_english([line])] == []
