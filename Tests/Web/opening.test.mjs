// What the library opens with, and the words: node --test Tests/Web
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import de from "../../Web/i18n/de.js";
import en from "../../Web/i18n/en.js";
import firstDe from "../../Web/i18n/first/de.js";
import firstEn from "../../Web/i18n/first/en.js";

const ENGLISH = { ...firstEn, ...en }, GERMAN = { ...firstDe, ...de };
const WEB = new URL("../../Web/", import.meta.url);
const IMPORT = /^(?:import|export)\b[^;"]*?"(\.[^"]+)";/gm;
const DYNAMIC_IMPORT = /(later\(\(\) => )?\bimport\("(\.[^"]+)"\)/g;

/** Returns the texts of the modules that run without the other words, by address. */
async function openingModules() {
  const texts = new Map();
  const read = async (name, from = WEB) => {
    const address = new URL(name, from);
    if (texts.has(address.href) || address.pathname.includes("/i18n/")) return;
    const text = (await readFile(address, "utf8")).replace(/\/\*.*?\*\//gs, "");
    texts.set(address.href, text);
    for (const [, imported] of text.matchAll(IMPORT)) await read(imported, address);
    for (const [, withRest, imported] of text.matchAll(DYNAMIC_IMPORT)) if (!withRest) await read(imported, address);
  };
  await read("app.js");
  await read("screens/library.js");
  return texts;
}

/** Returns the keys that a module names: as a text, or by how they begin. */
function keysIn(text) {
  const named = new Set([...text.matchAll(/"([\w.]+)"/g)].map(([, key]) => key));
  const beginnings = [...text.matchAll(/`([\w.]+\.)\$\{/g)].map(([, beginning]) => beginning);
  return Object.keys(ENGLISH).filter((key) => named.has(key) || beginnings.some((one) => key.startsWith(one)));
}

test("German has every word that English has, in the same file, with the same gaps", () => {
  const gaps = (entry) =>
    [...new Set((typeof entry === "string" ? entry : entry.other).match(/\{\w+\}/g) ?? [])].sort();
  for (const [english, german] of [[en, de], [firstEn, firstDe]]) {
    assert.deepEqual(Object.keys(german).sort(), Object.keys(english).sort());
    for (const key of Object.keys(english)) assert.deepEqual(gaps(german[key]), gaps(english[key]), key);
  }
});

test("no word is in both files", () => {
  assert.equal(Object.keys(ENGLISH).length, Object.keys(en).length + Object.keys(firstEn).length);
  assert.equal(Object.keys(GERMAN).length, Object.keys(ENGLISH).length);
});

test("the library opens with the words that its modules name, and no others", async () => {
  const needed = new Set();
  for (const [address, text] of await openingModules()) {
    for (const key of keysIn(text)) {
      needed.add(key);
      assert.ok(key in firstEn, `${key}, which ${address} names, belongs into Web/i18n/first`);
    }
  }
  for (const key of Object.keys(firstEn)) {
    assert.ok(
      needed.has(key),
      `${key} belongs into Web/i18n/en.js and de.js: nothing that opens with the library names it`,
    );
  }
});

test("the library opens with at most 60 KB", async () => {
  const page = await readFile(new URL("index.html", WEB), "utf8");
  const listed = page.matchAll(/<(?:link rel="(?:stylesheet|modulepreload)" href|script src)="([^"]+)"/g);
  // The words that theme.js asks for.
  const [, words] = (await readFile(new URL("theme.js", WEB), "utf8")).match(/words\.href = `(i18n\/[^$]*)\$\{/) ?? [];
  const files = ["index.html", `${words}de.js`, ...[...listed].map(([, file]) => file)];
  let weight = 0;
  for (const file of files) weight += gzipSync(await readFile(new URL(file, WEB)), { level: 9 }).length;
  assert.ok(files.includes("app.js") && files.includes("css/base.css") && files.includes("theme.js"));
  assert.ok(weight <= 60_000, `${weight} bytes in ${files.length} files`);
});
