import { count, h, KeyedList, say } from "./dom.js";
import { CHANNELS } from "./outcome.js";
import { balance, story, totals } from "./story.js";

const PARTS = [["accepted", "accepted"], ["arrived", "delivered", "="], ["waiting", "waiting", "+"], ["left", "left out", "+"]];
const DOTS = 24;

/** What is going on: sentences, the balance of all deliveries, and the ladder of retries. */
export class Flow {
  #announced = "";
  #lastSpoken = 0;

  constructor(model) {
    this.model = model;
    this.sentences = new KeyedList(document.getElementById("story"), {
      key: (one) => one.key,
      make: () => h("li", {}, h("b"), " ", h("span")),
      update: (element, one) => {
        element.dataset.tone = one.tone;
        say(element.firstElementChild, one.text);
        say(element.lastElementChild, one.more);
      },
    });
    this.live = document.getElementById("announcement");
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
    this.terms = Object.fromEntries(PARTS.map(([name]) => [name, h("b", { "data-total": name }, "0")]));
    this.bars = PARTS.slice(1).map(([name]) => h("i", { className: name }));
    this.twice = h("p", { className: "twice" });
    this.rows = new Map();
    const row = (key, label) => {
      const cells = Object.fromEntries([...PARTS.map(([name]) => name), "twice"].map((name) => [name, h("td", { "data-count": name }, "0")]));
      this.rows.set(key, cells);
      return h("tr", { "data-channel": key }, h("th", { scope: "row" }, label), Object.values(cells));
    };
    document.getElementById("balance").append(
      h("h3", {}, "Every delivery since the start"),
      h("p", { className: "equation" }, PARTS.map(([name, label, sign]) => [sign && h("span", { className: "sign" }, sign), h("span", { className: `term ${name}` }, this.terms[name], h("small", {}, ` ${label}`))])),
      h("div", { className: "bar", "aria-hidden": "true" }, this.bars),
      this.twice,
      h(
        "details",
        {},
        h("summary", {}, "By channel"),
        h(
          "table",
          {},
          h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Channel"), [...PARTS.map(([, label]) => label), "twice"].map((label) => h("th", { scope: "col" }, label)))),
          h("tbody", {}, CHANNELS.map(([key, label]) => row(key, label))),
        ),
      ),
    );
  }

  #showBalance() {
    const ledger = this.model.state?.ledger;
    const sum = totals(ledger);
    for (const [name, term] of Object.entries(this.terms)) say(term, sum[name].toLocaleString("en"));
    for (const bar of this.bars) bar.style.flexGrow = sum[bar.className];
    const once = "Nothing came twice. A delivery is one message for one person on one channel, so the allowance makes nine. Left out is what somebody does not want there, such as mails about a chat, or cannot get.";
    say(this.twice, sum.twice ? `${count(sum.twice, "delivery", "deliveries")} came twice.` : once);
    this.twice.classList.toggle("some", sum.twice > 0);
    for (const [key, cells] of this.rows) {
      const numbers = balance(ledger?.[key]);
      for (const [name, cell] of Object.entries(cells)) say(cell, numbers[name].toLocaleString("en"));
    }
  }

  #makeLadder() {
    this.rungs = h("ol", { role: "list" });
    this.ladderNote = h("p", { className: "hint" });
    document.getElementById("ladder").append(h("h3", {}, "The ladder of retries"), this.ladderNote, this.rungs);
    this.steps = new KeyedList(this.rungs, {
      key: (one) => one.step,
      make: (one) => h("li", { "data-step": one.step }, h("span", { className: "rung" }, one.label), h("span", { className: "dots", "aria-hidden": "true" }), h("span", { className: "rung-count" })),
      update: (element, one) => {
        const [, dots, label] = element.children;
        const shown = [...Array(Math.min(one.push, DOTS)).fill("push"), ...Array(Math.min(one.email, DOTS)).fill("email")].slice(0, DOTS);
        while (dots.childElementCount > shown.length) dots.lastElementChild.remove();
        while (dots.childElementCount < shown.length) dots.append(h("i"));
        shown.forEach((channel, index) => (dots.children[index].className = channel));
        element.classList.toggle("some", one.push + one.email > 0);
        const words = [one.push && count(one.push, "push", "pushes"), one.email && count(one.email, "mail")].filter(Boolean).join(", ");
        say(label, words || "empty");
      },
    });
  }

  #showLadder() {
    const steps = new Map();
    const add = (step, label, channel, waiting) => {
      const one = steps.get(step) ?? { step, label, push: 0, email: 0 };
      if (channel in one) one[channel] += waiting;
      steps.set(step, one);
    };
    const { queues = [], ladder = [] } = this.model.state ?? {};
    for (const { channel, step, waiting } of ladder) add(step, `again in ${step}`, channel, waiting);
    this.steps.show([...steps.values()]);
    const queued = queues.reduce((sum, one) => sum + one.waiting, 0);
    say(this.ladderNote, `What FCM or the mail server did not take waits here and is tried again. Each try that fails takes it one rung on.${queued ? ` Not tried yet: ${queued}.` : ""}`);
  }
}
