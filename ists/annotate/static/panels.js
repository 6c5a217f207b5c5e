// Rendering: every part of the page is derived from the state and rebuilt when it changes.

import { cuttingRow, element, linkingRow } from "./board.js";
import { clear, draw } from "./curves.js";
import { aloneAt, byStrength, chunksIn, chunkText, labelText, linkText, nextLacking } from "./pair.js";
import {
  ADJUDICATING, currentLink, cutting, differenceNow, flaggedLink, GROUPS, heldLink, linkingChunk,
  markedChunks, now, openDifferences, proposedNow, remaining, sameStarts, sentence, side, starts, STEPS,
  SUGGESTING,
} from "./state.js";

export const at = (id) => document.getElementById(id);
export const board = at("board");

export function say(text) {
  at("message").textContent = text;
  at("message").classList.remove("error");
}

export function complain(text) {
  at("message").textContent = text;
  at("message").classList.add("error");
}

const hints = () => at("letters").checked;

function cuttingInstruction() {
  if (now.cursor === null) return "There is nothing to cut. Enter goes on.";
  const keys = hints() ? "the key at a gap, or ← → and Space," : "← → to a gap; Space";
  return `Split sentence ${side()} into chunks: ${keys} cuts or joins. Enter when it is right.`;
}

function linkInstruction(link) {
  if (link.score === null) return "How similar are they? 5 to 1, before any label.";
  if (link.relation === null) return "What is their relation? O, T, B, S or R.";
  return "Change the score or the label, or go to another chunk.";
}

function instruction() {
  if (differenceNow() !== null && now.picked === null && currentLink() === undefined) {
    return "The annotators differ here: take one decision (Q or W), or decide with the usual keys.";
  }
  if (cutting()) return cuttingInstruction();
  if (now.view.step === "done") {
    return now.view.done === now.view.total
      ? "This pair is done, and so are all others."
      : "This pair is done. Enter goes to the next unfinished pair.";
  }
  if (now.view.step === "rest" && GROUPS) {
    return "Label the chunks that belong to no link. N: nothing corresponds. Enter when all are labelled.";
  }
  if (now.view.step === "rest") {
    return (
      "Why are these chunks unaligned? N: nothing corresponds. C: something does, but it is linked " +
      "already or only implied. Enter when all are labelled."
    );
  }
  if (now.picked !== null) {
    const text = chunkText(now.view, now.picked.side, now.picked.start);
    return `‘${text}’ is picked: pick its partner in sentence ${3 - now.picked.side}. Escape unpicks it.`;
  }
  const held = heldLink();
  if (held !== undefined) {
    const number = now.view.links.indexOf(held) + 1;
    return `Space or a click adds a chunk to link ${number}, or takes it out again. Escape ends this.`;
  }
  const link = currentLink();
  if (link !== undefined) return linkInstruction(link);
  return (
    "Link the chunks that correspond, strongest first: Space or a click picks one, a digit links it. " +
    "Enter when no more correspond."
  );
}

function rowContent(which, shown) {
  if (shown === null) {
    return [element("p", { class: "quiet" }, "hidden: each sentence is split on its own")];
  }
  if (shown.words.length === 0) return [element("p", { class: "quiet" }, "this sentence has no words")];
  if (cutting()) return cuttingRow(shown, now.cursor, now.proposals?.starts ?? [], hints());
  const linking = linkingChunk();
  return linkingRow(now.view, which, {
    cursor: now.cursor,
    picked: now.picked,
    held: heldLink() === undefined ? [] : chunksIn(heldLink()),
    marked: markedChunks(),
    linkable: hints() && linking !== null && linking.side !== which,
  });
}

function renderRows() {
  for (const which of [1, 2]) {
    const box = board.querySelector(`.sentence[data-side="${which}"]`);
    const row = box.querySelector(".row");
    const shown = sentence(which);
    box.classList.toggle("veiled", shown === null);
    row.classList.toggle("cutting", shown !== null && cutting());
    row.replaceChildren(...rowContent(which, shown));
  }
}

function chunkElement(which, start) {
  return board.querySelector(`.chunk[data-side="${which}"][data-start="${start}"]`);
}

// A group has a curve to each of its chunks: from the first chunk of either sentence to all others.
function curvesOf({ firsts, seconds }, names) {
  const pairs = [
    ...seconds.map((second) => [firsts[0], second]),
    ...firsts.slice(1).map((first) => [first, seconds[0]]),
  ];
  return pairs.map(([first, second]) => ({
    from: chunkElement(1, first),
    to: chunkElement(2, second),
    names,
  }));
}

export function renderCurves() {
  if (now.view === null || cutting()) {
    clear(at("curves"));
    return Promise.resolve();
  }
  const one = now.view.step === "links" ? proposedNow() : null;
  const current = currentLink();
  const links = now.view.links.flatMap((link) =>
    curvesOf(link, `curve rel-${link.relation ?? "none"}${link === current ? " current" : ""}`),
  );
  if (one !== null) links.unshift(...curvesOf(one, "curve proposed"));
  const rows = [1, 2].map((which) => [...board.querySelectorAll(`.chunk[data-side="${which}"]`)]);
  return draw(at("curves"), rows, links).catch((error) => complain(error.message));
}

function press(button, on, able) {
  button.setAttribute("aria-pressed", String(on));
  button.setAttribute("aria-disabled", String(!able));
}

const linkName = (link) => `‘${linkText(now.view, 1, link)}’ ⇔ ‘${linkText(now.view, 2, link)}’`;

function renderLinkEditor() {
  const link = now.view.step === "links" && now.picked === null ? flaggedLink() : undefined;
  at("link-editor").hidden = link === undefined;
  if (link === undefined) return;
  const recent = currentLink() === undefined; // the cursor has moved on: only flags are offered
  const number = now.view.links.indexOf(link) + 1;
  at("link-editor").classList.toggle("recent", recent);
  at("link-name").textContent =
    `${recent ? "Just labelled, link" : "Link"} ${number}: ${linkName(link)}${recent ? `, ${labelText(link)}` : ""}`;
  for (const button of at("link-editor").querySelectorAll("button")) {
    const { command, value } = button.dataset;
    if (command === "score") press(button, link.score === Number(value), true);
    if (command === "label") {
      const fits = link.score !== null && (link.score === 5) === (value === "EQUI");
      press(button, link.relation === value, fits);
    }
    if (command === "flag") press(button, link.flags.includes(value), link.relation !== null);
    if (command === "hold") press(button, heldLink() === link, true);
  }
}

function renderLoneEditor() {
  const asked = now.view.step === "rest" && now.cursor !== null && !currentLink();
  const here = asked ? now.cursor : null;
  at("lone-editor").hidden = here === null;
  if (here === null) return;
  const alone = aloneAt(now.view, here.side, here.start);
  at("lone-name").textContent =
    `‘${chunkText(now.view, here.side, here.start)}’ of sentence ${here.side}`;
  for (const button of at("lone-editor").querySelectorAll("button")) {
    const { command, value } = button.dataset;
    if (command === "alone") press(button, alone?.relation === value, true);
    if (command === "flag") press(button, alone?.flags.includes(value) ?? false, alone !== undefined);
    if (command === "rest") {
      button.hidden = nextLacking(now.view, null) === null;
    }
  }
}

function named(one) {
  if (one.firsts === undefined) {
    return `‘${chunkText(now.view, one.side, one.start)}’ of sentence ${one.side}: ${one.relation}`;
  }
  return `${linkName(one)}: ${labelText(one)}`;
}

function proposalTexts() {
  const none = { text: "No more of them at this step.", why: "", others: "", one: false, all: false };
  if (now.proposals.error) return { ...none, text: `None: ${now.proposals.error}` };
  if (cutting()) {
    const same = sameStarts(now.proposals.starts ?? [], starts(side()));
    const text = same
      ? "The model would split it in the same way."
      : "The model would cut at the gaps marked ▾. Accept takes all its chunks.";
    return { ...none, text, one: !same, all: true };
  }
  const [one, ...others] = remaining();
  if (one === undefined) return none;
  const sure = one.firsts === undefined ? "" : ` (${Math.round(one.probability * 100)} % sure of the link)`;
  return {
    text: `${named(one)}${sure}`,
    why: one.why ?? "",
    others: others.length ? `Then: ${others.map(named).join("; ")}` : "",
    one: true,
    all: true,
  };
}

function renderProposal() {
  const panel = at("proposal");
  const [accept, skip, all] = panel.querySelectorAll("button");
  panel.hidden = !SUGGESTING || now.proposals === null || now.view.step === "done";
  if (panel.hidden) return "";
  const texts = proposalTexts();
  at("proposal-text").textContent = texts.text;
  at("proposal-why").textContent = texts.why;
  at("proposal-others").textContent = texts.others;
  accept.hidden = !texts.one;
  skip.hidden = !texts.one || cutting();
  all.hidden = !texts.all;
  all.firstChild.textContent = cutting() ? "Accept and continue" : "Accept all remaining";
  return `Suggestion: ${texts.text}`;
}

function renderDifference() {
  if (!ADJUDICATING) return "";
  const one = differenceNow();
  at("difference").hidden = one === null;
  if (one === null) return "";
  const count = openDifferences().length;
  const about = cutting() ? `Chunks of sentence ${side()}` : "Links and labels";
  const name = `${about}: ${count} open ${count === 1 ? "difference" : "differences"}`;
  at("difference-name").textContent = name;
  at("difference").querySelectorAll(".versions > div").forEach((box, who) => {
    box.querySelector(".said").textContent = one.said[who];
    const button = box.querySelector("button");
    button.setAttribute("aria-disabled", String(!one.able[who]));
  });
  at("difference").querySelector('[data-command="skip"]').hidden = cutting();
  const names = [...at("difference").querySelectorAll(".versions b")].map((b) => b.textContent);
  return `${name}. ${names.map((annotator, who) => `${annotator}: ${one.said[who]}`).join(". ")}`;
}

function renderGuide() {
  const chosen = flaggedLink()?.relation ?? null;
  for (const part of at("guide").querySelectorAll("[data-steps]")) {
    part.hidden = !part.dataset.steps.split(" ").includes(now.view.step);
    if (part.dataset.label !== undefined) part.classList.toggle("chosen", part.dataset.label === chosen);
  }
}

function renderAside() {
  const lacking = at("missing");
  const complete = now.view.step === "done" ? "nothing: this pair is complete" : "nothing more at this step";
  const items = now.view.missing.length ? now.view.missing : [complete];
  lacking.replaceChildren(...items.map((text) => element("li", {}, text)));
  lacking.classList.toggle("complete", now.view.missing.length === 0);
  at("decided").hidden = now.view.links.length === 0;
  at("links").replaceChildren(
    ...byStrength(now.view.links).map((link) =>
      element(
        "li",
        { class: `rel-${link.relation ?? "none"}` },
        element(
          "button",
          { type: "button", class: "plain", "data-side": 1, "data-start": link.firsts[0] },
          `${linkText(now.view, 1, link)} ⇔ ${linkText(now.view, 2, link)} `,
          element(
            "span",
            { class: "badge" },
            `${now.view.links.indexOf(link) + 1} · ${labelText(link) || "no score yet"}`,
          ),
        ),
      ),
    ),
  );
}

function renderHead() {
  at("bar").max = now.view.total;
  at("bar").value = now.view.done;
  at("count").textContent = `${now.view.done} of ${now.view.total} done`;
  at("total").textContent = now.view.total;
  at("place").max = now.view.total;
  if (document.activeElement !== at("place")) at("place").value = now.view.place + 1;
  at("pair-id").textContent = now.view.id === String(now.view.place + 1) ? "" : `id ${now.view.id}`;
  document.title = `${now.view.place + 1} of ${now.view.total} · ists annotate`;
  for (const button of document.querySelectorAll("[data-step]")) {
    const place = STEPS.indexOf(button.dataset.step);
    const reached = STEPS.indexOf(now.view.step);
    if (place === reached) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
    button.classList.toggle("past", place < reached);
    button.setAttribute("aria-disabled", String(place > reached));
  }
  const buttons = { undo: now.view.undo, redo: now.view.redo, back: now.view.step !== "chunks1" };
  for (const [command, able] of Object.entries(buttons)) {
    const button = document.querySelector(`.moves [data-command="${command}"]`);
    button.setAttribute("aria-disabled", String(!able));
  }
  const main = document.querySelector('.moves [data-command="advance"]');
  const names = { done: "Next unfinished", rest: "Pair is done" };
  main.firstChild.textContent = names[now.view.step] ?? "Continue";
}

export function focusBoard() {
  board.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
}

let lastMarked = "";

// Scroll to what is suggested when it changes: to its chunks, or to the first gap to cut at.
function showMarked() {
  const marked = cutting()
    ? [...board.querySelectorAll(".gap.suggested")].slice(0, 1)
    : markedChunks().map((one) => chunkElement(one.side, one.start));
  const key = JSON.stringify([now.view.place, now.view.step, markedChunks()]);
  if (key === lastMarked || marked.length === 0) return;
  lastMarked = key;
  for (const one of marked.reverse()) one?.scrollIntoView({ block: "nearest" });
}

export function render() {
  const inBoard = board.contains(document.activeElement) || document.activeElement === document.body;
  document.querySelector("main").hidden = false;
  at("dock").hidden = false;
  renderHead();
  renderRows();
  renderLinkEditor();
  renderLoneEditor();
  const spoken = [renderDifference(), renderProposal()].filter(Boolean).join(". ");
  if (at("spoken").textContent !== spoken) at("spoken").textContent = spoken;
  renderGuide();
  renderAside();
  const text = instruction();
  if (at("instruction").textContent !== text) at("instruction").textContent = text;
  if (inBoard || !document.activeElement.checkVisibility()) focusBoard();
  showMarked();
  return renderCurves();
}
