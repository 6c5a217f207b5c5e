// The curves from chunk to chunk, drawn behind the chunks wherever the lines of words have wrapped.

const SVG = "http://www.w3.org/2000/svg";

function middle(box, frame, edge) {
  return { x: box.left + box.width / 2 - frame.left, y: box[edge] - frame.top };
}

function curve(from, to, names) {
  const path = document.createElementNS(SVG, "path");
  const bend = Math.max(24, Math.abs(to.y - from.y) / 2);
  path.setAttribute(
    "d",
    `M${from.x} ${from.y}C${from.x} ${from.y + bend} ${to.x} ${to.y - bend} ${to.x} ${to.y}`,
  );
  path.setAttribute("class", names);
  return path;
}

// Each link names the elements of its two chunks and the classes of its curve.
export function draw(svg, links) {
  const frame = svg.getBoundingClientRect();
  svg.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
  svg.replaceChildren(
    ...links
      .filter(({ from, to }) => from && to)
      .map(({ from, to, names }) =>
        curve(
          middle(from.getBoundingClientRect(), frame, "bottom"),
          middle(to.getBoundingClientRect(), frame, "top"),
          names,
        ),
      ),
  );
}
