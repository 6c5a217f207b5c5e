// Tables as text: TSV as spreadsheets copy it, and CSV.

const NAMES = [
  ["sentence1", "sentence2"],
  ["sentence_1", "sentence_2"],
  ["sentence_a", "sentence_b"],
  ["sentence a", "sentence b"],
  ["text1", "text2"],
  ["text_a", "text_b"],
  ["premise", "hypothesis"],
  ["question1", "question2"],
  ["s1", "s2"],
];

// Cells in rows; a quoted cell may hold separators, quotes (doubled) and line ends.
export function parse(text, separator) {
  const rows = [];
  let row = [];
  let cell = "";
  let quoted = false;
  let fresh = true; // at the beginning of a cell
  const endCell = () => {
    row.push(cell);
    cell = "";
    fresh = true;
  };
  const endRow = () => {
    endCell();
    if (row.some((one) => one.trim() !== "")) rows.push(row);
    row = [];
  };
  for (let place = 0; place < text.length; place += 1) {
    const sign = text[place];
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text[place + 1] === '"') {
        cell += '"';
        place += 1;
      } else quoted = false;
    } else if (sign === '"' && fresh) {
      quoted = true;
      fresh = false;
    } else if (sign === separator) endCell();
    else if (sign === "\n") endRow();
    else if (sign !== "\r") {
      cell += sign;
      fresh = false;
    }
  }
  if (cell !== "" || row.length) endRow();
  return rows;
}

export function separatorOf(text) {
  const line = text.slice(0, 10_000).split("\n").find((one) => one.trim() !== "") ?? "";
  if (line.includes("\t")) return "\t";
  return line.split(";").length > line.split(",").length ? ";" : ",";
}

// The two columns of sentences: by their names, else the two with the longest texts.
export function columnsOf(rows) {
  const head = rows[0].map((cell) => cell.trim().toLowerCase());
  for (const [one, two] of NAMES) {
    if (head.includes(one) && head.includes(two)) {
      return { columns: [head.indexOf(one), head.indexOf(two)], header: true };
    }
  }
  const width = Math.max(...rows.map((row) => row.length));
  if (width < 2) return null;
  const some = rows.slice(0, 100);
  const lengths = Array.from({ length: width }, (_, place) =>
    some.reduce((sum, row) => sum + (row[place] ?? "").length, 0),
  );
  const longest = lengths.map((length, place) => [length, place]).sort((one, other) => other[0] - one[0]);
  const columns = [longest[0][1], longest[1][1]].sort((one, other) => one - other);
  return { columns, header: false };
}

export function pairsIn(text) {
  const rows = parse(text.replace(/^\ufeff/, ""), separatorOf(text));
  const found = rows.length ? columnsOf(rows) : null;
  if (found === null) return [];
  const [one, two] = found.columns;
  return rows.slice(found.header ? 1 : 0).map((row, place) => ({
    number: place + 1,
    sentence1: (row[one] ?? "").trim(),
    sentence2: (row[two] ?? "").trim(),
  }));
}

const quoted = (text) => (/[\t\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const tsvOf = (rows) => rows.map((row) => row.map((cell) => quoted(String(cell))).join("\t") + "\n").join("");
