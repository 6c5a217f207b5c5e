// The help panel, and the keys on the buttons: both are made from the table of keys.

import { element } from "./board.js";
import { keyName, keyOf, KEYS } from "./keys.js";

const STEPS = { chunks1: "chunks", links: "links", rest: "left alone" };

function row({ keys, text, steps = [] }) {
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, ...keys.flatMap((key) => [element("kbd", {}, keyName(key)), " "])),
    element("td", {}, text),
    element("td", { class: "quiet" }, steps.map((step) => STEPS[step]).filter(Boolean).join(", ")),
  );
}

export function explainKeys(suggesting) {
  const shown = KEYS.filter((one) => suggesting || !["accept", "skip"].includes(one.command));
  document.getElementById("keys").replaceChildren(...shown.map(row));
  for (const button of document.querySelectorAll("[data-command]")) {
    const key = keyOf(button.dataset.command, button.dataset.value);
    if (key === null) continue;
    button.setAttribute("aria-keyshortcuts", key);
    if (key !== button.dataset.value) {
      button.append(" ", element("kbd", { "aria-hidden": "true" }, key));
    }
  }
}
