// The curves from chunk to chunk. The browser measures the boxes; the server routes the curves
// through the gaps between them, as in the pictures of ists render.

import * as server from "./server.js";

const SVG = "http://www.w3.org/2000/svg";

let latest = 0;

function measured(element, frame) {
  const box = element.getBoundingClientRect();
  return [box.left - frame.left, box.right - frame.left, box.top - frame.top, box.bottom - frame.top];
}

function curve(path, names) {
  const drawn = document.createElementNS(SVG, "path");
  drawn.setAttribute("d", path);
  drawn.setAttribute("class", names);
  return drawn;
}

export function clear(svg) {
  latest += 1;
  svg.replaceChildren();
}

// `rows`: the chunk elements of both sentences; each link has its two elements and its classes.
export async function draw(svg, rows, links) {
  const shown = links.filter(({ from, to }) => from && to);
  const asked = (latest += 1);
  if (shown.length === 0) {
    svg.replaceChildren();
    return;
  }
  const frame = svg.getBoundingClientRect();
  const boxes = rows.map((row) => row.map((element) => measured(element, frame)));
  const ends = shown.map(({ from, to }) => [rows[0].indexOf(from), rows[1].indexOf(to)]);
  const paths = await server.paths(boxes, ends);
  if (asked !== latest) return; // the board has changed meanwhile
  svg.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
  svg.replaceChildren(...shown.map(({ names }, index) => curve(paths[index], names)));
}
