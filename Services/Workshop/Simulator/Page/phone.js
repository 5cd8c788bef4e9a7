import { call } from "./api.js";
import { amount, clock, count, fading, h, KeyedList, say } from "./dom.js";
import { LIMITS } from "./model.js";
import { PROVIDERS, pushesWaiting } from "./outcome.js";

/** Who carries pushes, for the count of what a phone got: "7 by APNs". */
const carriers = new Map(PROVIDERS.map(([name, label]) => [name, `by ${label}`]));
const pushes = (number) => count(number, "push", "pushes");

/** A phone, or a browser: what its push service was given for it, and what keeps others away from it. */
export class Phone {
  constructor(model, person, app) {
    Object.assign(this, { model, person, app });
    const isBrowser = person.device === "browser";
    this.summary = h("span.count");
    this.time = h("p.status-bar", { "aria-hidden": "true" });
    this.note = h("p.phone-note", { role: "status", hidden: true });
    this.empty = h("p.nothing", {}, "Nothing on the screen.");
    const label = `Pushes on ${person.name}’s ${person.device}, the newest first`;
    const screen = h("ol.pushes", { tabIndex: 0, role: "list", "aria-label": label });
    this.element = h(
      `section.phone${isBrowser ? ".browser" : ""}`,
      { "aria-label": `${person.name}’s ${person.device}` },
      h("header", {}, h("h4", {}, isBrowser ? "Browser" : "Phone", h("small", {}, ` ${person.model}`)), this.summary),
      h("div.screen", {}, this.time, this.note, this.empty, screen),
    );
    this.look = fading(screen);
    this.list = new KeyedList(screen, {
      key: (push) => push.notificationId ?? push.sequence,
      make: (push) => this.#card(push),
      update: this.#update,
    });
  }

  show() {
    const shown = this.model.pushes.get(this.person.id);
    const unit = carriers.get(this.person.provider);
    say(this.summary, amount(shown.length, LIMITS.pushes, unit, unit));
    // The reader's clock, as the pushes below have it, wherever the person is.
    say(this.time, clock(Date.now()));
    const [kind, words] = this.#reason() ?? [];
    this.note.hidden = !kind;
    this.note.dataset.kind = this.element.dataset.kind = kind ?? "";
    say(this.note, words ?? "");
    this.empty.hidden = shown.length > 0;
    this.list.container.hidden = shown.length === 0;
    this.list.show(shown);
    this.look();
  }

  /** What keeps pushes away from this phone just now, if anything does. */
  #reason() {
    const { model, person } = this;
    const circumstance = model.switches.find((one) => one.on && one.user === person.id && one.note);
    if (circumstance) return [circumstance.name, circumstance.note];
    const held = model.heldFor(person.id);
    const now = model.clockOf(person.id);
    if (now?.quiet || held.length > 0) {
      const there = now?.place ? ` in ${now.place}` : "";
      const until = now?.quietUntil ? `${now.quietUntil}${there}` : clock(held[0].until);
      const what = held.length > 0 ? `${pushes(held.length)} held until then.` : "Nothing is held so far.";
      return ["quiet", `Quiet hours until ${until}. ${what}`];
    }
    const trouble = model.switches.find((one) => one.on && one.provider === person.provider);
    if (!trouble || model.waitingFor(person.provider) === 0) return null;
    const waiting = pushesWaiting(model.traces, person.id);
    return ["waiting", `${waiting > 0 ? pushes(waiting) : "Pushes"} on the way: ${trouble.label}.`];
  }

  #card(push) {
    const said = h("p.push-said", { role: "status", hidden: true });
    const tap = async (action) => {
      const body = { user: this.person.id, notificationId: push.notificationId, action: action?.id ?? null };
      try {
        await call("/api/development/taps", { method: "POST", body });
        const done = `“${action?.title}” was tapped, and Belfry counts it.`;
        say(said, action ? done : "Opened: the inbox has it as read now.");
      } catch (error) {
        say(said, error.message);
      }
      said.hidden = false;
    };
    const actions = this.model.actions.get(push.type) ?? [];
    const buttons = actions.map((action) => h("button", { onclick: () => tap(action) }, action.title));
    return h(
      "li.push",
      { "data-notification": push.notificationId },
      h(
        "button.push-open",
        { onclick: () => tap(), title: "Tap: opens it in the app" },
        h("span.push-from", {}, h("span", {}, this.app), h("time", { dateTime: push.at })),
        h("b", {}, push.title ?? ""),
        h("span.push-body", {}, push.body ?? ""),
      ),
      buttons.length > 0 && h("div.push-actions", {}, buttons),
      h("p.push-again", { hidden: true }, "Came again: it took its own place, so it is here once."),
      said,
    );
  }

  #update = (element, push) => {
    say(element.querySelector("time"), clock(push.at));
    element.classList.toggle("urgent", push.urgent);
    element.querySelector(".push-again").hidden = !push.again;
  };
}
