"""What the API answers: the command line's bytes, and clear errors for everything else."""

import json
import re
from importlib.resources import files

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from ists.serve import schema
from ists.serve.openapi import OPERATIONS
from ists.serve.pages import ASSETS
from tests.conftest import EXAMPLES
from tests.serve.serving import CATS, HOME, SHARES, SNOW, application

NDJSON = {"Content-Type": "application/x-ndjson"}
PAIRS = [
    {"id": "7", **CATS},
    {"id": "b", **SHARES},
    {"id": "c", "sentence1": "Der Käfer – schläft\u2028nicht", "sentence2": ""},
    {"id": "d", "chunks1": [["A", "cat"], ["sits"]], "tokens2": ["A", "cat", "sits", "."]},
]


def lines_of(pairs) -> str:
    return "".join(json.dumps(pair) + "\n" for pair in pairs)


@pytest.fixture
def pairs_file(tmp_path):
    file = tmp_path / "pairs.jsonl"
    file.write_text(lines_of(PAIRS))
    return file


def test_align_gives_the_bytes_of_the_command_line(client, ists, pairs_file):
    for format_, options in (("jsonl", "--why --matrix"), ("wa", ""), ("xml", "")):
        outcome = ists("align", pairs_file, "--format", format_, *options.split())
        query = {name.strip("-"): "true" for name in options.split()}
        if format_ != "jsonl":
            query["format"] = format_
        answer = client.post("/v1/align", params=query, content=lines_of(PAIRS), headers=NDJSON)
        assert answer.status_code == 200
        assert answer.content.decode() == outcome.out


GROUPED = {
    "sentence1": "Grandma and the twins baked a cake .",
    "sentence2": "Grandma baked a cake with the twins .",
}


@pytest.mark.parametrize("format_", ["jsonl", "wa"])
def test_align_in_edition_2016_gives_the_bytes_of_the_command_line(client, ists, tmp_path, format_):
    pairs = [{"id": "g", **GROUPED}, *PAIRS]
    file = tmp_path / "pairs.jsonl"
    file.write_text(lines_of(pairs))
    query = {"edition": "2016"} | ({} if format_ == "jsonl" else {"format": format_})
    answer = client.post("/v1/align", params=query, content=lines_of(pairs), headers=NDJSON)
    outcome = ists("align", file, "--format", format_, "--edition", "2016")
    assert answer.content.decode() == outcome.out
    assert answer.content != client.post(
        "/v1/align", params=query | {"edition": "2015"}, content=lines_of(pairs), headers=NDJSON
    ).content  # fmt: skip


def test_explain_in_edition_2016_explains_and_draws_groups(client, ists, tmp_path):
    sent = {"id": "1", **GROUPED}
    found = client.post("/v1/explain?edition=2016", json=sent).json()
    (group,) = (one for one in found["alignments"] if one["tokens2"] == [1, 5, 6, 7])
    assert group["chunk2"] == "Grandma … with the twins"
    aligned = tmp_path / "aligned.jsonl"
    aligned.write_bytes(client.post("/v1/align?edition=2016&why=true", json=sent).content)
    outcome = ists("explain", aligned, "--edition", "2016", "--format", "json")
    similarity = found.pop("similarity")
    assert found.pop("text")[-1] == f"Overall similarity: {similarity:.1f} of 5."
    explained = json.loads(outcome.out)
    del explained["text"]
    assert found == explained
    picture = client.post("/v1/explain?edition=2016&format=svg", json=sent).text
    assert picture == ists("render", aligned, "--edition", "2016", "--format", "svg").out
    detailed = client.post("/v1/explain?edition=2016&details=true", json=sent).json()
    assert detailed["similarity"] == similarity
    scored = client.post("/v1/similarity?edition=2016", json=sent).json()
    assert scored["similarity"] == similarity
    parts = [one["contribution"] for one in detailed["alignments"]]
    assert sum(parts) == pytest.approx(similarity, abs=1e-3)


def test_an_edition_needs_a_model_that_has_it(client):
    answer = client.post("/v1/align?edition=2016&model=baseline", json=CATS)
    assert (answer.status_code, answer.json()) == (
        422,
        {"error": "the baseline has only edition 2015, choose another model"},
    )
    assert client.post("/v1/align?edition=2017", json=CATS).status_code == 422
    groups = {one["name"]: one["groups"] for one in client.get("/v1/models").json()}
    assert groups == {"default": True, "baseline": False}


def test_similarity_gives_the_bytes_of_the_command_line(client, ists, pairs_file):
    outcome = ists("similarity", pairs_file, "--format", "jsonl", "--scale", "0-1")
    answer = client.post("/v1/similarity?scale=0-1", content=lines_of(PAIRS), headers=NDJSON)
    assert answer.content.decode() == outcome.out
    for record in answer.content.splitlines():
        schema.SimilarityOut.model_validate_json(record)


def test_a_short_pair_in_another_language_is_reported(client):
    german = {"sentence1": "Der Hund schläft.", "sentence2": "Die Katze liegt auf dem Sofa."}
    assert client.post("/v1/explain?details=true", json=german).json()["english"] is False
    assert client.post("/v1/explain?details=true", json=CATS).json()["english"] is True


def test_explain_gives_the_bytes_of_the_command_line(client, ists):
    outcome = ists("explain", *CATS.values(), "--format", "json")
    assert client.post("/v1/explain", json=CATS).content.decode() == outcome.out


def test_chunk_gives_the_bytes_of_the_command_line(client, ists, tmp_path):
    sentences = [CATS["sentence1"], "", "Shares of the bank fell 3 % ."]
    file = tmp_path / "s.txt"
    file.write_text("\n".join(sentences) + "\n")
    outcome = ists("chunk", file, "--format", "jsonl", "--types")
    content = lines_of({"sentence": sentence} for sentence in sentences)
    answer = client.post("/v1/chunk?types=true", content=content, headers=NDJSON)
    assert answer.content.decode() == outcome.out
    one = client.post("/v1/chunk", json={"tokens": ["A", "cat"]})
    assert one.json() == {"tokens": ["A", "cat"], "chunks": [["A", "cat"]]}


def test_score_gives_the_bytes_of_the_command_line(client, ists):
    gold, system = EXAMPLES / "gold.wa", EXAMPLES / "system.wa"
    shown = ists("score", gold, system, "--format", "json", "--by-label").out
    sent = {
        "gold": ("gold.wa", gold.read_bytes()),
        "system": ("system.wa", system.read_bytes()),
    }
    answer = client.post("/v1/score?by_label=true", files=sent)
    expected = shown.replace(str(gold), "gold.wa").replace(str(system), "system.wa")
    assert answer.content.decode() == expected
    texts = {"gold": gold.read_text(), "system": system.read_text()}
    figures = client.post("/v1/score", json=texts).json()["systems"][0]["f1"]
    assert figures == answer.json()["systems"][0]["f1"]


def test_score_gives_the_warnings_of_the_command_line(client, ists, tmp_path):
    gold, system = EXAMPLES / "gold.wa", tmp_path / "system.wa"
    changed = (EXAMPLES / "system.wa").read_text().replace('id="8"', 'id="88"')
    system.write_text(changed.replace("SPE1 // 4", "SPE1 // 7").replace("EQUI", "SAME", 1))
    printed = ists("score", gold, system).err.replace(str(gold), "gold")
    sent = {"gold": gold.read_text(), "system": system.read_text()}
    answer = client.post("/v1/score", json=sent)
    expected = printed.replace(str(system), "system").replace("warning: ", "").splitlines()
    assert answer.json()["warnings"] == expected
    assert len(expected) >= 4
    schema.ScoreOut.model_validate_json(answer.content)


def test_pairs_as_json_are_scored_like_files(client):
    from ists import read
    from ists.formats.jsonl import to_record

    sent = {
        side: [to_record(pair) for pair in read(EXAMPLES / file)]
        for side, file in (("gold", "gold.wa"), ("system", "system.wa"))
    }
    texts = {side: (EXAMPLES / f"{side}.wa").read_text() for side in ("gold", "system")}
    one, other = (client.post("/v1/score", json=body).json() for body in (sent, texts))
    assert one["systems"][0]["f1"] == other["systems"][0]["f1"]
    lines = "".join(json.dumps(record) + "\n" for record in sent["system"])
    files_ = {"gold": ("g.wa", texts["gold"]), "system": ("s.jsonl", lines)}
    third = client.post("/v1/score", files=files_).json()
    assert third["systems"][0]["f1"] == one["systems"][0]["f1"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({}, "expected an object with 'gold' and 'system'"),
        ({"gold": 1, "system": ""}, "'gold' is not the text"),
        ({"gold": [1], "system": []}, "not a JSON object"),
        ({"gold": [{"id": "1"}], "system": []}, "no 'alignments'"),
        ({"gold": "nonsense", "system": ""}, "gold"),
        ([], "expected an object"),
    ],
)
def test_what_cannot_be_scored_is_said(client, body, reason):
    answer = client.post("/v1/score", json=body)
    assert answer.status_code == 422
    assert reason in answer.json()["error"]


@pytest.mark.parametrize(
    ("type_", "body"),
    [
        ("multipart/form-data", b""),
        ("multipart/form-data; boundary=x", b"--x\r\n\r\n"),
        ("multipart/form-data; boundary=x", b"--x\r\nA: b\r\n\r\nc\r\n--x--\r\n"),
        ("text/plain", b"gold"),
    ],
)
def test_broken_uploads_are_rejected(client, type_, body):
    answer = client.post("/v1/score", content=body, headers={"Content-Type": type_})
    assert answer.status_code in (400, 415)


def test_one_pair_or_a_list(client):
    one = client.post("/v1/align", json=CATS).json()
    assert one["id"] == "1"
    assert [a["relation"] for a in one["alignments"]] == ["SPE1", "EQUI", "NOALI", "NOALI"]
    both = client.post("/v1/align", json=[CATS, SHARES]).json()
    assert [pair["id"] for pair in both] == ["1", "2"]
    assert both[0] == one
    for pair in both:
        schema.PairOut.model_validate(pair)
    assert client.post("/v1/align", json=[]).json() == []
    assert client.post("/v1/align", content="", headers=NDJSON).content == b""


def test_a_line_with_an_error_gets_an_answer_of_its_own(client):
    content = lines_of([CATS, {"sentence1": 5}, SNOW]) + "nonsense\n\n" + lines_of([SHARES])
    answer = client.post("/v1/align", content=content, headers=NDJSON)
    assert answer.headers["Content-Type"] == "application/x-ndjson"
    records = [json.loads(line) for line in answer.content.splitlines()]
    assert [record.get("id") for record in records] == ["1", None, "3", None, "6"]
    assert records[1]["error"] == "line:2: 'sentence1' is 5, expected a string"
    assert "invalid JSON" in records[3]["error"]


def test_a_pair_too_long_for_the_model_is_named(client):
    long = {"id": "long", "sentence1": "cat " * 400, "sentence2": "dog " * 400}
    answer = client.post("/v1/align", json=[CATS, long])
    assert answer.status_code == 422
    assert "pair long" in answer.json()["error"]
    content = lines_of([long, CATS])
    first, second = client.post("/v1/align", content=content, headers=NDJSON).content.splitlines()
    assert "pair long" in json.loads(first)["error"]
    assert "alignments" in json.loads(second)


def test_threshold_tokens_and_chunks_are_obeyed(client):
    none = client.post("/v1/align?threshold=1", json=CATS).json()
    assert not [a for a in none["alignments"] if a["tokens1"] and a["tokens2"]]
    spaces = client.post("/v1/align?tokens=whitespace", json=CATS).json()
    assert spaces["tokens1"][-1] == "sleeps."
    cut = {"chunks1": [["A"], ["tabby", "cat"], ["sleeps"]], "sentence2": "A cat is sleeping ."}
    kept = client.post("/v1/align", json=cut).json()
    assert sorted(a["tokens1"] for a in kept["alignments"] if a["tokens1"]) == [[1], [2, 3], [4]]
    again = client.post("/v1/align", json=CATS).json()
    assert again != none, "a threshold concerns its own request alone"


def test_details_add_what_the_page_shows(client):
    found = client.post("/v1/explain?details=true", json=SHARES).json()
    schema.ExplanationOut.model_validate(found)
    total = sum(one["contribution"] for one in found["alignments"])
    assert total == pytest.approx(found["similarity"], abs=1e-3)
    opposite = next(one for one in found["alignments"] if one["relation"] == "OPPO")
    assert opposite["meaning"] == "opposite"
    assert opposite["features"]
    assert opposite["features"] == sorted(opposite["features"], key=lambda f: -f["pull"])
    assert all(feature["description"] for feature in opposite["features"])


def test_exchanged_sentences_exchange_the_names_of_features(client):
    there = client.post("/v1/explain?details=true", json=CATS).json()["alignments"][0]
    back_sent = {"sentence1": CATS["sentence2"], "sentence2": CATS["sentence1"]}
    back = client.post("/v1/explain?details=true", json=back_sent).json()["alignments"][0]
    assert (there["relation"], back["relation"]) == ("SPE1", "SPE2")
    flip = str.maketrans("12", "21")
    assert [f["name"] for f in there["features"]] == [
        f["name"].translate(flip) for f in back["features"]
    ]


def test_a_picture_is_that_of_ists_render(client):
    from ists import render
    from ists.formats.jsonl import from_record

    pair = from_record(client.post("/v1/align", json=CATS).json())
    answer = client.post("/v1/explain?format=svg&width=400", json=CATS)
    assert answer.headers["Content-Type"].startswith("image/svg+xml")
    shapes = re.compile(r"<(?:rect|path)[^>]*>")
    assert shapes.findall(answer.text) == shapes.findall(render(pair, "svg", width=400))
    assert client.post("/v1/explain?format=svg", json=[CATS, SNOW]).status_code == 422


def test_the_baseline_aligns_and_explains_but_gives_no_similarity(client):
    found = client.post("/v1/explain?model=baseline&details=true", json=CATS).json()
    assert "similarity" not in found
    assert "the annotation" not in json.dumps(found)
    assert client.post("/v1/align?model=baseline", json=CATS).status_code == 200
    answer = client.post("/v1/similarity?model=baseline", json=CATS)
    assert answer.status_code == 422


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("model=nope", "no model 'nope', expected one of: default"),
        ("tokens=nope", "option 'tokens': Input should be 'auto'"),
        ("threshold=2", "option 'threshold': Input should be less than or equal to 1"),
        ("threshold=nan", "option 'threshold'"),
        ("wy=true", "no option 'wy', expected any of: model, tokens"),
        ("why=true&why=false", "the option 'why' is given twice"),
        ("why=maybe", "option 'why'"),
    ],
)
def test_wrong_options_are_named(client, query, reason):
    answer = client.post(f"/v1/align?{query}", json=CATS)
    assert answer.status_code == 422
    assert reason in answer.json()["error"]


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (b"", 400, "invalid JSON"),
        (b"{", 400, "invalid JSON"),
        (b"\xff\xfe\x00", 400, "invalid JSON"),
        (b"[" * 100_000, 400, "nested too deeply"),
        (b"NaN", 400, "invalid JSON"),
        (b"5", 422, "item 1 is not a JSON object"),
        (b"[[]]", 422, "item 1 is not a JSON object"),
        (b"[{}]", 422, "item:1: no 'sentence1', expected a string"),
        (b'{"sentence1": "a\\u0000", "sentence2": "b"}', 422, "'sentence1': has a NUL character"),
        (b'{"sentence1": "a", "sentence2": null}', 422, "'sentence2' is null, expected a string"),
        (b'{"id": [], "sentence1": "a", "sentence2": "b"}', 422, "'id' is"),
        (b'{"tokens1": ["a b"], "sentence2": "b"}', 422, "'tokens1' is not a list of tokens"),
        (b'{"chunks1": [[]], "sentence2": "b"}', 422, "'chunks1' is not a list of lists"),
    ],
)
def test_malformed_bodies_are_explained(client, body, status, reason):
    answer = client.post("/v1/align", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == status
    assert reason in answer.json()["error"]


def test_the_error_of_a_single_pair_names_no_place(client):
    assert client.post("/v1/align", json={}).json()["error"] == "no 'sentence1', expected a string"
    long = {"sentence1": "cat " * 400, "sentence2": "dog " * 400}
    assert client.post("/v1/align", json=long).json()["error"].startswith("pair 1: the two sent")


def test_other_types_methods_and_paths_are_rejected(client):
    plain = {"Content-Type": "text/plain"}
    assert client.post("/v1/align", content="{}", headers=plain).status_code == 415
    assert client.get("/v1/align").status_code == 405
    assert client.put("/v1/align", json=CATS).status_code == 405
    assert client.post("/v2/align", json=CATS).status_code == 404
    for name in ("../app.py", "..%2Fapp.py", "%2e%2e/app.py", "page.html", "nope.js"):
        assert client.get(f"/static/{name}").status_code == 404


def test_repeated_ids_are_rejected_as_in_files(client):
    answer = client.post("/v1/align", json=[{"id": 1, **CATS}, {"id": "1", **SNOW}])
    assert answer.status_code == 422
    expected = "item:2: pair 1: this id is already in the request, expected each id once"
    assert answer.json()["error"] == expected


def test_limits_of_bodies_pairs_and_sentences():
    made = application(body=1000, pairs=2, characters=50)
    client = TestClient(made, base_url=HOME)
    assert client.post("/v1/align", content=b" " * 1001).status_code == 413

    def in_pieces():
        for _ in range(11):
            yield b" " * 100

    assert client.post("/v1/align", content=in_pieces()).status_code == 413
    answer = client.post("/v1/align", json=[CATS] * 3)
    assert (answer.status_code, "more than 2 items" in answer.text) == (413, True)
    answer = client.post("/v1/align", json={**CATS, "sentence2": "x" * 51})
    assert (answer.status_code, "51 characters, expected at most 50" in answer.text) == (422, True)
    made.engine.stop()


def test_what_takes_too_long_is_given_up_and_the_server_goes_on(monkeypatch):
    from threading import Event

    made = application(seconds=0.05, queue=1)
    held = Event()
    monkeypatch.setattr(
        "ists.serve.engine.Aligner.load",
        lambda *_, **__: held.wait(60) or pytest.fail("not released"),
    )
    client = TestClient(made, base_url=HOME)
    answer = client.post("/v1/align", json=CATS)
    assert answer.status_code == 503
    assert "too long" in answer.json()["error"]
    assert int(answer.headers["Retry-After"]) > 0
    assert client.get("/healthz").status_code == 200
    monkeypatch.undo()
    held.set()
    made.engine.stop()


def test_a_full_queue_is_503_with_retry_after_and_recovers(client, app):
    batcher = app.engine._batchers["default"]
    with batcher.reservation(10**9), batcher.reservation(0):
        # the rest of the queue
        left = batcher._capacity - batcher.reserved
        batcher._reserved += left
        answer = client.post("/v1/align", json=CATS)
        stream = client.post("/v1/align", content=lines_of([CATS]), headers=NDJSON)
        batcher._reserved -= left
    assert answer.status_code == stream.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert "queue is full" in answer.json()["error"]
    assert client.post("/v1/align", json=CATS).status_code == 200


def test_a_defect_is_answered_and_logged_without_the_sentence(client, monkeypatch, capfd):
    def broken(*_):
        raise RuntimeError(f"cannot handle {CATS['sentence1']}")

    monkeypatch.setattr("ists.serve.api.pairs_of", broken)
    answer = client.post("/v1/align", json=CATS)
    assert (answer.status_code, answer.json()) == (500, {"error": "internal error"})
    logged = capfd.readouterr()
    assert "RuntimeError at broken" in logged.err
    assert "tabby" not in logged.out + logged.err


def test_models_health_and_metrics(client):
    models = client.get("/v1/models").json()
    assert [model["name"] for model in models] == ["default", "baseline"]
    for model in models:
        schema.ModelOut.model_validate(model)
    assert client.get("/healthz").json()["status"] == "ok"
    client.post("/v1/align", json=CATS)
    text = client.get("/metrics").text
    assert re.search(r'ists_requests_total\{path="/v1/align",status="200"\} [1-9]', text)
    assert re.search(r'ists_request_seconds_bucket\{path="/v1/align",le="\+Inf"\} [1-9]', text)
    assert 'ists_queue_pairs{model="default"} 0' in text
    assert re.search(r'ists_batch_pairs_count\{model="default"\} [1-9]', text)
    assert "tabby" not in text


def test_the_description_names_every_path_and_resolves_its_references(client):
    document = client.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    assert set(document["paths"]) == {one.path for one in OPERATIONS}
    references = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(document)))
    assert references <= set(document["components"]["schemas"])
    for path, methods in document["paths"].items():
        for method in methods:
            sent = {"json": CATS} if method == "post" else {}
            assert client.request(method, path, **sent).status_code not in (404, 405)


def test_the_documentation_has_no_scripts_and_names_every_path(client):
    page = client.get("/docs").text
    assert "<script" not in page
    assert all(one.path in page for one in OPERATIONS)
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)


@pytest.mark.parametrize("page", ["/", "/docs"])
def test_the_style_sheets_of_a_page_are_there(client, page):
    styles = re.findall(r'"(static/[^"]*\.css)"', client.get(page).text)
    assert styles[:2] == ["static/colours.css", "static/page.css"]
    for style in styles:
        assert client.get(f"/{style}").headers["Content-Type"].startswith("text/css")


def test_the_page_has_nothing_inline_and_its_files_are_known(client):
    page = client.get("/").text
    assert "<script>" not in page
    assert " style=" not in page
    assert " onclick=" not in page
    there = {file.name for file in files("ists.serve").joinpath("static").iterdir()}
    assert there == set(ASSETS)
    for name in ASSETS:
        text = client.get(f"/static/{name}").text
        assert not re.search(r"innerHTML|outerHTML|insertAdjacent|eval\(|https?://(?!www.w3)", text)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["id", "sentence1", "sentence2", "tokens1", "chunks2", "gold", "system"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.sampled_from([one.path for one in OPERATIONS if one.body is not None]),
    body=_JSON.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=60),
    type_=st.sampled_from(["application/json", "application/x-ndjson", "multipart/form-data"]),
)
def test_no_body_breaks_the_server(client, path, body, type_):
    answer = client.post(path, content=body, headers={"Content-Type": type_})
    assert answer.status_code in (200, 400, 413, 415, 422)
    if answer.status_code != 200:
        assert answer.json()["error"]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    one=st.text(max_size=30),
    two=st.text(max_size=30),
    format_=st.sampled_from(["json", "ndjson", "wa", "xml", "svg"]),
)
def test_any_two_texts_get_an_answer(client, one, two, format_):
    path = "explain" if format_ == "svg" else "align"
    answer = client.post(f"/v1/{path}?format={format_}", json={"sentence1": one, "sentence2": two})
    assert answer.status_code in (200, 422)
    if format_ == "json" and answer.status_code == 200:
        schema.PairOut.model_validate_json(answer.content)
