// Table of all keys: what each does, and at which steps. The help panel is made from it.

const CHUNKS = ["chunks1", "chunks2"];
const LINKS = ["links"];
const REST = ["rest"];
const CHOOSING = ["links", "rest", "done"];

// Keys that cut directly at a gap, from left to right; the letters have no other use while cutting.
export const GAP_KEYS = [..."1234567890erotpsdfjklcvbn"];
const DIGITS = [..."123456789"];

export const KEYS = [
  { keys: ["ArrowLeft", "ArrowRight"], command: "sideways", text: "previous, next gap or chunk" },
  { keys: ["ArrowUp", "ArrowDown"], command: "across", steps: CHOOSING, text: "the other sentence" },
  { keys: ["Home", "End"], command: "edge", text: "first, last gap or chunk" },
  { keys: [" "], command: "toggle", steps: CHUNKS, text: "cut here, or join again" },
  { keys: GAP_KEYS, name: "1 … 9", command: "cutAt", steps: CHUNKS, text: "cut or join at the gap with this key" },
  { keys: [" "], command: "toggle", steps: LINKS, text: "pick the chunk; a second one, in the other sentence, links both" },
  { keys: ["Shift+ "], command: "regroup", mode: "2016", steps: LINKS, text: "on a link: add chunks to it; on another chunk: add it, or take it out again (also Shift and a click)" },
  { keys: ["Escape"], command: "unpick", steps: LINKS, text: "unpick the chunk" },
  { keys: ["1", "2", "3", "4", "5"], command: "digit", steps: LINKS, text: "on a link: its score, before its label; 5 sets EQUI" },
  { keys: DIGITS, name: "1 … 9", command: "digit", steps: LINKS, text: "on an unlinked chunk: link it with this chunk of the other sentence" },
  { keys: ["0"], command: "zero", steps: LINKS, text: "no score: says what to do instead" },
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
  { keys: ["c"], command: "alone", value: "ALIC", mode: "2015", steps: REST, text: "ALIC: its partner is linked already, or it can be inferred" },
  { keys: ["l"], command: "rest", steps: REST, text: "NOALI for all chunks that remain" },
  { keys: ["j"], command: "lacking", steps: [...LINKS, ...REST], text: "next chunk that lacks a decision" },
  { keys: ["a"], command: "accept", mode: "suggest", steps: [...CHUNKS, ...LINKS, ...REST], text: "accept the suggestion" },
  { keys: ["Shift+a"], command: "acceptAll", mode: "suggest", steps: [...CHUNKS, ...LINKS, ...REST], text: "accept all remaining suggestions of the step and finish it" },
  { keys: ["x"], command: "skip", mode: "suggest", steps: [...LINKS, ...REST], text: "skip the suggestion" },
  { keys: ["q"], command: "take", value: "0", mode: "adjudicate", text: "take the first annotator's decision" },
  { keys: ["w"], command: "take", value: "1", mode: "adjudicate", text: "take the second annotator's decision" },
  { keys: ["x"], command: "skip", mode: "adjudicate", steps: [...LINKS, ...REST], text: "go to the next difference; decide this one yourself" },
  { keys: ["Enter"], command: "advance", text: "finish the step; after the last, go to the next unfinished pair" },
  { keys: ["Backspace"], command: "back", text: "previous step" },
  { keys: ["z"], command: "undo", text: "undo" },
  { keys: ["y"], command: "redo", text: "redo" },
  { keys: ["["], command: "previous", text: "previous pair" },
  { keys: ["]"], command: "next", text: "next pair" },
  { keys: ["u"], command: "unfinished", text: "next unfinished pair" },
  { keys: ["g"], command: "overview", text: "list of all pairs" },
  { keys: ["i"], command: "guide", text: "guidelines: definitions, examples, decision tree" },
  { keys: ["m"], command: "note", text: "write a note; Escape leaves it" },
  { keys: ["?", "h"], command: "help", text: "this panel" },
];

const NAMES = {
  " ": "Space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", "Shift+a": "Shift A",
  "Shift+ ": "Shift Space",
};
const SHIFT = "Shift+";
const ONES = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: 1, ArrowDown: 2, Home: -1, End: 1 };

export function keyName(key) {
  return NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

function valueOf(entry, key) {
  return entry.value ?? ONES[key] ?? key;
}

const known = new Set(KEYS.flatMap((one) => one.keys));

// The name of an event's key if the page uses it; null if it is the browser's own.
export function keyIn(event, letters) {
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (control && !event.altKey && (key === "z" || key === "y")) return event.shiftKey ? "y" : key;
  const shifted = `${SHIFT}${key}`;
  const name = event.shiftKey && known.has(shifted) ? shifted : key;
  if (control || event.altKey || !known.has(name)) return null;
  return letters || (key.length > 1 || key === " ") ? name : null;
}

const hasMode = (entry, modes) => entry.mode === undefined || modes.includes(entry.mode);

// The command of a key at a step, or null; Shift changes nothing where it has no use.
export function commandFor(key, step, modes) {
  const entry = KEYS.find(
    (one) =>
      one.keys.includes(key) && (one.steps === undefined || one.steps.includes(step)) && hasMode(one, modes),
  );
  if (entry === undefined && key.startsWith(SHIFT)) return commandFor(key.slice(SHIFT.length), step, modes);
  return entry === undefined ? null : { command: entry.command, value: valueOf(entry, key) };
}

// Commands of buttons that have the keys of another command.
const SAME_KEYS = { score: "digit", hold: "regroup" };

// The key to show on a button, or null.
export function keyOf(command, value) {
  const wanted = SAME_KEYS[command] ?? command;
  const entry = KEYS.find(
    (one) => one.command === wanted && (one.value === undefined || one.value === value),
  );
  if (entry === undefined) return null;
  return keyName(entry.keys.includes(value) ? value : entry.keys[0]);
}

export const keysOf = (modes) => KEYS.filter((one) => hasMode(one, modes));
