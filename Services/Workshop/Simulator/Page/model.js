import { Ladder } from "./ladder.js";

/** What is kept, and so what is in the document at most: of each phone, each mailbox, and of traces. Bells load 50 at first. */
export const LIMITS = { pushes: 25, mails: 15, traces: 12, inbox: 50 };

const CHANNELS = { push: "push", inapp: "inApp", email: "email" };

/** How many deliveries wait for a service, as far as that is known. */
const waiting = ({ ledger }, service) => ledger?.[CHANNELS[service]]?.waiting ?? 0;

/** What the page knows, as the stream sent it. Knows no document. */
export class Model {
  pushes = new Map();
  mails = new Map();
  traces = [];
  switches = [];
  state = null;
  /** Whether `belfry-dev run` is behind the simulator. */
  connected = true;
  /** Since when the page has no connection to the simulator. */
  lostAt = null;
  /** Services that were killed while the page looked: name → when it was up again, how many deliveries waited, whether those are all. */
  killed = new Map();
  ladder = new Ladder();
  #known;

  constructor(development) {
    this.people = development.people;
    this.switches = development.switches;
    this.actions = new Map(development.types.map((type) => [type.code, type.actions]));
    this.#clear();
  }

  #clear() {
    this.#known = {};
    for (const { id } of this.people) {
      this.pushes.set(id, []);
      this.mails.set(id, []);
    }
  }

  take(name, data) {
    switch (name) {
      case "snapshot":
        this.#clear();
        this.#devices(data.state);
        data.pushes.forEach((push) => this.#push(push));
        data.mails.forEach((mail) => this.#mail(mail));
        this.#keep(data.traces.reverse());
        this.switches = this.switches.map((one) => data.switches.find(({ name }) => name === one.name) ?? one);
        this.#state(data.state);
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
        this.#switch(data);
        break;
      case "trace":
        this.#trace(data);
        break;
      case "state":
        this.#state(data);
        break;
      case "link":
        this.connected = data.connected;
        break;
    }
  }

  /** A push that comes again replaces the first on the phone, as its collapse id asks for. */
  #push(push) {
    const person = this.people.find((one) => one.pushAddress === push.token);
    // Each provider counts its own.
    if (!person || !this.#isNew(push.provider, push)) return;
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
    if (sequence <= (this.#known[log] ?? 0)) return false;
    this.#known[log] = sequence;
    return true;
  }

  #trace(trace) {
    const index = this.traces.findIndex((one) => one.requestId === trace.requestId);
    if (index >= 0) this.traces[index] = trace;
    else this.#keep([trace, ...this.traces]);
  }

  /** The newest ones, in the order in which they were sent. */
  #keep(traces) {
    this.traces = traces.sort((one, other) => Date.parse(other.at) - Date.parse(one.at)).slice(0, LIMITS.traces);
  }

  /** A browser has another address after it subscribed anew. */
  #devices(state) {
    for (const { user, address } of state?.devices ?? []) {
      const person = this.people.find(({ id }) => id === user);
      if (person && address) person.pushAddress = address;
    }
  }

  #state(state) {
    this.#devices(state);
    for (const { name, service, up, restarts } of state?.services ?? []) {
      const before = this.state?.services?.find((one) => one.name === name);
      if (!before) continue;
      const isBack = restarts > before.restarts;
      // It may be back before its fall was seen.
      if (((before.up && !up) || isBack) && this.killed.get(name)?.at !== null) {
        this.killed.set(name, { at: null, waited: 0, isKnown: true });
      }
      const killed = this.killed.get(name);
      if (killed?.at !== null) continue;
      killed.waited = Math.max(killed.waited, waiting(this.state, service), waiting(state, service));
      killed.isKnown &&= service in CHANNELS && !this.traces.some((one) => one.status === "going");
      if (isBack) killed.at = Date.now();
    }
    this.ladder.take(state?.ladder);
    this.state = state;
  }

  /** Since when it is on is known if it was switched while the page looked. */
  #switch(changed) {
    this.switches = this.switches.map((one) => {
      if (one.name !== changed.name) return one;
      return { since: one.on === changed.on ? one.since : Date.now(), ...changed };
    });
  }

  /** How many pushes wait for a provider. */
  waitingFor(provider) {
    return this.state?.pushes?.[provider]?.waiting ?? 0;
  }

  heldFor(user) {
    return (this.state?.held ?? []).filter((one) => one.user === user && one.channel === "push");
  }

  clockOf(user) {
    return this.state?.clocks?.find((one) => one.user === user);
  }
}
