import { call } from "./api.js";
import { amount, h, say } from "./dom.js";
import { LIMITS } from "./model.js";

let loading = null;

/**
 * The bell as any app embeds it: one module and one element, from the gateway's origin, with a token of its own user.
 *
 * `show` says how many messages are in its list, of which it shows the first.
 */
export function bell(person, source) {
  const element = document.createElement("belfry-bell");
  element.setAttribute("layout", "inline");
  element.setAttribute("locale", "en");
  // Three on one page have to be told apart.
  element.messages = { title: `${person.name}’s inbox` };
  element.tokenProvider = async () => (await call(`/api/development/token?user=${encodeURIComponent(person.id)}`)).token;
  const problem = h("p.nothing", { role: "status", hidden: true });
  loading ??= import(source);
  loading.catch((error) => {
    problem.textContent = `The bell could not be loaded from ${source}: ${error.message}`;
    problem.hidden = false;
    element.remove();
  });
  const summary = h("span.count");
  const section = h(
    "section.app",
    { "aria-label": `${person.name}’s bell` },
    h("header", {}, h("h4", {}, "Bell", h("small", {}, " in the app")), summary),
    problem,
    element,
  );
  return { element: section, show: () => say(summary, amount(element.notifications?.length ?? 0, LIMITS.inbox, "message")) };
}
