import pytest
from lxml import etree

from ists import FormatError, SentencePair, read, write
from ists.formats import xml
from ists.pairs import Sentence
from tests.samples import CAT_PAIR


@pytest.fixture
def document(tmp_path):
    write([CAT_PAIR], tmp_path / "x.xml")
    return (tmp_path / "x.xml").read_text()


def read_text(text, tmp_path):
    (tmp_path / "y.xml").write_text(text)
    return list(read(tmp_path / "y.xml"))


def test_a_pair_comes_back_as_it_was(document, tmp_path):
    assert read_text(document, tmp_path) == [CAT_PAIR]


def test_the_document_follows_the_schema(document):
    xml._schema().assertValid(etree.fromstring(document.encode()))


def test_characters_that_xml_forbids_are_elements(tmp_path):
    pair = SentencePair("1", Sentence.of(["a\x01b\udce9", "<&>", "\\"]), Sentence.of([]))
    write([pair], tmp_path / "x.xml")
    assert b'a<char code="0001"/>b<char code="DCE9"/>' in (tmp_path / "x.xml").read_bytes()
    assert list(read(tmp_path / "x.xml")) == [pair]


def test_entities_are_never_expanded(document, tmp_path):
    bomb = '<!DOCTYPE ists [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
    with pytest.raises(FormatError, match="DOCTYPE is not allowed"):
        read_text(document.replace("<ists>", bomb + "<ists>"), tmp_path)


def test_no_file_is_fetched(document, tmp_path):
    (tmp_path / "secret").write_text("secret")
    outside = f'<!DOCTYPE ists [<!ENTITY s SYSTEM "file://{tmp_path}/secret">]>'
    text = document.replace("<ists>", outside + "<ists>").replace("tabby", "&s;")
    with pytest.raises(FormatError) as error:
        read_text(text, tmp_path)
    assert "secret" not in error.value.reason


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('relation="SPE1"', 'relation="SAME"', 3, "relation"),
        ('score="4"', 'score="9"', 3, "score"),
        ('tokens1="4"', 'tokens1="0"', 3, "tokens1"),
        ('tokens1="4"', 'tokens1="4 x"', 3, "tokens1"),
        ('tokens1="4"', 'tokens1="44"', 3, "token 44 is past the end"),
        ("<sentence2>", "<sentence3>", 3, "not well-formed XML"),
        ("</ists>", "", 5, "not well-formed XML"),
    ],
)
def test_an_error_is_reported_with_its_line(document, tmp_path, old, new, line, words):
    with pytest.raises(FormatError) as error:
        read_text(document.replace(old, new, 1), tmp_path)
    assert words in str(error.value)
    assert error.value.line == line


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('relation="SPE1"', 'relation=" SPE1"', "relation"),
        ("<ists>", '<ists version="2">', "root element"),
        ("<ists>", "<ists>stray", "text 'stray' between the pairs"),
        ("</pair>", "</pair>stray", "text 'stray' between the pairs"),
        ("<pair ", "<other/><pair ", "<other>, expected <pair>"),
        ("</pair>", "</pair><other/>", "<other>, expected <pair>"),
    ],
)
def test_what_the_schema_forbids_is_rejected(document, tmp_path, old, new, words):
    with pytest.raises(FormatError) as error:
        read_text(document.replace(old, new, 1), tmp_path)
    assert words in str(error.value)


def test_nested_pairs_are_rejected(document, tmp_path):
    wrapped = document.replace("<ists>", "<ists><wrap>").replace("</ists>", "</wrap></ists>")
    with pytest.raises(FormatError, match="<wrap>, expected <pair>"):
        read_text(wrapped, tmp_path)


def test_a_document_without_a_pair_is_rejected(tmp_path):
    with pytest.raises(FormatError, match="no sentence pair found"):
        read_text("<ists></ists>", tmp_path)


def test_a_message_is_one_line(tmp_path):
    with pytest.raises(FormatError) as error:
        read_text('<ists>\n<pair id="1"><sentence1><![CDATA[ \n x', tmp_path)
    assert "\n" not in str(error.value)


def test_long_text_comes_back(tmp_path):
    pair = SentencePair("1", Sentence.of(["a" * 12_000_000]), Sentence.of([]))
    write([pair], tmp_path / "x.xml")
    assert list(read(tmp_path / "x.xml")) == [pair]


def test_another_root_is_rejected(tmp_path):
    with pytest.raises(FormatError, match="root element <html>, expected <ists>"):
        read_text("<html/>", tmp_path)
