"""Checks of a page by axe-core: all rules up to level AA, also the experimental ones."""

from pathlib import Path

_SCRIPT = Path(__file__).with_name("axe.min.js")
# Rules that are off by default run only if they are named.
_RUN = """() => {
    const meant = axe.getRules().filter(({tags}) =>
        !tags.includes("wcag2aaa") && !tags.includes("deprecated"));
    const rules = Object.fromEntries(meant.map(rule => [rule.ruleId, {enabled: true}]));
    return axe.run(document, {rules, resultTypes: ["violations"]}).then(found =>
        found.violations.filter(rule => !rule.tags.includes("wcag2aaa")).flatMap(rule =>
            rule.nodes.map(node =>
                `${rule.id}: ${node.target.join(" ")}: ${node.failureSummary}`)));
}"""


def violations(page) -> list[str]:
    """The rules that the page breaks, with the elements, in the light and the dark scheme."""
    found = []
    # By the debugging protocol, since the page's policy allows no other script.
    client = page.context.new_cdp_session(page)
    client.send("Runtime.evaluate", {"expression": _SCRIPT.read_text(encoding="utf-8")})
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found += [f"{scheme}: {one}" for one in page.evaluate(_RUN)]
    return found
