// The similarity as a dial from 0 to 5.

import { at, element, svg } from "./dom.js";
import { now } from "./state.js";

const RADIUS = 80;
const LENGTH = Math.PI * RADIUS;
const ARC = `M20 100A${RADIUS} ${RADIUS} 0 0 1 180 100`;
const VERDICTS = [
  [4.75, "the same meaning, or nearly so"],
  [3.75, "very similar"],
  [2.5, "similar in important parts"],
  [1.25, "little in common"],
  [0, "hardly anything in common"],
];

export const verdict = (score) => VERDICTS.find(([least]) => score >= least)[1];

function ticks() {
  return [0, 1, 2, 3, 4, 5].map((value) => {
    const angle = Math.PI * (1 - value / 5);
    const [x, y] = [100 + 96 * Math.cos(angle), 104 - 96 * Math.sin(angle)];
    return svg("text", { class: "tick", x, y }, String(value));
  });
}

export function drawDial() {
  const score = now.answer.similarity;
  if (score === undefined) {
    at("dial").replaceChildren(element("p", { class: "quiet" }, "The baseline gives no similarity."));
    return;
  }
  const shown = score.toFixed(1);
  const meter = element(
    "div",
    {
      role: "meter",
      "aria-label": "Similarity",
      "aria-valuemin": 0,
      "aria-valuemax": 5,
      "aria-valuenow": shown,
      "aria-valuetext": `${shown} of 5: ${verdict(score)}`,
    },
    svg(
      "svg",
      { viewBox: "0 -4 200 118", "aria-hidden": "true", focusable: "false" },
      svg("path", { class: "track", d: ARC }),
      svg("path", { class: "fill", d: ARC, "stroke-dasharray": `${(LENGTH * score) / 5} ${LENGTH}` }),
      ...ticks(),
      svg("text", { class: "value", x: 100, y: 92 }, shown),
      svg("text", { class: "unit", x: 100, y: 111 }, "of 5"),
    ),
  );
  at("dial").replaceChildren(meter, element("p", { class: "verdict" }, verdict(score)));
}
