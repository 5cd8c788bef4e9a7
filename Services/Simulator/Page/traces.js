import { clock, count, h, KeyedList, say, took } from "./dom.js";

const CHANNELS = [["push", "Phone"], ["inApp", "Bell"], ["email", "Mail"]];
const STATUS = { going: "on its way", waiting: "something waits", done: "done" };

/** What each step means for the delivery: where it is after it. */
const OUTCOMES = {
  delivered: "good", opened: "good", acted: "good",
  held: "wait", retried: "wait", released: "wait",
  skipped: "left", rejected: "bad", removed: "bad", exhausted: "bad", expired: "bad",
};
const MARKS = { good: "✓", wait: "…", left: "–", bad: "✕", none: "" };

/** The way of each send from the request to each outcome. */
export class Traces {
  constructor(model) {
    this.model = model;
    const container = document.getElementById("traces");
    this.empty = h("p", { className: "nothing" }, "Nothing has been sent from this page yet.");
    container.before(this.empty);
    this.list = new KeyedList(container, { key: (trace) => trace.requestId, make: (trace) => this.#make(trace), update: this.#update });
  }

  show() {
    this.empty.hidden = this.model.traces.length > 0;
    this.list.show(this.model.traces);
  }

  /** Marks the send that was just made. */
  follow(requestId) {
    this.followed = requestId;
    this.show();
  }

  #make(trace) {
    const id = `trace-${trace.requestId}`;
    const cells = this.model.people.map((person) =>
      h("tr", {}, h("th", { scope: "row" }, person.name), CHANNELS.map(([channel]) => h("td", { "data-user": person.id, "data-channel": channel }, h("span", { className: "outcome" }), h("small")))),
    );
    return h(
      "article",
      { className: "trace", "aria-labelledby": id, "data-request": trace.requestId },
      h("header", {}, h("h3", { id }, trace.label), h("time", { dateTime: trace.at }, clock(trace.at, { seconds: true })), h("span", { className: "status" })),
      h("ol", { className: "way", role: "list" }),
      h("div", { className: "table" }, h("table", {}, h("thead", {}, h("tr", {}, h("td"), CHANNELS.map(([, label]) => h("th", { scope: "col" }, label)))), h("tbody", {}, cells))),
      h("details", {}, h("summary", {}, "Each step"), h("ol", { className: "steps", role: "list" })),
    );
  }

  #update = (element, trace) => {
    const drawn = `${trace.steps.length} ${trace.steps.at(-1)?.ms} ${trace.steps.at(-1)?.count} ${trace.status} ${this.followed}`;
    if (element.drawn === drawn) return;
    element.drawn = drawn;
    element.classList.toggle("followed", trace.requestId === this.followed);
    const status = element.querySelector(".status");
    status.dataset.status = trace.status;
    say(status, STATUS[trace.status] ?? trace.status);
    element.querySelector(".way").replaceChildren(...this.#way(trace));
    for (const cell of element.querySelectorAll("tbody td")) this.#showCell(cell, trace);
    element.querySelector(".steps").replaceChildren(...trace.steps.map((step) => this.#step(step)));
  };

  /** Request, accepted, routed, first and last outcome. */
  #way({ steps, status }) {
    const outcomes = steps.filter((one) => one.channel && OUTCOMES[one.what]);
    const stations = [["request", 0]];
    for (const what of ["accepted", "routed"]) {
      const step = steps.find((one) => one.what === what);
      if (step) stations.push([what, step.ms]);
    }
    if (outcomes.length > 0) stations.push(["first outcome", outcomes[0].ms]);
    if (status === "done" && outcomes.length > 1) stations.push(["last outcome", outcomes.at(-1).ms]);
    return stations.map(([words, ms]) => h("li", {}, h("b", {}, took(ms)), ` ${words}`));
  }

  #showCell(cell, trace) {
    const steps = trace.steps.filter((one) => one.user === cell.dataset.user && one.channel === cell.dataset.channel);
    const [outcome, words] = [cell.firstElementChild, cell.lastElementChild];
    const last = steps.findLast((one) => OUTCOMES[one.what]);
    const tone = last ? OUTCOMES[last.what] : "none";
    outcome.dataset.tone = tone;
    if (!last) {
      say(outcome, "");
      return say(words, "");
    }
    const tries = steps.filter((one) => one.what === "retried").length;
    const done = steps.filter((one) => one.what === last.what).reduce((sum, one) => sum + (one.count ?? 1), 0);
    const how = { delivered: "delivered", opened: "opened", acted: "acted on", held: "held", retried: "tried again", released: "released", skipped: "left out", rejected: "refused", removed: "refused", exhausted: "given up", expired: "expired" }[last.what];
    say(outcome, `${MARKS[tone]} ${trace.count > 1 ? `${done} ` : ""}${how}`);
    const reason = tone === "good" ? `${took(last.ms)}${tries && trace.count === 1 ? `, after ${count(tries, "retry", "retries")}` : ""}` : last.words;
    say(words, reason ?? "");
  }

  #step(step) {
    const person = this.model.people.find((one) => one.id === step.user);
    const channel = CHANNELS.find(([key]) => key === step.channel);
    const where = [person?.name, channel?.[1].toLowerCase()].filter(Boolean).join("’s ");
    return h("li", {}, h("b", {}, took(step.ms)), h("span", {}, `${where ? `${where}: ` : ""}${step.count > 1 ? `${step.count} × ` : ""}${step.what}`), h("small", {}, step.words ?? ""));
  }
}
