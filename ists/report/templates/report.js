// Shows the pairs: sorted, filtered, and drawn as the reader scrolls to them. All text of the input
// is set as text, never as markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const control = (id) => document.getElementById(id);
  const list = control("list");
  const more = control("more");
  const batch = 30;
  const none = "none";
  const agreed = "hit";
  let chosen = [];
  let drawn = 0;
  const watcher = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) draw();
  }, { rootMargin: "800px" });
  // The pictures of the cards in the list, and how to draw each.
  const waiting = new Map();
  const pictureWatcher = pictures.watch(drawPicture);

  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  const selected = (id) => (control(id) && control(id).value !== "" ? Number(control(id).value) : null);
  const settings = () => ({
    system: Number(control("system").value),
    beside: selected("beside"),
    result: control("result") ? control("result").value : "",
    order: control("order").value,
    measure: Number(control("measure").value),
    gold: control("gold-label").value,
    label: control("system-label").value,
    text: control("text").value.trim().toLowerCase(),
    differences: control("differences").checked,
  });

  // A pair in which neither file aligns anything has no F1: it is not bad, and comes last.
  function figure(pair, system, measure) {
    const f1 = pair.systems[system].f1;
    return f1 === null ? null : f1[measure];
  }

  function resultOf(pair, asked) {
    const own = figure(pair, asked.system, asked.measure) || 0;
    const other = figure(pair, asked.beside, asked.measure) || 0;
    return own > other ? "better" : own < other ? "worse" : "equal";
  }

  function differs(pair, system) {
    const { marks, gold_marks: goldMarks } = pair.systems[system];
    return [...marks, ...goldMarks].some((mark) => mark !== agreed);
  }

  function matches(pair, asked) {
    if (asked.gold || asked.label) {
      const cells = pair.systems[asked.system].cells;
      const met = cells.some(([gold, label]) =>
        (!asked.gold || gold === asked.gold) && (!asked.label || label === asked.label));
      if (!met) return false;
    }
    if (asked.differences && !shownSystems(asked).some((system) => differs(pair, system))) return false;
    if (asked.result && asked.beside !== null && resultOf(pair, asked) !== asked.result) return false;
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

  // The filters in words: the form itself is not printed.
  function described(asked) {
    const parts = [];
    if (data.systems.length > 1) parts.push(data.systems[asked.system]);
    if (asked.result && asked.beside !== null) parts.push(`${asked.result} than ${data.systems[asked.beside]} by ${data.measures[asked.measure]}`.replace("equal than", "as good as"));
    if (asked.gold) parts.push(`gold label ${asked.gold}`);
    if (asked.label) parts.push(`system label ${asked.label}`);
    if (asked.text) parts.push(`text “${asked.text}”`);
    if (asked.differences) parts.push("only differences");
    return parts.join(", ");
  }

  function choose() {
    const asked = settings();
    if ((asked.result || asked.order === "apart") && (asked.beside === null || asked.beside === asked.system)) {
      control("beside").value = asked.system === 0 ? "1" : "0";
      asked.beside = Number(control("beside").value);
    }
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
    control("asked").textContent = described(asked);
    list.classList.toggle("differences", asked.differences);
    list.replaceChildren();
    waiting.clear();
    pictureWatcher.disconnect();
    drawn = 0;
    draw();
  }

  function draw() {
    const asked = settings();
    const part = document.createDocumentFragment();
    for (const pair of chosen.slice(drawn, drawn + batch)) part.append(card(pair, asked));
    drawn = Math.min(chosen.length, drawn + batch);
    list.append(part);
    for (const holder of waiting.keys()) pictureWatcher.observe(holder);
    // Observing again makes the watcher report even if the list's end never left the screen.
    watcher.unobserve(more);
    if (drawn < chosen.length) watcher.observe(more);
  }

  function drawPicture(holder) {
    const job = waiting.get(holder);
    if (!job) return;
    waiting.delete(holder);
    job();
  }

  const fragment = (pair) => `pair-${encodeURIComponent(pair.id)}`;

  const shownSystems = (asked) => (asked.beside === null || asked.beside === asked.system
    ? [asked.system] : [asked.system, asked.beside]);

  function card(pair, asked) {
    const shown = element("article", "pair");
    shown.id = fragment(pair);
    shown.tabIndex = -1;
    const head = element("h3");
    const link = element("a", "", `Pair ${pair.id}`);
    link.href = `#${fragment(pair)}`;
    head.append(link);
    shown.append(head);
    const columns = element("div", "columns");
    columns.append(column("gold", pair.gold, pair.systems[asked.system].gold_marks, null, asked));
    for (const system of shownSystems(asked)) {
      const found = pair.systems[system];
      columns.append(column(data.systems[system], found.same ? pair.gold : found.picture, found.marks, found.f1, asked));
    }
    shown.append(columns);
    return shown;
  }

  function column(name, record, marks, f1, asked) {
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
    if (record === null) {
      made.append(element("p", "lacking", "This pair is not in the file, or cannot be shown."));
      return made;
    }
    made.append(picture(name, record, marks));
    const rows = element("ul", "lines");
    record.lines.forEach((line, place) => {
      if (!asked.differences || marks[place] !== agreed) rows.append(row(line, marks[place]));
    });
    if (rows.childElementCount) made.append(rows);
    return made;
  }

  function picture(name, record, marks) {
    const holder = element("div", "picture");
    const which = pictures.small.matches ? 1 : 0;
    const svg = pictures.blank(record, which, name);
    holder.append(svg);
    const suffixes = marks.map((mark) => ` ${data.marks[mark][0]}`);
    const classes = marks.map((mark) => (mark === agreed ? "agreed" : ""));
    waiting.set(holder, () => pictures.fill(svg, record, which, suffixes, classes));
    return holder;
  }

  function row([chunk1, chunk2, label, score, number], mark) {
    const [sign, meaning] = data.marks[mark];
    const made = element("li", `line ${mark}`);
    const shownMark = element("span", `mark ${mark}`, sign);
    shownMark.title = meaning;
    shownMark.setAttribute("role", "img");
    shownMark.setAttribute("aria-label", meaning);
    const words = element("span", "words");
    words.append(element("span", "number", number ? `${number} ` : ""),
      element("span", chunk1 ? "" : "nothing", chunk1 || "–"), element("span", "tie", "↔"),
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

  function clearFilters() {
    for (const id of ["gold-label", "system-label", "text", "result"]) if (control(id)) control(id).value = "";
    control("differences").checked = false;
  }

  function press(button, values, focused) {
    button.addEventListener("click", () => {
      clearFilters();
      for (const [id, value] of Object.entries(values)) control(id).value = value;
      choose();
      control("pairs").scrollIntoView();
      control(focused).focus({ preventScroll: true });
    });
  }

  // Shows the pair that the address names, whatever the filters are.
  function reveal() {
    const place = () => chosen.findIndex((pair) => `#${fragment(pair)}` === location.hash);
    if (!location.hash.startsWith("#pair-")) return;
    if (place() < 0) {
      clearFilters();
      choose();
    }
    if (place() < 0) return;
    while (drawn <= place()) draw();
    const found = document.getElementById(location.hash.slice(1));
    for (const other of list.querySelectorAll(".named")) other.classList.remove("named");
    found.classList.add("named");
    found.scrollIntoView();
    found.focus({ preventScroll: true });
  }

  offer(control("gold-label"), labelsAt(0));
  offer(control("system-label"), labelsAt(1));
  control("controls").addEventListener("input", choose);
  control("controls").addEventListener("submit", (event) => event.preventDefault());
  control("filters").addEventListener("click", () => {
    const open = control("bar").classList.toggle("open");
    control("filters").setAttribute("aria-expanded", String(open));
  });
  for (const button of document.querySelectorAll(".heat button")) {
    const { system, gold, label } = button.dataset;
    press(button, { system, "gold-label": gold, "system-label": label }, "gold-label");
  }
  for (const button of document.querySelectorAll("button.result")) {
    const { system, beside, result } = button.dataset;
    press(button, { system, beside, result, measure: String(data.measures.length - 1) }, "result");
  }
  // What a link leads to is shown below the filters, which stay in view.
  const measureBar = () => list.style.setProperty("--bar", `${control("bar").offsetHeight}px`);
  new ResizeObserver(measureBar).observe(control("bar"));
  measureBar();
  // Files in different orders give pairs as they meet: sort them by the gold's order.
  data.pairs.sort((a, b) => a.place - b.place);
  choose();
  pictures.explainOnHover();
  pictures.small.addEventListener("change", choose);
  addEventListener("hashchange", reveal);
  addEventListener("beforeprint", () => {
    while (drawn < chosen.length) draw();
    for (const holder of [...waiting.keys()]) drawPicture(holder);
  });
  reveal();
})();
