// Reads barcodes off the main thread, in browsers without a reader of their own.
import { compileReader, greyOf } from "../lib/zxing.js";

/** @type {Promise<(grey: Uint8Array, width: number, height: number) => string> | undefined} */
let reader;

async function open() {
  const file = await fetch(new URL("../vendor/zxing.wasm", import.meta.url));
  if (!file.ok) throw new Error(`zxing.wasm: ${file.status}`);
  return compileReader(await file.arrayBuffer());
}

self.onmessage = async ({ data: { rgba, width, height } }) => {
  try {
    self.postMessage({ digits: (await (reader ??= open()))(greyOf(rgba), width, height) });
  } catch (error) {
    reader = undefined;
    self.postMessage({ error: String(error?.message ?? error) });
  }
};
