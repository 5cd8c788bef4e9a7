import { clock, h, say } from "./dom.js";
import { bell } from "./bell.js";
import { Mailbox } from "./mailbox.js";
import { Phone } from "./phone.js";

/** The three people side by side: a phone or browser, a bell and a mailbox each. */
export class People {
  #parts;

  constructor(model, info) {
    this.#parts = info.people.map((person) => {
      const place = h("span.place");
      const phone = new Phone(model, person, info.app);
      const inbox = bell(person, info.bell);
      const mailbox = new Mailbox(model, person);
      const card = h(
        "article.person",
        { id: `of-${person.id}`, tabIndex: -1, "data-user": person.id, "aria-labelledby": `person-${person.id}` },
        h(
          "header",
          {},
          h("span.face", { "aria-hidden": "true" }, person.name[0]),
          h("h3", { id: `person-${person.id}` }, person.name),
          place,
        ),
        phone.element,
        inbox.element,
        mailbox.element,
      );
      document.getElementById("persons").append(card);
      return { person, place, phone, inbox, mailbox };
    });
    this.model = model;
  }

  show() {
    for (const { person, place, phone, inbox, mailbox } of this.#parts) {
      const now = this.model.clockOf(person.id);
      // Everybody is where the reader is, but for who travels.
      say(place, now?.place ? `in ${now.place}, ${clock(Date.now(), { zone: now.timezone })}` : "");
      phone.show();
      inbox.show();
      mailbox.show();
    }
  }
}
