import { amount, clock, fading, h, KeyedList, say } from "./dom.js";
import { LIMITS } from "./model.js";

/** A mailbox: what the mail server took for this person. */
export class Mailbox {
  #open = null;

  constructor(model, person) {
    Object.assign(this, { model, person });
    this.summary = h("span.count");
    this.empty = h("p.nothing", {}, "No email yet.");
    const mails = h("ol.mails", { tabIndex: 0, role: "list", "aria-label": `Emails to ${person.name}, the newest first` });
    this.element = h(
      "section.mailbox",
      { "aria-label": `${person.name}’s mailbox` },
      h("header", {}, h("h4", {}, "Mailbox", h("small", {}, ` ${person.email}`)), this.summary),
      this.empty,
      mails,
    );
    this.look = fading(mails);
    this.list = new KeyedList(mails, {
      key: (mail) => mail.sequence,
      make: (mail) => this.#item(mail),
      update: this.#update,
    });
  }

  show() {
    const mails = this.model.mails.get(this.person.id);
    say(this.summary, amount(mails.length, LIMITS.mails, "email"));
    this.empty.hidden = mails.length > 0;
    this.list.container.hidden = mails.length === 0;
    this.list.show(mails);
    this.look();
  }

  #item(mail) {
    const id = `mail-${this.person.name}-${mail.sequence}`;
    const toggle = () => this.#toggle(mail);
    return h(
      "li.mail",
      { "data-notification": mail.notificationId },
      h(
        "button.mail-subject",
        { "aria-expanded": "false", "aria-controls": id, onclick: toggle },
        h("b", {}, mail.subject ?? "(no subject)"),
        h("time", { dateTime: mail.at }),
      ),
      h("div.mail-content", { id, hidden: true }),
    );
  }

  #update = (element, mail) => {
    say(element.querySelector("time"), clock(mail.at));
  };

  /** One mail is open at a time, so there is one frame in each mailbox at most. */
  #toggle(mail) {
    const before = this.#open;
    this.#open = before === mail ? null : mail;
    for (const one of [before, this.#open]) {
      const element = one && this.list.get(one.sequence);
      if (!element) continue;
      const isOpen = one === this.#open;
      element.firstElementChild.setAttribute("aria-expanded", isOpen);
      element.lastElementChild.hidden = !isOpen;
      element.lastElementChild.replaceChildren(...(isOpen ? this.#content(one) : []));
    }
  }

  #content(mail) {
    const plain = h("pre.mail-text", { hidden: mail.html }, mail.text ?? "");
    if (!mail.html) return [plain];
    // Answered as a document without scripts, without network, and of no origin; the attribute says so once more.
    const frame = h("iframe.mail-frame", {
      sandbox: "",
      src: `/api/mails/${mail.sequence}/html`,
      title: `Email to ${this.person.name}: ${mail.subject}`,
    });
    const button = h("button.plain", { "aria-pressed": "false" }, "Plain text");
    button.onclick = () => {
      frame.hidden = plain.hidden;
      plain.hidden = !frame.hidden;
      button.setAttribute("aria-pressed", frame.hidden);
    };
    return [h("p.mail-from", {}, `From ${mail.from}`, button), frame, plain];
  }
}
