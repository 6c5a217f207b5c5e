// The alignments as a list: plain words first, the label second, and behind it the reasons.

import { numbers } from "./board.js";
import { at, element } from "./dom.js";
import { now } from "./state.js";

const percent = (share) => `${Math.round(100 * share)} %`;
const hasWord = (text) => /[\p{L}\p{N}\p{So}]/u.test(text ?? "");
const points = (value) => `${value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;

function bar(one) {
  if (one.contribution === undefined) return null;
  const track = element("span", { class: "track" });
  const fill = element("span", { class: "fill" });
  track.style.width = `${(100 * one.share) / largest("share")}%`;
  fill.style.width = `${(100 * Math.max(0, one.contribution)) / Math.max(one.share, 1e-6)}%`;
  track.append(fill);
  return element(
    "span",
    { class: "contribution" },
    element("span", { class: "bar", "aria-hidden": "true" }, track),
    element("span", { class: "points" }, `adds ${points(one.contribution)}, share ${points(one.share)}`),
  );
}

const largest = (key) => Math.max(1e-6, ...now.answer.alignments.map((one) => one[key] ?? 0));

function label(one) {
  const flags = [one.relation, ...one.flags].join("_");
  return one.score === null ? flags : `${flags} · ${one.score} of 5`;
}

function sure(one) {
  if (!one.confidence) return null;
  return element("span", { class: "sure" }, `${percent(one.confidence.label)} sure`);
}

function features(one) {
  if (!one.features?.length) return null;
  const strongest = Math.max(...one.features.map((feature) => feature.pull));
  const rows = one.features.map((feature) => {
    const fill = element("span", { class: "fill" });
    fill.style.width = `${(100 * feature.pull) / strongest}%`;
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, feature.description),
      element("td", {}, String(Math.round(100 * feature.value) / 100)),
      element(
        "td",
        {},
        element("span", { class: "bar", "aria-hidden": "true" }, element("span", { class: "track" }, fill)),
        element("span", {}, feature.pull.toFixed(2)),
      ),
    );
  });
  return element(
    "table",
    { class: "features" },
    element("caption", {}, "Features that weighed most for this label"),
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        ...["Feature", "Value", "Pull"].map((name) => element("th", { scope: "col" }, name)),
      ),
    ),
    element("tbody", {}, ...rows),
  );
}

function confidence(one) {
  if (!one.confidence) return element("p", { class: "quiet" }, "The baseline gives no confidence.");
  const { link, label: own } = one.confidence;
  const linked = link === null ? "" : `${percent(link)} sure that these two belong together, `;
  return element("p", { class: "quiet" }, `Confidence: ${linked}${percent(own)} sure of the label.`);
}

function why(one) {
  const reasons = one.evidence.map((found) => element("li", {}, found.text));
  return element(
    "div",
    { class: "why" },
    element("p", {}, one.text),
    reasons.length ? element("ul", { class: "reasons" }, ...reasons) : null,
    confidence(one),
    features(one),
  );
}

function item(place, number) {
  const one = now.answer.alignments[place];
  const texts = number ? `${one.chunk1} ↔ ${one.chunk2}` : (one.chunk1 ?? one.chunk2);
  const side = number ? null : element("span", { class: "quiet" }, `only in sentence ${one.chunk1 ? 1 : 2}`);
  return element(
    "li",
    { class: `rel-${one.relation}`, "data-link": place },
    element(
      "details",
      {},
      element(
        "summary",
        {},
        element("span", { class: "number" }, number ? String(number) : "–"),
        element(
          "span",
          { class: "what" },
          element("b", {}, one.meaning),
          element("span", { class: "texts" }, texts),
          side,
          element("span", { class: "label" }, label(one)),
          sure(one),
        ),
        bar(one),
      ),
      why(one),
    ),
  );
}

export function drawLinks() {
  const open = new Set([...document.querySelectorAll("#links details[open]")].map(named));
  const numbered = numbers();
  const lone = now.answer.alignments
    .map((one, place) => [one, place])
    .filter(([one, place]) => !numbered.has(place) && hasWord(one.chunk1 ?? one.chunk2));
  at("links").replaceChildren(
    ...[...numbered].map(([place, number]) => item(place, number)),
    ...lone.map(([, place]) => item(place, null)),
  );
  for (const one of document.querySelectorAll("#links details")) one.open = open.has(named(one));
  at("words").replaceChildren(...now.answer.text.map((text) => element("li", {}, text)));
}

// The same chunks stay open when the answer changes around them.
const named = (details) => details.querySelector(".texts").textContent;

export function openLink(place) {
  const details = at("links").querySelector(`li[data-link="${place}"] details`);
  if (!details) return;
  details.open = true;
  details.scrollIntoView({ block: "nearest" });
}

export function summary() {
  const { similarity, alignments } = now.answer;
  const links = alignments.filter((one) => one.chunk1 && one.chunk2);
  const whole = similarity === undefined ? "" : `Similarity ${similarity.toFixed(1)} of 5. `;
  const each = links.map((one) => `${one.chunk1} and ${one.chunk2}: ${one.meaning}`).join("; ");
  return `${whole}${links.length === 1 ? "1 link" : `${links.length} links`}${each ? `: ${each}` : ""}.`;
}
