// Many pairs: the first ones in a sortable table, all of them to download.

import { at, element } from "./dom.js";
import { save } from "./exports.js";
import * as server from "./server.js";
import { now } from "./state.js";
import { pairsIn, tsvOf } from "./tabular.js";

const SHOWN = 200;
const AT_ONCE = 40;
const COLUMNS = ["number", "similarity", "links", "sentence1", "sentence2"];

let pairs = [];
let sort = { key: "number", descending: false };
let running = null;
let callbacks = { open: () => {}, fail: () => {} };

const table = { settings: null }; // the settings that the scores were computed with

function say(text) {
  at("table-state").textContent = text;
}

function row(pair) {
  const open = element(
    "button",
    { type: "button", "data-pair": pair.number, "aria-label": `Show pair ${pair.number}` },
    String(pair.number),
  );
  return element(
    "tr",
    {},
    element("td", {}, open),
    element("td", { class: "figure" }, pair.error ? "error" : (pair.similarity?.toFixed(2) ?? (pair.record ? "–" : "…"))),
    element("td", { class: "figure" }, pair.links === undefined ? "" : String(pair.links)),
    element("td", { title: pair.error }, pair.sentence1),
    element("td", {}, pair.sentence2),
  );
}

function compared(one, other) {
  const [a, b] = [one[sort.key], other[sort.key]];
  if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
  const order = typeof a === "string" ? a.localeCompare(b) : a - b;
  return (sort.descending ? -order : order) || one.number - other.number;
}

function draw() {
  const focused = document.activeElement?.dataset?.pair;
  at("rows").replaceChildren(...pairs.slice(0, SHOWN).sort(compared).map(row));
  for (const button of document.querySelectorAll("[data-sort]")) {
    const own = button.dataset.sort === sort.key;
    const direction = sort.descending ? "descending" : "ascending";
    if (own) button.closest("th").setAttribute("aria-sort", direction);
    else button.closest("th").removeAttribute("aria-sort");
  }
  if (focused) at("rows").querySelector(`[data-pair="${focused}"]`)?.focus();
}

function keep(pair, record) {
  pair.record = record;
  pair.error = record.error;
  pair.similarity = record.similarity;
  pair.links = record.alignments?.filter((one) => one.tokens1.length && one.tokens2.length).length;
}

async function compute(some, signal) {
  const waiting = some.filter((pair) => pair.record === undefined);
  const { settings } = table;
  const name = settings.model === "baseline" ? "align" : "similarity";
  for (let start = 0; start < waiting.length; start += AT_ONCE) {
    const piece = waiting.slice(start, start + AT_ONCE);
    const sent = piece.map(({ number, sentence1, sentence2 }) => ({ id: number, sentence1, sentence2 }));
    let place = 0;
    for await (const record of server.stream(name, settings, sent, signal)) {
      keep(piece[place], record);
      place += 1;
    }
    draw();
    say(`${pairs.filter((pair) => pair.record).length} of ${pairs.length} pairs compared`);
  }
}

async function run(some) {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  try {
    await compute(some, signal);
    return !signal.aborted;
  } catch (error) {
    if (error.name !== "AbortError") callbacks.fail(error);
    return false;
  }
}

function stated() {
  const rest = pairs.length > SHOWN ? `; the first ${SHOWN} are shown` : "";
  const failed = pairs.filter((pair) => pair.error).length;
  say(`${pairs.length} pairs${rest}${failed ? `; ${failed} could not be compared` : ""}`);
}

export async function show(text) {
  const found = pairsIn(text);
  if (!found.length) {
    callbacks.fail(new Error("No two columns of sentences were found: expected TSV or CSV."));
    return;
  }
  pairs = found;
  sort = { key: "number", descending: false };
  table.settings = { ...now.settings };
  at("table-area").hidden = false;
  draw();
  if (await run(pairs.slice(0, SHOWN))) stated();
}

// With other settings all scores are computed again.
export async function recompute() {
  if (!pairs.length) return;
  for (const pair of pairs) for (const key of ["record", "similarity", "links", "error"]) delete pair[key];
  table.settings = { ...now.settings };
  draw();
  if (await run(pairs.slice(0, SHOWN))) stated();
}

const cells = (pair) => COLUMNS.map((key) => pair[key] ?? "");

async function download(kind) {
  if (!(await run(pairs))) return;
  stated();
  const text =
    kind === "tsv"
      ? tsvOf([COLUMNS, ...pairs.map(cells)])
      : pairs.map((pair) => `${JSON.stringify(pair.record)}\n`).join("");
  save(new Blob([text], { type: "text/plain" }), `pairs.${kind}`);
}

function close() {
  running?.abort();
  pairs = [];
  at("table-area").hidden = true;
  at("columns").focus();
}

export function watchTable(open, fail) {
  callbacks = { open, fail };
  document.querySelector("#many thead").addEventListener("click", (event) => {
    const key = event.target.closest("[data-sort]")?.dataset.sort;
    if (!key) return;
    sort = { key, descending: sort.key === key ? !sort.descending : key === "similarity" || key === "links" };
    draw();
  });
  at("rows").addEventListener("click", (event) => {
    const number = event.target.closest("[data-pair]")?.dataset.pair;
    if (number) callbacks.open(pairs[Number(number) - 1]);
  });
  at("save-tsv").addEventListener("click", () => download("tsv"));
  at("save-jsonl").addEventListener("click", () => download("jsonl"));
  at("close-table").addEventListener("click", close);
  at("file").addEventListener("change", async () => {
    const [file] = at("file").files;
    if (file) await show(await file.text());
    at("file").value = "";
  });
  at("columns").addEventListener("input", async () => {
    const text = at("columns").value;
    if (!/[\t,;]/.test(text)) return;
    at("columns").value = "";
    await show(text);
  });
  document.addEventListener("dragover", (event) => {
    if ([...event.dataTransfer.types].includes("Files")) event.preventDefault();
  });
  document.addEventListener("drop", async (event) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    await show(await file.text());
  });
}
