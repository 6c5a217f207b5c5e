def test_a_page_is_shown_and_nothing_else_is_asked_for(page, requests, tmp_path):
    file = tmp_path / "page.html"
    file.write_text("<!doctype html><title>ours</title><link rel=icon href='data:,'><p>seen</p>")
    page.goto(file.as_uri())
    assert page.inner_text("p") == "seen"
    assert requests == [file.as_uri()]
