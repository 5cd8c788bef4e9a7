import { call } from "./api.js";
import { amount, clock, count, h, KeyedList, say } from "./dom.js";
import { LIMITS } from "./model.js";
import { pushesWaiting } from "./outcome.js";

/** A phone: what Google's push service was given for it, and what Belfry holds back from it. */
export class Phone {
  constructor(model, person) {
    Object.assign(this, { model, person });
    this.summary = h("span", { className: "count" });
    this.time = h("span", { className: "phone-time" });
    this.note = h("p", { className: "phone-note", role: "status", hidden: true });
    const pushes = h("ol", { className: "pushes", tabIndex: 0, role: "list", "aria-label": `Pushes on ${person.name}’s phone, the newest first` });
    this.empty = h("p", { className: "nothing" }, "Nothing on the screen.");
    this.element = h(
      "section",
      { className: "phone", "aria-label": `${person.name}’s phone` },
      h("header", {}, h("h4", {}, "Phone", h("small", {}, ` ${person.phone}`)), this.summary),
      h("div", { className: "screen" }, h("p", { className: "status-bar", "aria-hidden": "true" }, this.time), this.note, this.empty, pushes),
    );
    this.list = new KeyedList(pushes, { key: (push) => push.notificationId ?? push.sequence, make: (push) => this.#card(push), update: this.#update });
  }

  show() {
    const { model, person } = this;
    const pushes = model.pushes.get(person.id);
    say(this.summary, amount(pushes.length, LIMITS.pushes, "push", "pushes"));
    const now = model.clockOf(person.id);
    say(this.time, now?.time ?? clock(Date.now()));
    this.#showNote(now);
    this.empty.hidden = pushes.length > 0;
    this.list.container.hidden = pushes.length === 0;
    this.list.show(pushes);
  }

  /** What keeps pushes away from this phone just now. */
  #showNote(now) {
    const held = this.model.heldFor(this.person.id);
    const { name } = this.person;
    let kind = null;
    let text = "";
    if (name === "Tom" && this.model.isOn("tom-phone-gone")) [kind, text] = ["gone", "The app was uninstalled."];
    else if (name === "Ella" && this.model.isOn("ella-reading")) [kind, text] = ["viewing", "The app is open, showing “Weekend plans”."];
    else if (now?.quiet || held.length) {
      const until = now?.quietUntil ?? clock(held[0].until, { zone: now?.timezone });
      [kind, text] = ["quiet", `Quiet hours until ${until}. ${held.length ? `${count(held.length, "push", "pushes")} held until then.` : "Nothing held so far."}`];
    }
    const waiting = this.model.isOn("fcm-down") ? pushesWaiting(this.model.traces, this.person.id) - held.length : 0;
    if (!kind && waiting > 0) [kind, text] = ["waiting", `${count(waiting, "push", "pushes")} on the way: FCM is down.`];
    this.note.hidden = !kind;
    if (kind) this.note.dataset.kind = kind;
    this.element.dataset.kind = kind ?? "";
    say(this.note, text);
  }

  #card(push) {
    const said = h("p", { className: "push-said", role: "status", hidden: true });
    const tap = async (action, label) => {
      try {
        await call("/api/development/taps", { method: "POST", body: { user: this.person.id, notificationId: push.notificationId, action } });
        say(said, action ? `“${label}” was tapped; Belfry keeps it for the statistics.` : "Opened: the bell has it as read now.");
      } catch (error) {
        say(said, error.message);
      }
      said.hidden = false;
    };
    const actions = this.model.actions.get(push.type) ?? [];
    return h(
      "li",
      { className: "push", "data-notification": push.notificationId },
      h(
        "button",
        { className: "push-open", onclick: () => tap(null), title: "Tap: opens it in the app" },
        h("span", { className: "push-from" }, h("span", {}, "Pocket Money"), h("time", { className: "push-time" })),
        h("b", {}, push.title ?? ""),
        h("span", { className: "push-body" }, push.body ?? ""),
      ),
      actions.length > 0 &&
        h("div", { className: "push-actions" }, actions.map((action) => h("button", { onclick: () => tap(action.id, action.title) }, action.title))),
      h("p", { className: "push-again", hidden: true }, "Came again: it took its own place, so it is here once."),
      said,
    );
  }

  #update = (element, push) => {
    const zone = this.model.clockOf(this.person.id)?.timezone;
    const time = element.querySelector("time");
    time.dateTime = push.at;
    say(time, clock(push.at, { zone }));
    element.classList.toggle("urgent", push.urgent);
    element.querySelector(".push-again").hidden = !push.again;
  };
}
