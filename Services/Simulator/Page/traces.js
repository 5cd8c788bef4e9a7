import { clock, count, h, KeyedList, say, took } from "./dom.js";
import { CHANNELS, delivery, gist, inWords, OUTCOMES } from "./outcome.js";

const STATUS = { going: "on its way", waiting: "something waits", done: "done" };
const MARKS = { held: "☾", retried: "↻", good: "✓", wait: "↻", left: "–", bad: "✕" };

/** The way of each send from the request to each outcome; the newest is open. */
export class Traces {
  #newest = null;

  constructor(model, info) {
    this.model = model;
    this.recipients = new Map(info.sends.map((send) => [send.name, send.to]));
    const container = document.getElementById("traces");
    this.empty = h("p", { className: "nothing" }, "Nothing has been sent from this page yet.");
    container.before(this.empty);
    this.list = new KeyedList(container, { key: (trace) => trace.requestId, make: (trace) => this.#make(trace), update: this.#update });
  }

  show() {
    const { traces } = this.model;
    this.empty.hidden = traces.length > 0;
    this.list.show(traces);
    if (traces.length === 0 || traces[0].requestId === this.#newest) return;
    const before = this.list.get(this.#newest);
    if (before && !before.contains(document.activeElement)) before.open = false;
    this.#newest = traces[0].requestId;
    this.list.get(this.#newest).open = true;
  }

  #make(trace) {
    const cell = (person, channel, label) => h("td", { "data-user": person.id, "data-channel": channel, "data-label": label }, h("span", { className: "outcome" }), h("small"));
    const row = (person) => h("tr", { "data-user": person.id }, h("th", { scope: "row" }, person.name), CHANNELS.map(([channel, label]) => cell(person, channel, label)));
    return h(
      "details",
      { className: "trace", "data-request": trace.requestId, id: `trace-${trace.requestId}` },
      h(
        "summary",
        {},
        h("h3", {}, trace.label),
        h("time", { dateTime: trace.at }, clock(trace.at, { seconds: true })),
        h("span", { className: "gist" }),
        h("span", { className: "status" }),
      ),
      h("ol", { className: "way", role: "list" }),
      h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "To"), CHANNELS.map(([, label]) => h("th", { scope: "col" }, label)))), h("tbody", {}, this.model.people.map(row))),
      h("details", { className: "each" }, h("summary", {}, "Each step"), h("ol", { className: "steps", role: "list" })),
    );
  }

  #update = (element, trace) => {
    const last = trace.steps.at(-1);
    const drawn = `${trace.steps.length} ${last?.ms} ${last?.count} ${trace.status}`;
    if (element.drawn === drawn) return;
    element.drawn = drawn;
    const status = element.querySelector(".status");
    status.dataset.status = trace.status;
    say(status, STATUS[trace.status] ?? trace.status);
    say(element.querySelector(".gist"), gist(trace, this.model.people));
    element.querySelector(".way").replaceChildren(...this.#way(trace));
    const recipients = this.recipients.get(trace.name) ?? trace.steps.map((one) => one.user);
    for (const row of element.querySelectorAll("tbody tr")) row.hidden = !recipients.includes(row.dataset.user);
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
    const [outcome, words] = cell.children;
    const one = delivery(trace, cell.dataset.user, cell.dataset.channel);
    outcome.dataset.tone = one?.tone ?? "";
    if (!one) return;
    const mark = MARKS[one.last.what] ?? MARKS[one.tone];
    say(outcome, `${mark} ${trace.count === 1 ? one.words : inWords(one.parts)}`);
    const tries = one.retries && trace.count === 1 ? `, after ${count(one.retries, "retry", "retries")}` : "";
    say(words, one.tone === "good" ? `${took(one.last.ms)}${tries}` : (one.last.words ?? ""));
  }

  #step(step) {
    const person = this.model.people.find((one) => one.id === step.user);
    const channel = CHANNELS.find(([key]) => key === step.channel);
    const where = [person?.name, channel?.[1].toLowerCase()].filter(Boolean).join("’s ");
    const what = `${step.count > 1 ? `${step.count} × ` : ""}${step.what}`;
    return h("li", {}, h("b", {}, took(step.ms)), h("span", {}, where ? `${where}: ${what}` : what), h("small", {}, step.words ?? ""));
  }
}
