"""A page that shows values as a notebook does: their HTML, one below the other."""

_PAGE = """<!doctype html>
<html lang="en" {root}><head><meta charset="utf-8"><title>Notebook</title>
<link rel="icon" href="data:,">
<style>:root {{ color-scheme: light dark; }}</style></head>
<body {body}><main><h1>Notebook</h1>{cells}</main></body></html>"""


def cell(*values, width: str = "auto", body: str = "", root: str = "") -> str:
    """The page; `body` and `root` have the attributes by which a program marks its theme."""
    cells = "\n".join(
        f'<div class="cell" style="width:{width}">{value._repr_html_()}</div>' for value in values
    )
    return _PAGE.format(root=root, body=body, cells=cells)
