// Showing: every part of the page follows from the state, and is made anew when that changes.

import { cuttingRow, element, linkingRow } from "./board.js";
import { draw } from "./curves.js";
import { aloneAt, chunkText, labelText, nextLacking } from "./pair.js";
import {
  currentLink, cutting, now, proposedChunks, proposedNow, sameStarts, sentence, side, starts, STEPS,
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

function instruction() {
  if (cutting()) {
    if (now.cursor === null) return "Nothing to cut here. Enter goes on.";
    return (
      `Cut sentence ${side()} into chunks: ← → to a gap, Space or a click cuts or joins. ` +
      "Enter when it is right."
    );
  }
  if (now.view.step === "done") {
    return now.view.done === now.view.total
      ? "This pair is done, and so are all the others."
      : "This pair is done. Enter goes to the next unfinished pair.";
  }
  if (now.view.step === "rest") {
    return (
      "Why are these chunks alone? N: nothing corresponds. C: something does, but it is linked " +
      "already. Enter when all are labelled."
    );
  }
  if (now.picked !== null) {
    const text = chunkText(now.view, now.picked.side, now.picked.start);
    return `‘${text}’ is picked: pick its partner in sentence ${3 - now.picked.side}. Escape lets it go.`;
  }
  const link = currentLink();
  if (link !== undefined && link.score === null) return "How similar are they? 5 to 1, before any label.";
  if (link !== undefined && link.relation === null) {
    return link.score === 5 ? "Score 5 goes with EQUI: E." : "What is their relation? O, T, B, S or R.";
  }
  return (
    "Link the chunks that correspond, strongest first: Space or a click picks one. " +
    "Enter when no more belong together."
  );
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
      row.replaceChildren(...cuttingRow(shown, now.cursor, now.proposals?.starts ?? []));
    } else {
      row.replaceChildren(...linkingRow(now.view, which, now.cursor, now.picked, proposedChunks()));
    }
  }
}

function chunkElement(which, start) {
  return board.querySelector(`.chunk[data-side="${which}"][data-start="${start}"]`);
}

export function renderCurves() {
  if (now.view === null || cutting()) {
    at("curves").replaceChildren();
    return;
  }
  const one = now.view.step === "links" ? proposedNow() : null;
  const current = currentLink();
  const links = now.view.links.map((link) => ({
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
  const link = now.view.step === "links" && now.picked === null ? currentLink() : undefined;
  at("link-editor").hidden = link === undefined;
  if (link === undefined) return;
  const number = now.view.links.indexOf(link) + 1;
  at("link-name").textContent =
    `Link ${number}: ‘${chunkText(now.view, 1, link.first)}’ ⇔ ‘${chunkText(now.view, 2, link.second)}’`;
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

function describe(one) {
  if (cutting()) return "The model would cut at the gaps marked ▾. Accept takes all its chunks.";
  if (now.view.step === "rest") {
    return `‘${chunkText(now.view, one.side, one.start)}’ of sentence ${one.side}: ${one.relation}`;
  }
  const chunks = `‘${chunkText(now.view, 1, one.first)}’ ⇔ ‘${chunkText(now.view, 2, one.second)}’`;
  return `${chunks}: ${labelText(one)} (${Math.round(one.probability * 100)} % sure of the link)`;
}

function renderProposal() {
  const panel = at("proposal");
  const [accept, skip] = panel.querySelectorAll("button");
  panel.hidden = !SUGGESTING || now.proposals === null || now.view.step === "done";
  if (panel.hidden) return;
  at("proposal-why").textContent = "";
  accept.hidden = skip.hidden = true;
  if (now.proposals.error) {
    at("proposal-text").textContent = `None: ${now.proposals.error}`;
  } else if (cutting()) {
    const same = sameStarts(now.proposals.starts ?? [], starts(side()));
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
  const complete = now.view.step === "done" ? "nothing: this pair is complete" : "nothing more at this step";
  const items = now.view.missing.length ? now.view.missing : [complete];
  lacking.replaceChildren(...items.map((text) => element("li", {}, text)));
  lacking.classList.toggle("complete", now.view.missing.length === 0);
  at("decided").hidden = now.view.links.length === 0;
  at("links").replaceChildren(
    ...now.view.links.map((link) =>
      element(
        "li",
        { class: `rel-${link.relation ?? "none"}` },
        element(
          "button",
          { type: "button", class: "plain", "data-side": 1, "data-start": link.first },
          `${chunkText(now.view, 1, link.first)} ⇔ ${chunkText(now.view, 2, link.second)}`,
          element("span", { class: "badge" }, labelText(link) || "no score yet"),
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

export function render() {
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
