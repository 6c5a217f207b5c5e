// Every key of the page, what it does and where: the help panel is made from this table.

const CHUNKS = ["chunks1", "chunks2"];
const LINKS = ["links"];
const REST = ["rest"];
const CHOOSING = ["links", "rest", "done"];

export const KEYS = [
  { keys: ["ArrowLeft", "ArrowRight"], command: "sideways", text: "the gap or chunk before, after" },
  { keys: ["ArrowUp", "ArrowDown"], command: "across", steps: CHOOSING, text: "the other sentence" },
  { keys: ["Home", "End"], command: "edge", text: "the first, the last one" },
  { keys: [" "], command: "toggle", steps: CHUNKS, text: "cut here, or join again" },
  { keys: [" "], command: "toggle", steps: LINKS, text: "pick the chunk; a second one, of the other sentence, links both" },
  { keys: ["Escape"], command: "letGo", steps: LINKS, text: "let the picked chunk go" },
  { keys: ["1", "2", "3", "4", "5"], command: "score", steps: LINKS, text: "score of the link, before its label" },
  { keys: ["e"], command: "label", value: "EQUI", steps: LINKS, text: "EQUI: equivalent" },
  { keys: ["o"], command: "label", value: "OPPO", steps: LINKS, text: "OPPO: opposite" },
  { keys: ["t"], command: "label", value: "SPE1", steps: LINKS, text: "SPE1: the top chunk, of sentence 1, is more specific" },
  { keys: ["b"], command: "label", value: "SPE2", steps: LINKS, text: "SPE2: the bottom chunk, of sentence 2, is more specific" },
  { keys: ["s"], command: "label", value: "SIMI", steps: LINKS, text: "SIMI: similar" },
  { keys: ["r"], command: "label", value: "REL", steps: LINKS, text: "REL: related" },
  { keys: ["f"], command: "flag", value: "FACT", steps: [...LINKS, ...REST], text: "FACT on or off" },
  { keys: ["p"], command: "flag", value: "POL", steps: [...LINKS, ...REST], text: "POL on or off" },
  { keys: ["Delete", "d"], command: "disconnect", steps: LINKS, text: "remove the link" },
  { keys: ["n"], command: "alone", value: "NOALI", steps: REST, text: "NOALI: nothing corresponds" },
  { keys: ["c"], command: "alone", value: "ALIC", steps: REST, text: "ALIC: corresponds, but its partner is taken" },
  { keys: ["l"], command: "rest", steps: REST, text: "NOALI for all that is left" },
  { keys: ["j"], command: "lacking", steps: [...LINKS, ...REST], text: "jump to the next chunk that lacks something" },
  { keys: ["a"], command: "accept", steps: [...CHUNKS, ...LINKS, ...REST], text: "accept the suggestion" },
  { keys: ["x"], command: "skip", steps: [...LINKS, ...REST], text: "skip the suggestion" },
  { keys: ["Enter"], command: "advance", text: "the step is finished; after the last, the next unfinished pair" },
  { keys: ["Backspace"], command: "back", text: "back to the step before" },
  { keys: ["z"], command: "undo", text: "undo" },
  { keys: ["y"], command: "redo", text: "redo" },
  { keys: ["["], command: "previous", text: "previous pair" },
  { keys: ["]"], command: "next", text: "next pair" },
  { keys: ["u"], command: "unfinished", text: "next unfinished pair" },
  { keys: ["g"], command: "overview", text: "all pairs" },
  { keys: ["m"], command: "note", text: "write a note; Escape leaves it" },
  { keys: ["?", "h"], command: "help", text: "this panel" },
];

const NAMES = {
  " ": "Space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓",
};
const ONES = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: 1, ArrowDown: 2, Home: -1, End: 1 };

export function keyName(key) {
  return NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

function valueOf(entry, key) {
  if (entry.value !== undefined) return entry.value;
  return entry.command === "score" ? key : ONES[key];
}

const known = new Set(KEYS.flatMap((one) => one.keys));

// The key of an event if it is one of ours; nothing, if it is the browser's own.
export function keyIn(event, letters) {
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (control && !event.altKey && (key === "z" || key === "y")) return event.shiftKey ? "y" : key;
  if (control || event.altKey || !known.has(key)) return null;
  return letters || key.length > 1 || key === " " ? key : null;
}

// What a key stands for at a step, if it stands for anything there.
export function commandFor(key, step) {
  const entry = KEYS.find(
    (one) => one.keys.includes(key) && (one.steps === undefined || one.steps.includes(step)),
  );
  return entry === undefined ? null : { command: entry.command, value: valueOf(entry, key) };
}

// The key that a button can say it has.
export function keyOf(command, value) {
  const entry = KEYS.find(
    (one) => one.command === command && (one.value === undefined || one.value === value),
  );
  if (entry === undefined) return null;
  return keyName(entry.keys.includes(value) ? value : entry.keys[0]);
}
