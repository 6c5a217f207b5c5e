"use strict";
// Shows the pairs: ordered, filtered, and drawn as the reader comes to them. Whatever the files
// hold is written with textContent, never as markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const control = (id) => document.getElementById(id);
  const list = control("list");
  const more = control("more");
  const batch = 30;
  const none = "none";
  let chosen = [];
  let drawn = 0;
  const watcher = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) draw();
  }, { rootMargin: "800px" });

  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  const settings = () => ({
    system: Number(control("system").value),
    beside: control("beside") && control("beside").value !== "" ? Number(control("beside").value) : null,
    order: control("order").value,
    measure: Number(control("measure").value),
    gold: control("gold-label").value,
    label: control("system-label").value,
    text: control("text").value.trim().toLowerCase(),
  });

  // A pair in which neither file aligns anything has no F1: it is not bad, and comes last.
  function figure(pair, system, measure) {
    const f1 = pair.systems[system].f1;
    return f1 === null ? null : f1[measure];
  }

  function matches(pair, asked) {
    if (asked.gold || asked.label) {
      const cells = pair.systems[asked.system].cells;
      const met = cells.some(([gold, label]) =>
        (!asked.gold || gold === asked.gold) && (!asked.label || label === asked.label));
      if (!met) return false;
    }
    if (!asked.text) return true;
    return pair.id.toLowerCase() === asked.text
      || pair.sentences.some((sentence) => sentence.toLowerCase().includes(asked.text));
  }

  function rank(pair, asked) {
    const own = figure(pair, asked.system, asked.measure);
    if (asked.order === "apart") {
      const other = asked.beside === null ? null : figure(pair, asked.beside, asked.measure);
      return own === null || other === null ? Infinity : -Math.abs(own - other);
    }
    if (own === null) return Infinity;
    return asked.order === "best" ? -own : own;
  }

  function choose() {
    const asked = settings();
    chosen = data.pairs.filter((pair) => matches(pair, asked));
    if (asked.order !== "file") {
      const ranks = new Map(chosen.map((pair) => [pair, rank(pair, asked)]));
      // Sorting is stable: pairs of one rank stay in the file's order.
      chosen.sort((a, b) => {
        const x = ranks.get(a);
        const y = ranks.get(b);
        return x === y ? 0 : x - y;
      });
    }
    const rest = data.left_out ? ` shown here, ${data.left_out} are left out` : "";
    control("count").textContent = `${chosen.length} of ${data.pairs.length} pairs${rest}`;
    list.replaceChildren();
    drawn = 0;
    draw();
  }

  function draw() {
    const asked = settings();
    const part = document.createDocumentFragment();
    for (const pair of chosen.slice(drawn, drawn + batch)) part.append(card(pair, asked));
    drawn = Math.min(chosen.length, drawn + batch);
    list.append(part);
    // Watching anew makes the watcher report even if the list's end never left the screen.
    watcher.unobserve(more);
    if (drawn < chosen.length) watcher.observe(more);
  }

  function card(pair, asked) {
    const shown = element("article", "pair");
    const head = element("h3", "", `Pair ${pair.id}`);
    shown.append(head);
    for (const sentence of pair.sentences) shown.append(element("p", "sentence", sentence));
    const columns = element("div", "columns");
    columns.append(column("gold", pair.gold, pair.systems[asked.system].gold_marks, null));
    const systems = asked.beside === null || asked.beside === asked.system
      ? [asked.system] : [asked.system, asked.beside];
    for (const system of systems) {
      const found = pair.systems[system];
      columns.append(column(data.systems[system], found.lines, found.marks, found.f1));
    }
    shown.append(columns);
    return shown;
  }

  function column(name, lines, marks, f1) {
    const made = element("div", "column");
    const head = element("h4", "", name);
    made.append(head);
    if (f1) {
      const figures = element("span", "figures");
      f1.forEach((value, place) => {
        const one = element("span", "", `${data.measures[place]} `);
        one.append(element("b", "", value.toFixed(2)));
        figures.append(one);
      });
      head.append(figures);
    }
    if (lines === null) {
      made.append(element("p", "lacking", "This pair is not in the file, or cannot be shown."));
      return made;
    }
    const rows = element("ul", "lines");
    lines.forEach((line, place) => rows.append(row(line, marks[place])));
    made.append(rows);
    return made;
  }

  function row([chunk1, chunk2, label, score], mark) {
    const [sign, meaning] = data.marks[mark];
    const made = element("li", `line ${mark}`);
    const shownMark = element("span", `mark ${mark}`, sign);
    shownMark.title = meaning;
    shownMark.setAttribute("role", "img");
    shownMark.setAttribute("aria-label", meaning);
    const words = element("span", "words");
    words.append(element("span", chunk1 ? "" : "nothing", chunk1 || "–"), element("span", "tie", "↔"),
      element("span", chunk2 ? "" : "nothing", chunk2 || "–"));
    made.append(shownMark, words, element("span", `label ${label.split("_")[0]}`, `${label} ${score}`.trim()));
    return made;
  }

  function offer(select, labels) {
    for (const label of labels) {
      const option = element("option", "", label);
      option.value = label;
      select.append(option);
    }
  }

  const known = ["EQUI", "OPPO", "SPE1", "SPE2", "SIMI", "REL", "ALIC", "NOALI"];
  function labelsAt(place) {
    const met = new Set(data.pairs.flatMap((pair) =>
      pair.systems.flatMap((system) => system.cells.map((cell) => cell[place]))));
    const others = [...met].filter((label) => !known.includes(label) && label !== none).sort();
    return [...known.filter((label) => met.has(label)), ...others, ...(met.has(none) ? [none] : [])];
  }

  offer(control("gold-label"), labelsAt(0));
  offer(control("system-label"), labelsAt(1));
  control("controls").addEventListener("input", choose);
  control("controls").addEventListener("submit", (event) => event.preventDefault());
  for (const button of document.querySelectorAll(".heat button")) {
    button.addEventListener("click", () => {
      control("system").value = button.dataset.system;
      control("gold-label").value = button.dataset.gold;
      control("system-label").value = button.dataset.label;
      control("text").value = "";
      choose();
      control("pairs").scrollIntoView();
      control("gold-label").focus({ preventScroll: true });
    });
  }
  // Files in different orders give pairs as they meet: here they are in the gold's order again.
  data.pairs.sort((a, b) => a.place - b.place);
  choose();
})();
