// The picture: chunks as boxes in two rows of words, links as numbered curves between them.

import { at, element, svg } from "./dom.js";
import { chunksOf, now, startsOf } from "./state.js";

const board = at("board");
const curves = at("curves");
const RADIUS = 11; // of the numbers

// The number of each link, by its place among the alignments.
export function numbers() {
  const found = new Map();
  now.answer.alignments.forEach((one, place) => {
    if (one.tokens1.length && one.tokens2.length) found.set(place, found.size + 1);
  });
  return found;
}

const placeOf = (side, tokens) =>
  now.answer.alignments.findIndex((one) => one[`tokens${side}`].includes(tokens[0]));

function chunkBox(side, tokens, numbered) {
  const place = placeOf(side, tokens);
  const one = now.answer.alignments[place];
  const text = tokens.map((token) => now.answer[`tokens${side}`][token - 1]).join(" ");
  const number = numbered.get(place);
  const meaning = /[\p{L}\p{N}]/u.test(text) ? one.meaning : "";
  const badge = number ? [String(number), element("span", { class: "meaning" }, ` · ${meaning}`)] : [meaning];
  return element(
    "button",
    { type: "button", class: `chunk rel-${one.relation}`, "data-link": place, "data-side": side },
    element("span", { class: "text" }, text),
    badge.join("") ? element("span", { class: "badge" }, ...badge) : null,
  );
}

function gap(side, before, isBoundary) {
  const tokens = now.answer[`tokens${side}`];
  const name = `${isBoundary ? "Join" : "Split"} between “${tokens[before - 1]}” and “${tokens[before]}”`;
  return element("button", {
    type: "button",
    class: "gap",
    "data-side": side,
    "data-before": before,
    "aria-pressed": String(isBoundary),
    "aria-label": name,
    title: name,
  });
}

function words(side) {
  const tokens = now.answer[`tokens${side}`];
  const starts = new Set(startsOf(side));
  return tokens.flatMap((token, place) => {
    const first = starts.has(place);
    const last = place === tokens.length - 1 || starts.has(place + 1);
    const word = element("span", { class: `word${first ? " first" : ""}${last ? " last" : ""}` }, token);
    return place ? [gap(side, place, first), word] : [word];
  });
}

export function drawBoard() {
  const numbered = numbers();
  for (const side of [1, 2]) {
    const row = board.querySelector(`.sentence[data-side="${side}"] .row`);
    row.classList.toggle("cutting", now.editing);
    board.classList.toggle("cutting", now.editing);
    row.replaceChildren(
      ...(now.editing ? words(side) : chunksOf(side).map((tokens) => chunkBox(side, tokens, numbered))),
    );
  }
  arrange();
}

const narrow = matchMedia("(max-width: 36rem)");
const wraps = (row) => [...row.children].some((box) => box.offsetTop !== row.firstElementChild.offsetTop);

// The sentences are one above the other; or side by side where one of them would need several
// lines, through which the curves would run.
function arrange() {
  board.classList.remove("columns");
  const several = narrow.matches || [...board.querySelectorAll(".row")].some(wraps);
  board.classList.toggle("columns", several && !now.editing);
  drawCurves();
}

const beside = () => board.classList.contains("columns");

// The middle of an edge of a box, relative to the board.
function middle(box, frame, edge) {
  const [x, y] = [box.left + box.width / 2 - frame.left, box.top + box.height / 2 - frame.top];
  if (edge === "bottom" || edge === "top") return { x, y: box[edge] - frame.top };
  return { x: box[edge] - frame.left, y };
}

const cubic = (t, [a, b, c, d]) =>
  (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t ** 2 * c + t ** 3 * d;

// Where the curve crosses a level of the gap between the sentences: no box hides the number there.
function crossing(xs, ys, flat, level) {
  let [low, high] = [0, 1];
  for (let step = 0; step < 20; step += 1) {
    const t = (low + high) / 2;
    if (cubic(t, flat ? xs : ys) < level) low = t;
    else high = t;
  }
  return { x: cubic(low, xs), y: cubic(low, ys) };
}

// The control points of a curve, and its path.
function bend(from, to) {
  const [dx, dy] = beside()
    ? [Math.abs(to.x - from.x) / 2, 0]
    : [0, Math.max(24, Math.abs(to.y - from.y) / 2)];
  const xs = [from.x, from.x + dx, to.x - dx, to.x];
  const ys = [from.y, from.y + dy, to.y - dy, to.y];
  return { xs, ys, d: `M${xs[0]} ${ys[0]}C${xs[1]} ${ys[1]} ${xs[2]} ${ys[2]} ${xs[3]} ${ys[3]}` };
}

// A link: a curve with its number, to which all other parts of a group are connected.
function curve(place, number, relation, [from, ...more], [to, ...others], numberAt) {
  const { xs, ys, d } = bend(from, to);
  const { x, y } = numberAt((level) => crossing(xs, ys, beside(), level));
  const rest = [...more.map((part) => bend(part, { x, y })), ...others.map((part) => bend({ x, y }, part))];
  const whole = [d, ...rest.map((one) => one.d)].join("");
  return svg(
    "g",
    { class: `curve rel-${relation}`, "data-link": place },
    svg("path", { class: "reach", d: whole }),
    svg("path", { class: "line", d: whole }),
    svg("circle", { cx: x, cy: y, r: RADIUS }),
    svg("text", { x, y: y + 4 }, String(number)),
  );
}

// Levels of the gap between the two sentences where a number may be: the middle is best.
function levels(frame) {
  const [one, two] = [...board.querySelectorAll(".row")].map((row) => row.getBoundingClientRect());
  const [start, end] = beside()
    ? [one.right - frame.left, two.left - frame.left]
    : [one.bottom - frame.top, two.top - frame.top];
  return [0.5, 0.3, 0.7, 0.4, 0.6].map((part) => start + part * (end - start));
}

// Chooses for one number after the other where it covers no number before it, if possible.
function numberPlaces(frame) {
  const found = levels(frame);
  const taken = [];
  const free = (one) => taken.every((other) => Math.hypot(one.x - other.x, one.y - other.y) > 2 * RADIUS);
  return (at) => {
    const points = found.map(at);
    taken.push(points.find(free) ?? points[0]);
    return taken.at(-1);
  };
}

export function drawCurves() {
  if (now.answer === null || now.editing) {
    curves.replaceChildren();
    return;
  }
  const frame = board.getBoundingClientRect();
  curves.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
  const ends = (side, place, edge) =>
    [...board.querySelectorAll(`.chunk[data-side="${side}"][data-link="${place}"]`)].map((box) =>
      middle(box.getBoundingClientRect(), frame, edge),
    );
  const numberAt = numberPlaces(frame);
  curves.replaceChildren(
    ...[...numbers()].map(([place, number]) =>
      curve(
        place,
        number,
        now.answer.alignments[place].relation,
        ends(1, place, beside() ? "right" : "bottom"),
        ends(2, place, beside() ? "left" : "top"),
        numberAt,
      ),
    ),
  );
}

// Light up everything that belongs to an alignment, and dim the rest of the picture.
export function highlight(place) {
  for (const root of [board, at("links")]) {
    root.classList.toggle("lit", place !== null);
    for (const one of root.querySelectorAll("[data-link]")) {
      one.classList.toggle("on", one.dataset.link === place);
    }
  }
}

export function watchHighlights() {
  const linkAt = (target) => target.closest?.("[data-link]")?.dataset.link ?? null;
  for (const root of [board, at("links")]) {
    root.addEventListener("pointerover", (event) => highlight(linkAt(event.target)));
    root.addEventListener("pointerleave", () => highlight(linkAt(document.activeElement)));
    root.addEventListener("focusin", (event) => highlight(linkAt(event.target)));
    root.addEventListener("focusout", () => highlight(null));
  }
  let width = 0;
  new ResizeObserver(() => {
    const { clientWidth } = board;
    if (clientWidth === width) drawCurves();
    else requestAnimationFrame(arrange); // not in the observer: it changes the board's height
    width = clientWidth;
  }).observe(board);
}
