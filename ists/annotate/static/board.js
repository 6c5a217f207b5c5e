// The two sentences: gaps while chunks are made, chunks to link afterwards.
// Words come from files: they are only ever set as text.

import { GAP_KEYS, keyName } from "./keys.js";
import { aloneAt, chunksOf, isGroup, labelText, linkAt, linkText } from "./pair.js";

export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

function hint(key) {
  return key === undefined ? [] : [element("kbd", { class: "hint", "aria-hidden": "true" }, keyName(key))];
}

function gap(sentence, before, cursor, suggested, hints) {
  const cut = sentence.starts.includes(before);
  const words = `between ‘${sentence.words[before - 2]}’ and ‘${sentence.words[before - 1]}’`;
  const key = hints ? GAP_KEYS[before - 2] : undefined;
  return element(
    "button",
    {
      type: "button",
      class: `gap${suggested.includes(before) ? " suggested" : ""}`,
      "data-before": before,
      "aria-pressed": String(cut),
      "aria-label": `cut ${words}${suggested.includes(before) ? ", suggested" : ""}`,
      "aria-keyshortcuts": key,
      tabindex: cursor === before ? 0 : -1,
    },
    ...hint(key),
  );
}

// One sentence with a gap before every word but the first.
export function cuttingRow(sentence, cursor, suggested, hints) {
  const row = [];
  sentence.words.forEach((word, index) => {
    const place = index + 1;
    if (index > 0) row.push(gap(sentence, place, cursor, suggested, hints));
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
    const other = linkText(view, 3 - side, link);
    const group = isGroup(link) ? `, in the group ‘${linkText(view, side, link)}’` : "";
    return {
      relation: link.relation ?? "none",
      badge: `${number} · ${label}`,
      spoken: `link ${number} with ‘${other}’${group}`,
    };
  }
  const alone = aloneAt(view, side, start);
  if (alone !== undefined) {
    return { relation: alone.relation, badge: labelText(alone), spoken: "unaligned" };
  }
  return { relation: null, badge: "", spoken: "not linked" };
}

// One sentence as chunks that can be picked; `linkable`: chunks of this side show their digit.
// The accessible name contains the visible text: the words, then the badge.
export function linkingRow(view, side, { cursor, picked, held, marked, linkable }) {
  return chunksOf(view.sentences[side - 1]).map(({ start, text }, index) => {
    const { relation, badge, spoken } = chunkAbout(view, side, start);
    const here = cursor !== null && cursor.side === side && cursor.start === start;
    const isPicked = [picked, ...held].some((one) => one?.side === side && one.start === start);
    const names = ["chunk", relation === null ? "free" : `decided rel-${relation}`];
    if (here) names.push("current");
    if (marked.some((one) => one.side === side && one.start === start)) names.push("proposed");
    const key = linkable && index < 9 && !linkAt(view, side, start) ? String(index + 1) : undefined;
    return element(
      "button",
      {
        type: "button",
        class: names.join(" "),
        "data-side": side,
        "data-start": start,
        "aria-pressed": String(isPicked),
        "aria-label": [text, badge, spoken].filter(Boolean).join(", "),
        "aria-current": here ? "true" : null,
        "aria-keyshortcuts": key,
        tabindex: here ? 0 : -1,
      },
      ...hint(key),
      element("span", { class: "text" }, text),
      " ",
      element("span", { class: "badge", title: badge }, badge),
    );
  });
}
