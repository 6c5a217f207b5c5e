// What the page knows: the server's view of the pair, a cursor, a picked chunk, a model's proposals.

import { allChunks, isFree, linkAt, nextLacking } from "./pair.js";

export const STEPS = ["chunks1", "chunks2", "links", "rest", "done"];
export const SUGGESTING = document.body.dataset.suggesting === "yes";

export const now = {
  view: null,
  cursor: null, // a token number while cutting, else { side, start }
  picked: null, // a chunk that waits for its partner
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

// The suggestion that is up now: the strongest that still fits and was not skipped.
export function proposedNow() {
  if (now.proposals === null || now.proposals.error || cutting()) return null;
  if (now.view.step === "links") {
    return (now.proposals.links ?? []).find(
      (one) =>
        !linkAt(now.view, 1, one.first) &&
        !linkAt(now.view, 2, one.second) &&
        !now.skipped.has(`l${one.first}`),
    ) ?? null;
  }
  if (now.view.step !== "rest") return null;
  return (now.proposals.alone ?? []).find(
    (one) => isFree(now.view, one.side, one.start) && !now.skipped.has(`a${one.side}-${one.start}`),
  ) ?? null;
}

export function proposedChunks() {
  const one = proposedNow();
  if (one === null) return [];
  if (now.view.step === "rest") return [one];
  return [{ side: 1, start: one.first }, { side: 2, start: one.second }];
}

export const sameStarts = (one, other) => one.join() === other.join();
