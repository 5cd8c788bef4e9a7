import { clock, count, span } from "./dom.js";
import { gist, PROVIDERS, reasons } from "./outcome.js";

/** How long it is worth telling that a dispatcher was started again, in milliseconds. */
const NEWS = 30_000;

const UNITS = { push: ["push", "pushes"], email: ["email", "emails"] };

const sentence = (key, tone, text, more = "") => ({ key, tone, text, more });
const wait = (number) => (number === 1 ? "waits" : "wait");

/** What goes on, in sentences, the most pressing first. `more` may change each second, `text` only with what it tells. */
export function story(model, now = Date.now()) {
  if (model.lostAt) {
    const more = "What you see is from then. The page asks again and goes on by itself.";
    return [sentence("lost", "bad", `No word from Belfry since ${clock(model.lostAt, { seconds: true })}.`, more)];
  }
  if (!model.connected || !model.state) {
    return [sentence("away", "wait", "Belfry is not there just now.", "This page goes on when `make run` does.")];
  }
  const pressing = [...dispatchers(model, now), ...providers(model, now), ...people(model, now), ...dead(model.state)];
  return [...(pressing.length > 0 ? pressing : [calm(model)]), ...lastSend(model)];
}

function calm({ traces }) {
  if (traces.length === 0) {
    return sentence("calm", "calm", "Belfry is up, and nothing has been sent yet.", "Press a button.");
  }
  const more = "Whatever Belfry accepted has arrived, or was left out for a reason.";
  return sentence("calm", "good", "All is well: nothing waits.", more);
}

/** What just happened. */
function lastSend({ traces, people }) {
  if (traces.length === 0) return [];
  const [trace] = traces;
  const text = `${trace.label}, sent at ${clock(trace.at, { seconds: true })}: ${gist(trace, people)}.`;
  const why = reasons(trace, people).slice(0, 3);
  return [sentence("last", "calm", text, why.map((words) => `${words}.`).join(" "))];
}

function dispatchers({ state, killed }, now) {
  return (state.services ?? []).flatMap(({ name, service, up }) => {
    const key = `service-${name}`;
    const { at, ...kept } = killed.get(name) ?? {};
    const more = handedOver(service, kept);
    if (!up) return [sentence(key, "bad", `${name} is down, and is started again.`, more)];
    if (!at || now - at > NEWS) return [];
    return [sentence(key, "good", `${name} was killed, and is up again since ${clock(at, { seconds: true })}.`, more)];
  });
}

/** What the queue has kept for a service that was killed, as far as that is seen. */
function handedOver(service, { waited, isKnown }) {
  if (!waited && isKnown) return "Nothing was on its way through it, so nothing had to go back to the queue.";
  if (!waited) return "The queue keeps whatever it had not finished, and whoever is up takes it from there.";
  const unit = UNITS[service] ?? ["delivery", "deliveries"];
  const kept = waited === 1 ? "The queue has kept it" : "The queue has kept them";
  return `${count(waited, ...unit)} ${waited === 1 ? "was" : "were"} on the way. ${kept}, and whoever is up takes over from there.`;
}

/** What a provider's trouble keeps waiting, and when it is tried again; each push provider that is down by itself. */
function providers(model, now) {
  const down = model.switches.filter((one) => one.on && one.provider);
  const isDown = (provider) => down.some((one) => one.provider === provider);
  const others = PROVIDERS.map(([provider]) => provider).filter((provider) => !isDown(provider));
  const mail = model.switches.find(({ name }) => name === "slow-mail");
  const slow = mail?.on ? { label: "The mail server is slow", since: mail.since } : null;
  return [
    ...down.map((one) => waits(model, one.name, "push", [one.provider], one, now)),
    waits(model, "provider-push", "push", others, null, now),
    waits(model, "provider-email", "email", [null], slow, now),
  ].filter(Boolean);
}

/** What waits on a channel for these providers, and because of which trouble; null where there is neither. */
function waits(model, key, channel, providers, trouble, now) {
  const ofPushes = () => providers.reduce((sum, provider) => sum + model.waitingFor(provider), 0);
  const waiting = channel === "push" ? ofPushes() : (model.state.ledger?.[channel]?.waiting ?? 0);
  if (!trouble && waiting === 0) return null;
  const unit = UNITS[channel];
  const more = nextTry(model.ladder.next(channel, providers), now);
  if (!trouble) return sentence(key, "wait", `${count(waiting, ...unit)} ${waiting === 1 ? "is" : "are"} on the way.`, more);
  const { label, since } = trouble;
  const what = waiting > 0 ? `${count(waiting, ...unit)} ${wait(waiting)}` : "nothing waits for it yet";
  return sentence(key, "bad", `${label}${since ? ` since ${clock(since)}` : ""}: ${what}.`, more);
}

function nextTry(instant, now) {
  if (instant === null) return "";
  return instant <= now ? "Trying again." : `Next try in ${span(instant - now)}.`;
}

function people(model, now) {
  const sentences = model.people.flatMap((person) => night(model, person, now));
  for (const { name, on, story } of model.switches) {
    if (on && story) sentences.push(sentence(name, "wait", story.text, story.more));
  }
  return sentences;
}

function night(model, { id, name }, now) {
  const there = model.clockOf(id);
  const held = model.heldFor(id);
  if (!there?.quiet && held.length === 0) return [];
  const until = there?.quietUntil ? ` until ${there.quietUntil} there` : "";
  const what = held.length > 0 ? `${count(held.length, "push", "pushes")} ${wait(held.length)}${until}` : `pushes would wait${until}`;
  const time = there?.place ? `In ${there.place} it is ${clock(now, { zone: there.timezone })}. ` : "";
  const more = `${time}Quiet hours hold back pushes alone: inbox and email get everything at once. Urgent types pass.`;
  const where = there?.place ? ` in ${there.place}` : "";
  return [sentence(`quiet-${id}`, "wait", `It is night for ${name}${where}: ${what}.`, more)];
}

function dead({ dead = [] }) {
  const number = dead.reduce((sum, one) => sum + one.waiting, 0);
  if (number === 0) return [];
  const text = `${count(number, "message")} could not be used and ${number === 1 ? "was" : "were"} put aside.`;
  return [sentence("dead", "bad", text, "`belfry dead list` says why.")];
}
