// Apps with an address of their own: connect one, see what it sent, revoke it.
import * as api from "../../lib/api.js";
import { h, replace } from "../../lib/dom.js";
import { day, moment, t } from "../../lib/i18n.js";
import { icon } from "../../lib/icons.js";
import { copyText } from "../../elements/copy.js";
import { qrCode } from "../../elements/qr.js";
import { confirm, formSheet, sheet } from "../../elements/sheet.js";
import { button, field, loadInto, select, toggle, withCaption, wordsFor } from "../../elements/ui.js";
import { undoBar } from "../../elements/undo.js";
import { fingerprint } from "../scan/phone.js";

/** How many of an app's scans are shown. */
const SCANS = 20;

export const appsSection = () =>
  loadInto(h("div"), api.apps, (all, reload) =>
    h(
      "section.section.apps",
      null,
      h(
        "div.section-head",
        null,
        h("h2", null, t("apps.title")),
        button(t("apps.connect"), { kind: "link", onclick: () => connect(reload) }, "plus"),
      ),
      h("p.quiet", null, t("apps.text")),
      h("ul.rows", null, all.map((app) => row(app, reload))),
    ));

const row = (app, reload) =>
  h(
    "li",
    null,
    h(
      "button.kv",
      { type: "button", onclick: () => show(app, reload) },
      icon("phone"),
      withCaption(app.name, used(app)),
      icon("next"),
    ),
  );

const used = (app) => app.lastUsedAt ? t("settings.lastUsed", { day: day(app.lastUsedAt) }) : t("settings.neverUsed");

// ---- connecting

async function connect(reload) {
  const name = h("input.input", { required: true, maxlength: 64, autocomplete: "off", autofocus: true });
  const made = await formSheet(
    t("apps.connect"),
    [field(t("apps.name"), name, t("apps.nameHint"))],
    () => api.connectApp(name.value.trim()),
    { submit: t("apps.connect") },
  );
  if (!made) return;
  reload();
  await sheet(made.app.name, () => address(made));
}

function address({ url, qrCode: code, reachable }) {
  const note = h("p.caption", { hidden: reachable }, t("network.closed"));
  // Without it the app still gets its address.
  api.phone().then((phone) => {
    const words = reachable ? trust(phone) : wayIn(phone);
    note.hidden = !words;
    replace(note, words);
  }, () => {});
  return h(
    "div.stack.phone-code",
    null,
    h("p", null, t("apps.enter")),
    // A phone has no use for an address that only this computer understands.
    reachable && qrCode(code, t("scan.phoneCode")),
    h("code.secret", null, url),
    h("p.caption", null, t("apps.once")),
    note,
    button(t("common.copy"), {
      kind: "main",
      onclick: () => copyText(url),
    }),
  );
}

const trust = ({ certificateUrl, certificateFingerprint }) =>
  certificateUrl && [
    t("scan.phoneTrust", { address: certificateUrl }),
    " ",
    t("scan.phoneFingerprint"),
    " ",
    fingerprint(certificateFingerprint),
  ];

/** How other devices reach a server that accepts only its own machine. */
const wayIn = ({ networkOn }) =>
  networkOn === false
    ? [t("network.closed"), " ", t("apps.openFirst", { name: t("network.open") })]
    : [t("scan.phoneNone"), " ", h("code", null, "shelflist serve --lan")];

// ---- one app

function show(app, reload) {
  const change = async (what) => {
    try {
      Object.assign(app, await api.changeApp(app.id, what, app.etag));
    } catch (error) {
      undoBar(wordsFor(error));
    }
    reload();
  };
  const generations = ["automatic", "older", "newer"].map((
    key,
  ) => /** @type {[string, string]} */ ([key, t(`apps.generation.${key}`)]));
  return sheet(app.name, (close) =>
    h(
      "div.stack",
      { style: { "--gap": "20px" } },
      h("p.quiet", null, used(app)),
      toggle(
        t("apps.importsAtOnce"),
        app.importsAtOnce,
        (on) => change({ importsAtOnce: on }),
        t("apps.importsAtOnceText"),
      ),
      field(
        t("apps.generation"),
        select(generations, app.generation, (generation) => change({ generation })),
        t("apps.generationText"),
      ),
      h(
        "section",
        null,
        h("h3", null, t("apps.scans")),
        loadInto(h("div"), () => api.scansOfApp(app.id, SCANS), scanList),
      ),
      app.devices.length > 0 &&
        h(
          "section",
          null,
          h("h3", null, t("apps.devices")),
          h(
            "ul.rows",
            null,
            app.devices.map((d) =>
              h(
                "li.kv",
                null,
                withCaption(d.name, day(d.lastSeenAt)),
              )
            ),
          ),
        ),
      h(
        "div.actions",
        null,
        button(t("apps.revoke"), { kind: "danger", onclick: () => (close(), revoke(app, reload)) }, "trash"),
      ),
    ));
}

const scanList = ({ items, total }) =>
  items.length
    ? [
      h("ul.rows", null, items.map(scanRow)),
      total > items.length && h("p.caption", null, t("apps.moreScans", { n: total - items.length })),
    ]
    : h("p.quiet", null, t("apps.noScans"));

/** Scans open their results, where books that wait are added. */
const scanRow = (job) =>
  h(
    "li",
    null,
    h(
      "a.kv",
      { href: `#/results/${encodeURIComponent(job.id)}` },
      withCaption(
        moment(job.createdAt),
        [t("apps.photos", { n: job.photosExpected }), t("apps.books", { n: job.books }), state(job)].filter(Boolean)
          .join(" · "),
      ),
      icon("next"),
    ),
  );

const state = (job) => {
  if (job.status !== "completed") return t(`apps.status.${job.status}`);
  return t(job.imported ? "apps.imported" : "apps.notImported");
};

async function revoke(app, reload) {
  const sure = await confirm(t("apps.revokeAsk", { name: app.name }), t("apps.revokeText"), t("apps.revoke"), {
    danger: true,
  });
  if (!sure) return;
  try {
    await api.revokeApp(app.id);
  } catch (error) {
    undoBar(wordsFor(error));
  }
  reload();
}
