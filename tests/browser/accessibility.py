"""Checks of a page by axe-core: all rules up to level AA, also those off by default."""

from pathlib import Path

_SCRIPT = Path(__file__).with_name("axe.min.js")
_RUN = """() => axe.run(document, {resultTypes: ["violations"]}).then(found =>
    found.violations.flatMap(rule => rule.nodes.map(node =>
        `${rule.id}: ${node.target.join(" ")}: ${node.failureSummary}`)))"""
_EVERY_RULE = """() => axe.configure({rules: axe.getRules().map(
    rule => ({id: rule.ruleId, enabled: !rule.tags.includes("wcag2aaa")}))})"""


def violations(page) -> list[str]:
    """The rules that the page breaks, with the elements, in the light and the dark scheme."""
    found = []
    # By the debugging protocol, since the page's policy allows no other script.
    client = page.context.new_cdp_session(page)
    client.send("Runtime.evaluate", {"expression": _SCRIPT.read_text(encoding="utf-8")})
    page.evaluate(_EVERY_RULE)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found += [f"{scheme}: {one}" for one in page.evaluate(_RUN)]
    return found
