"use strict";
// Draws pictures from their records (see ists/explanation/records.py), and shows the evidence of what
// is pointed at or has the focus. All text of the input is set as text, never as markup.
const pictures = (() => {
  const namespace = "http://www.w3.org/2000/svg";
  // The same as in ists/explanation/layout.py.
  const [lineHeight, tagLine, padding, labelHeight] = [18, 13, 10, 20];
  const noChunk = "This is in no chunk.";

  function node(name, attributes, ...children) {
    const made = document.createElementNS(namespace, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  const relationOf = (line) => line[2].split("_")[0];
  const labelOf = (line) => (line[3] === "" ? line[2] : `${line[2]} ${line[3]}`);
  const keys = (lines) => lines.filter((line) => line[4]).map((line) => ` ists-k${line[4]}`).join("");

  function textOf(record, [side, places, text]) {
    return text ?? record.lines[places[0]][side - 1];
  }

  function sentence(record, side) {
    return record.boxes.filter((box) => box[0] === side).map((box) => textOf(record, box)).join(" ");
  }

  // An empty picture of the right size; fill() draws its content.
  function blank(record, which, name) {
    const [width, height] = record.layouts[which];
    const label = `${name ? `${name}: ` : ""}the chunks of '${sentence(record, 1)}' aligned with those of '${sentence(record, 2)}'`;
    return node("svg", { class: "ists", viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": label });
  }

  // `suffixes` has the text after each line's label, such as its mark; `classes` has further classes.
  function fill(svg, record, which, suffixes = [], classes = []) {
    const [, , boxes, links] = record.layouts[which];
    const pair = node("g", { class: "ists-pair" });
    const labels = links.map((link, order) => {
      const line = record.lines[link[0]];
      const look = `ists-link ists-${relationOf(line)}${keys([line])} ${classes[link[0]] || ""}`;
      pair.append(node("g", { class: look, "data-hint": line[5], "aria-hidden": "true" },
        node("path", { d: link[1] })));
      return labelled(line, link, suffixes[link[0]] || "", look, order);
    });
    boxes.forEach((placed, place) => pair.append(boxed(record, record.boxes[place], placed, suffixes, classes)));
    pair.append(...labels);
    svg.replaceChildren(node("rect", { class: "ists-ground", width: "100%", height: "100%" }), pair);
  }

  function labelled(line, [, , x, y, width], suffix, look, order) {
    const text = node("text", { class: "ists-small", x, y: y + 4 },
      node("tspan", { class: "ists-number ists-quiet" }, String(line[4])), ` ${labelOf(line)}${suffix}`);
    return node("g", {
      class: `${look} ists-label`,
      role: "img", "aria-label": `Link ${line[4]}${suffix}: ${line[5]}`, "data-hint": line[5], tabindex: order ? "-1" : "0",
    }, node("rect", { x: Math.round(x - width / 2), y: y - labelHeight / 2, width, height: labelHeight, rx: 10 }), text);
  }

  function boxed(record, box, [x, y, width, height, wrapped], suffixes, classes) {
    const found = box[1].map((place) => record.lines[place]);
    const relations = new Set(found.map(relationOf));
    const numbers = found.map((line) => line[4]).filter(Boolean);
    const look = relations.size === 1 ? ` ists-${[...relations][0]}` : found.length ? "" : " ists-loose";
    const further = new Set(box[1].map((place) => classes[place] || ""));
    const made = node("g", { class: `ists-box${look}${keys(found)} ${further.size === 1 ? [...further][0] : ""}`, "data-hint": found.map((line) => line[5]).join("\n") || noChunk },
      node("rect", { x, y, width, height, rx: 6 }));
    const middle = Math.round(x + width / 2);
    (wrapped || [textOf(record, box)]).forEach((line, number) => made.append(
      node("text", { x: middle, y: Math.round(y + padding - 3 + lineHeight * (number + 1) - 4.5) }, line)));
    const shared = box.length > 2 ? numbers.join(", ") : ""; // of all parts of a chunk
    const tag = found.length && !numbers.length ? found[0][2] + (suffixes[box[1][0]] || "") : shared;
    if (tag) {
      made.append(node("text", { class: "ists-small ists-quiet", x: middle, y: box[0] === 1 ? y - 5 : y + height + tagLine }, tag));
    }
    return made;
  }

  // The evidence beside the pointer or the link that has the focus; Escape hides it.
  function explainOnHover() {
    const tip = document.createElement("div");
    tip.id = "tip";
    tip.setAttribute("role", "tooltip");
    tip.hidden = true;
    (document.querySelector("main") || document.body).append(tip);
    let owner = null;
    function hide() {
      if (owner) light(owner, false);
      tip.hidden = true;
      owner = null;
    }
    function show(found) {
      if (owner) light(owner, false);
      owner = found;
      light(found, true);
      tip.textContent = found.dataset.hint;
      tip.hidden = false;
      // Beside the picture, so that both chunks of a link stay in view.
      const area = found.getBoundingClientRect();
      const whole = found.ownerSVGElement.getBoundingClientRect();
      const below = whole.bottom + 2;
      const top = below + tip.offsetHeight < innerHeight ? below : Math.max(4, whole.top - tip.offsetHeight - 2);
      const left = Math.min(Math.max(4, area.left + area.width / 2 - tip.offsetWidth / 2), document.documentElement.clientWidth - tip.offsetWidth - 4);
      tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    }
    const hinted = (event) => (event.target instanceof Element ? event.target.closest("[data-hint]") : null);
    document.addEventListener("pointerover", (event) => {
      if (event.target === tip) return;
      const found = hinted(event);
      if (found) show(found);
      else if (owner && owner !== document.activeElement) hide();
    });
    document.addEventListener("focusin", (event) => (hinted(event) ? show(hinted(event)) : hide()));
    document.addEventListener("focusout", hide);
    document.addEventListener("scroll", hide, { passive: true });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") hide();
      else if (event.key === "ArrowRight" || event.key === "ArrowLeft") move(event);
    });
  }

  // Lights the links of an element with their chunks, and dims the rest of the picture.
  function light(found, on) {
    const own = [...found.classList].filter((name) => name.startsWith("ists-k"));
    const pair = found.closest(".ists-pair");
    if (!own.length || !pair) return;
    pair.classList.toggle("ists-dimmed", on);
    for (const one of pair.querySelectorAll(own.map((name) => `.${name}`).join(","))) one.classList.toggle("ists-lit", on);
  }

  // Each picture is one stop of the Tab key; the arrow keys go from link to link.
  function move(event) {
    const label = event.target instanceof Element ? event.target.closest(".ists-label") : null;
    if (!label) return;
    const labels = [...label.parentNode.querySelectorAll(".ists-label")];
    const step = event.key === "ArrowRight" ? 1 : labels.length - 1;
    const next = labels[(labels.indexOf(label) + step) % labels.length];
    for (const one of labels) one.setAttribute("tabindex", one === next ? "0" : "-1");
    next.focus();
    event.preventDefault();
  }

  // Calls draw(holder) when one of the watched elements comes near the window.
  function watch(draw) {
    const watcher = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        watcher.unobserve(entry.target);
        draw(entry.target);
      }
    }, { rootMargin: "700px" });
    return watcher;
  }

  const small = matchMedia("(max-width: 44rem)");
  return { blank, fill, explainOnHover, watch, small, sentence, relationOf };
})();
