// Functions of the server's view of a pair, once its chunks are made.

export function chunksOf(sentence) {
  const ends = [...sentence.starts.slice(1), sentence.words.length + 1];
  return sentence.starts.map((start, index) => ({
    start,
    text: sentence.words.slice(start - 1, ends[index] - 1).join(" "),
  }));
}

export function chunkText(view, side, start) {
  const chunk = chunksOf(view.sentences[side - 1]).find((one) => one.start === start);
  return chunk === undefined ? "" : chunk.text;
}

// The first tokens of a link's chunks in one sentence.
export const startsOf = (link, side) => (side === 1 ? link.firsts : link.seconds);

export const chunksIn = (link) =>
  [1, 2].flatMap((side) => startsOf(link, side).map((start) => ({ side, start })));

export const isGroup = (link) => link.firsts.length + link.seconds.length > 2;

// The words of a link in one sentence, with … for gaps.
export function linkText(view, side, link) {
  const { starts } = view.sentences[side - 1];
  const places = startsOf(link, side).map((start) => starts.indexOf(start));
  return places
    .map((place, index) => {
      const gap = index > 0 && place - places[index - 1] > 1;
      return `${gap ? "… " : ""}${chunkText(view, side, starts[place])}`;
    })
    .join(" ");
}

export function linkAt(view, side, start) {
  return view.links.find((link) => startsOf(link, side).includes(start));
}

export function aloneAt(view, side, start) {
  return view.alone.find((one) => one.side === side && one.start === start);
}

export function labelText(one) {
  const score = one.score === null || one.score === undefined ? "" : ` ${one.score}`;
  return `${[one.relation, ...one.flags].filter(Boolean).join(" ")}${score}`.trim();
}

export function isFree(view, side, start) {
  return !linkAt(view, side, start) && !aloneAt(view, side, start);
}

// Whether a chunk lacks a decision.
export function lacks(view, side, start) {
  const link = linkAt(view, side, start);
  if (link !== undefined) return link.score === null || link.relation === null;
  return isFree(view, side, start) || aloneAt(view, side, start).score !== null;
}

export function allChunks(view) {
  return view.sentences.flatMap(({ starts }, index) =>
    starts.map((start) => ({ side: index + 1, start })),
  );
}

export function sameChunk(one, other) {
  return one !== null && other !== null && one.side === other.side && one.start === other.start;
}

// The next chunk that lacks a decision; after the last, from the left again.
export function nextLacking(view, after) {
  const chunks = allChunks(view);
  const from = chunks.findIndex((one) => sameChunk(one, after));
  const turned = [...chunks.slice(from + 1), ...chunks.slice(0, from + 1)];
  return turned.find((one) => lacks(view, one.side, one.start)) ?? null;
}

// The chunk of one sentence that is nearest to a chunk of the other.
export function nearest(view, side, start, unlinkedOnly) {
  const share = (which, one) => {
    const { starts } = view.sentences[which - 1];
    return starts.indexOf(one) / Math.max(1, starts.length - 1);
  };
  const own = share(3 - side, start);
  const distance = (one) => Math.abs(share(side, one) - own);
  return view.sentences[side - 1].starts
    .filter((one) => !unlinkedOnly || !linkAt(view, side, one))
    .sort((a, b) => distance(a) - distance(b))[0];
}

// Links without a score first, then from the strongest to the weakest.
export function byStrength(links) {
  const strength = (link) => link.score ?? Infinity;
  return [...links].sort((one, other) => strength(other) - strength(one));
}

// The next chunk of sentence 1 that is not linked, from left to right, then from the start again.
export function nextUnlinked(view, first) {
  const { starts } = view.sentences[0];
  const from = starts.indexOf(first) + 1;
  const turned = [...starts.slice(from), ...starts.slice(0, from)];
  return turned.find((start) => !linkAt(view, 1, start));
}
