// The server's few addresses. Everything is relative to the page, whose address holds the token.

async function answered(response) {
  const body = await response.json().catch(() => null);
  if (response.status === 403) {
    throw new Error("The server was started anew: open the address that it has printed.");
  }
  if (body === null) {
    throw new Error(`The server answered with ${response.status}.`);
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

export async function overview() {
  return (await asked("pairs")).body;
}

export async function pair(place) {
  return (await asked(`pairs/${place}`)).body;
}

export async function suggestions(place) {
  return (await asked(`pairs/${place}/suggestions`)).body;
}

export function act(place, version, action, keepalive = false) {
  return asked(`pairs/${place}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...action, version }),
    keepalive,
  });
}
