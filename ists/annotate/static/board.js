// The two sentences: gaps to cut at while chunks are made, chunks to link afterwards.
// Words come from files: they are only ever set as text.

import { aloneAt, chunksOf, chunkText, labelText, linkAt } from "./pair.js";

export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

function gap(sentence, before, cursor, suggested) {
  const cut = sentence.starts.includes(before);
  const words = `between ‘${sentence.words[before - 2]}’ and ‘${sentence.words[before - 1]}’`;
  return element("button", {
    type: "button",
    class: `gap${suggested.includes(before) ? " suggested" : ""}`,
    "data-before": before,
    "aria-pressed": String(cut),
    "aria-label": `cut ${words}${suggested.includes(before) ? ", suggested" : ""}`,
    tabindex: cursor === before ? 0 : -1,
  });
}

// One sentence with a gap before every word but the first.
export function cuttingRow(sentence, cursor, suggested) {
  const row = [];
  sentence.words.forEach((word, index) => {
    const place = index + 1;
    if (index > 0) row.push(gap(sentence, place, cursor, suggested));
    const names = ["word"];
    if (sentence.starts.includes(place)) names.push("first");
    if (index === sentence.words.length - 1 || sentence.starts.includes(place + 1)) {
      names.push("last");
    }
    row.push(element("span", { class: names.join(" ") }, word));
  });
  return row;
}

function chunkAbout(view, side, start) {
  const link = linkAt(view, side, start);
  if (link !== undefined) {
    const number = view.links.indexOf(link) + 1;
    const label = labelText(link) || "no score yet";
    const other = side === 1 ? chunkText(view, 2, link.second) : chunkText(view, 1, link.first);
    return {
      relation: link.relation ?? "none",
      badge: `${number} · ${label}`,
      spoken: `link ${number} with ‘${other}’, ${label}`,
    };
  }
  const alone = aloneAt(view, side, start);
  if (alone !== undefined) {
    return { relation: alone.relation, badge: labelText(alone), spoken: labelText(alone) };
  }
  return { relation: null, badge: "", spoken: "not linked" };
}

// One sentence as chunks that can be picked.
export function linkingRow(view, side, cursor, picked, proposed) {
  return chunksOf(view.sentences[side - 1]).map(({ start, text }) => {
    const { relation, badge, spoken } = chunkAbout(view, side, start);
    const here = cursor !== null && cursor.side === side && cursor.start === start;
    const isPicked = picked !== null && picked.side === side && picked.start === start;
    const names = ["chunk", relation === null ? "free" : `decided rel-${relation}`];
    if (here) names.push("current");
    if (proposed.some((one) => one.side === side && one.start === start)) names.push("proposed");
    return element(
      "button",
      {
        type: "button",
        class: names.join(" "),
        "data-side": side,
        "data-start": start,
        "aria-pressed": String(isPicked),
        "aria-label": `${text}: ${spoken}`,
        "aria-current": here ? "true" : null,
        tabindex: here ? 0 : -1,
      },
      element("span", { class: "text" }, text),
      element("span", { class: "badge" }, badge),
    );
  });
}
