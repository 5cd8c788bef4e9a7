import { call } from "./api.js";
import { fading, h, say } from "./dom.js";
import { gist } from "./outcome.js";

/** The buttons that send, and the same for a terminal. */
export class Sending {
  #texts = { curl: "", belfry: "" };
  #tab = "curl";

  #followed = null;
  #look;

  constructor(model, info) {
    this.model = model;
    this.result = document.getElementById("send-result");
    this.text = document.getElementById("terminal-text");
    this.#look = fading(this.text);
    this.buttons = info.sends.map((send) => {
      const offer = () => this.#offer(send);
      const properties = { "data-send": send.name, onclick: () => this.#send(send), onfocus: offer, onpointerenter: offer };
      // What arrives has another name.
      const words = send.title ? `${send.words} It arrives as “${send.title}”.` : send.words;
      return h("button.send", properties, h("b", {}, send.label), h("small", {}, words));
    });
    document.getElementById("sends").append(...this.buttons);
    this.#listen();
    if (info.sends.length > 0) this.#offer(info.sends[0]);
    else document.getElementById("sends").append(h("p.nothing", {}, "The catalogue has no type of its own to send."));
  }

  async #send(send) {
    this.#mark(send.name);
    say(this.result, "Sending …");
    delete this.result.dataset.state;
    try {
      const sent = await call(`/api/development/sends/${send.name}`, { method: "POST" });
      const { requestId, requestIds, status, answer, curl } = sent;
      this.#show({ curl, belfry: send.command });
      if (requestId) {
        this.#followed = { requestId, send };
        const what = requestIds.length > 1 ? `${requestIds.length} requests are` : "it is";
        this.#tell(send, `${send.label}: Belfry answered ${status}; ${what} stored, and safe from here on.`);
        this.show();
      } else if (send.event && status < 300) {
        this.#followed = null;
        this.#tell(send, `${send.event}: Belfry answered ${status}, and its rules decide who is notified.`);
      } else {
        this.#fail(`${send.label}: Belfry answered ${status}: ${answer?.detail ?? "no reason given"}`);
      }
    } catch (error) {
      this.#fail(`${send.label}: ${error.message}`);
    }
  }

  /** Says what became of the last send, once that is known. */
  show() {
    const { requestId, send } = this.#followed ?? {};
    const trace = this.model.traces.find((one) => one.requestId === requestId);
    if (!trace || trace.status === "going") return;
    this.#tell(send, `${trace.label}: ${gist(trace, this.model.people)}.`, `#trace-${trace.requestId}`);
    if (trace.status === "done") this.#followed = null;
  }

  /** Where people are out of sight it is a bar at the bottom, which leads to who got it. */
  #tell(send, words, trace) {
    if (this.result.firstChild?.textContent === words) return;
    const people = this.model.people.filter(({ id }) => send.to.includes(id));
    const links = people.map(({ id, name }) => h("a", { href: `#of-${id}` }, name));
    const see = h("span.result-people", {}, "See ", links.flatMap((link, index) => (index > 0 ? [", ", link] : [link])));
    this.result.replaceChildren(h("span", {}, words), " ", see, " ", trace ? h("a", { href: trace }, "How it went") : "");
  }

  #fail(words) {
    this.result.dataset.state = "failed";
    say(this.result, words);
  }

  /** Shows a button's command before anything was sent; then that of what was. */
  #offer(send) {
    if (this.sent) return;
    this.#texts = { curl: "Nothing was sent from here yet: press a button, and its call appears here.", belfry: send.command };
    this.#render();
  }

  #show(texts) {
    this.sent = true;
    this.#texts = texts;
    this.#render();
  }

  #mark(name) {
    for (const button of this.buttons) button.setAttribute("aria-current", button.dataset.send === name);
  }

  #render() {
    this.text.replaceChildren(this.#texts[this.#tab]);
    this.#look();
    this.text.setAttribute("aria-labelledby", `tab-${this.#tab}`);
    for (const tab of document.querySelectorAll("[role=tab]")) {
      const isChosen = tab.id === `tab-${this.#tab}`;
      tab.setAttribute("aria-selected", isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
    }
  }

  #listen() {
    const tabs = [...document.querySelectorAll("[role=tab]")];
    const choose = (tab) => {
      this.#tab = tab.id.slice("tab-".length);
      this.#render();
    };
    tabs.forEach((tab, index) => {
      tab.onclick = () => choose(tab);
      tab.onkeydown = (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const next = tabs[(index + step + tabs.length) % tabs.length];
        choose(next);
        next.focus();
      };
    });
    const copy = document.getElementById("copy");
    copy.onclick = async () => {
      try {
        await navigator.clipboard.writeText(this.#texts[this.#tab]);
        say(copy, "Copied");
      } catch {
        getSelection().selectAllChildren(this.text);
        say(copy, "Selected: press Ctrl-C");
      }
      setTimeout(() => say(copy, "Copy"), 2000);
    };
  }
}
