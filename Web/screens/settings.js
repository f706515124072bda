// Settings: how it looks, how it reads, who may, and what is stored.
import * as api from "../lib/api.js";
import { debounce, h, replace } from "../lib/dom.js";
import { bytes, currentLanguage, day, LANGUAGES, percent, t } from "../lib/i18n.js";
import { icon } from "../lib/icons.js";
import { go } from "../lib/router.js";
import { user } from "../lib/state.js";
import { DARK, LIGHT, look, setLook } from "../lib/theme.js";
import {
  button,
  confirm,
  define,
  field,
  link,
  menu,
  Screen,
  segmented,
  select,
  sheet,
  tier,
  toggle,
  trouble,
  undoBar,
  wordsFor,
} from "../elements/ui.js";

class SettingsScreen extends Screen {
  #settings;

  build() {
    this.server = h("div");
    this.people = h("div");
    this.about = h("div");
    this.show(
      h(
        "div.page.narrow.settings",
        null,
        h("div.page-head", null, h("h1", { tabindex: -1 }, t("nav.settings"))),
        this.#looks(),
        this.server,
        this.people,
        this.about,
      ),
    );
    this.#load();
    user.watch(() => this.#people(), this.signal);
    this.#about();
  }

  #looks() {
    const choice = look();
    const theme = (name, kind) =>
      h(
        "label.theme",
        { "data-theme": name },
        h("input", {
          type: "radio",
          name: kind,
          value: name,
          checked: choice[kind] === name,
          onchange: () => setLook({ [kind]: name }),
        }),
        h(
          "span.theme-card",
          null,
          h("i", { "aria-hidden": "true" }, h("b"), h("b"), h("b")),
          h("span", null, t(`theme.${name}`)),
        ),
      );
    return h(
      "section.section",
      null,
      h("h2", null, t("settings.look")),
      h(
        "div.stack",
        null,
        segmented(
          t("settings.mode"),
          [["system", t("settings.system")], ["light", t("settings.light")], ["dark", t("settings.dark")]],
          choice.mode,
          (mode) => setLook({ mode }),
        ),
        h(
          "fieldset",
          null,
          h("legend.label", null, t("settings.lightLook")),
          h("div.themes", null, LIGHT.map((n) => theme(n, "light"))),
        ),
        h(
          "fieldset",
          null,
          h("legend.label", null, t("settings.darkLook")),
          h("div.themes", null, DARK.map((n) => theme(n, "dark"))),
        ),
        field(
          t("settings.language"),
          select(/** @type {any} */ (Object.entries(LANGUAGES)), currentLanguage(), (language) => {
            try {
              localStorage.setItem("shelflist.language", language);
            } catch {
              // Then the browser's language holds.
            }
            location.reload();
          }),
        ),
      ),
    );
  }

  async #load() {
    try {
      this.#settings = await api.settings();
    } catch (error) {
      return error.status === 403 || error.status === 401 ? null : replace(
        this.server,
        h(
          "section.section",
          null,
          h("h2", null, t("settings.reading")),
          trouble(error, () => this.#load()),
        ),
      );
    }
    if (!this.signal.aborted) this.#reading();
  }

  #reading() {
    const s = this.#settings;
    const meaning = h("p.caption", { role: "status" });
    const value = h("output.nums", null, percent(s.threshold));
    const preview = debounce(250, async (threshold) => {
      try {
        const p = await api.thresholdPreview(threshold);
        replace(
          meaning,
          p.reviews
            ? t("settings.thresholdMeans", { reviews: p.reviews, ask: p.wouldAsk, missed: p.missed })
            : t("settings.thresholdUnknown"),
        );
      } catch {
        replace(meaning);
      }
    });
    preview(s.threshold);
    const save = debounce(500, (threshold) => this.#save({ threshold }));
    replace(
      this.server,
      h(
        "section.section",
        null,
        h("h2", null, t("settings.reading")),
        h(
          "div.rows",
          null,
          h(
            "div.setting",
            null,
            h("div.line.between", null, h("label", { for: "threshold" }, t("settings.threshold")), value),
            h("input", {
              type: "range",
              id: "threshold",
              min: 0.4,
              max: 0.9,
              step: 0.01,
              value: s.threshold,
              "aria-valuetext": percent(s.threshold),
              oninput: (e) => {
                const v = Number(e.target.value);
                replace(value, percent(v));
                e.target.setAttribute("aria-valuetext", percent(v));
                preview(v);
                save(v);
              },
            }),
            h("p.caption", null, t("settings.thresholdText")),
            meaning,
          ),
          h(
            "div.setting",
            null,
            field(
              t("settings.reader"),
              select(
                ["local", "gemini", "openai"].map((r) => /** @type {[string, string]} */ ([r, t(`reader.${r}`)])),
                s.reader,
                (reader) => this.#save({ reader }),
              ),
              t("settings.readerText"),
            ),
          ),
          toggle(
            t("settings.keepPhotos"),
            s.keepShelfPhotos,
            (keepShelfPhotos) => this.#save({ keepShelfPhotos }),
            t("settings.keepPhotosText"),
          ),
        ),
      ),
      h(
        "section.section",
        null,
        h("h2", null, t("settings.providers")),
        h("p.quiet", null, t("settings.providersText")),
        h(
          "div.rows",
          null,
          s.providers.map((p) =>
            h(
              "div.provider",
              null,
              toggle(
                p.name,
                p.enabled,
                (enabled) => this.#save({ providers: [{ id: p.id, enabled }] }),
                t(`provider.${p.state}`) === `provider.${p.state}` ? p.state : t(`provider.${p.state}`),
              ),
              button(p.hasKey ? t("settings.keyChange") : t("settings.keyAdd"), {
                kind: "link",
                onclick: () => this.#key(p),
              }, "key"),
            )
          ),
        ),
      ),
    );
  }

  async #save(change) {
    try {
      this.#settings = await api.changeSettings(change, this.#settings.etag);
    } catch (error) {
      undoBar(error.status === 409 ? t("settings.conflict") : wordsFor(error));
      await this.#load();
    }
  }

  #key(provider) {
    const input = h("input.input", {
      type: "password",
      autocomplete: "off",
      autofocus: true,
      placeholder: provider.hasKey ? "••••••••" : "",
    });
    sheet(t("settings.keyOf", { name: provider.name }), (close) =>
      h(
        "form",
        {
          onsubmit: (e) => {
            e.preventDefault();
            close({ key: input.value.trim() || null });
          },
        },
        field(t("settings.key"), input, t("settings.keyText")),
        h(
          "div.actions",
          null,
          provider.hasKey && button(t("settings.keyRemove"), { kind: "danger", onclick: () => close({ key: null }) }),
          h("button.btn.main", { type: "submit" }, t("common.save")),
        ),
      )).then((answer) => {
        if (answer) this.#save({ providers: [{ id: provider.id, key: answer.key }] }).then(() => this.#reading());
      });
  }

  // ---- people

  async #people() {
    const me = user.get();
    if (this.signal.aborted || !this.people) return;
    if (!me) return replace(this.people);
    const list = h("div"), tokens = h("div"), devices = h("div");
    replace(
      this.people,
      h(
        "section.section",
        null,
        h("h2", null, t("settings.you")),
        h(
          "div.rows",
          null,
          h("div.kv", null, h("span", null, me.name), h("span.quiet", null, t(`role.${me.role}`))),
          h(
            "div.line.wrap",
            null,
            button(t("settings.password"), { kind: "link", onclick: () => this.#password() }, "key"),
            button(t("settings.signOut"), { kind: "link", onclick: () => this.#signOut() }, "lent"),
          ),
        ),
      ),
      list,
      tokens,
      devices,
    );
    if (me.role === "owner") this.#members(list);
    this.#tokens(tokens);
    if (me.role === "owner") this.#devices(devices);
  }

  async #members(place) {
    try {
      const all = await api.members();
      replace(
        place,
        h(
          "section.section",
          null,
          h(
            "div.section-head",
            null,
            h("h2", null, t("settings.members")),
            button(t("settings.memberAdd"), { kind: "link", onclick: () => this.#addMember(place) }, "plus"),
          ),
          h(
            "ul.rows",
            null,
            all.map((m) =>
              h(
                "li",
                null,
                h(
                  "button.kv",
                  { type: "button", onclick: () => this.#member(m, place) },
                  icon("person"),
                  h("span.grow", null, m.name),
                  h("span.quiet", null, t(`role.${m.role}`)),
                  icon("next"),
                ),
              )
            ),
          ),
        ),
      );
    } catch (error) {
      replace(place, trouble(error));
    }
  }

  #addMember(place) {
    const name = h("input.input", { required: true, autocomplete: "off", autofocus: true }),
      password = h("input.input", { type: "password", required: true, minlength: 10, autocomplete: "new-password" });
    let role = "editor";
    sheet(t("settings.memberAdd"), (close) => {
      const say = h("div");
      return h(
        "form.stack",
        {
          onsubmit: async (e) => {
            e.preventDefault();
            try {
              await api.addMember({ name: name.value.trim(), password: password.value, role });
              close();
              this.#members(place);
            } catch (error) {
              replace(say, trouble(error));
            }
          },
        },
        field(t("welcome.name"), name),
        field(t("welcome.password"), password, t("welcome.passwordHint")),
        segmented(
          t("settings.role"),
          ["editor", "viewer", "owner"].map((r) => /** @type {[string, string]} */ ([r, t(`role.${r}`)])),
          role,
          (r) => (role = r),
        ),
        say,
        h("div.actions", null, h("button.btn.main", { type: "submit" }, t("settings.memberAdd"))),
      );
    });
  }

  #member(m, place) {
    const change = async (work) => {
      try {
        await work();
        this.#members(place);
      } catch (error) {
        undoBar(wordsFor(error));
      }
    };
    menu(m.name, [
      ...["owner", "editor", "viewer"].filter((r) => r !== m.role).map((r) => ({
        label: t(`role.make.${r}`),
        icon: "person",
        run: () => change(() => api.changeMember(m.id, { role: r })),
      })),
      m.id !== user.get()?.id && {
        label: t("common.remove"),
        icon: "trash",
        danger: true,
        run: async () => {
          if (
            await confirm(
              t("settings.memberRemove", { name: m.name }),
              t("settings.memberRemoveText"),
              t("common.remove"),
              { danger: true },
            )
          ) change(() => api.removeMember(m.id));
        },
      },
    ]);
  }

  async #tokens(place) {
    let all;
    try {
      all = await api.tokens();
    } catch {
      return replace(place); // a viewer without any
    }
    replace(
      place,
      h(
        "section.section",
        null,
        h(
          "div.section-head",
          null,
          h("h2", null, t("settings.tokens")),
          button(t("settings.tokenAdd"), { kind: "link", onclick: () => this.#addToken(place) }, "plus"),
        ),
        h("p.quiet", null, t("settings.tokensText")),
        h(
          "ul.rows",
          null,
          all.map((x) =>
            h(
              "li.kv",
              null,
              icon("key"),
              h(
                "span.grow",
                null,
                x.name,
                h(
                  "span.caption",
                  { style: { display: "block" } },
                  [
                    x.scopes.join(", "),
                    x.lastUsedAt ? t("settings.lastUsed", { day: day(x.lastUsedAt) }) : t("settings.neverUsed"),
                  ].join(" · "),
                ),
              ),
              button(t("common.remove"), {
                kind: "small",
                "aria-label": t("settings.tokenRemove", { name: x.name }),
                onclick: () => api.removeToken(x.id).then(() => this.#tokens(place), (e) => undoBar(wordsFor(e))),
              }),
            )
          ),
        ),
      ),
    );
  }

  #addToken(place) {
    const name = h("input.input", { required: true, maxlength: 100, autocomplete: "off", autofocus: true });
    const scopes = new Set(["scan", "read"]);
    sheet(t("settings.tokenAdd"), (close, dialog) => {
      void close;
      const say = h("div");
      return h(
        "form.stack",
        {
          onsubmit: async (e) => {
            e.preventDefault();
            try {
              const made = await api.addToken({ name: name.value.trim(), scopes: [...scopes], expiresInDays: null });
              this.#tokens(place);
              dialog.querySelector("form").replaceWith(
                h(
                  "div.stack",
                  null,
                  h("p", null, t("settings.tokenOnce")),
                  h("code.secret", null, made.secret),
                  button(t("common.copy"), {
                    kind: "main",
                    onclick: () => navigator.clipboard?.writeText(made.secret).then(() => undoBar(t("common.copied"))),
                  }),
                ),
              );
            } catch (error) {
              replace(say, trouble(error));
            }
          },
        },
        field(t("settings.tokenName"), name),
        h(
          "fieldset",
          null,
          h("legend.label", null, t("settings.scopes")),
          ["scan", "read", "write", "admin"].map((sc) =>
            toggle(t(`scope.${sc}`), scopes.has(sc), (on) => on ? scopes.add(sc) : scopes.delete(sc))
          ),
        ),
        say,
        h("div.actions", null, h("button.btn.main", { type: "submit" }, t("settings.tokenAdd"))),
      );
    });
  }

  async #devices(place) {
    let all;
    try {
      all = await api.devices();
    } catch {
      return replace(place);
    }
    if (!all.length) return replace(place);
    const act = (work) => work.then(() => this.#devices(place), (e) => undoBar(wordsFor(e)));
    replace(
      place,
      h(
        "section.section",
        null,
        h("h2", null, t("settings.devices")),
        h("p.quiet", null, t("settings.devicesText")),
        h(
          "ul.rows",
          null,
          all.map((d) =>
            h(
              "li.kv.wrap",
              null,
              h(
                "span.grow",
                null,
                d.deviceId,
                h(
                  "span.caption",
                  { style: { display: "block" } },
                  `${t(`device.${d.state}`)} · ${day(d.lastSeen)} · ${d.address}`,
                ),
              ),
              d.state !== "allowed" &&
                button(t("settings.letIn"), {
                  kind: "small main",
                  onclick: () => act(api.changeDevice(d.id, "allowed")),
                }),
              d.state !== "refused" &&
                button(t("settings.refuse"), { kind: "small", onclick: () => act(api.changeDevice(d.id, "refused")) }),
            )
          ),
        ),
      ),
    );
  }

  #password() {
    const now = h("input.input", { type: "password", autocomplete: "current-password", required: true }),
      fresh = h("input.input", { type: "password", autocomplete: "new-password", required: true, minlength: 10 });
    sheet(t("settings.password"), (close) => {
      const say = h("div");
      return h(
        "form.stack",
        {
          onsubmit: async (e) => {
            e.preventDefault();
            try {
              await api.changePassword(now.value, fresh.value);
              close();
              undoBar(t("common.saved"));
            } catch (error) {
              replace(say, trouble(error));
            }
          },
        },
        field(t("settings.passwordNow"), now),
        field(t("settings.passwordNew"), fresh, t("welcome.passwordHint")),
        say,
        h("div.actions", null, h("button.btn.main", { type: "submit" }, t("common.save"))),
      );
    });
  }

  async #signOut() {
    await api.signOut().catch(() => {});
    user.set(null);
    go("/welcome");
  }

  async #about() {
    let about, stats;
    try {
      [about, stats] = await Promise.all([api.about(), api.stats().catch(() => null)]);
    } catch {
      about = null;
    }
    if (this.signal.aborted) return;
    const device = await navigator.storage?.estimate?.().catch(() => null);
    replace(
      this.about,
      h(
        "section.section",
        null,
        h("h2", null, t("settings.data")),
        h(
          "div.rows",
          null,
          stats &&
            h(
              "div.kv",
              null,
              h("span.k", null, t("settings.storedServer")),
              h(
                "span.v.nums",
                null,
                bytes(stats.storageBytes.photos + stats.storageBytes.covers + stats.storageBytes.database),
              ),
            ),
          device &&
            h(
              "div.kv",
              null,
              h("span.k", null, t("settings.storedHere")),
              h("span.v.nums", null, bytes(device.usage ?? 0)),
            ),
          h(
            "div.line.wrap.export",
            null,
            link(t("settings.backup"), api.backupAddress, { kind: "small", download: "" }, "download"),
            link(t("import.title"), "#/import", { kind: "small" }, "lent"),
          ),
        ),
      ),
      h(
        "section.section",
        null,
        h("h2", null, t("settings.about")),
        about
          ? h(
            "div.rows",
            null,
            h("div.kv", null, h("span.k", null, "Shelflist"), h("span.v.nums", null, about.version)),
            about.models.map((m) => h("div.kv", null, h("span.k", null, m.name), h("span.v.nums", null, m.version))),
          )
          : h("p.quiet", null, t("error.offline")),
        h(
          "div.line.wrap.tiers-key",
          null,
          tier("review", { small: true }),
          tier("verify", { small: true }),
          tier("ready", { small: true }),
        ),
      ),
    );
  }
}

export default define("sl-settings", SettingsScreen);
export const title = () => t("nav.settings");
