// Creates the owner on the first start, else signs in. Then asks the owner once where titles are checked.
import * as api from "../lib/api.js";
import { keepOnlyDataOf } from "../lib/browser-data.js";
import { h, replace, wide } from "../lib/dom.js";
import { t, translated } from "../lib/i18n.js";
import { rememberHere } from "../lib/memory.js";
import { openIdAddress } from "../lib/openid.js";
import { icon } from "../lib/icons.js";
import { loadCounts } from "../lib/library.js";
import { go } from "../lib/router.js";
import { user } from "../lib/state.js";
import { inWords } from "../elements/password.js";
import { button, define, errorNote, field, Screen, unencryptedNote } from "../elements/ui.js";
import { whatItDoes } from "../elements/drawing.js";
import { isUndecided, sourceQuestion } from "./welcome/source.js";

class WelcomeScreen extends Screen {
  async build() {
    this.classList.add("welcome");
    this.box = h("div.welcome-box");
    this.show(this.box);
    let state;
    try {
      state = await api.session();
    } catch (error) {
      return replace(this.box, h("h1", { tabindex: -1 }, "Shelflist"), errorNote(error, () => this.build()));
    }
    if (this.signal.aborted) return;
    // A reload while the question was open.
    if (state.member?.role === "owner" && await isUndecided()) return this.#ask();
    const far = state.via !== "local";
    if (state.openId?.onlyWay) this.#providerOnly(state.openId, state.setupNeeded, far);
    else this.#form(state.setupNeeded, far, state.openId);
  }

  /** Opens the app, after the question if it is still open. */
  async #enter(isOwner) {
    if (isOwner && await isUndecided()) this.#ask();
    else this.#open();
  }

  #ask() {
    this.classList.remove("first");
    replace(this.box, sourceQuestion((next) => this.#open(next)));
    this.box.querySelector("h1").focus();
  }

  #open(path = this.query.get("next") || "/library") {
    go(path, { replace: true });
  }

  /** What went wrong at the provider. */
  #providerProblem() {
    const reason = this.query.get("openid");
    return reason && errorNote({ message: translated(`openid.${reason}`, t("openid.failed")) });
  }

  /** @param {{name: string}} provider */
  #providerLink(provider, kind, options = {}) {
    const address = openIdAddress({ next: this.query.get("next") ?? undefined, ...options });
    return h(`a.btn.wide.${kind}`, { href: address }, t("openid.signIn", { name: provider.name }));
  }

  #providerOnly(provider, first, far) {
    this.classList.toggle("first", first);
    const code = h("input.input", { name: "code", autocomplete: "off", required: true, maxlength: 100 });
    const link = this.#providerLink(provider, "main");
    link.addEventListener("click", () => {
      if (first && far) link.setAttribute("href", openIdAddress({ code: code.value.trim() }));
    });
    replace(
      this.box,
      first ? introduction() : h("div.welcome-mark", { "aria-hidden": "true" }, icon("library")),
      !first && h("h1", { tabindex: -1 }, t("welcome.back")),
      !first && h("p.quiet", null, t("welcome.backText")),
      h(
        "div.stack",
        { style: { "--gap": "16px" } },
        first && h("h2", null, t("welcome.owner")),
        first && far && field(t("welcome.code"), code, t("welcome.codeHint")),
        this.#providerProblem(),
        link,
      ),
    );
  }

  #form(first, far, provider) {
    this.classList.toggle("first", first);
    const code = first && far
      ? h("input.input", { name: "code", autocomplete: "off", required: true, maxlength: 100 })
      : null;
    const name = h("input.input", {
      name: "username",
      autocomplete: "username",
      required: true,
      maxlength: 100,
      // On a phone, the keyboard would hide the picture.
      autofocus: !first || wide(),
    });
    const password = h("input.input", {
      name: "password",
      type: "password",
      autocomplete: first ? "new-password" : "current-password",
      required: true,
    });
    const say = h("div", null, this.#providerProblem());
    const send = h("button.btn.main.wide", { type: "submit" }, first ? t("welcome.create") : t("welcome.signIn"));
    const factor = h("input.input", {
      name: "one-time-code",
      autocomplete: "one-time-code",
      inputmode: "numeric",
      maxlength: 20,
    });
    const factorField = h("div", { hidden: true }, field(t("factor.code"), factor, t("factor.signInHint")));
    const rules = /** @type {Array<[any, boolean, string]>} */ ([
      [code, true, "welcome.needCode"],
      [name, true, "welcome.needName"],
      [password, false, first ? "welcome.passwordHint" : "welcome.needPassword"],
    ]);
    /** Shows what is wrong with what was typed, and marks its field. */
    const refuse = (wrong, words) => {
      for (const [input] of rules) input?.setAttribute("aria-invalid", String(input === wrong));
      replace(say, wrong && h("p.field-error", { role: "alert" }, t(words)));
      wrong?.focus();
    };
    /** Shows what is missing; the browser's own messages are not in the app's language. */
    const isComplete = () => {
      const least = (input) => input === password && first ? 10 : 1;
      const wrong = rules.find(([input, trims]) =>
        input && (trims ? input.value.trim() : input.value).length < least(input)
      );
      refuse(wrong?.[0], wrong?.[2]);
      return !wrong;
    };
    const signIn = async (e) => {
      e.preventDefault();
      if (!isComplete()) return;
      send.disabled = true;
      try {
        const state = await (first ? api.createOwner : api.signIn)(
          name.value.trim(),
          password.value,
          first ? code?.value.trim() : factor.value.trim(),
        );
        if (await keepOnlyDataOf(state.member)) {
          // This page's memory has the data of the other member, too.
          location.hash = "#/library";
          return location.reload();
        }
        user.set(state.member);
        loadCounts();
        await this.#enter(state.member?.role === "owner");
      } catch (error) {
        send.disabled = false;
        if (error.code === "wrong_setup_code") {
          code?.select();
          return refuse(code, "welcome.wrongCode");
        }
        const needsCode = ["code_needed", "wrong_code"].includes(error.code);
        const asks = needsCode && factorField.hidden;
        factorField.hidden = !needsCode;
        const isUnknown = error.code === "wrong_credentials";
        replace(say, !asks && errorNote(isUnknown ? { message: t("welcome.wrong") } : inWords(error)));
        if (needsCode) factor.select();
        else password.select();
        (needsCode ? factor : password).focus();
      }
    };
    replace(
      this.box,
      first ? introduction() : h("div.welcome-mark", { "aria-hidden": "true" }, icon("library")),
      !first && h("h1", { tabindex: -1 }, t("welcome.back")),
      !first && h("p.quiet", null, t("welcome.backText")),
      h(
        "form.stack",
        { style: { "--gap": "16px" }, novalidate: true, onsubmit: signIn },
        first && h("h2", null, t("welcome.owner")),
        first && h("p.quiet", null, t(far ? "welcome.textFar" : "welcome.text")),
        code && field(t("welcome.code"), code, t("welcome.codeHint")),
        field(t("welcome.name"), name),
        field(t("welcome.password"), withReveal(password), first ? t("welcome.passwordHint") : undefined),
        !first && factorField,
        unencryptedNote(),
        say,
        send,
        !first && provider && this.#providerLink(provider, "plain"),
        first && !far && button(t("welcome.later"), {
          kind: "link",
          onclick: () => {
            rememberHere("setup-later", "yes");
            this.#enter(true);
          },
        }),
      ),
    );
  }
}

/** What the app does, and where data goes. */
const introduction = () =>
  h(
    "div.welcome-intro",
    null,
    h("h1", { tabindex: -1 }, t("welcome.title")),
    whatItDoes(),
    h("p", null, t("welcome.does")),
    h(
      "ul.welcome-facts",
      null,
      [["photo", "welcome.photosStay"], ["search", "welcome.titlesAsked"]].map(([name, key]) =>
        h("li", null, icon(name), h("span", null, t(key)))
      ),
    ),
  );

/** A password field with a button that shows what was typed. */
function withReveal(password) {
  const reveal = h("button.btn.small.link", { type: "button", "aria-pressed": "false" }, t("welcome.reveal"));
  reveal.addEventListener("click", () => {
    const isShown = password.type === "text";
    password.type = isShown ? "password" : "text";
    reveal.setAttribute("aria-pressed", String(!isShown));
  });
  return h("div.reveal", null, password, reveal);
}

export default define("sl-welcome", WelcomeScreen);
export const title = () => t("welcome.title");
