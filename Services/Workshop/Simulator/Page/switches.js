import { call } from "./api.js";
import { clock, h, KeyedList, say } from "./dom.js";

/** The troubles, and the circumstances, that can be switched on. */
export class Switches {
  #problems = new Map();

  constructor(model) {
    this.model = model;
    this.list = new KeyedList(document.getElementById("switches"), {
      key: (one) => one.name,
      make: (one) => this.#make(one),
      update: this.#update,
    });
  }

  show() {
    this.list.show(this.model.switches);
  }

  #make({ name, label, momentary }) {
    const onclick = (event) => this.#toggle(name, event.currentTarget);
    // What is over by itself is no switch: it is pressed.
    const [kind, role] = momentary ? ["button.switch.momentary", null] : ["button.switch", "switch"];
    const handle = momentary ? h("span.pressed", { "aria-hidden": "true" }, "Kill") : h("span.knob", { "aria-hidden": "true" });
    return h(kind, { role, "data-switch": name, onclick }, h("b", {}, label), handle, h("small"));
  }

  #update = (element, one) => {
    if (!one.momentary) element.setAttribute("aria-checked", one.on);
    element.classList.toggle("on", one.on);
    const since = one.on && one.since ? `On since ${clock(one.since, { seconds: true })}. ` : "";
    const words = one.on ? since + (one.effect || one.words) : one.words;
    say(element.lastElementChild, this.#problems.get(one.name) ?? words);
  };

  async #toggle(name, element) {
    const { on, momentary } = this.model.switches.find((one) => one.name === name);
    if (element.getAttribute("aria-busy") === "true" || (momentary && on)) return;
    element.setAttribute("aria-busy", "true");
    this.#problems.delete(name);
    try {
      const changed = await call(`/api/development/switches/${name}`, { method: "PUT", body: { on: !on } });
      this.model.take("switch", changed);
    } catch (error) {
      this.#problems.set(name, error.message);
    }
    element.removeAttribute("aria-busy");
    this.show();
  }
}
