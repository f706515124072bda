// What the random walk looks for on a screen: it is evaluated in the page, and returns functions.
(() => {
  const TAPPABLE = "button, a[href], input, select, textarea, summary";
  // A shorter word that is broken is never right; a longer one is, where no line is wide enough for it.
  const ALWAYS_WHOLE = 14; // letters
  // A part of a line of text, or of a word, that is cut off.
  const CUT_LINE = 0.2, CUT_PX = 3;
  // Smaller lines are a picture of a text, as on the smallest covers, whose titles have letters of 2 px.
  const READABLE = 5; // px

  const top = () => [...document.querySelectorAll("dialog[open]")].at(-1);
  /** What only screen readers read is a point, where words do not fit. */
  const isForReaders = (e) => e && (getComputedStyle(e).clipPath === "inset(50%)" || isForReaders(e.parentElement));
  const isSeen = (e) =>
    e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true, contentVisibilityAuto: true }) &&
    !e.closest(".sr, .skip, [inert]") && !isForReaders(e);
  const name = (e) =>
    (e.ariaLabel || e.labels?.[0]?.textContent || e.textContent || e.placeholder || e.name || e.type || "")
      .trim().replace(/\s+/g, " ").slice(0, 60);
  const call = (e) => `${e.tagName.toLowerCase()}.${String(e.className?.baseVal ?? e.className).split(" ")[0]} "${name(e)}"`;
  /** What a finger hits to use a control. */
  const target = (e) => e.closest("label") ?? e;

  const controls = () =>
    [...(top() ?? document).querySelectorAll(TAPPABLE)].filter((e) =>
      isSeen(target(e)) && !e.disabled && e.type !== "file" && getComputedStyle(target(e)).pointerEvents !== "none" &&
      target(e).getBoundingClientRect().width > 0
    );

  /** The part that keeps its place while what is around it scrolls: what it covers can be scrolled clear of it. */
  const floating = (e) => e && (["fixed", "sticky"].includes(getComputedStyle(e).position) ? e : floating(e.parentElement));
  /** A field's own buttons are on it, beside what is typed. */
  const isSame = (a, b) =>
    target(a).contains(b) || b.contains(target(a)) || target(a) === target(b) || a.closest(".searchbox, .reveal")?.contains(b);

  /** Whether a point of an element is not scrolled out of what is around it. */
  function isShownAt(e, [x, y]) {
    for (let p = e.parentElement; p; p = p.parentElement) {
      if (getComputedStyle(p).overflow === "visible" || p === document.documentElement || p === document.body) continue;
      const box = p.getBoundingClientRect();
      // A pixel at the edge may be of what is beside it.
      if (x < box.left + 1 || x > box.right - 1 || y < box.top + 1 || y > box.bottom - 1) return false;
    }
    return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
  }

  /** Controls of which a part is covered by another one that scrolls with them. */
  const covered = () =>
    controls().filter((e) => !e.closest(".board, .spine-row, .standing, .box-editor, sl-stage")).flatMap((e) => {
      const box = target(e).getBoundingClientRect();
      for (const [x, y] of [[0.5, 0.5], [0.15, 0.5], [0.85, 0.5], [0.5, 0.2], [0.5, 0.8]]) {
        const at = [box.left + box.width * x, box.top + box.height * y];
        if (!isShownAt(target(e), at)) continue;
        const hit = document.elementFromPoint(...at)?.closest(TAPPABLE);
        if (hit && !isSame(e, hit) && floating(hit) === floating(e)) return [`${call(e)} lies under ${call(hit)}`];
      }
      return [];
    });

  const isVertical = (e) => getComputedStyle(e).writingMode !== "horizontal-tb";

  /** Finds the box that cuts off what overflows it: of each axis the nearest one that does not scroll. */
  function clips(e) {
    const found = { x: null, y: null };
    let isOpen = { x: true, y: true };
    for (let p = e; p && p !== document.documentElement; p = p.parentElement) {
      const style = getComputedStyle(p);
      for (const axis of ["x", "y"]) {
        const how = style[axis === "x" ? "overflowX" : "overflowY"];
        if (!isOpen[axis] || how === "visible") continue;
        isOpen[axis] = false;
        const isMarked = axis === "x" ? style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none" : false;
        if (!["auto", "scroll"].includes(how) && !isMarked) found[axis] = p.getBoundingClientRect();
      }
      if (style.position === "fixed") break;
    }
    return found;
  }

  /** Texts in which a word is broken, a line cut through, or the end of a line cut off. */
  function texts() {
    const seen = new Set();
    const walker = document.createTreeWalker(top() ?? document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode());) {
      const text = node.data, e = node.parentElement;
      if (!text.trim() || !isSeen(e) || isVertical(e) || e.closest("option, script, style, noscript, sl-stage, svg, kbd")) continue;
      const range = document.createRange();
      const rects = (from, to) => {
        range.setStart(node, from);
        range.setEnd(node, to);
        return [...range.getClientRects()].filter((r) => r.width > 0);
      };
      const all = rects(0, text.length);
      if (!all.some((r) => r.bottom > 0 && r.top < innerHeight)) continue;
      const block = ((p) => {
        while (p.parentElement && getComputedStyle(p).display.startsWith("inline")) p = p.parentElement;
        return p;
      })(e);
      // Codes, addresses and scripts without spaces are broken anywhere.
      const isFree = e.closest(".secret, code, .lines, .read-word") ||
        /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text);
      if (!isFree) {
        for (const found of text.matchAll(/[\p{L}\p{M}\p{N}'’]{2,}/gu)) {
          const parts = rects(found.index, found.index + found[0].length);
          if (parts.length < 2 || parts.every((r) => Math.abs(r.top - parts[0].top) < r.height / 2)) continue;
          const width = parts.reduce((sum, r) => sum + r.width, 0);
          if (found[0].length <= ALWAYS_WHOLE || width < block.clientWidth) seen.add(`"${found[0]}" is broken in ${call(block)}`);
        }
      }
      const cut = clips(e);
      for (const r of all) {
        if (cut.y && r.height > READABLE) {
          const shown = (Math.min(r.bottom, cut.y.bottom) - Math.max(r.top, cut.y.top)) / r.height;
          if (shown > CUT_LINE && shown < 1 - 1.5 * CUT_LINE) seen.add(`a line of "${text.trim().slice(0, 40)}" is cut through in ${call(block)}`);
        }
        const isIn = !cut.y || Math.min(r.bottom, cut.y.bottom) - Math.max(r.top, cut.y.top) > r.height / 2;
        if (isIn && cut.x && r.left < cut.x.right && r.right > cut.x.left && (r.right > cut.x.right + CUT_PX || r.left < cut.x.left - CUT_PX)) {
          seen.add(`"${text.trim().slice(0, 40)}" is cut off in ${call(block)}`);
        }
      }
    }
    return [...seen];
  }

  /** Texts that were not translated, or not filled in. */
  async function unfinished() {
    const files = await Promise.all(["i18n/first/en.js", "i18n/en.js"].map((file) => import(new URL(file, document.baseURI).href)));
    const groups = new Set(files.flatMap((file) => Object.keys(file.default)).map((key) => key.split(".")[0]));
    const text = (top() ?? document.body).innerText;
    const keys = (text.match(/(?<![\w./-])[a-z]+(\.[a-zA-Z]+)+(?![\w./-])/g) ?? []).filter((one) => groups.has(one.split(".")[0]) && !/\.(jpg|csv|json|org|com|md)$/.test(one));
    const gaps = text.match(/\{[a-z]\w*\}|\bundefined\b|\bNaN\b|\[object \w+\]/g) ?? [];
    return [...keys, ...gaps].map((one) => `"${one}" is shown`);
  }

  /** Whether a person can continue, and leave. */
  function dead(exits) {
    const all = controls();
    if (!all.length) return ["nothing can be tapped"];
    const isOut = (e) => e.matches('a[href^="#"]') || exits.includes(name(e));
    return all.some(isOut) ? [] : ["there is no way out"];
  }

  /** Brings a control into view, and returns where to tap it, or what covers it. */
  function place(e) {
    const part = target(e);
    part.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = part.getBoundingClientRect();
    const x = box.left + box.width / 2, y = box.top + box.height / 2;
    const hit = document.elementFromPoint(x, y);
    return { x, y, under: hit && (part.contains(hit) || hit.contains(part)) ? null : hit ? call(hit) : "the edge of the window" };
  }

  const kind = (e) =>
    e.matches("select") ? "select"
      : e.matches("textarea, input:not([type]), input[type=text], input[type=search], input[type=number], input[type=date], input[type=password], input[type=url], input[type=email], input[type=tel]") && !e.readOnly
      ? (e.type === "textarea" ? "text" : e.type)
      : e.matches("input[type=range]") ? "range" : "tap";

  return { controls, name, call, kind, place, covered, texts, unfinished, dead,
    describe: (e) => ({ name: name(e), call: call(e), kind: kind(e), href: e.getAttribute("href") ?? "", isNew: e.target === "_blank" }) };
})()
