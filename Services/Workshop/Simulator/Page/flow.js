import { balances } from "./balance.js";
import { count, h, KeyedList, say } from "./dom.js";
import { CHANNELS, PROVIDERS } from "./outcome.js";
import { story } from "./story.js";

const PARTS = [
  { name: "accepted", label: "in all" },
  { name: "arrived", label: "delivered", sign: "= " },
  { name: "waiting", label: "waiting", sign: "+ " },
  { name: "refused", label: "refused", sign: "+ ", isRare: true },
  { name: "left", label: "left out", sign: "+ ", isRare: true },
];
const UNIT =
  "A delivery is one message for one person on one channel: for three people on three channels there are nine. " +
  "Left out is what somebody does not want on a channel, or cannot get there.";
const LADDER =
  "What a push service or the mail server did not take waits here. Each try that fails takes it one step on, to a longer pause. " +
  "A batch carries the pushes or emails of one send, or of many.";
const DOTS = 24;
const UNDER = Object.fromEntries(PROVIDERS);

/** What is going on: sentences, the balance of all deliveries, and the steps of retries, while something is on them. */
export class Flow {
  #announced = "";
  #lastSpoken = 0;

  constructor(model) {
    this.model = model;
    this.live = document.getElementById("announcement");
    this.sentences = new KeyedList(document.getElementById("story"), {
      key: (one) => one.key,
      make: () => h("li", {}, h("b"), " ", h("span")),
      update: (element, one) => {
        element.dataset.tone = one.tone;
        say(element.firstElementChild, one.text);
        say(element.lastElementChild, one.more);
      },
    });
    this.#makeBalance();
    this.#makeLadder();
  }

  show() {
    const sentences = story(this.model);
    this.sentences.show(sentences);
    this.#announce(sentences.map((one) => one.text).join(" "));
    this.#showBalance();
    this.#showLadder();
  }

  /** Says aloud what has changed, at most every five seconds, and never a countdown. */
  #announce(text) {
    if (text === this.#announced || Date.now() - this.#lastSpoken < 5000) return;
    if (this.#announced) say(this.live, text);
    this.#announced = text;
    this.#lastSpoken = Date.now();
  }

  #makeBalance() {
    this.numbers = Object.fromEntries(PARTS.map(({ name }) => [name, h("b", { "data-total": name }, "0")]));
    this.bars = PARTS.slice(1).map(({ name }) => h(`i.${name}`));
    this.twice = h("p.twice");
    const term = ({ name, label, sign }) =>
      h(`span.term.${name}`, {}, sign && h("span.sign", {}, sign), this.numbers[name], h("small", {}, ` ${label} `));
    const terms = PARTS.map(term);
    this.rare = PARTS.flatMap(({ name, isRare }, index) => (isRare ? [[name, terms[index]]] : []));
    document.getElementById("balance").append(
      h("h3", {}, "Every delivery to these people since the start"),
      h("p.equation", {}, terms),
      h("div.bar", { "aria-hidden": "true" }, this.bars),
      this.twice,
      h("details", {}, h("summary", {}, "By channel, and what counts"), this.#makeTable(), h("p.hint", {}, UNIT)),
    );
  }

  #makeTable() {
    const columns = [...PARTS, { name: "twice", label: "twice" }];
    // Below the pushes, of these what each provider carries.
    const rows = CHANNELS.flatMap((one) => (one[0] === "push" ? [one, ...PROVIDERS] : [one]));
    this.cells = new Map(rows.map(([key]) => [key, columns.map(({ name }) => [name, h("td", {}, "0")])]));
    const row = ([key, label]) =>
      h(key in UNDER ? "tr.under" : "tr", {}, h("th", { scope: "row" }, label), this.cells.get(key).map(([, cell]) => cell));
    const heads = ["Channel", ...columns.map(({ label }) => label)].map((label) => h("th", { scope: "col" }, label));
    return h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows.map(row)));
  }

  #showBalance() {
    const carriers = new Map(this.model.people.map(({ id, provider }) => [id, provider]));
    const { channels, providers, total } = balances(this.model.state ?? {}, carriers);
    for (const [name, number] of Object.entries(this.numbers)) this.#count(number, total[name]);
    // What there is none of is not said, so that the sum stays short.
    for (const [name, element] of this.rare) element.hidden = total[name] === 0;
    this.bars.forEach((bar, index) => (bar.style.flexGrow = total[PARTS[index + 1].name]));
    const { twice, refused } = total;
    const why = refused > 0 ? `${count(refused, "delivery", "deliveries")} refused for good: ${refused === 1 ? "its send says" : "their sends say"} why. ` : "";
    const once = `${why}Nothing is lost, and nothing came twice.`;
    say(this.twice, twice > 0 ? `${count(twice, "delivery", "deliveries")} came twice!` : once);
    this.twice.classList.toggle("some", twice > 0);
    for (const [key, cells] of this.cells) {
      const numbers = channels.get(key) ?? providers.get(key) ?? {};
      for (const [name, cell] of cells) this.#count(cell, numbers[name] ?? 0);
    }
  }

  #count(element, number) {
    say(element, number.toLocaleString("en"));
    element.classList.toggle("some", number > 0);
  }

  #makeLadder() {
    const rungs = h("ol", { role: "list" });
    this.ladderNote = h("p.hint");
    this.ladder = document.getElementById("ladder");
    this.ladder.append(h("h3", {}, "Waiting to be tried again"), this.ladderNote, rungs);
    this.rungs = new KeyedList(rungs, {
      key: (one) => one.step,
      make: ({ step }) => {
        const parts = [h("span.rung", {}, `again in ${step}`), h("span.dots", { "aria-hidden": "true" }), h("span.rung-count")];
        return h("li", { "data-step": step }, parts);
      },
      update: (element, { push, email }) => {
        const [, dots, label] = element.children;
        fill(dots, [...Array(push).fill("push"), ...Array(email).fill("email")].slice(0, DOTS));
        element.classList.toggle("some", push + email > 0);
        const words = [push && `${count(push, "batch", "batches")} of pushes`, email && `${count(email, "batch", "batches")} of emails`];
        say(label, words.filter(Boolean).join(", ") || "empty");
      },
    });
  }

  #showLadder() {
    const { queues = [], ladder = [] } = this.model.state ?? {};
    const rungs = new Map();
    for (const { channel, step, waiting } of ladder) {
      if (!rungs.has(step)) rungs.set(step, { step, push: 0, email: 0 });
      rungs.get(step)[channel] += waiting;
    }
    this.rungs.show([...rungs.values()]);
    // While nothing waits there is nothing to see.
    this.ladder.hidden = ![...rungs.values()].some(({ push, email }) => push + email > 0);
    const queued = queues.reduce((sum, one) => sum + one.waiting, 0);
    say(this.ladderNote, queued > 0 ? `${LADDER} Not tried yet: ${count(queued, "batch", "batches")}.` : LADDER);
  }
}

/** One dot for each, in the form of its channel. */
function fill(dots, channels) {
  while (dots.childElementCount > channels.length) dots.lastElementChild.remove();
  while (dots.childElementCount < channels.length) dots.append(h("i"));
  channels.forEach((channel, index) => (dots.children[index].className = channel));
}
