// What the page does. Everything that changes something goes through one queue, so that fast keys
// keep their order.

import { element } from "./board.js";
import { explainKeys } from "./help.js";
import { commandFor, keyIn } from "./keys.js";
import { lacks, linkAt, nearest, nextLacking, sameChunk } from "./pair.js";
import { at, board, complain, focusBoard, render, renderCurves, say } from "./panels.js";
import * as server from "./server.js";
import {
  currentLink, cutting, now, proposedNow, side, soundCursor, starts, STEPS, SUGGESTING,
} from "./state.js";

const NOTE_PAUSE = 400;

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

// ---- taking in what the server says

function askForSuggestions() {
  now.proposals = null;
  if (!SUGGESTING || now.view.step === "done") return;
  const { place, step, sentences } = now.view;
  const chunks = JSON.stringify(sentences);
  server
    .suggestions(place)
    .then((found) => {
      const same = now.view.place === place && now.view.step === step;
      if (same && (cutting() || JSON.stringify(now.view.sentences) === chunks)) {
        now.proposals = found;
        render();
      }
    })
    .catch((error) => complain(error.message));
}

function adopt(next) {
  const samePair = now.view !== null && now.view.place === next.place;
  const sameStep = samePair && now.view.step === next.step;
  const sameChunks = sameStep && JSON.stringify(now.view.sentences) === JSON.stringify(next.sentences);
  if (!samePair) {
    at("note").value = next.note;
    at("note-state").textContent = "";
    noteDisputed = false;
  }
  now.view = next;
  if (!samePair || !sameStep) {
    now.cursor = null;
    now.picked = null;
    now.skipped = new Set();
  }
  now.cursor = soundCursor(now.cursor);
  if (cutting() || (now.picked && !starts(now.picked.side).includes(now.picked.start))) {
    now.picked = null;
  }
  if (!sameStep || (!sameChunks && !cutting())) askForSuggestions();
  history.replaceState(null, "", `#${now.view.place + 1}`);
  render();
}

// ---- changing

async function act(action) {
  const { status, body } = await server.act(now.view.place, now.view.version, action);
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
  const next = await server.pair(now.view.place);
  if (next.version === now.view.version) return;
  at("note").value = next.note;
  adopt(next);
  say("This pair was changed in another window. It is shown as it is now.");
}

// A note that somebody else has not touched meanwhile can be saved over a newer version of the pair.
async function saveNote(keepalive = false) {
  clearTimeout(noteTimer);
  noteTimer = null;
  if (now.view === null || noteDisputed || at("note").value === now.view.note) return;
  const action = { do: "note", text: at("note").value };
  let { status, body } = await server.act(now.view.place, now.view.version, action, keepalive);
  if (status === 409 && body.view.note === now.view.note) {
    ({ status, body } = await server.act(now.view.place, body.view.version, action));
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
    if (now.cursor !== null) now.cursor = soundCursor(now.cursor + by);
  } else if (now.cursor !== null) {
    const row = starts(now.cursor.side);
    const next = row[row.indexOf(now.cursor.start) + by];
    if (next !== undefined) now.cursor = { side: now.cursor.side, start: next };
  }
  render();
}

function moveToEdge(which) {
  if (now.cursor === null) return;
  if (cutting()) now.cursor = soundCursor(which < 0 ? 2 : Infinity);
  else now.cursor = { side: now.cursor.side, start: starts(now.cursor.side).at(which < 0 ? 0 : -1) };
  render();
}

function letGo() {
  now.picked = null;
  render();
}

function moveAcross(which) {
  if (cutting() || now.cursor === null || now.cursor.side === which) return;
  const link = currentLink();
  const partner = which === 1 ? link?.first : link?.second;
  const start = partner ?? nearest(now.view, which, now.cursor.start, false);
  if (start !== undefined) now.cursor = { side: which, start };
  render();
}

async function toggle() {
  if (cutting()) {
    if (now.cursor !== null) await act({ do: "cut", side: side(), before: now.cursor });
    return;
  }
  if (now.view.step === "links" && now.cursor !== null) await pick(now.cursor);
}

async function pick(chunk) {
  if (sameChunk(now.picked, chunk)) {
    letGo();
    return;
  }
  if (linkAt(now.view, chunk.side, chunk.start)) {
    now.picked = null;
    now.cursor = chunk;
    render();
    return;
  }
  if (now.picked === null || now.picked.side === chunk.side) {
    now.picked = chunk;
    const start = nearest(now.view, 3 - chunk.side, chunk.start, true);
    now.cursor = start === undefined ? chunk : { side: 3 - chunk.side, start };
    render();
    return;
  }
  const starting = [now.picked.start, chunk.start];
  const [first, second] = now.picked.side === 1 ? starting : starting.reverse();
  now.picked = null;
  now.cursor = { side: 1, start: first };
  await act({ do: "connect", first, second });
}

async function onLink(action) {
  const link = currentLink();
  if (link === undefined) complain("Go to a linked chunk first.");
  else await act({ ...action, first: link.first });
}

async function flag(value) {
  if (now.view.step === "links") await onLink({ do: "flag", flag: value });
  else if (now.cursor !== null) await act({ do: "flag-alone", ...now.cursor, flag: value });
}

async function leaveAlone(relation) {
  if (now.cursor === null) return;
  const chunk = now.cursor;
  const lacked = lacks(now.view, chunk.side, chunk.start);
  if ((await act({ do: "alone", ...chunk, relation })) && lacked) {
    now.cursor = nextLacking(now.view, chunk) ?? chunk;
    render();
  }
}

async function accept() {
  if (cutting()) {
    if (now.proposals?.starts) await act({ do: "recut", side: side(), starts: now.proposals.starts });
    return;
  }
  const one = proposedNow();
  if (one === null) return;
  if (now.view.step === "rest") {
    const { side: which, start, relation } = one;
    if (await act({ do: "alone", side: which, start, relation })) now.cursor = { side: which, start };
  } else {
    const { first, second, score, relation, flags } = one;
    now.picked = null;
    if (await act({ do: "accept", first, second, score, relation, flags })) {
      now.cursor = { side: 1, start: first };
    }
  }
  render();
}

function skip() {
  const one = proposedNow();
  if (one === null) return;
  now.skipped.add(now.view.step === "rest" ? `a${one.side}-${one.start}` : `l${one.first}`);
  render();
}

async function advance() {
  if (now.view.step === "done") await nextUnfinished();
  else await act({ do: "advance" });
}

async function back() {
  const place = STEPS.indexOf(now.view.step);
  if (place > 0) await returnTo(STEPS[place - 1]);
}

async function returnTo(step) {
  await act({ do: "return", step });
}

async function nextUnfinished() {
  const pairs = await server.overview();
  const places = pairs.map((_, index) => (now.view.place + 1 + index) % pairs.length);
  const place = places.find((one) => pairs[one].state !== "done");
  if (place === undefined) say("All pairs are done.");
  else if (place === now.view.place) say("This is the only unfinished pair.");
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
          {
            type: "button",
            class: state,
            "data-place": place,
            "aria-current": place === now.view.place ? "true" : null,
          },
          `${id} `,
          element("small", {}, state),
        ),
      ),
    ),
  );
  at("overview").showModal();
}

function lacking() {
  const next = nextLacking(now.view, now.cursor);
  if (next === null) say("No chunk lacks anything.");
  else now.cursor = next;
  render();
}

async function step(by) {
  const place = now.view.place + by;
  if (place < 0) say("This is the first pair.");
  else if (place >= now.view.total) say("This is the last pair.");
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
  if (now.view === null) return;
  say("");
  await saveNote();
  await COMMANDS[command](value);
}

// What a key means is known only when those before it have done their work.
async function runKey(key) {
  const found = commandFor(key, now.view.step);
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
  if (now.view === null || document.querySelector("dialog[open]")) return;
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
  now.cursor = before;
  await toggle();
}

async function clickedChunk(chunk) {
  now.cursor = chunk;
  if (now.view.step === "links") await pick(chunk);
  else render();
}

function clickedLink(chunk) {
  now.picked = null;
  now.cursor = chunk;
  render();
}

function clicked({ command, value, step: wanted, place, before, start, side: which }, inBoard) {
  if (command !== undefined) return () => run(command, value);
  if (wanted !== undefined) return () => (wanted === now.view.step ? undefined : returnTo(wanted));
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
  if (now.view !== null) enqueue(refresh);
});
window.addEventListener("hashchange", () => {
  const place = Number(location.hash.slice(1)) - 1;
  const fits = now.view !== null && place >= 0 && place < now.view.total && place !== now.view.place;
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
