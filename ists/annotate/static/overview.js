// The list of all pairs: text, state, notes, with search and filters. It opens at the present pair.

import { element } from "./board.js";
import * as server from "./server.js";

const at = (id) => document.getElementById(id);
const compared = new Map(); // "place version" -> whether the model differs

let pairs = [];
let present = 0;
let comparing = 0; // number of the latest comparison: earlier ones stop

const filter = () => document.querySelector('#filters [name="filter"]:checked').value;
const key = (place) => `${place} ${pairs[place].version}`;

const FILTERS = {
  all: () => true,
  open: (pair) => pair.state !== "done",
  done: (pair) => pair.state === "done",
  note: (pair) => pair.note,
  differs: (_, place) => compared.get(key(place)) === true,
};

function matches(pair, place) {
  const wanted = at("search").value.trim().toLowerCase();
  const text = [pair.id, ...pair.text].join("\n").toLowerCase();
  return FILTERS[filter()](pair, place) && text.includes(wanted);
}

function row(pair, place) {
  return element(
    "li",
    {},
    element(
      "button",
      {
        type: "button",
        class: pair.state,
        "data-place": place,
        "aria-current": place === present ? "true" : null,
      },
      element("span", { class: "number" }, String(place + 1)),
      element("span", { class: "texts" }, ...pair.text.map((text) => element("span", {}, text))),
      element("small", { class: "state" }, pair.note ? `${pair.state} · note ✎` : pair.state),
    ),
  );
}

function show() {
  const shown = pairs.map((pair, place) => [pair, place]).filter(([pair, place]) => matches(pair, place));
  at("pairs").replaceChildren(...shown.map(([pair, place]) => row(pair, place)));
  at("found").textContent = `${shown.length} of ${pairs.length} pairs`;
}

async function compare() {
  const mine = (comparing += 1);
  const done = pairs.map((_, place) => place).filter((place) => pairs[place].state === "done");
  for (const [index, place] of done.entries()) {
    if (!compared.has(key(place))) {
      const { differs, error } = await server.difference(place);
      if (mine !== comparing || filter() !== "differs") return;
      if (error !== undefined) {
        at("found").textContent = `Not compared: ${error}`;
        return;
      }
      compared.set(key(place), differs);
      show();
      at("found").textContent += `; ${index + 1} of ${done.length} compared with the model`;
    }
  }
  show();
}

function refilter() {
  show();
  if (filter() === "differs") compare().catch((error) => { at("found").textContent = error.message; });
}

export async function openOverview(place) {
  pairs = await server.overview();
  present = place;
  refilter();
  at("overview").showModal();
  const current = at("pairs").querySelector("[aria-current]");
  if (current === null) at("search").focus();
  else {
    current.focus({ preventScroll: true });
    current.scrollIntoView({ block: "center" });
  }
}

at("search").addEventListener("input", show);
at("filters").addEventListener("change", refilter);
at("overview").addEventListener("keydown", (event) => {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined || event.target.type === "radio") return;
  const buttons = [...at("pairs").querySelectorAll("button")];
  const index = buttons.indexOf(document.activeElement);
  const next = index < 0 ? buttons[0] : buttons[index + by];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
});
