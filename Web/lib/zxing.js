// zxing-cpp as WebAssembly (vendor/zxing.wasm), built by Scripts/barcode/build.sh.

/**
 * Compiles the reader of barcodes.
 *
 * @param {BufferSource} bytes of zxing.wasm
 * @returns {Promise<(grey: Uint8Array, width: number, height: number) => string>} returns the digits of an EAN-13 in a
 *   picture, or an empty text. Throws if the reader broke: compile it again then.
 */
export async function compileReader(bytes) {
  // It opens no files and prints nothing: every call to the system fails with ENOSYS.
  const system = new Proxy({}, { get: () => () => 52 });
  const { instance } = await WebAssembly.instantiate(bytes, { wasi_snapshot_preview1: system });
  const { memory, pixels, read, _initialize: initialize } = /** @type {any} */ (instance.exports);
  initialize();
  return (grey, width, height) => {
    // Each call may replace the buffer by a larger one.
    const place = pixels(grey.length);
    new Uint8Array(memory.buffer, place, grey.length).set(grey);
    const found = read(width, height);
    const digits = new Uint8Array(memory.buffer, found, 16);
    return String.fromCharCode(...digits.subarray(0, digits.indexOf(0)));
  };
}

/** Returns the grey values of a picture. @param {Uint8ClampedArray} rgba */
export function greyOf(rgba) {
  const grey = new Uint8Array(rgba.length / 4);
  // Rec. 601, in 256ths.
  for (let i = 0; i < grey.length; i++) {
    grey[i] = (rgba[4 * i] * 77 + rgba[4 * i + 1] * 150 + rgba[4 * i + 2] * 29) >> 8;
  }
  return grey;
}
