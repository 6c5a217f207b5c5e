// What the page knows: two sentences, their corrected chunks, the settings and the last answer.

export const now = {
  texts: ["", ""],
  sizes: [null, null], // tokens of each corrected chunk, per sentence; null: automatic chunks
  settings: { model: null, tokens: "auto", threshold: null },
  answer: null,
  editing: false,
};

export const bothGiven = () => now.texts.every((text) => text.trim() !== "");

// The chunks of a sentence in the last answer, from left to right, as token numbers.
export function chunksOf(side) {
  const key = `tokens${side}`;
  return now.answer.alignments
    .map((one) => one[key])
    .filter((tokens) => tokens.length)
    .sort((one, other) => one[0] - other[0]);
}

export const sizesOf = (side) => chunksOf(side).map((tokens) => tokens.length);

function grouped(tokens, sizes) {
  let end = 0;
  return sizes.map((size) => tokens.slice(end, (end += size)));
}

const total = (sizes) => sizes.reduce((sum, size) => sum + size, 0);

// The request for the current pair. Corrected chunks need the tokens of an earlier answer.
export function request() {
  const pair = {};
  for (const side of [1, 2]) {
    const sizes = now.sizes[side - 1];
    const tokens = now.answer?.[`tokens${side}`];
    if (sizes && tokens && total(sizes) === tokens.length) pair[`chunks${side}`] = grouped(tokens, sizes);
    else pair[`sentence${side}`] = now.texts[side - 1];
  }
  return pair;
}

export const chunksMissing = () =>
  [1, 2].some((side) => {
    const sizes = now.sizes[side - 1];
    return sizes && now.answer && total(sizes) === now.answer[`tokens${side}`].length
      && sizes.join() !== sizesOf(side).join();
  });

// Join or split before a token (counted from 0) of a sentence.
export function toggleBoundary(side, before) {
  const starts = [];
  let start = 0;
  for (const size of sizesOf(side)) {
    starts.push(start);
    start += size;
  }
  const changed = starts.includes(before)
    ? starts.filter((one) => one !== before)
    : [...starts, before].sort((one, other) => one - other);
  const ends = [...changed.slice(1), start];
  now.sizes[side - 1] = changed.map((one, place) => ends[place] - one);
}

// A link to the pair: the fragment of an address is never sent to a server.
export function fragment() {
  const parts = { s1: now.texts[0], s2: now.texts[1] };
  const { model, tokens, threshold } = now.settings;
  if (model) parts.model = model;
  if (tokens !== "auto") parts.tokens = tokens;
  if (threshold !== null) parts.threshold = String(threshold);
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
    },
  };
}
