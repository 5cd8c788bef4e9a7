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

  constructor(model) {
    this.model = model;
  }

  changed({ live }) {
    if (this.#live && !live) this.model.lostAt = Date.now();
    if (live) this.model.lostAt = null;
    this.#live = live;
  }

  show() {
    const { connected, lostAt } = this.model;
    const isLive = this.#live && connected;
    connection.dataset.state = isLive ? "live" : lostAt || !connected ? "lost" : "opening";
    document.body.classList.toggle("stale", connection.dataset.state === "lost");
    if (isLive) return say(connection, "Live");
    if (this.#live) return say(connection, "Belfry has stopped");
    say(connection, lostAt ? `Connection lost at ${clock(lostAt)}. Trying again …` : "Connecting …");
  }
}

const info = await development();
say(document.getElementById("lead"), info.lead);
// On a phone what comes first is sending, and what came of it.
if (matchMedia("(max-width: 40rem)").matches) {
  for (const fold of document.querySelectorAll(".fold")) fold.open = false;
}
const model = new Model(info);

const status = new Connection(model);
const views = [status, ...[Flow, People, Traces, Sending, Switches].map((View) => new View(model, info))];

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

new Stream("/api/stream", {
  onEvent(name, data) {
    model.take(name, data);
    // Another catalogue is in force: people, buttons and bells are those of it.
    if (model.state?.story > info.story) return location.reload();
    draw();
  },
  onConnection(change) {
    status.changed(change);
    draw();
  },
});
setInterval(draw, 1000);
draw();
