// Tests of modules without a page: node --test Tests/Web
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Sampler, takePicture } from "../../Web/lib/camera.js";
import { contrast, coverColours } from "../../Web/lib/colours.js";
import { csv } from "../../Web/lib/csv.js";
import {
  areaView,
  arrow,
  cropTransform,
  directionOf,
  fitView,
  hit,
  shelfOrder,
  spineSize,
  turnToRead,
  zoomAbout,
} from "../../Web/lib/geometry.js";
import { Problem, problemFrom } from "../../Web/lib/http.js";
import { say } from "../../Web/lib/i18n.js";
import { isbn13, validIsbn } from "../../Web/lib/isbn.js";
import { around, inside, missing, near } from "../../Web/lib/places.js";
import { hints, measure } from "../../Web/lib/quality.js";
import { match, parse } from "../../Web/lib/router.js";
import { find, findTexts, fold, haystack, sortName, sortTitle } from "../../Web/lib/search.js";
import { EventParser } from "../../Web/lib/sse.js";
import { themeFor } from "../../Web/lib/theme.js";
import { answerAboutIsbn, matching } from "../../Web/lib/own.js";
import { compileReader, greyOf } from "../../Web/lib/zxing.js";
import { byTier, tierOfBook, unsureOf } from "../../Web/lib/tiers.js";
import { titleSize } from "../../Web/elements/cover.js";
import { failedList } from "../../Web/screens/import/failed.js";
import { follow } from "../../Web/lib/follow.js";
import { startWindow, windowMoved, windowScaled } from "../../Web/screens/correct/window.js";
import { inOrder } from "../../Web/screens/series/order.js";
import { photoOfPlace, placeIn } from "../../Web/screens/shelf/order.js";
import { columns, isInsideOthers, photoScales } from "../../Web/screens/shelf/sizes.js";
import { isBySeries, volumesBetween } from "../../Web/screens/shelf/volumes.js";
import { filtered, noFilter } from "../../Web/screens/review/filter.js";
import { offered } from "../../Web/lib/matches.js";
import { isFragment, ordered } from "../../Web/screens/review/order.js";

const box = (x, y, w, h) => [[x, y], [x + w, y], [x + w, y + h], [x, y + h]];

test("a tap inside a spine means that spine; beside narrow ones, the nearest centre", () => {
  const quads = [box(0, 0, 100, 400), box(110, 0, 12, 400), box(124, 0, 12, 400)];
  assert.equal(hit(quads, [50, 200], 22), 0);
  assert.equal(hit(quads, [115, 30], 22), 1);
  assert.equal(hit(quads, [128, 390], 22), 2);
  assert.equal(hit(quads, [150, 200], 22), 2);
  assert.equal(hit(quads, [300, 200], 22), -1);
});

test("a crop maps the corners of its spine to the corners of the picture", () => {
  const quad = box(100, 50, 40, 200);
  const at = ([a, b, c, d, e, f], [x, y]) =>
    [a * x + c * y + e, b * x + d * y + f].map((v) => Math.round(v * 1e6) / 1e6);
  assert.deepEqual(at(cropTransform(quad, 80, 400), [100, 50]), [0, 0]);
  assert.deepEqual(at(cropTransform(quad, 80, 400), [140, 250]), [80, 400]);
  // Lying: the top right corner comes to the top left, so that text that ran down runs to the right.
  assert.deepEqual(at(cropTransform(quad, 400, 80, -90), [140, 50]), [0, 0]);
  assert.deepEqual(at(cropTransform(quad, 400, 80, -90), [140, 250]), [400, 0]);
});

test("an arrow leads to the place after the right neighbour, on the photo that shows both", () => {
  const one = (id, outOfOrder) => ({ entry: { id }, state: "present", outOfOrder });
  const board = [one("b", undefined), one("c", { standsAfter: "b", belongsAfter: null }), one("d", undefined)];
  const detection = (entryId, x) => ({ entryId, boundingBox: { x, y: 0.2, width: 0.1, height: 0.4 } });
  const photo = { url: "p", detections: [detection("b", 0.1), detection("c", 0.25), detection("d", 0.4)] };
  const rounded = (point) => point.map((v) => Math.round(v * 1000) / 1000);
  assert.deepEqual(rounded(placeIn(photo, board, board[1])), [0.1, 0.26]);
  assert.deepEqual(rounded(placeIn(photo, board, one("c", { belongsAfter: "d" }))), [0.5, 0.26]);
  const half = { url: "h", detections: [detection("c", 0.1)] };
  assert.equal(photoOfPlace([half, photo], [board], board[1])?.photo, photo);
  assert.equal(photoOfPlace([half, { ...photo, url: null }], [board], board[1]), undefined);
  assert.equal(arrow([0, 100], [80, 100], 10), "M0.0 100.0Q40.0 80.0 80.0 100.0M67.9 101.8L80.0 100.0L74.2 89.3");
});

test("zooming keeps the point under the finger", () => {
  const view = { x: 10, y: 20, scale: 1 };
  const near = zoomAbout(view, 2, [110, 220], 0.1, 8);
  assert.equal(near.scale, 2);
  assert.deepEqual([(110 - near.x) / near.scale, (220 - near.y) / near.scale], [100, 200]);
  assert.equal(zoomAbout(view, 100, [0, 0], 0.1, 8).scale, 8);
  assert.deepEqual(fitView({ width: 400, height: 400 }, { width: 800, height: 400 }), { x: 0, y: 100, scale: 0.5 });
});

test("books are read row by row, a pile from its top", () => {
  const book = (id, x, y, w, h) => ({ id, boundingBox: { x, y, width: w, height: h } });
  const books = [
    book("right", 0.5, 0.1, 0.05, 0.35),
    book("left", 0.1, 0.1, 0.05, 0.35),
    book("pile-low", 0.1, 0.8, 0.3, 0.08),
    book("pile-top", 0.12, 0.7, 0.28, 0.08),
    book("beside", 0.5, 0.55, 0.05, 0.35),
  ];
  assert.deepEqual(shelfOrder(books).map((b) => b.id), ["left", "right", "pile-top", "pile-low", "beside"]);
  assert.equal(spineSize(box(0, 0, 0.3, 0.1), 100, 100).lying, true);
});

test("tiers begin at 0.5 and 0.8", () => {
  const tierOf = (confidence, checked) => tierOfBook({ confidence, checked });
  assert.deepEqual([0, 0.49, 0.5, 0.79, 0.8, 1].map((confidence) => tierOf(confidence)), [
    "needsReview",
    "needsReview",
    "verify",
    "verify",
    "ready",
    "ready",
  ]);
  assert.equal(tierOf(undefined), "needsReview");
  // Without a source, however well it was read; a book of an older server was checked.
  assert.deepEqual([0.1, 0.59, 0.95].map((c) => tierOf(c, false)), ["notChecked", "notChecked", "notChecked"]);
  assert.equal(tierOf(0.9, undefined), "ready");
  // The server's word outranks the confidence; a person's decision outranks both.
  assert.equal(tierOfBook({ confidence: 0.9, tier: "verify" }), "verify");
  assert.equal(tierOfBook({ confidence: 0.9, tier: "of a later server" }), "needsReview");
  assert.equal(tierOfBook({ confidence: 0.1, tier: "verify", reviewStatus: "userEdited" }), "ready");
  const groups = byTier([{ confidence: 0.3 }, { confidence: 0.1 }, { confidence: 0.2, reviewStatus: "userEdited" }]);
  assert.deepEqual(groups.needsReview.map((b) => b.confidence), [0.1, 0.3]);
  assert.equal(groups.ready.length, 1);
  const mixed = byTier([{ confidence: 0.9 }, { confidence: 0.5, checked: false }, { confidence: 0.3 }]);
  assert.deepEqual(unsureOf(mixed).map((b) => b.confidence), [0.3, 0.5]);
});

test("searching ignores case, accents and order, and finds ISBNs", () => {
  const books = [
    { title: "Die Verwandlung", authors: ["Franz Kafka"] },
    { title: "Les Misérables", authors: ["Victor Hugo"], isbn: "9780140444308" },
    { title: "The Trial", authors: ["Franz Kafka"], readingStatus: "read" },
  ].map((b) => ({ ...b, hay: haystack(b) }));
  const titles = (wish) => find(books, wish).map((b) => b.title);
  assert.deepEqual(titles({ text: "hugo MISERABLES" }), ["Les Misérables"]);
  assert.deepEqual(titles({ text: "0-14-044430" }), ["Les Misérables"]);
  assert.deepEqual(titles({ text: "kaf", sort: "title" }), ["The Trial", "Die Verwandlung"]);
  assert.deepEqual(titles({ reading: "read" }), ["The Trial"]);
  assert.equal(fold("Straße & Öl"), "strasse ol");
  assert.equal(sortName("Gabriel García Márquez"), "Márquez Gabriel García");
  assert.equal(sortName("Ursula K. Le Guin"), "Le Guin Ursula K.");
  assert.equal(sortName("Simone de Beauvoir"), "Beauvoir Simone de");
  assert.equal(sortName("Martin Luther King Jr."), "King Martin Luther Jr.");
  assert.equal(sortName("Homer"), "Homer");
  assert.equal(sortName("Le Ly Hayslip"), "Hayslip Le Ly");
  assert.equal(sortTitle("L’Étranger"), "Étranger");
});

test("a shelf has others inside and around it, and a path says which it would create", () => {
  const shelf = (id, path, parent = null) => ({ id, path, name: path.split(" / ").at(-1), parent });
  const all = [
    shelf("1", "Home"),
    shelf("2", "Home / Study", "1"),
    shelf("3", "Home / Study / Board 1", "2"),
    shelf("4", "Attic"),
  ];
  assert.deepEqual([...inside(all, "1")], ["1", "2", "3"]);
  assert.deepEqual(around(all, all[2]).map((s) => s.name), ["Home", "Study"]);
  assert.deepEqual(near(all, null).map((s) => s.id), ["1", "4"]);
  assert.deepEqual(near(all, "1").map((s) => s.id), ["1", "2", "4"]);
  assert.deepEqual(missing(all, null, "home / STUDY / Board 2"), ["Board 2"]);
  assert.deepEqual(missing(all, all[1], "Board 1"), []);
  assert.deepEqual(missing(all, null, "Cellar / Left / Board 1"), ["Cellar", "Left", "Board 1"]);
  const books = [{ title: "Dune", hay: "", shelfId: "3" }, { title: "Emma", hay: "", shelfId: "4" }];
  assert.deepEqual(find(books, { shelf: "1", inside: inside(all, "1") }).map((b) => b.title), ["Dune"]);
});

test("an event stream is read however it is cut", () => {
  const text = 'id: 7\r\nevent: result\r\ndata: {"a":\r\ndata: 1}\r\n\r\n: keep\n\nid: 8\ndata: x\n\n';
  const whole = new EventParser().push(text);
  const parser = new EventParser();
  const pieces = [...text].flatMap((c) => parser.push(c));
  assert.deepEqual(pieces, whole);
  assert.deepEqual(whole, [{ id: "7", event: "result", data: '{"a":\n1}' }, { id: "8", event: "message", data: "x" }]);
});

test("words: forms by number, names filled in, numbers as the language writes them", () => {
  const rules = new Intl.PluralRules("en");
  assert.equal(say({ one: "{n} book", other: "{n} books" }, { n: 1 }, rules, "en"), "1 book");
  assert.equal(say({ one: "{n} book", other: "{n} books" }, { n: 1200 }, rules, "en"), "1,200 books");
  assert.equal(say({ "=0": "none", other: "{n}" }, { n: 0 }, rules, "en"), "none");
  assert.equal(say("{title}, {nothing}", { title: "<b>" }, rules, "en"), "<b>, {nothing}");
});

test("addresses lead to screens", () => {
  assert.deepEqual(parse("#/review/a%2Fb?next=%2Fx").parts, ["review", "a/b"]);
  assert.equal(parse("#/x?q=1").query.get("q"), "1");
  assert.deepEqual(match({ "review/:id": 1 }, ["review", "7"])?.params, { id: "7" });
  assert.equal(match({ review: 1 }, ["review", "7"]), undefined);
});

test("check digits of ISBNs", () => {
  assert.ok(validIsbn("9780063021426"));
  assert.ok(validIsbn("080442957X"));
  assert.ok(!validIsbn("9780063021427"));
  assert.ok(!validIsbn("123"));
});

test("a sharp frame, a blurred one and a dark one", () => {
  const frame = (paint) => {
    const data = new Uint8ClampedArray(320 * 240 * 4);
    for (let y = 0; y < 240; y++) {
      for (let x = 0; x < 320; x++) data.fill(paint(x, y), (y * 320 + x) * 4, (y * 320 + x) * 4 + 3);
    }
    return measure(data, 320, 240);
  };
  assert.deepEqual(hints(frame((x) => x % 8 < 4 ? 60 : 190)).list, []);
  assert.deepEqual(hints(frame((x) => 120 + 40 * Math.sin(x / 20))).list, ["blur"]);
  assert.deepEqual(hints(frame(() => 8)).list, ["dark"]);
  assert.deepEqual(hints(frame((x) => x < 60 ? 255 : x % 8 < 4 ? 60 : 190)).list, ["glare"]);
  assert.deepEqual(hints(frame((x) => x % 8 < 4 ? 60 : 190), 9).list, ["tiltRight"]);
});

test("problems are taken from the document, else from the status alone", () => {
  const p = problemFrom(429, (n) => n === "retry-after" ? "3" : null, '{"code":"rate_limited","detail":"Wait."}');
  assert.deepEqual([p.code, p.message, p.retryAfterMs, p.retryable], ["rate_limited", "Wait.", 3000, true]);
  const page = problemFrom(502, () => null, "<h1>Bad gateway</h1>");
  assert.deepEqual([page.message, page.retryable], ["", true]);
});

test("the look follows the system only while it is asked to", () => {
  const choice = { mode: "system", light: "moss", dark: "plum" };
  assert.equal(themeFor(choice, true), "plum");
  assert.equal(themeFor(choice, false), "moss");
  assert.equal(themeFor({ ...choice, mode: "light" }, true), "moss");
});

// ---- following a job

const events = [1, 2, 3, 4].map((id) => ({ id, type: id === 4 ? "completed" : "result", data: { n: id } }));
const quiet = { wait: () => Promise.resolve(), wake: () => () => {} };

function socketOf(script) {
  let opened = 0;
  return class {
    constructor(url) {
      const play = script[opened++];
      const after = Number(new URL(url).searchParams.get("after") ?? 0);
      queueMicrotask(() => {
        if (!play) return this.onerror?.();
        this.onopen?.();
        for (const e of events.filter((e) => e.id > after).slice(0, play)) {
          this.onmessage?.({ data: JSON.stringify(e) });
        }
        this.onclose?.();
      });
    }
    close() {}
    send() {}
  };
}
const source = (poll = () => Promise.resolve([])) => ({
  socketUrl: "ws://x/ws?jobId=1",
  eventsUrl: "http://x/e",
  poll,
});

test("a cut socket continues without loss or repetition", async () => {
  const seen = [];
  await follow(source(), (e) => seen.push(e.id), { tools: { ...quiet, WebSocket: socketOf([2, 1, 9]) } });
  assert.deepEqual(seen, [1, 2, 3, 4]);
});

test("an error of one photo is not the end of its job", async () => {
  const told = [
    { id: 1, type: "error", data: { code: "image_damaged", photo: 1 } },
    { id: 2, type: "result", data: {} },
    { id: 3, type: "error", data: { code: "no_photos", photo: null } },
    { id: 4, type: "result", data: {} },
  ];
  const seen = [];
  await follow(source(() => Promise.resolve(told)), (e) => seen.push(e.id), {
    tools: { ...quiet, WebSocket: socketOf([]), fetch: () => Promise.reject(new TypeError("no")) },
  });
  assert.deepEqual(seen, [1, 2, 3]);
});

test("without a socket the event stream is taken, without that the polling", async () => {
  const body = events.map((e) => `id: ${e.id}\nevent: ${e.type}\ndata: ${JSON.stringify(e.data)}\n\n`).join("");
  const ways = [];
  let seen = [];
  await follow(source(), (e) => seen.push(e.id), {
    onTransport: (w) => ways.push(w),
    tools: { ...quiet, WebSocket: socketOf([]), fetch: () => Promise.resolve(new Response(body)) },
  });
  assert.deepEqual([ways, seen], [["socket", "events"], [1, 2, 3, 4]]);
  seen = [];
  let asked = 0;
  await follow(
    source((after) => Promise.resolve(asked++ ? events.filter((e) => e.id > after) : events.slice(0, 2))),
    (e) => seen.push(e.id),
    {
      tools: { ...quiet, WebSocket: socketOf([]), fetch: () => Promise.reject(new TypeError("no")) },
    },
  );
  assert.deepEqual(seen, [1, 2, 3, 4]);
});

// ---- the queue

const item = (title, more = {}) => ({
  id: title,
  kind: "detection",
  confidence: 0.2,
  tier: "needsReview",
  title,
  text: [],
  matches: [],
  ...more,
});

test("a fragment is a few letters without an author and without a likely candidate", () => {
  assert.ok(isFragment(item("U 12")));
  assert.ok(isFragment(item(null)));
  assert.ok(!isFragment(item("Emma", { author: "Jane Austen" })));
  assert.ok(!isFragment(item("Emma", { matches: [{ title: "Emma", confidence: 0.6 }] })));
  assert.ok(isFragment(item("Random", { matches: [{ title: "The Random Factor", confidence: 0.01 }] })));
  assert.ok(!isFragment(item("Emma", { confidence: 0.5 })));
  // A whole title is looked at as a book, however little is known of it.
  assert.ok(!isFragment(item("Arcadia", { author: "Jacopo Sannazaro", confidence: 0.02 })));
  assert.ok(!isFragment(item("A", { text: [{ text: "A ROOM OF ONE’S OWN" }] })));
  assert.ok(!isFragment(item("Emma", { reviewStatus: "userEdited" })));
});

test("fragments are never in the row of books", () => {
  const list = [item("U"), item("Middlemarch"), item("Persuasion", { tier: "verify" })];
  const { flat, fragments, groups } = ordered(list, "unsure");
  assert.deepEqual(flat.map((i) => i.id), ["Middlemarch", "Persuasion"]);
  assert.deepEqual(fragments.map((i) => i.id), ["U"]);
  assert.equal(groups.verify.length, 1);
});

test("candidates that are hardly ever right are not offered", () => {
  const matches = [
    { title: "Emma", author: "Jane Austen", confidence: 0.3 },
    { title: "Emma", author: null, confidence: 0.2 },
    { title: "Lady Hester", author: "Charlotte M. Yonge", confidence: 0.011 },
  ];
  assert.deepEqual(offered({ title: "Emma", author: null, matches }).map((m) => m.author), ["Jane Austen"]);
});

test("filters narrow the queue, and one without books is lifted", () => {
  const list = [item("A", { photoId: "p1", shelf: { id: "s1" } }), item("B", { photoId: "p2", shelf: { id: "s1" } })];
  const filter = { ...noFilter(), shelf: "s1", photo: "p2" };
  assert.deepEqual(filtered(list, filter).map((i) => i.id), ["B"]);
  assert.deepEqual(filtered(list.slice(0, 1), filter).map((i) => i.id), ["A"]);
  assert.equal(filter.photo, "");
});

// ---- files and views

test("a CSV is quoted, and no cell runs as a formula", () => {
  assert.equal(csv([["a", 'b"c', "d,e"], ["=1+1", null, 0.5]]), '\ufeffa,"b""c","d,e"\r\n\'=1+1,,0.5\r\n');
  assert.equal(csv([["@x", "-1", -1]]), "\ufeff'@x,'-1,-1\r\n");
  // A spreadsheet set to semicolons starts a cell after one, although the field is quoted for commas.
  assert.equal(csv([["x;=cmd", "a\n-b", "x; y-z"]]), `\ufeffx;'=cmd,"a\n'-b",x; y-z\r\n`);
});

test("a view of an area shows it in the middle and stays on the photo", () => {
  const stage = { left: 0, top: 0, width: 400, height: 500 }, photo = { width: 4000, height: 3000 };
  const view = areaView(box(0.3, 0.4, 0.4, 0.2), stage, photo, 500 / 3000);
  assert.ok(view.scale > 500 / 3000);
  assert.ok(Math.abs(view.x + 0.5 * 4000 * view.scale - 200) < 1);
  assert.ok(Math.abs(view.y + 0.5 * 3000 * view.scale - 250) < 1);
  const corner = areaView(box(0, 0, 0.1, 0.1), stage, photo, 500 / 3000);
  assert.deepEqual([corner.x, corner.y], [0, 0]);
});

test("the window of the box editor stays inside of the photo", () => {
  const view = startWindow(box(0.02, 0.1, 0.1, 0.5));
  assert.equal(view.x, 0);
  assert.ok(view.width > 0.3 && view.height > 0.7);
  assert.equal(windowMoved(view, -1, 0).x, 0);
  assert.equal(windowMoved(view, 9, 0).x, 1 - view.width);
  assert.deepEqual(windowScaled(view, 99), { x: 0, y: 0, width: 1, height: 1 });
  assert.ok(windowScaled(view, 0).width > 0);
});

test("a cover takes the spine's most common colour, with readable text on it", () => {
  const pixels = (...parts) => parts.flatMap(([n, ...rgb]) => Array.from({ length: n }, () => [...rgb, 255]).flat());
  const green = coverColours(pixels([90, 20, 80, 60], [10, 230, 200, 90]));
  assert.deepEqual(green.ground, [20, 80, 60]);
  assert.deepEqual(green.mark, [230, 200, 90]);
  for (const grey of [0, 90, 120, 128, 150, 255]) {
    const { ground, ink } = coverColours(pixels([9, grey, grey, grey]));
    assert.ok(contrast(ground, ink) >= 4.5, `${grey}`);
  }
});

test("the title of a made cover is as large as its longest word and its length allow", () => {
  assert.equal(titleSize("Emma"), 12.5);
  assert.ok(titleSize("Electrodynamics") < 9 && titleSize("ELECTRODYNAMICS") < titleSize("Electrodynamics"));
  assert.ok(titleSize("Of time and the river ".repeat(8)) < 8);
  assert.equal(titleSize("红楼梦与三国演义的故事"), 12.5);
});

test("failed rows are saved with their line and reason, and without formulas", () => {
  const list = failedList(
    [{ line: 2, reason: 'title: the row has "none"' }, { line: 9, reason: "gone" }],
    "a,b\r\n=1+1,x\r\n",
  );
  assert.equal(list, '\ufeffLine,Reason,Row\r\n2,"title: the row has ""none""","\'=1+1,x"\r\n9,gone,\r\n');
});

test("a lost connection is reported once, and when it is back", async () => {
  const said = [],
    answers = [[{ id: 1, type: "progress", data: {} }], null, null, [{ id: 2, type: "completed", data: {} }]];
  let round = 0;
  const events = (list) => list.map((e) => `id: ${e.id}\nevent: ${e.type}\ndata: {}\n\n`).join("");
  await follow({ socketUrl: "ws://x/", eventsUrl: "/events", poll: async () => [] }, () => {}, {
    onConnection: (isConnected) => said.push(isConnected),
    tools: {
      WebSocket: null,
      wait: async () => {},
      wake: () => () => {},
      fetch: async () => {
        const answer = answers[Math.min(round++, answers.length - 1)];
        if (!answer) throw new TypeError("refused");
        return new Response(events(answer));
      },
    },
  });
  assert.deepEqual(said, [false, true]);
});

test("a server that is gone before its first event is reported, too, a busy one is not", async () => {
  const said = [];
  const report = async (failure) => {
    const answers = [failure, failure, [{ id: 1, type: "completed", data: {} }]];
    const poll = async () => {
      const answer = answers.shift();
      if (!Array.isArray(answer)) throw answer;
      return answer;
    };
    await follow(source(poll), () => {}, {
      onConnection: (isConnected) => said.push(isConnected),
      tools: { ...quiet, WebSocket: null, fetch: () => Promise.reject(new TypeError("refused")) },
    });
    return said.splice(0);
  };
  assert.deepEqual(await report(new Problem({ status: 0, code: "offline" })), [false, true]);
  assert.deepEqual(await report(new Problem({ status: 502 })), [false, true]);
  assert.deepEqual(await report(new Problem({ status: 429 })), []);
});

const seen = (entryId, x, y, width, height) => ({ entryId, boundingBox: { x, y, width, height } });
const photoOf = (...detections) => ({ id: "1", takenAt: "", width: 1000, height: 1000, detections });
const spineIn = (photo, id, { reviewStatus = "verified" } = {}) => {
  const { boundingBox } = photo.detections.find((d) => d.entryId === id);
  return {
    entry: { id, reviewStatus },
    photoId: photo.id,
    width: boundingBox.width * photo.width,
    height: boundingBox.height * photo.height,
  };
};

test("photos from different distances are brought to one scale by the books that both show", () => {
  const near = {
    id: "1",
    takenAt: "2026-01-01",
    width: 4000,
    height: 3000,
    detections: [seen("a", 0.1, 0.1, 0.05, 0.8), seen("b", 0.2, 0.2, 0.05, 0.4), seen("c", 0.3, 0.1, 0.05, 0.6)],
  };
  const far = {
    id: "2",
    takenAt: "2026-02-01",
    width: 4000,
    height: 3000,
    detections: [seen("a", 0.1, 0.1, 0.05, 0.4), seen("b", 0.2, 0.2, 0.05, 0.2)],
  };
  const alone = { ...far, id: "3", takenAt: "2025-01-01", detections: [seen("d", 0.1, 0.1, 0.1, 0.5)] };
  const scales = photoScales([near, far, alone]);
  assert.deepEqual([scales.get("2"), scales.get("1"), scales.get("3")], [1, 0.5, 1]);
});

test("a stack is one column from its top, beside standing spines", () => {
  const photo = photoOf(
    seen("low", 0.1, 0.8, 0.4, 0.1),
    seen("high", 0.12, 0.7, 0.3, 0.1),
    seen("stands", 0.6, 0.4, 0.1, 0.5),
    seen("aside", 0.75, 0.8, 0.2, 0.1),
  );
  const board = ["low", "high", "stands", "aside"].map((id) => spineIn(photo, id));
  const found = columns(board, () => 0.1, [photo]).map((column) => column.map((one) => one.spine.entry.id));
  assert.deepEqual(found, [["high", "low"], ["stands"], ["aside"]]);
  assert.deepEqual(columns(board, () => 0.1, []).map((column) => column.length), [1, 1, 1, 1]);
});

test("an unsure reading inside of larger spines is a fragment; a book never is", () => {
  const photo = photoOf(
    seen("left", 0.1, 0.1, 0.1, 0.8),
    seen("right", 0.2, 0.1, 0.1, 0.8),
    seen("imprints", 0.12, 0.8, 0.2, 0.05),
    seen("beside", 0.32, 0.5, 0.1, 0.4),
  );
  const unsure = (id) => isInsideOthers(spineIn(photo, id, { reviewStatus: "needsReview" }), [photo]);
  assert.deepEqual(["imprints", "beside", "left"].map(unsure), [true, false, false]);
  assert.equal(isInsideOthers(spineIn(photo, "imprints"), [photo]), false);
});

test("a slim leaning spine between larger ones is on the shelf", () => {
  const leaning = (id, x, width) => ({
    ...seen(id, x, 0.1, width + 0.2, 0.8),
    quad: [[x + 0.2, 0.1], [x + 0.2 + width, 0.1], [x + width, 0.9], [x, 0.9]],
  });
  const photo = photoOf(leaning("left", 0.1, 0.1), leaning("slim", 0.2, 0.03), leaning("right", 0.23, 0.1));
  assert.equal(isInsideOthers(spineIn(photo, "slim", { reviewStatus: "needsReview" }), [photo]), false);
});

test("a spine is turned by the direction of most of its letters", () => {
  const line = (text, direction, score = 0.9) => ({ text, direction, score });
  const lines = [line("Barça inèdit", "bottomToTop"), line("796", "upright"), line("Joan", "bottomToTop")];
  assert.equal(directionOf(lines), "bottomToTop");
  assert.equal(directionOf([{ text: "An old reading", score: 0.9 }]), undefined);
  assert.equal(directionOf(undefined), undefined);
  assert.deepEqual(["bottomToTop", "topToBottom", "upright", undefined].map((d) => turnToRead(false, d)), [
    90,
    -90,
    -90,
    -90,
  ]);
  assert.deepEqual(["upsideDown", "upright", "bottomToTop"].map((d) => turnToRead(true, d)), [180, 0, 0]);
});

test("a photo waits for the first frame, also if the size of the video is known", async (t) => {
  const video = Object.assign(new EventTarget(), { readyState: 1, videoWidth: 1920, videoHeight: 1440 });
  const frames = [];
  t.after(() => {
    delete globalThis.OffscreenCanvas;
    delete globalThis.VideoFrame;
  });
  globalThis.OffscreenCanvas = class {};
  globalThis.VideoFrame = class {
    constructor(source) {
      frames.push(source.readyState);
    }
  };
  const taken = takePicture(video);
  await new Promise(setImmediate);
  assert.deepEqual(frames, []);
  video.readyState = 4;
  video.dispatchEvent(new Event("loadeddata"));
  assert.ok(await taken instanceof globalThis.VideoFrame);
  assert.deepEqual(frames, [4]);
});

test("the worker of the viewfinder is not ended before it has closed the frames that it was given", (t) => {
  const sent = [];
  t.after(() => ["OffscreenCanvas", "VideoFrame", "Worker"].forEach((name) => delete globalThis[name]));
  globalThis.OffscreenCanvas = class {};
  globalThis.VideoFrame = class {};
  globalThis.Worker = class {
    postMessage(message) {
      sent.push(message);
    }
    terminate() {
      sent.push("terminated");
    }
  };
  const sampler = new Sampler();
  sampler.sample({ readyState: 4 });
  sampler.stop();
  assert.ok(sent[0] instanceof globalThis.VideoFrame);
  assert.deepEqual(sent.slice(1), [null]);
});

test("texts of spines are found by incomplete and misread words, each copy once", () => {
  const texts = [
    { text: "penguin gallimard", entryId: "2" },
    { text: "frank herbert gallimard", entryId: "1" },
    { text: "gallimard", entryId: "1" },
    { text: "796 sport" },
  ];
  const found = (text) => findTexts(texts, text, 10).map((one) => one.text);
  assert.deepEqual(found("GALLIMRAD"), ["penguin gallimard", "frank herbert gallimard"]);
  assert.deepEqual(found("Frànk gallim"), ["frank herbert gallimard"]);
  assert.deepEqual(found("sport"), ["796 sport"]);
  assert.deepEqual(found("ga tolkien"), []);
  assert.deepEqual(found("ga"), []);
});

test("an ISBN is read from ten digits, and from a barcode with its add-on", () => {
  assert.equal(isbn13("0-14-143951-3"), "9780141439518");
  assert.equal(isbn13("978-0-441-17271-9"), "9780441172719");
  for (const number of ["9781900019019 51299", "978190001901951299", "9781900019019-51299", "978190001901912"]) {
    assert.equal(isbn13(number), "9781900019019");
  }
  for (const wrong of ["9780441172710", "0141439519", "4006381333931", "97819000190195", "Dune", ""]) {
    assert.equal(isbn13(wrong), null, wrong);
  }
});

test("without the server, the copies of an ISBN are owned before they are wished for", () => {
  const copy = (id, isbn, ownership, title = "Dune") =>
    ((book) => ({ ...book, hay: haystack(book) }))({ id, isbn, ownership, title, authors: ["Frank Herbert"] });
  const books = [
    copy("1", "9780441172719", "wishlist"),
    copy("2", "9780441172719", "lent"),
    copy("3", null, "owned", "Dune Messiah"),
    copy("4", "9780340960196", "wishlist"),
  ];
  assert.deepEqual(answerAboutIsbn(books, "9780441172719"), { verdict: "have", copies: [books[1], books[0]] });
  assert.equal(answerAboutIsbn(books, "9780340960196").verdict, "wished");
  assert.deepEqual(answerAboutIsbn(books, "9780141439518"), { verdict: "unsure", copies: [] });
  assert.deepEqual(matching(books, "herbert dune", "en").map((b) => b.id), ["2", "3", "1", "4"]);
});

/** The bars of an EAN-13: `1` for black. */
function bars(digits) {
  const left = "0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011".split(" ");
  const flipped = (code) => code.replace(/./g, (bit) => 1 - bit), reversed = (code) => [...code].reverse().join("");
  const parity = "LLLLLL LLGLGG LLGGLG LLGGGL LGLLGG LGGLLG LGGGLL LGLGLG LGLGGL LGGLGL".split(" ")[digits[0]];
  const [first, second] = [digits.slice(1, 7), digits.slice(7)].map((half) => [...half]);
  const codes = first.map((d, i) => parity[i] === "L" ? left[d] : reversed(flipped(left[d])));
  return `101${codes.join("")}01010${second.map((d) => flipped(left[d])).join("")}101`;
}

test("a barcode is read in a picture, also upside down, and nothing in one without", async () => {
  const read = await compileReader(await readFile(new URL("../../Web/vendor/zxing.wasm", import.meta.url)));
  const width = 300, height = 80, code = bars("9780141439518");
  const rgba = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 10; y < 70; y++) {
    for (let x = 0; x < code.length * 2; x++) {
      if (code[x >> 1] === "1") rgba.fill(0, (y * width + x + 50) * 4, (y * width + x + 50) * 4 + 3);
    }
  }
  const grey = greyOf(rgba);
  assert.equal(read(grey, width, height), "9780141439518");
  assert.equal(read(new Uint8Array(grey).reverse(), width, height), "9780141439518");
  assert.equal(read(new Uint8Array(1280 * 1280).fill(200), 1280, 1280), "", "its memory grows");
  assert.equal(read(grey, width, height), "9780141439518");
});

test("the reader of barcodes gets 64 MiB of memory at most", async () => {
  const bytes = await readFile(new URL("../../Web/vendor/zxing.wasm", import.meta.url));
  const system = new Proxy({}, { get: () => () => 52 });
  const { instance } = await WebAssembly.instantiate(bytes, { wasi_snapshot_preview1: system });
  const { memory } = instance.exports;
  const pages = (64 << 20) / 65536;
  assert.throws(() => memory.grow(pages - memory.buffer.byteLength / 65536 + 1), RangeError);
  memory.grow(pages - memory.buffer.byteLength / 65536);
  assert.equal(memory.buffer.byteLength, 64 << 20);
});

test("missing volumes are drawn between neighbours of one series, and wishes stay in sight", () => {
  const spine = (series, seriesNumber) => ({ entry: { series, seriesNumber } });
  const board = [
    spine("The Earthsea", "1-2"),
    spine("Earthsea", "5"),
    spine("Earthsea", "3"),
    spine("Reclam", "45"),
    spine("Reclam", "47"),
    spine(null, null),
    spine(undefined, "9"),
    spine("Tales", null),
    spine("Tales", "3"),
  ];
  const series = [{ name: "Earthsea", missing: [4, 6] }, { name: "Tales", missing: [1, 2] }];
  const wish = { series: "earthsea", seriesNumber: "3" }, other = { series: "Reclam", seriesNumber: "46-50" };
  const found = volumesBetween(board, series, [wish, other]);
  assert.deepEqual([...found.keys()], [board[0]]);
  assert.deepEqual(found.get(board[0]), [
    { series: { name: "earthsea" }, number: 3, wish },
    { series: series[0], number: 4 },
  ]);
  assert.equal(volumesBetween([], series, []).size, 0);
});

test("a shelf has the rule of the nearest shelf around it, unless it has its own", () => {
  const all = [{ id: "1", sort: "series" }, { id: "2", parent: "1" }, { id: "3", parent: "2", sort: "title" }];
  assert.deepEqual(all.map((shelf) => isBySeries(all, shelf)), [true, true, false]);
  assert.equal(isBySeries([], { id: "4" }), false);
});

test("gaps stand between the volumes of a series, and books without a number last", () => {
  const books = [{ seriesNumber: "1-2" }, { seriesNumber: "2.5" }, { seriesNumber: "5" }, { title: "Tales" }];
  assert.deepEqual(
    inOrder({ books, missing: [3, 4] }).map(({ book, number }) => number ?? book.seriesNumber ?? book.title),
    ["1-2", "2.5", 3, 4, "5", "Tales"],
  );
});
