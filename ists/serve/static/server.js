// The API. All addresses are relative to the page, which may be behind a proxy's path.

const TOKEN = "ists-token";

export class ServerError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

export function setToken(token) {
  sessionStorage.setItem(TOKEN, token);
}

function headers(type) {
  const token = sessionStorage.getItem(TOKEN);
  return { ...(type && { "Content-Type": type }), ...(token && { Authorization: `Bearer ${token}` }) };
}

async function fetched(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServerError("The server does not answer: is ists serve still running?", 0);
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  throw new ServerError(body?.error ?? `The server answered with ${response.status}.`, response.status);
}

function query(options) {
  const given = Object.entries(options).filter(([, value]) => value !== null && value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

export async function models() {
  return (await fetched("v1/models", { headers: headers() })).json();
}

// One pair, as the response itself: the caller knows the format that it asked for.
export function post(name, options, pair, signal) {
  return fetched(`v1/${name}?${query(options)}`, {
    method: "POST",
    headers: headers("application/json"),
    body: JSON.stringify(pair),
    signal,
  });
}

// Many pairs: one answer after the other, as the server has them.
export async function* stream(name, options, pairs, signal) {
  const response = await fetched(`v1/${name}?${query(options)}`, {
    method: "POST",
    headers: headers("application/x-ndjson"),
    body: pairs.map((pair) => JSON.stringify(pair)).join("\n"),
    signal,
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = done ? "" : lines.pop();
    for (const line of lines) if (line) yield JSON.parse(line);
    if (done) return;
  }
}
