import { call } from "./api.js";
import { h } from "./dom.js";

let loading = null;

/** The bell as any app embeds it: one module and one element, from the gateway's origin, with a token of its own user. */
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
  return h(
    "section.app",
    { "aria-label": `${person.name}’s bell` },
    h("header", {}, h("h4", {}, "Bell", h("small", {}, " in the app"))),
    problem,
    element,
  );
}
