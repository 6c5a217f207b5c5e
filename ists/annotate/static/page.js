// The page: what it shows follows from the server's view of the pair, a cursor, and a picked chunk.
// Everything that changes something goes through one queue, so that fast keys keep their order.

import { cuttingRow, element, linkingRow } from "./board.js";
import { draw } from "./curves.js";
import { explainKeys } from "./help.js";
import { commandFor, keyIn, keyName } from "./keys.js";
import {
  allChunks, aloneAt, chunkText, isFree, labelText, lacks, linkAt, nearest, nextLacking, sameChunk,
} from "./pair.js";
import * as server from "./server.js";

const STEPS = ["chunks1", "chunks2", "links", "rest", "done"];
const SUGGESTING = document.body.dataset.suggesting === "yes";
const NOTE_PAUSE = 400;

const at = (id) => document.getElementById(id);
const board = at("board");

let view = null;
let cursor = null; // a token number while cutting, else { side, start }
let picked = null; // a chunk that waits for its partner
let proposals = null; // what the model suggests for the pair at this step
let skipped = new Set();
let noteTimer = null;
let noteDisputed = false; // another window wrote it too: only typing on decides

let queue = Promise.resolve();

function enqueue(work) {
  queue = queue.then(work).catch((error) => complain(error.message));
  return queue;
}

// Answered when all that was asked for until now is done and shown.
export async function settled() {
  let last;
  do {
    last = queue;
    await last;
  } while (last !== queue);
}

// ---- what the pair needs now

const cutting = () => view.step === "chunks1" || view.step === "chunks2";
const side = () => (view.step === "chunks1" ? 1 : 2);
const sentence = (which) => view.sentences[which - 1];
const starts = (which) => sentence(which).starts;

function currentLink() {
  return cutting() || cursor === null ? undefined : linkAt(view, cursor.side, cursor.start);
}

function soundCursor(old) {
  if (cutting()) {
    const last = sentence(side()).words.length;
    if (last < 2) return null;
    return typeof old === "number" ? Math.min(Math.max(old, 2), last) : 2;
  }
  if (old && typeof old === "object" && starts(old.side).includes(old.start)) return old;
  return nextLacking(view, null) ?? allChunks(view)[0] ?? null;
}

// ---- suggestions

function proposedNow() {
  if (proposals === null || proposals.error || cutting()) return null;
  if (view.step === "links") {
    return (proposals.links ?? []).find(
      (one) =>
        !linkAt(view, 1, one.first) && !linkAt(view, 2, one.second) && !skipped.has(`l${one.first}`),
    ) ?? null;
  }
  if (view.step !== "rest") return null;
  return (proposals.alone ?? []).find(
    (one) => isFree(view, one.side, one.start) && !skipped.has(`a${one.side}-${one.start}`),
  ) ?? null;
}

function proposedChunks() {
  const one = proposedNow();
  if (one === null) return [];
  if (view.step === "rest") return [one];
  return [{ side: 1, start: one.first }, { side: 2, start: one.second }];
}

const sameStarts = (one, other) => one.join() === other.join();

function askForSuggestions() {
  proposals = null;
  if (!SUGGESTING || view.step === "done") return;
  const { place, step, sentences } = view;
  const chunks = JSON.stringify(sentences);
  server
    .suggestions(place)
    .then((found) => {
      const same = view.place === place && view.step === step;
      if (same && (cutting() || JSON.stringify(view.sentences) === chunks)) {
        proposals = found;
        render();
      }
    })
    .catch((error) => complain(error.message));
}

// ---- showing

function say(text) {
  at("message").textContent = text;
  at("message").classList.remove("error");
}

function complain(text) {
  at("message").textContent = text;
  at("message").classList.add("error");
}

function instruction() {
  const key = (name) => keyName(name);
  if (cutting()) {
    if (cursor === null) return "Nothing to cut here. Enter goes on.";
    return `Cut sentence ${side()} into chunks: ${key("ArrowLeft")} ${key("ArrowRight")} to a gap, Space or a click cuts or joins. Enter when it is right.`;
  }
  if (view.step === "done") {
    return view.done === view.total
      ? "This pair is done, and so are all the others."
      : "This pair is done. Enter goes to the next unfinished pair.";
  }
  if (view.step === "rest") {
    return "Why are these chunks alone? N: nothing corresponds. C: something does, but it is linked already. Enter when all are labelled.";
  }
  if (picked !== null) {
    const text = chunkText(view, picked.side, picked.start);
    return `‘${text}’ is picked: pick its partner in sentence ${3 - picked.side}. Escape lets it go.`;
  }
  const link = currentLink();
  if (link !== undefined && link.score === null) return "How similar are they? 5 to 1, before any label.";
  if (link !== undefined && link.relation === null) {
    return link.score === 5 ? "Score 5 goes with EQUI: E." : "What is their relation? O, T, B, S or R.";
  }
  return "Link the chunks that correspond, strongest first: Space or a click picks one. Enter when no more belong together.";
}

function renderRows() {
  for (const which of [1, 2]) {
    const box = board.querySelector(`.sentence[data-side="${which}"]`);
    const row = box.querySelector(".row");
    const shown = sentence(which);
    box.classList.toggle("veiled", shown === null);
    row.classList.toggle("cutting", shown !== null && cutting());
    if (shown === null) {
      row.replaceChildren(element("p", { class: "quiet" }, "hidden: each sentence is cut on its own"));
    } else if (shown.words.length === 0) {
      row.replaceChildren(element("p", { class: "quiet" }, "this sentence has no words"));
    } else if (cutting()) {
      row.replaceChildren(...cuttingRow(shown, cursor, proposals?.starts ?? []));
    } else {
      row.replaceChildren(...linkingRow(view, which, cursor, picked, proposedChunks()));
    }
  }
}

function chunkElement(which, start) {
  return board.querySelector(`.chunk[data-side="${which}"][data-start="${start}"]`);
}

function renderCurves() {
  if (view === null || cutting()) {
    at("curves").replaceChildren();
    return;
  }
  const one = view.step === "links" ? proposedNow() : null;
  const current = currentLink();
  const links = view.links.map((link) => ({
    from: chunkElement(1, link.first),
    to: chunkElement(2, link.second),
    names: `curve rel-${link.relation ?? "none"}${link === current ? " current" : ""}`,
  }));
  if (one !== null) {
    links.unshift({
      from: chunkElement(1, one.first),
      to: chunkElement(2, one.second),
      names: "curve proposed",
    });
  }
  draw(at("curves"), links);
}

function press(button, on, able) {
  button.setAttribute("aria-pressed", String(on));
  button.setAttribute("aria-disabled", String(!able));
}

function renderLinkEditor() {
  const link = view.step === "links" && picked === null ? currentLink() : undefined;
  at("link-editor").hidden = link === undefined;
  if (link === undefined) return;
  const number = view.links.indexOf(link) + 1;
  at("link-name").textContent =
    `Link ${number}: ‘${chunkText(view, 1, link.first)}’ ⇔ ‘${chunkText(view, 2, link.second)}’`;
  for (const button of at("link-editor").querySelectorAll("button")) {
    const { command, value } = button.dataset;
    if (command === "score") press(button, link.score === Number(value), true);
    if (command === "label") {
      const fits = link.score !== null && (link.score === 5) === (value === "EQUI");
      press(button, link.relation === value, fits);
    }
    if (command === "flag") press(button, link.flags.includes(value), link.relation !== null);
  }
}

function renderLoneEditor() {
  const here = view.step === "rest" && cursor !== null && !currentLink() ? cursor : null;
  at("lone-editor").hidden = here === null;
  if (here === null) return;
  const alone = aloneAt(view, here.side, here.start);
  at("lone-name").textContent =
    `‘${chunkText(view, here.side, here.start)}’ of sentence ${here.side}`;
  for (const button of at("lone-editor").querySelectorAll("button")) {
    const { command, value } = button.dataset;
    if (command === "alone") press(button, alone?.relation === value, true);
    if (command === "flag") press(button, alone?.flags.includes(value) ?? false, alone !== undefined);
    if (command === "rest") {
      button.hidden = nextLacking(view, null) === null;
    }
  }
}

function describe(one) {
  if (cutting()) return "The model would cut at the gaps marked ▾. Accept takes all its chunks.";
  if (view.step === "rest") {
    return `‘${chunkText(view, one.side, one.start)}’ of sentence ${one.side}: ${one.relation}`;
  }
  const chunks = `‘${chunkText(view, 1, one.first)}’ ⇔ ‘${chunkText(view, 2, one.second)}’`;
  return `${chunks}: ${labelText(one)} (${Math.round(one.probability * 100)} % sure of the link)`;
}

function renderProposal() {
  const panel = at("proposal");
  const [accept, skip] = panel.querySelectorAll("button");
  panel.hidden = !SUGGESTING || proposals === null || view.step === "done";
  if (panel.hidden) return;
  at("proposal-why").textContent = "";
  accept.hidden = skip.hidden = true;
  if (proposals.error) {
    at("proposal-text").textContent = `None: ${proposals.error}`;
  } else if (cutting()) {
    const same = sameStarts(proposals.starts ?? [], starts(side()));
    at("proposal-text").textContent = same ? "The model would cut just so." : describe(null);
    accept.hidden = same;
    skip.hidden = true;
  } else {
    const one = proposedNow();
    at("proposal-text").textContent = one === null ? "No more of them at this step." : describe(one);
    at("proposal-why").textContent = one?.why ?? "";
    accept.hidden = skip.hidden = one === null;
  }
}

function renderAside() {
  const lacking = at("missing");
  const complete = view.step === "done" ? "nothing: this pair is complete" : "nothing more at this step";
  const items = view.missing.length ? view.missing : [complete];
  lacking.replaceChildren(...items.map((text) => element("li", {}, text)));
  lacking.classList.toggle("complete", view.missing.length === 0);
  at("decided").hidden = view.links.length === 0;
  at("links").replaceChildren(
    ...view.links.map((link) =>
      element(
        "li",
        { class: `rel-${link.relation ?? "none"}` },
        element(
          "button",
          { type: "button", class: "plain", "data-side": 1, "data-start": link.first },
          `${chunkText(view, 1, link.first)} ⇔ ${chunkText(view, 2, link.second)}`,
          element("span", { class: "badge" }, labelText(link) || "no score yet"),
        ),
      ),
    ),
  );
}

function renderHead() {
  at("bar").max = view.total;
  at("bar").value = view.done;
  at("count").textContent = `${view.done} of ${view.total} done`;
  at("total").textContent = view.total;
  at("place").max = view.total;
  if (document.activeElement !== at("place")) at("place").value = view.place + 1;
  at("pair-id").textContent = view.id;
  document.title = `${view.place + 1} of ${view.total} · ists annotate`;
  for (const button of document.querySelectorAll("[data-step]")) {
    const place = STEPS.indexOf(button.dataset.step);
    const now = STEPS.indexOf(view.step);
    button.toggleAttribute("aria-current", place === now);
    if (place === now) button.setAttribute("aria-current", "step");
    button.classList.toggle("past", place < now);
    button.setAttribute("aria-disabled", String(place > now));
  }
  const buttons = { undo: view.undo, redo: view.redo, back: view.step !== "chunks1" };
  for (const [command, able] of Object.entries(buttons)) {
    const button = document.querySelector(`.moves [data-command="${command}"]`);
    button.setAttribute("aria-disabled", String(!able));
  }
  const main = document.querySelector('.moves [data-command="advance"]');
  main.firstChild.textContent = view.step === "done" ? "Next unfinished" : view.step === "rest" ? "Pair is done" : "Continue";
}

function focusBoard() {
  board.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
}

function render() {
  const inBoard = board.contains(document.activeElement) || document.activeElement === document.body;
  document.querySelector("main").hidden = false;
  renderHead();
  renderRows();
  renderLinkEditor();
  renderLoneEditor();
  renderProposal();
  renderAside();
  renderCurves();
  const text = instruction();
  if (at("instruction").textContent !== text) at("instruction").textContent = text;
  if (inBoard || !document.activeElement.checkVisibility()) focusBoard();
}

function adopt(next) {
  const samePair = view !== null && view.place === next.place;
  const sameStep = samePair && view.step === next.step;
  const sameChunks = sameStep && JSON.stringify(view.sentences) === JSON.stringify(next.sentences);
  if (!samePair) {
    at("note").value = next.note;
    at("note-state").textContent = "";
    noteDisputed = false;
  }
  view = next;
  if (!samePair || !sameStep) {
    cursor = null;
    picked = null;
    skipped = new Set();
  }
  cursor = soundCursor(cursor);
  if (picked !== null && (cutting() || !starts(picked.side).includes(picked.start))) picked = null;
  if (!sameStep || (!sameChunks && !cutting())) askForSuggestions();
  history.replaceState(null, "", `#${view.place + 1}`);
  render();
}

// ---- changing

async function act(action) {
  const { status, body } = await server.act(view.place, view.version, action);
  say("");
  if (body.view !== undefined) {
    if (status === 409) at("note").value = body.view.note;
    adopt(body.view);
    complain(
      status === 409
        ? "This pair was changed in another window. It is shown as it is now; your last action was not done."
        : `${body.error[0].toUpperCase()}${body.error.slice(1)}.`,
    );
    return false;
  }
  if (body.error !== undefined) {
    complain(body.error);
    return false;
  }
  adopt(body);
  return true;
}

async function show(place) {
  await saveNote();
  const next = await server.pair(place);
  if (next.error !== undefined) {
    complain(next.error);
    return;
  }
  say("");
  adopt(next);
}

async function refresh() {
  if (noteTimer !== null || noteDisputed) return;
  const next = await server.pair(view.place);
  if (next.version === view.version) return;
  at("note").value = next.note;
  adopt(next);
  say("This pair was changed in another window. It is shown as it is now.");
}

// A note that somebody else has not touched meanwhile can be saved over a newer version of the pair.
async function saveNote(keepalive = false) {
  clearTimeout(noteTimer);
  noteTimer = null;
  if (view === null || noteDisputed || at("note").value === view.note) return;
  const action = { do: "note", text: at("note").value };
  let { status, body } = await server.act(view.place, view.version, action, keepalive);
  if (status === 409 && body.view.note === view.note) {
    ({ status, body } = await server.act(view.place, body.view.version, action));
  }
  if (body.view !== undefined) adopt(body.view);
  if (status === 409) {
    noteDisputed = true;
    complain(`Another window has written a note here: ‘${body.view.note}’. Typing on replaces it.`);
  } else if (body.error !== undefined) {
    complain(body.error);
  } else {
    adopt(body);
    at("note-state").textContent = "saved";
  }
}

// ---- commands: each is done when those before it are answered

function moveSideways(by) {
  if (cutting()) {
    if (cursor !== null) cursor = soundCursor(cursor + by);
  } else if (cursor !== null) {
    const row = starts(cursor.side);
    const next = row[row.indexOf(cursor.start) + by];
    if (next !== undefined) cursor = { side: cursor.side, start: next };
  }
  render();
}

function moveToEdge(which) {
  if (cursor === null) return;
  if (cutting()) cursor = soundCursor(which < 0 ? 2 : Infinity);
  else cursor = { side: cursor.side, start: starts(cursor.side).at(which < 0 ? 0 : -1) };
  render();
}

function letGo() {
  picked = null;
  render();
}

function moveAcross(which) {
  if (cutting() || cursor === null || cursor.side === which) return;
  const link = currentLink();
  const start = link ? (which === 1 ? link.first : link.second) : nearest(view, which, cursor.start, false);
  if (start !== undefined) cursor = { side: which, start };
  render();
}

async function toggle() {
  if (cutting()) {
    if (cursor !== null) await act({ do: "cut", side: side(), before: cursor });
    return;
  }
  if (view.step === "links" && cursor !== null) await pick(cursor);
}

async function pick(chunk) {
  if (sameChunk(picked, chunk)) {
    letGo();
    return;
  }
  if (linkAt(view, chunk.side, chunk.start)) {
    picked = null;
    cursor = chunk;
    render();
    return;
  }
  if (picked === null || picked.side === chunk.side) {
    picked = chunk;
    const start = nearest(view, 3 - chunk.side, chunk.start, true);
    cursor = start === undefined ? chunk : { side: 3 - chunk.side, start };
    render();
    return;
  }
  const [first, second] = picked.side === 1 ? [picked.start, chunk.start] : [chunk.start, picked.start];
  picked = null;
  cursor = { side: 1, start: first };
  await act({ do: "connect", first, second });
}

async function onLink(action) {
  const link = currentLink();
  if (link === undefined) complain("Go to a linked chunk first.");
  else await act({ ...action, first: link.first });
}

async function flag(value) {
  if (view.step === "links") await onLink({ do: "flag", flag: value });
  else if (cursor !== null) await act({ do: "flag-alone", ...cursor, flag: value });
}

async function leaveAlone(relation) {
  if (cursor === null) return;
  const chunk = cursor;
  const lacked = lacks(view, chunk.side, chunk.start);
  if ((await act({ do: "alone", ...chunk, relation })) && lacked) {
    cursor = nextLacking(view, chunk) ?? chunk;
    render();
  }
}

async function accept() {
  if (cutting()) {
    if (proposals?.starts) await act({ do: "recut", side: side(), starts: proposals.starts });
    return;
  }
  const one = proposedNow();
  if (one === null) return;
  if (view.step === "rest") {
    const { side: which, start, relation } = one;
    if (await act({ do: "alone", side: which, start, relation })) cursor = { side: which, start };
  } else {
    const { first, second, score, relation, flags } = one;
    picked = null;
    if (await act({ do: "accept", first, second, score, relation, flags })) {
      cursor = { side: 1, start: first };
    }
  }
  render();
}

function skip() {
  const one = proposedNow();
  if (one === null) return;
  skipped.add(view.step === "rest" ? `a${one.side}-${one.start}` : `l${one.first}`);
  render();
}

async function advance() {
  if (view.step === "done") await nextUnfinished();
  else await act({ do: "advance" });
}

async function back() {
  const place = STEPS.indexOf(view.step);
  if (place > 0) await returnTo(STEPS[place - 1]);
}

async function returnTo(step) {
  await act({ do: "return", step });
}

async function nextUnfinished() {
  const pairs = await server.overview();
  const places = pairs.map((_, index) => (view.place + 1 + index) % pairs.length);
  const place = places.find((one) => pairs[one].state !== "done");
  if (place === undefined) say("All pairs are done.");
  else if (place === view.place) say("This is the only unfinished pair.");
  else await show(place);
}

async function showOverview() {
  const pairs = await server.overview();
  at("pairs").replaceChildren(
    ...pairs.map(({ id, state }, place) =>
      element(
        "li",
        {},
        element(
          "button",
          { type: "button", class: state, "data-place": place, "aria-current": place === view.place ? "true" : null },
          `${id} `,
          element("small", {}, state),
        ),
      ),
    ),
  );
  at("overview").showModal();
}

function lacking() {
  const next = nextLacking(view, cursor);
  if (next === null) say("No chunk lacks anything.");
  else cursor = next;
  render();
}

async function step(by) {
  const place = view.place + by;
  if (place < 0 || place >= view.total) say(by < 0 ? "This is the first pair." : "This is the last pair.");
  else await show(place);
}

const COMMANDS = {
  sideways: moveSideways,
  across: moveAcross,
  edge: moveToEdge,
  toggle,
  letGo,
  score: (value) => onLink({ do: "score", score: Number(value) }),
  label: (value) => onLink({ do: "label", relation: value }),
  flag,
  disconnect: () => onLink({ do: "disconnect" }),
  alone: leaveAlone,
  rest: () => act({ do: "rest" }),
  lacking,
  accept,
  skip,
  advance,
  back,
  undo: () => act({ do: "undo" }),
  redo: () => act({ do: "redo" }),
  previous: () => step(-1),
  next: () => step(1),
  unfinished: nextUnfinished,
  overview: showOverview,
  note: () => at("note").focus(),
  help: () => at("help").showModal(),
};

async function run(command, value) {
  if (view === null) return;
  say("");
  await saveNote();
  await COMMANDS[command](value);
}

// What a key means is known only when those before it have done their work.
async function runKey(key) {
  const found = commandFor(key, view.step);
  if (found === null) return;
  await run(found.command, found.value);
  if (board.contains(document.activeElement)) {
    document.activeElement.scrollIntoView({ block: "nearest" });
  }
}

// ---- listening

const typing = (target) => target.matches("textarea, input, select");
const ownButton = (target) => target.closest("button, a, summary") && !board.contains(target);

document.addEventListener("keydown", (event) => {
  if (view === null || document.querySelector("dialog[open]")) return;
  if (typing(event.target)) {
    if (event.key === "Escape") {
      event.target.blur();
      focusBoard();
    }
    return;
  }
  if (ownButton(event.target) && (event.key === "Enter" || event.key === " ")) return;
  const key = keyIn(event, at("letters").checked);
  if (key === null) return;
  event.preventDefault();
  enqueue(() => runKey(key));
});

// A button is pressed when Space is let go; in the sentences Space has done its work by then.
board.addEventListener("keyup", (event) => {
  if (event.key === " ") event.preventDefault();
});

async function clickedGap(before) {
  cursor = before;
  await toggle();
}

async function clickedChunk(chunk) {
  cursor = chunk;
  if (view.step === "links") await pick(chunk);
  else render();
}

function clickedLink(chunk) {
  picked = null;
  cursor = chunk;
  render();
}

function clicked({ command, value, step: wanted, place, before, start, side: which }, inBoard) {
  if (command !== undefined) return () => run(command, value);
  if (wanted !== undefined) return () => (wanted === view.step ? undefined : returnTo(wanted));
  if (place !== undefined) return () => show(Number(place));
  if (before !== undefined) return () => clickedGap(Number(before));
  if (start === undefined) return null;
  const chunk = { side: Number(which), start: Number(start) };
  return inBoard ? () => clickedChunk(chunk) : () => clickedLink(chunk);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button === null) return;
  if (button.dataset.close !== undefined || button.dataset.place !== undefined) {
    button.closest("dialog").close();
  }
  const work = clicked(button.dataset, board.contains(button));
  if (work !== null) enqueue(work);
});

at("jump").addEventListener("submit", (event) => {
  event.preventDefault(); // the field has told of its change by then
  at("place").blur();
});

at("place").addEventListener("change", () => {
  if (at("place").reportValidity()) enqueue(() => show(Number(at("place").value) - 1));
});

at("note").addEventListener("input", () => {
  at("note-state").textContent = "";
  noteDisputed = false;
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => enqueue(() => saveNote()), NOTE_PAUSE);
});
at("note").addEventListener("blur", () => enqueue(() => saveNote()));
window.addEventListener("pagehide", () => saveNote(true));
window.addEventListener("focus", () => {
  if (view !== null) enqueue(refresh);
});
window.addEventListener("hashchange", () => {
  const place = Number(location.hash.slice(1)) - 1;
  const fits = view !== null && place >= 0 && place < view.total && place !== view.place;
  if (fits && Number.isInteger(place)) enqueue(() => show(place));
});
new ResizeObserver(() => renderCurves()).observe(board);

// ---- beginning

async function begin() {
  explainKeys(SUGGESTING);
  const pairs = await server.overview();
  const asked = Number(location.hash.slice(1)) - 1;
  const unfinished = pairs.findIndex((pair) => pair.state !== "done");
  const fits = Number.isInteger(asked) && asked >= 0 && asked < pairs.length;
  await show(fits ? asked : Math.max(0, unfinished));
}

enqueue(begin);
