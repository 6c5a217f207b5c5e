// State of the page: the server's view of the pair, a cursor, a picked chunk, a model's suggestions.

import { allChunks, chunksIn, isFree, linkAt, nextLacking } from "./pair.js";

export const STEPS = ["chunks1", "chunks2", "links", "rest", "done"];
export const SUGGESTING = document.body.dataset.suggesting === "yes";
export const ADJUDICATING = document.body.dataset.adjudicating === "yes";
export const EDITION = document.body.dataset.edition;
export const GROUPS = EDITION === "2016"; // whether a link may have several chunks of a sentence
export const MODES = [
  EDITION, ...(SUGGESTING ? ["suggest"] : []), ...(ADJUDICATING ? ["adjudicate"] : []),
];

export const now = {
  view: null,
  cursor: null, // a token number while cutting, else { side, start }
  picked: null, // a chunk that waits for its partner
  held: null, // a chunk of the link that chunks are being added to
  recent: null, // first token of the link that was labelled before the cursor moved on
  proposals: null, // what the model suggests for the pair at this step
  skipped: new Set(),
};

export const cutting = () => now.view.step === "chunks1" || now.view.step === "chunks2";
export const side = () => (now.view.step === "chunks1" ? 1 : 2);
export const sentence = (which) => now.view.sentences[which - 1];
export const starts = (which) => sentence(which).starts;

export function currentLink() {
  if (cutting() || now.cursor === null) return undefined;
  return linkAt(now.view, now.cursor.side, now.cursor.start);
}

// The link that flags apply to: that of the cursor, or the one that was just labelled.
export function flaggedLink() {
  if (currentLink() !== undefined || now.recent === null) return currentLink();
  return linkAt(now.view, 1, now.recent);
}

// The link that chunks are being added to, if any.
export function heldLink() {
  if (now.held === null || now.view.step !== "links") return undefined;
  return linkAt(now.view, now.held.side, now.held.start);
}

// The chunk that a digit would link, or null: the picked one, or the unlinked one at the cursor.
export function linkingChunk() {
  if (now.view.step !== "links" || now.cursor === null) return null;
  if (now.picked !== null) return now.picked;
  return currentLink() === undefined ? now.cursor : null;
}

// Where the cursor can be, as near as possible to where it was.
export function soundCursor(old) {
  if (cutting()) {
    const last = sentence(side()).words.length;
    if (last < 2) return null;
    return typeof old === "number" ? Math.min(Math.max(old, 2), last) : 2;
  }
  if (old && typeof old === "object" && starts(old.side).includes(old.start)) return old;
  return nextLacking(now.view, null) ?? allChunks(now.view)[0] ?? null;
}

const skippedKey = (one) => (one.firsts === undefined ? `a${one.side}-${one.start}` : `l${one.firsts}-${one.seconds}`);

// The suggestions that still apply and were not skipped, strongest first.
export function remaining() {
  if (now.proposals === null || now.proposals.error || cutting()) return [];
  const open = (one) => !now.skipped.has(skippedKey(one));
  if (now.view.step === "links") {
    return (now.proposals.links ?? []).filter(
      (one) => open(one) && !chunksIn(one).some(({ side: which, start }) => linkAt(now.view, which, start)),
    );
  }
  if (now.view.step !== "rest") return [];
  return (now.proposals.alone ?? []).filter((one) => open(one) && isFree(now.view, one.side, one.start));
}

export const proposedNow = () => remaining()[0] ?? null;
export const skipProposal = (one) => now.skipped.add(skippedKey(one));

// The differences of two annotators that are not decided, those that were skipped last.
export function openDifferences() {
  const found = (now.view.differences ?? []).map((one, number) => ({ ...one, number }));
  const open = found.filter((one) => one.open);
  const skipped = (one) => now.skipped.has(`d${one.number}`);
  return [...open.filter((one) => !skipped(one)), ...open.filter(skipped)];
}

export const differenceNow = () => (ADJUDICATING ? openDifferences()[0] ?? null : null);

// The chunks of what is suggested, or of the difference that is to be decided.
export function markedChunks() {
  const difference = differenceNow();
  if (difference !== null) return difference.nodes;
  const one = proposedNow();
  if (one === null) return [];
  return one.firsts === undefined ? [one] : chunksIn(one);
}

export const sameStarts = (one, other) => one.join() === other.join();
