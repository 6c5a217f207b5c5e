// Requests to the server. Addresses are relative to the page, whose address contains the token.

async function answered(response) {
  const body = await response.json().catch(() => null);
  if (response.status === 403) {
    throw new Error("The server was restarted: open the address that it has printed.");
  }
  if (body === null) {
    throw new Error(`The server answered with status ${response.status}.`);
  }
  return { status: response.status, body };
}

async function asked(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Error("The server does not answer: is ists annotate still running?");
  }
  return answered(response);
}

function post(path, record, keepalive = false) {
  return asked(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(record),
    keepalive,
  });
}

export async function overview() {
  return (await asked("pairs")).body;
}

export async function pair(place) {
  return (await asked(`pairs/${place}`)).body;
}

export async function suggestions(place) {
  return (await asked(`pairs/${place}/suggestions`)).body;
}

export async function difference(place) {
  return (await asked(`pairs/${place}/difference`)).body;
}

export async function paths(boxes, links) {
  const { body } = await post("paths", { boxes, links });
  if (body.error !== undefined) throw new Error(body.error);
  return body;
}

export function act(place, version, action, keepalive = false) {
  return post(`pairs/${place}`, { ...action, version }, keepalive);
}
