import { call } from "./api.js";
import { clock, say } from "./dom.js";
import { Flow } from "./flow.js";
import { Model } from "./model.js";
import { People } from "./people.js";
import { Sending } from "./sending.js";
import { Stream } from "./stream.js";
import { Switches } from "./switches.js";
import { Traces } from "./traces.js";

const connection = document.getElementById("connection");

async function development() {
  for (;;) {
    try {
      return await call("/api/development");
    } catch (error) {
      connection.dataset.state = "lost";
      say(connection, error.message);
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  }
}

/** Says in words whether what is shown is what is going on. */
class Connection {
  #live = false;
  #since = null;

  constructor(model) {
    this.model = model;
    setInterval(() => this.show(), 1000);
  }

  changed({ live }) {
    if (this.#live && !live) this.#since = Date.now();
    this.#live = live;
    this.show();
  }

  show() {
    const { connected } = this.model;
    connection.dataset.state = this.#live && connected ? "live" : this.#since || !connected ? "lost" : "opening";
    if (this.#live && connected) return say(connection, "Live");
    if (this.#live) return say(connection, "Belfry has stopped. The page goes on when `make run` does.");
    if (!this.#since) return say(connection, "Connecting …");
    say(connection, `Connection lost at ${clock(this.#since)}: what you see is from then. Trying again …`);
  }
}

const info = await development();
const model = new Model(info);
document.getElementById("docs-link").hidden = !info.docs;

const views = [new Flow(model), new People(model, info), new Traces(model, info), new Sending(model, info), new Switches(model)];

let isDue = false;
/** Draws once a frame at most, however much arrives. */
function draw() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    for (const view of views) view.show();
  });
}

const status = new Connection(model);
new Stream("/api/stream", {
  onEvent(name, data) {
    model.take(name, data);
    if (name === "link") status.show();
    draw();
  },
  onConnection: (change) => status.changed(change),
});
setInterval(draw, 1000);
draw();
