// A page of pictures: each is drawn when it is scrolled to, and the pairs can be searched.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const sections = [...document.querySelectorAll("main section")];
  const holders = sections.map((section) => section.querySelector(".picture"));
  const places = new Map(holders.map((holder, place) => [holder, place]));
  const which = () => (pictures.small.matches ? 1 : 0);

  function draw(holder) {
    const svg = holder.firstElementChild;
    if (svg.childElementCount === 0) pictures.fill(svg, data[places.get(holder)], which());
  }
  const watcher = pictures.watch(draw);

  function prepare() {
    watcher.disconnect();
    holders.forEach((holder, place) => {
      holder.replaceChildren(pictures.blank(data[place], which()));
      watcher.observe(holder);
    });
  }

  function search(form) {
    const text = form.querySelector("input");
    const label = form.querySelector("select");
    const count = form.querySelector("output");
    const said = data.map((record) => `${pictures.sentence(record, 1)}\n${pictures.sentence(record, 2)}`.toLowerCase());
    const ids = sections.map((section) => section.dataset.pair.toLowerCase());
    const labels = data.map((record) => new Set(record.lines.map(pictures.relationOf)));
    function choose() {
      const asked = text.value.trim().toLowerCase();
      let found = 0;
      sections.forEach((section, place) => {
        const met = (!asked || ids[place] === asked || said[place].includes(asked))
          && (!label.value || labels[place].has(label.value));
        section.hidden = !met;
        found += met ? 1 : 0;
      });
      count.textContent = `${found} of ${sections.length} pairs`;
    }
    form.addEventListener("input", choose);
    form.addEventListener("submit", (event) => event.preventDefault());
    choose();
  }

  prepare();
  pictures.small.addEventListener("change", prepare);
  pictures.explainOnHover();
  const form = document.getElementById("search");
  if (form) search(form);
  addEventListener("beforeprint", () => {
    sections.forEach((section, place) => { if (!section.hidden) draw(holders[place]); });
  });
  // The pictures above have their size only now: go again to the pair of the address.
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target) target.scrollIntoView();
})();
