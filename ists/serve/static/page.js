// Sends what is typed to the server and shows the answer.

import { drawBoard, highlight, watchHighlights } from "./board.js";
import { drawDial } from "./dial.js";
import { at } from "./dom.js";
import { watchExports } from "./exports.js";
import { drawLinks, openLink, summary } from "./links.js";
import * as server from "./server.js";
import { bothGiven, chunksMissing, now, readFragment, request, toggleBoundary } from "./state.js";
import { recompute, show as showTable, watchTable } from "./table.js";

const PAUSE = 150; // milliseconds without a key before the server is asked

const fields = [at("sentence1"), at("sentence2")];
let models = [];
let timer = null;
let current = null; // the request whose answer is wanted; older answers are dropped

// ---- messages

function fail(error) {
  if (error.status === 401) {
    at("token-form").hidden = false;
    at("token").focus();
    return;
  }
  at("error").textContent = error.message;
}

// ---- asking and showing

function draw() {
  const shown = now.answer !== null;
  at("result").hidden = !shown;
  at("language").hidden = !shown || now.answer.english;
  if (!shown) return;
  drawDial();
  drawLinks();
  drawBoard();
  at("edit").setAttribute("aria-pressed", String(now.editing));
  at("edit-help").hidden = !now.editing;
  at("automatic").hidden = now.sizes.every((sizes) => sizes === null);
}

async function ask() {
  clearTimeout(timer);
  timer = null;
  current?.abort();
  current = null;
  if (!bothGiven()) {
    now.answer = null;
    document.body.removeAttribute("aria-busy");
    draw();
    return;
  }
  const own = new AbortController();
  current = own;
  document.body.setAttribute("aria-busy", "true");
  try {
    const sent = request();
    const response = await server.post("explain", { ...now.settings, details: true }, sent, own.signal);
    const answer = await response.json();
    if (current !== own) return; // a newer request is on its way
    now.answer = answer;
    at("error").textContent = "";
    if (chunksMissing(sent)) {
      await ask(); // now the tokens of the corrected chunks are known
      return;
    }
    draw();
    at("live").textContent = summary();
  } catch (error) {
    if (error.name !== "AbortError" && current === own) {
      now.answer = null; // the answer shown is that of other sentences
      draw();
      fail(error);
    }
  } finally {
    if (current === own) {
      current = null;
      if (timer === null) document.body.removeAttribute("aria-busy");
    }
  }
}

function askSoon() {
  clearTimeout(timer);
  document.body.setAttribute("aria-busy", "true"); // what is shown is out of date from now on
  timer = setTimeout(ask, PAUSE);
}

function setTexts(texts, sizes = [null, null]) {
  now.texts = [...texts];
  now.sizes = sizes;
  fields.forEach((field, place) => {
    field.value = texts[place];
  });
}

// ---- sentences

fields.forEach((field, place) => {
  field.addEventListener("input", () => {
    now.texts[place] = field.value;
    now.sizes[place] = null;
    askSoon();
  });
  field.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text/plain");
    if (!text.includes("\t")) return;
    event.preventDefault();
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    if (lines.length > 1) showTable(text);
    else {
      setTexts(lines[0].split("\t").slice(0, 2).map((cell) => cell.trim()));
      ask();
    }
  });
});

at("exchange").addEventListener("click", () => {
  setTexts([now.texts[1], now.texts[0]], [now.sizes[1], now.sizes[0]]);
  if (now.answer !== null) {
    [now.answer.tokens1, now.answer.tokens2] = [now.answer.tokens2, now.answer.tokens1];
  }
  ask();
});

at("example").addEventListener("change", () => {
  const { one, two } = at("example").selectedOptions[0].dataset;
  if (one === undefined) return;
  setTexts([one, two]);
  ask();
});

// ---- settings

const ownThreshold = () => models.find((one) => one.name === now.settings.model)?.threshold ?? null;

function drawSettings() {
  const { model, tokens, threshold, edition } = now.settings;
  const own = ownThreshold();
  const value = threshold ?? own;
  at("model").value = model;
  at("tokens").value = tokens;
  at("threshold").disabled = own === null;
  at("threshold").value = value ?? 0.5;
  const shown = value === null ? "none" : `${Number(value).toFixed(2)}${threshold === null ? " (the model's own)" : ""}`;
  at("threshold-value").textContent = shown;
  at("threshold").setAttribute("aria-valuetext", shown);
  const chosen = models.find((one) => one.name === model);
  at("edition").disabled = !chosen?.groups;
  at("edition").value = edition;
  at("model-note").textContent = chosen ? `${chosen.name}: ${chosen.description}.` : "";
}

function changed(name, value, soon = false) {
  now.settings[name] = value;
  drawSettings();
  if (soon) askSoon();
  else ask();
}

const makesGroups = (name) => models.find((one) => one.name === name)?.groups ?? false;

at("model").addEventListener("change", () => {
  now.settings.threshold = null;
  if (!makesGroups(at("model").value)) now.settings.edition = "2015";
  changed("model", at("model").value);
  recompute();
});
at("tokens").addEventListener("change", () => {
  now.sizes = [null, null];
  changed("tokens", at("tokens").value);
  recompute();
});
at("edition").addEventListener("change", () => {
  changed("edition", at("edition").value);
  recompute();
});
at("threshold").addEventListener("input", () => changed("threshold", Number(at("threshold").value), true));
at("threshold").addEventListener("change", () => recompute());
at("threshold-reset").addEventListener("click", () => {
  changed("threshold", null);
  recompute();
});

// ---- the picture

at("edit").addEventListener("click", () => {
  now.editing = !now.editing;
  draw();
});

at("automatic").addEventListener("click", () => {
  now.sizes = [null, null];
  at("edit").focus();
  ask();
});

at("board").addEventListener("click", async (event) => {
  const gap = event.target.closest(".gap");
  const chunk = event.target.closest("[data-link]");
  if (gap) {
    const { side, before } = gap.dataset;
    toggleBoundary(Number(side), Number(before));
    await ask();
    at("board").querySelector(`.gap[data-side="${side}"][data-before="${before}"]`)?.focus();
  } else if (chunk) {
    openLink(chunk.dataset.link);
    highlight(chunk.dataset.link);
  }
});

// ---- tokens and links

at("token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  server.setToken(at("token").value);
  at("token").value = "";
  at("token-form").hidden = true;
  begin();
});

function openPair({ sentence1, sentence2 }) {
  setTexts([sentence1, sentence2]);
  ask().then(() => {
    at("result").scrollIntoView({ block: "start" });
    at("result").focus({ preventScroll: true });
  });
}

function readAddress() {
  const { token, texts, sizes, settings } = readFragment(location.hash);
  if (token !== null) {
    server.setToken(token);
    history.replaceState(null, "", location.pathname);
  }
  if (texts === null) return false;
  setTexts(texts, sizes);
  const known = models.some((one) => one.name === settings.model);
  const tokens = [...at("tokens").options].some((one) => one.value === settings.tokens);
  const model = known ? settings.model : models[0].name;
  now.settings = {
    ...settings,
    model,
    edition: makesGroups(model) ? settings.edition : "2015",
    tokens: tokens ? settings.tokens : "auto",
  };
  return true;
}

window.addEventListener("hashchange", () => {
  if (!readAddress()) return;
  drawSettings();
  ask();
});

// ---- beginning

async function begin() {
  const { token } = readFragment(location.hash);
  if (token !== null) readAddress();
  try {
    models = await server.models();
  } catch (error) {
    fail(error);
    return;
  }
  now.settings.model ??= models.find((one) => one.default).name;
  if (!readAddress() && !bothGiven()) {
    const { one, two } = at("example").options[1].dataset;
    if (fields.every((field) => field.value === "")) setTexts([one, two]);
    else setTexts(fields.map((field) => field.value)); // kept by the browser over a reload
  }
  drawSettings();
  await ask();
}

watchHighlights();
watchExports(fail);
watchTable(openPair, fail);
begin();
