/** What is kept, and so what is in the document at most: of each phone, each mailbox, and of traces. */
export const LIMITS = { pushes: 40, mails: 20, traces: 20 };

/** What the page knows, as the stream told it. Knows no document. */
export class Model {
  pushes = new Map();
  mails = new Map();
  traces = [];
  switches = [];
  state = null;
  connected = true;
  #known;

  constructor(development) {
    this.people = development.people;
    this.switches = development.switches;
    this.actions = new Map(development.types.map((type) => [type.code, type.actions]));
    this.#clear();
  }

  #clear() {
    this.#known = { pushes: 0, mails: 0 };
    for (const { id } of this.people) {
      this.pushes.set(id, []);
      this.mails.set(id, []);
    }
  }

  take(name, data) {
    switch (name) {
      case "snapshot":
        this.#clear();
        data.pushes.forEach((push) => this.#push(push));
        data.mails.forEach((mail) => this.#mail(mail));
        this.traces = data.traces.slice(-LIMITS.traces).reverse();
        this.switches = data.switches;
        this.state = data.state;
        this.connected = data.connected;
        break;
      case "push":
        this.#push(data);
        break;
      case "mail":
        this.#mail(data);
        break;
      case "cleared":
        this.#clear();
        break;
      case "switch":
        this.switches = this.switches.map((one) => (one.name === data.name ? data : one));
        break;
      case "trace":
        this.#trace(data);
        break;
      case "state":
        this.state = data;
        break;
      case "link":
        this.connected = data.connected;
        break;
    }
  }

  /** A push that comes again replaces the first on the phone, as its collapse id asks for. */
  #push(push) {
    const person = this.people.find((one) => one.deviceToken === push.token);
    if (!person || !this.#isNew("pushes", push)) return;
    const others = this.pushes.get(person.id).filter((one) => one.notificationId !== push.notificationId);
    this.pushes.set(person.id, [push, ...others].slice(0, LIMITS.pushes));
  }

  #mail(mail) {
    const person = this.people.find((one) => mail.to.includes(one.email));
    if (!person || !this.#isNew("mails", mail)) return;
    this.mails.set(person.id, [mail, ...this.mails.get(person.id)].slice(0, LIMITS.mails));
  }

  /** An event may repeat what the snapshot had. */
  #isNew(log, { sequence }) {
    if (sequence <= this.#known[log]) return false;
    this.#known[log] = sequence;
    return true;
  }

  #trace(trace) {
    const index = this.traces.findIndex((one) => one.requestId === trace.requestId);
    if (index >= 0) this.traces[index] = trace;
    else this.traces = [trace, ...this.traces].slice(0, LIMITS.traces);
  }

  isOn(name) {
    return this.switches.some((one) => one.name === name && one.on);
  }

  heldFor(user) {
    return (this.state?.held ?? []).filter((one) => one.user === user && one.channel === "push");
  }

  clockOf(user) {
    return this.state?.clocks?.find((one) => one.user === user);
  }
}
