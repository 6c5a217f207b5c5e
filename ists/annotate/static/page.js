// The page's commands. Everything that changes something goes through one queue, so that fast keys
// keep their order.

import { explainKeys } from "./help.js";
import { commandFor, GAP_KEYS, keyIn } from "./keys.js";
import { openOverview } from "./overview.js";
import {
  chunksIn, lacks, linkAt, nearest, nextLacking, nextUnlinked, sameChunk, startsOf,
} from "./pair.js";
import { at, board, complain, focusBoard, render, renderCurves, say } from "./panels.js";
import * as server from "./server.js";
import {
  currentLink, cutting, differenceNow, flaggedLink, GROUPS, heldLink, linkingChunk, MODES, now,
  proposedNow, remaining, side, skipProposal, soundCursor, starts, STEPS, SUGGESTING,
} from "./state.js";

const NOTE_PAUSE = 400;

let noteTimer = null;
let noteDisputed = false; // another window has changed it too: only further typing replaces it
let queue = Promise.resolve();

function enqueue(work) {
  queue = queue.then(work).catch((error) => complain(error.message));
  return queue;
}

// Resolves when everything requested until now is done and shown.
export async function settled() {
  let last;
  do {
    last = queue;
    await last;
  } while (last !== queue);
  await renderCurves();
}

// ---- responses of the server

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
    now.held = null;
    now.recent = null;
    now.skipped = new Set();
  }
  now.cursor = soundCursor(now.cursor);
  if (heldLink() === undefined) now.held = null;
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
  if (body.said) say(body.said);
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
  now.recent = null;
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
  now.recent = null;
  if (now.cursor === null) return;
  if (cutting()) now.cursor = soundCursor(which < 0 ? 2 : Infinity);
  else now.cursor = { side: now.cursor.side, start: starts(now.cursor.side).at(which < 0 ? 0 : -1) };
  render();
}

function unpick() {
  now.picked = null;
  now.held = null;
  render();
}

function moveAcross(which) {
  if (cutting() || now.cursor === null || now.cursor.side === which) return;
  now.recent = null;
  const link = currentLink();
  const partner = link === undefined ? undefined : startsOf(link, which)[0];
  const start = partner ?? nearest(now.view, which, now.cursor.start, false);
  if (start !== undefined) now.cursor = { side: which, start };
  render();
}

async function cutAt(key) {
  const before = GAP_KEYS.indexOf(key) + 2;
  if (now.cursor === null || soundCursor(before) !== before) {
    complain("There is no gap with this key.");
    return;
  }
  now.cursor = before;
  await toggle();
}

async function toggle() {
  if (cutting()) {
    if (now.cursor !== null) await act({ do: "cut", side: side(), before: now.cursor });
    return;
  }
  if (now.view.step === "links" && now.cursor !== null) await pick(now.cursor);
}

async function pick(chunk) {
  if (heldLink() !== undefined) {
    await regroup(chunk);
    return;
  }
  now.recent = null;
  if (sameChunk(now.picked, chunk)) {
    unpick();
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
  await connect(now.picked, chunk);
}

// Add chunks to the link at the cursor until this is ended.
function hold() {
  const link = flaggedLink();
  now.picked = null;
  if (link === undefined) complain("Go to a linked chunk first.");
  else now.held = heldLink() === undefined ? chunksIn(link)[0] : null;
  render();
}

// Add a chunk to a link, or take it out of its group; on another link, add chunks to that one.
// Without a link that is held, a chunk is added to the link at the cursor or the one just labelled.
async function regroup(chunk) {
  const held = heldLink();
  const here = sameChunk(chunk, now.cursor) ? undefined : currentLink();
  const recent = now.recent === null ? undefined : linkAt(now.view, 1, now.recent);
  const target = held ?? here ?? recent;
  const link = linkAt(now.view, chunk.side, chunk.start);
  now.picked = null;
  now.recent = null;
  now.cursor = chunk;
  if (link === undefined && target === undefined) {
    complain("Go to a linked chunk first: Shift Space there, then on the chunks to add.");
  } else if (link === undefined) {
    if (await act({ do: "join", first: target.firsts[0], ...chunk })) return;
  } else if (link === target && startsOf(link, chunk.side).length > 1) {
    if (held !== undefined) now.held = chunksIn(link).find((one) => !sameChunk(one, chunk));
    if (await act({ do: "leave", ...chunk })) return;
  } else {
    now.held = chunk;
  }
  render();
}

async function connect(one, other) {
  const [first, second] = one.side === 1 ? [one.start, other.start] : [other.start, one.start];
  now.picked = null;
  now.held = null;
  now.recent = null;
  now.cursor = { side: 1, start: first };
  await act({ do: "connect", first, second });
}

// On a link, a digit is its score; on an unlinked chunk, it is the partner in the other sentence.
async function digit(key) {
  const chunk = linkingChunk();
  if (chunk === null) {
    if (Number(key) > 5) complain("A score is a number from 1 to 5.");
    else await score(key);
    return;
  }
  const which = 3 - chunk.side;
  const start = starts(which)[Number(key) - 1];
  if (start === undefined) complain(`Sentence ${which} has no chunk ${key}.`);
  else await connect(chunk, { side: which, start });
}

async function zero() {
  if (currentLink() !== undefined && now.picked === null) await onLink({ do: "score", score: 0 });
  else say("A chunk without a partner stays unlinked: the next step asks why.");
}

async function onLink(action) {
  const link = currentLink();
  if (link === undefined) {
    complain("Go to a linked chunk first.");
    return false;
  }
  return act({ ...action, first: link.firsts[0] });
}

// After the last decision on a link, go on to the next chunk without one.
function moveOn() {
  const link = currentLink();
  const start = nextUnlinked(now.view, link.firsts[0]);
  now.held = null;
  if (start === undefined) {
    render();
    return;
  }
  now.recent = link.firsts[0];
  now.cursor = { side: 1, start };
  render();
}

async function score(value) {
  const done = await onLink({ do: "score", score: Number(value) });
  if (done && currentLink()?.relation) moveOn();
}

async function label(value) {
  if (currentLink() === undefined && flaggedLink()?.relation === value) return; // 5 has set it
  if (await onLink({ do: "label", relation: value })) moveOn();
}

async function flag(value) {
  if (now.view.step === "links") {
    const link = flaggedLink();
    if (link === undefined) complain("Go to a linked chunk first.");
    else await act({ do: "flag", flag: value, first: link.firsts[0] });
  } else if (now.cursor !== null) await act({ do: "flag-alone", ...now.cursor, flag: value });
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

const asAction = (one) =>
  one.firsts === undefined
    ? { do: "alone", side: one.side, start: one.start, relation: one.relation }
    : {
        do: "accept", firsts: one.firsts, seconds: one.seconds,
        score: one.score, relation: one.relation, flags: one.flags,
      };

async function accept() {
  if (cutting()) {
    if (now.proposals?.starts) await act({ do: "recut", side: side(), starts: now.proposals.starts });
    return;
  }
  const one = proposedNow();
  if (one === null) return;
  now.picked = null;
  now.recent = null;
  if (!(await act(asAction(one)))) return;
  const next = proposedNow();
  if (next !== null) {
    now.cursor = next.firsts === undefined ? { side: next.side, start: next.start } : chunksIn(next)[0];
    if (one.firsts !== undefined) now.recent = one.firsts[0];
  } else if (one.firsts !== undefined) {
    now.cursor = chunksIn(one)[0];
    moveOn();
  }
  render();
}

async function acceptAll() {
  if (now.proposals === null || now.proposals.error) {
    complain("There is no suggestion yet.");
    return;
  }
  const actions = cutting()
    ? [{ do: "recut", side: side(), starts: now.proposals.starts }]
    : remaining().map(asAction);
  await act({ do: "accept-all", accepted: actions });
}

function skip() {
  const difference = differenceNow();
  if (difference !== null) {
    now.skipped.delete(`d${difference.number}`); // a difference that is skipped again comes last
    now.skipped.add(`d${difference.number}`);
    if (difference.nodes.length) now.cursor = difference.nodes[0];
  } else {
    const one = proposedNow();
    if (one === null) return;
    skipProposal(one);
  }
  render();
}

async function take(who) {
  const difference = differenceNow();
  if (difference === null) {
    say("No difference is open at this step.");
    return;
  }
  now.picked = null;
  now.recent = null;
  const done = await act({ do: "take", who: Number(who), difference: difference.number });
  const next = differenceNow();
  if (done && next !== null && next.nodes.length) {
    now.cursor = next.nodes[0];
    render();
  }
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

// The guidelines stay open beside the editor until they are closed.
function toggleGuide() {
  const guide = at("guide");
  guide.hidden = !guide.hidden;
  document.querySelector("header [data-command='guide']").setAttribute("aria-expanded", String(!guide.hidden));
  document.body.classList.toggle("guided", !guide.hidden);
  render();
  if (!guide.hidden) (guide.querySelector(".chosen") ?? guide).scrollIntoView({ block: "nearest" });
}

function lacking() {
  const next = nextLacking(now.view, now.cursor);
  now.recent = null;
  if (next === null) say("No chunk lacks a decision.");
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
  regroup: () => (now.cursor === null ? undefined : regroup(now.cursor)),
  hold,
  cutAt,
  unpick,
  digit,
  zero,
  score,
  label,
  flag,
  disconnect: () => onLink({ do: "disconnect" }),
  alone: leaveAlone,
  rest: () => act({ do: "rest" }),
  lacking,
  accept,
  acceptAll,
  skip,
  take,
  advance,
  back,
  undo: () => act({ do: "undo" }),
  redo: () => act({ do: "redo" }),
  previous: () => step(-1),
  next: () => step(1),
  unfinished: nextUnfinished,
  overview: () => openOverview(now.view.place),
  guide: toggleGuide,
  note: () => at("note").focus(),
  help: () => at("help").showModal(),
};

async function run(command, value) {
  if (now.view === null) return;
  say("");
  await saveNote();
  await COMMANDS[command](value);
}

// What a key means depends on the results of those before it.
async function runKey(key) {
  const found = commandFor(key, now.view.step, MODES);
  if (found === null) return;
  await run(found.command, found.value);
  if (board.contains(document.activeElement)) {
    document.activeElement.scrollIntoView({ block: "nearest" });
  }
}

// ---- events

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

// Browsers press a focused button when Space is released; on the board, the key has been handled.
board.addEventListener("keyup", (event) => {
  if (event.key === " ") event.preventDefault();
});

async function clickedGap(before) {
  now.cursor = before;
  await toggle();
}

async function clickedChunk(chunk, shifted) {
  if (now.view.step === "links" && (heldLink() !== undefined || (GROUPS && shifted))) {
    await regroup(chunk);
    return;
  }
  now.recent = null;
  now.cursor = chunk;
  if (now.view.step === "links") await pick(chunk);
  else render();
}

function clickedLink(chunk) {
  now.recent = null;
  now.picked = null;
  now.held = null;
  now.cursor = chunk;
  render();
}

function clicked({ command, value, step: wanted, place, before, start, side: which }, inBoard, shifted) {
  if (command !== undefined) return () => run(command, value);
  if (wanted !== undefined) return () => (wanted === now.view.step ? undefined : returnTo(wanted));
  if (place !== undefined) return () => show(Number(place));
  if (before !== undefined) return () => clickedGap(Number(before));
  if (start === undefined) return null;
  const chunk = { side: Number(which), start: Number(start) };
  return inBoard ? () => clickedChunk(chunk, shifted) : () => clickedLink(chunk);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button === null) return;
  if (button.dataset.close !== undefined || button.dataset.place !== undefined) {
    button.closest("dialog").close();
  }
  const work = clicked(button.dataset, board.contains(button), event.shiftKey);
  if (work !== null) enqueue(work).then(() => focusAfterClick(button));
});

// The keys named on the page work on the board: a click must not leave the focus on a button.
function focusAfterClick(button) {
  if (document.querySelector("dialog[open]") || typing(document.activeElement)) return;
  if (button.dataset.command === "note") return;
  focusBoard();
}

for (const dialog of document.querySelectorAll("dialog")) {
  dialog.addEventListener("close", () => {
    if (now.view !== null) render();
    focusBoard();
  });
}

at("jump").addEventListener("submit", (event) => {
  event.preventDefault(); // the change event of the field has been handled by then
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
new ResizeObserver(() => {
  // What is scrolled into view must not end up behind the dock.
  document.documentElement.style.setProperty("--dock", `${at("dock").offsetHeight}px`);
}).observe(at("dock"));

// ---- start

async function begin() {
  explainKeys(MODES);
  const pairs = await server.overview();
  const asked = Number(location.hash.slice(1)) - 1;
  const unfinished = pairs.findIndex((pair) => pair.state !== "done");
  const fits = Number.isInteger(asked) && asked >= 0 && asked < pairs.length;
  await show(fits ? asked : Math.max(0, unfinished));
}

enqueue(begin);
