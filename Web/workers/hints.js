// Measures scaled-down viewfinder frames with quality.js, off the main thread.
import { measure } from "../lib/quality.js";

const canvas = new OffscreenCanvas(320, 240);
const context = canvas.getContext("2d", { willReadFrequently: true, alpha: false });

self.onmessage = ({ data: frame }) => {
  // After the last frame: one that is not closed keeps a picture of the camera.
  if (!frame) return self.close();
  if (!context) return frame.close();
  const scale = 320 / Math.max(frame.displayWidth, frame.displayHeight);
  const width = Math.round(frame.displayWidth * scale), height = Math.round(frame.displayHeight * scale);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  context.drawImage(frame, 0, 0, width, height);
  frame.close();
  self.postMessage(measure(context.getImageData(0, 0, width, height).data, width, height));
};
