// What the page knows: two sentences, their corrected chunks, the settings and the last answer.

export const now = {
  texts: ["", ""],
  sizes: [null, null], // tokens of each corrected chunk, per sentence; null: automatic chunks
  settings: { model: null, tokens: "auto", threshold: null, edition: "2015" },
  answer: null,
  editing: false,
};

export const bothGiven = () => now.texts.every((text) => text.trim() !== "");

// Token numbers as runs of neighbours: a group of chunks may have gaps.
function runsOf(tokens) {
  const runs = [];
  for (const token of tokens) {
    if (runs.at(-1)?.at(-1) === token - 1) runs.at(-1).push(token);
    else runs.push([token]);
  }
  return runs;
}

// The chunks of a sentence in the last answer, and the parts of its groups, from left to right, as
// token numbers.
export function chunksOf(side) {
  return now.answer.alignments
    .flatMap((one) => runsOf(one[`tokens${side}`]))
    .sort((one, other) => one[0] - other[0]);
}

const fits = (side) => now.sizes[side - 1] && total(now.sizes[side - 1]) === now.answer[`tokens${side}`].length;

// Where the chunks of a sentence start, counted from 0: the corrected ones, which the answer may
// have joined to a group, or those of the answer.
export function startsOf(side) {
  const sizes = fits(side) ? now.sizes[side - 1] : chunksOf(side).map((tokens) => tokens.length);
  return sizes.map((_, place) => total(sizes.slice(0, place)));
}

function grouped(tokens, sizes) {
  let end = 0;
  return sizes.map((size) => tokens.slice(end, (end += size)));
}

const total = (sizes) => sizes.reduce((sum, size) => sum + size, 0);

// The request for the current pair. Corrected chunks need the tokens of an earlier answer.
export function request() {
  const pair = {};
  for (const side of [1, 2]) {
    const known = now.answer !== null && fits(side);
    if (known) pair[`chunks${side}`] = grouped(now.answer[`tokens${side}`], now.sizes[side - 1]);
    else pair[`sentence${side}`] = now.texts[side - 1];
  }
  return pair;
}

// Whether corrected chunks could not be sent, because their tokens were not known yet.
export const chunksMissing = (sent) => [1, 2].some((side) => `sentence${side}` in sent && fits(side));

// Join or split before a token (counted from 0) of a sentence.
export function toggleBoundary(side, before) {
  const starts = startsOf(side);
  const changed = starts.includes(before)
    ? starts.filter((one) => one !== before)
    : [...starts, before].sort((one, other) => one - other);
  const ends = [...changed.slice(1), now.answer[`tokens${side}`].length];
  now.sizes[side - 1] = changed.map((one, place) => ends[place] - one);
}

// A link to the pair: the fragment of an address is never sent to a server.
export function fragment() {
  const parts = { s1: now.texts[0], s2: now.texts[1] };
  const { model, tokens, threshold, edition } = now.settings;
  if (model) parts.model = model;
  if (tokens !== "auto") parts.tokens = tokens;
  if (threshold !== null) parts.threshold = String(threshold);
  if (edition !== "2015") parts.edition = edition;
  now.sizes.forEach((sizes, place) => {
    if (sizes) parts[`c${place + 1}`] = sizes.join(".");
  });
  return `#${new URLSearchParams(parts)}`;
}

const sizesIn = (text) => (text && /^\d+(\.\d+)*$/.test(text) ? text.split(".").map(Number) : null);

export function readFragment(hash) {
  const parts = new URLSearchParams(hash.slice(1));
  const threshold = Number(parts.get("threshold"));
  return {
    token: parts.get("token"),
    texts: parts.has("s1") || parts.has("s2") ? [parts.get("s1") ?? "", parts.get("s2") ?? ""] : null,
    sizes: [sizesIn(parts.get("c1")), sizesIn(parts.get("c2"))],
    settings: {
      model: parts.get("model"),
      tokens: parts.get("tokens") ?? "auto",
      threshold: parts.has("threshold") && threshold >= 0 && threshold <= 1 ? threshold : null,
      edition: parts.get("edition") === "2016" ? "2016" : "2015",
    },
  };
}
