// The help panel, and the keys on the buttons: both are made from the table of keys.

import { element } from "./board.js";
import { keyName, keyOf, keysOf } from "./keys.js";

const STEPS = { chunks1: "chunks", links: "links", rest: "unaligned" };

function row({ keys, name, text, steps = [] }) {
  const names = name === undefined ? keys.map(keyName) : [name];
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, ...names.flatMap((one) => [element("kbd", {}, one), " "])),
    element("td", {}, text),
    element("td", { class: "quiet" }, steps.map((step) => STEPS[step]).filter(Boolean).join(", ")),
  );
}

export function explainKeys(modes) {
  document.getElementById("keys").replaceChildren(...keysOf(modes).map(row));
  for (const button of document.querySelectorAll("[data-command]")) {
    const key = keyOf(button.dataset.command, button.dataset.value);
    if (key === null) continue;
    button.setAttribute("aria-keyshortcuts", key.replace(" ", "+"));
    if (key !== button.dataset.value) {
      button.append(" ", element("kbd", { "aria-hidden": "true" }, key));
    }
  }
}
