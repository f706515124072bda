// Creates the owner on the first start, else signs in. Then asks the owner once where titles are checked.
import * as api from "../lib/api.js";
import { h, replace } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { rememberHere } from "../lib/memory.js";
import { icon } from "../lib/icons.js";
import { loadCounts } from "../lib/library.js";
import { go } from "../lib/router.js";
import { user } from "../lib/state.js";
import { button, define, errorNote, field, Screen } from "../elements/ui.js";
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
    this.#form(state.setupNeeded, state.via !== "local");
  }

  /** Opens the app, after the question if it is still open. */
  async #enter(isOwner) {
    if (isOwner && await isUndecided()) this.#ask();
    else this.#open();
  }

  #ask() {
    replace(this.box, sourceQuestion((next) => this.#open(next)));
    this.box.querySelector("h1").focus();
  }

  #open(path = this.query.get("next") || "/library") {
    go(path, { replace: true });
  }

  #form(first, far) {
    const code = first && far
      ? h("input.input", { name: "code", autocomplete: "off", required: true, maxlength: 100 })
      : null;
    const name = h("input.input", {
      name: "username",
      autocomplete: "username",
      required: true,
      maxlength: 100,
      autofocus: true,
    });
    const password = h("input.input", {
      name: "password",
      type: "password",
      autocomplete: first ? "new-password" : "current-password",
      required: true,
      minlength: first ? 10 : 1,
    });
    const say = h("div");
    const send = h("button.btn.main.wide", { type: "submit" }, first ? t("welcome.create") : t("welcome.signIn"));
    replace(
      this.box,
      h("div.welcome-mark", { "aria-hidden": "true" }, icon("library")),
      h("h1", { tabindex: -1 }, first ? t("welcome.title") : t("welcome.back")),
      h("p.quiet", null, first ? t("welcome.text") : t("welcome.backText")),
      h(
        "form.stack",
        {
          style: { "--gap": "16px" },
          onsubmit: async (e) => {
            e.preventDefault();
            send.disabled = true;
            try {
              const state = await (first ? api.createOwner : api.signIn)(
                name.value.trim(),
                password.value,
                code?.value.trim(),
              );
              user.set(state.member);
              loadCounts();
              await this.#enter(state.member?.role === "owner");
            } catch (error) {
              replace(say, errorNote(error));
              send.disabled = false;
              password.select();
            }
          },
        },
        code && field(t("welcome.code"), code, t("welcome.codeHint")),
        field(t("welcome.name"), name),
        field(t("welcome.password"), password, first ? t("welcome.passwordHint") : undefined),
        say,
        send,
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

export default define("sl-welcome", WelcomeScreen);
export const title = () => t("welcome.title");
