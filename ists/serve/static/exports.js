// Copying and saving the current pair, by requests with the same content as the one on the screen.

import { at, element } from "./dom.js";
import * as server from "./server.js";
import { fragment, now, request } from "./state.js";

const SCALE = 2;
const TYPES = {
  svg: "image/svg+xml",
  png: "image/png",
  json: "application/json",
  wa: "text/plain",
};

async function content(format) {
  const { settings } = now;
  if (format === "svg" || format === "png") {
    const width = Math.min(960, Math.max(320, at("board").clientWidth));
    const response = await server.post("explain", { ...settings, format: "svg", width }, request());
    const picture = await response.text();
    return format === "svg" ? new Blob([picture], { type: TYPES.svg }) : drawn(picture);
  }
  const name = format === "json" && now.answer.similarity !== undefined ? "similarity" : "align";
  const wanted = format === "wa" ? { ...settings, format } : settings;
  const response = await server.post(name, wanted, request());
  return new Blob([await response.text()], { type: TYPES[format] });
}

async function drawn(picture) {
  const address = URL.createObjectURL(new Blob([picture], { type: TYPES.svg }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = element("canvas");
    canvas.width = image.naturalWidth * SCALE;
    canvas.height = image.naturalHeight * SCALE;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, TYPES.png));
  } finally {
    URL.revokeObjectURL(address);
  }
}

export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

async function write(text) {
  if (!navigator.clipboard) throw new Error("Copying needs a secure connection (https): download it instead.");
  await navigator.clipboard.writeText(text);
}

async function copy(format) {
  const blob = await content(format);
  if (format === "png") {
    if (!navigator.clipboard?.write) throw new Error("This browser cannot copy pictures: download it instead.");
    await navigator.clipboard.write([new ClipboardItem({ [TYPES.png]: blob })]);
  } else {
    await write(await blob.text());
  }
}

async function copyLink() {
  const address = new URL(fragment(), location.href).href;
  history.replaceState(null, "", address);
  await write(address);
}

export function watchExports(fail) {
  const said = (text) => {
    at("export-state").textContent = text;
  };
  const doing = (work, done) => async () => {
    said("");
    if (now.answer === null) return;
    try {
      await work(at("export-format").value);
      said(done);
    } catch (error) {
      fail(error);
    }
  };
  at("copy").addEventListener("click", doing(copy, "Copied."));
  at("copy-link").addEventListener("click", doing(copyLink, "Link copied."));
  at("download").addEventListener(
    "click",
    doing(async (format) => save(await content(format), `pair.${format}`), "Saved."),
  );
}
