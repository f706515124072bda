// The sheet that reads the barcode of a book, on the device: from the camera, or from a photo.
import { BarcodeReader } from "../lib/barcode.js";
import * as camera from "../lib/camera.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { sheet } from "./sheet.js";
import { button } from "./ui.js";

const LOOK_EVERY = 150; // ms

/** Asks for a barcode. @returns {Promise<string | undefined>} its ISBN-13; nothing if the sheet was closed */
export async function askForBarcode() {
  const reader = new BarcodeReader();
  let cam, timer = 0;
  const isbn = await sheet(t("add.barcode"), (close) => {
    const say = h("p.quiet.center", { role: "status" }, t("add.point"));
    const video = h("video.barcode", { playsinline: true, autoplay: true });
    video.muted = true;
    const look = async () => {
      if (!video.isConnected) return;
      try {
        const found = await reader.read(video);
        if (found) return close(found);
      } catch {
        // The frame cannot be read: try the next one.
      }
      timer = setTimeout(look, LOOK_EVERY);
    };
    const start = async () => {
      if (camera.unavailable()) return noCamera();
      try {
        cam = await camera.startCamera();
        if (!video.isConnected) return stop(cam);
        video.srcObject = cam.stream;
        look();
      } catch {
        noCamera();
      }
    };
    const noCamera = () => {
      video.hidden = true;
      replace(say, t("own.noCamera"));
    };
    start();
    return h("div.stack", null, video, say, fromPhoto(reader, say, close));
  }, { class: "dark" });
  clearTimeout(timer);
  stop(cam);
  reader.close();
  return isbn;
}

const stop = (cam) => cam?.stream.getTracks().forEach((track) => track.stop());

/** A button that reads the barcode in a photo: without a camera in the page, and where the barcode is unclear. */
function fromPhoto(reader, say, close) {
  const input = h("input", {
    type: "file",
    accept: "image/*",
    capture: "environment",
    hidden: true,
    "aria-label": t("own.barcodePhoto"),
    onchange: async () => {
      const [file] = input.files ?? [];
      input.value = "";
      if (!file) return;
      replace(say, t("own.reading"));
      let picture;
      try {
        picture = await createImageBitmap(file, { imageOrientation: "from-image" });
        const found = await reader.read(picture);
        if (found) return close(found);
      } catch {
        // As a photo without a barcode.
      } finally {
        picture?.close();
      }
      replace(say, t("own.noBarcode"));
    },
  });
  return h(
    "div.center",
    null,
    button(t("own.barcodePhoto"), { kind: "link", onclick: () => input.click() }, "photo"),
    input,
  );
}
