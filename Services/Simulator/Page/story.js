import { clock, count, span } from "./dom.js";

/** What goes on, in sentences, the most pressing first: `{ key, tone, text, more }`. `more` may change each second; `text` does not. */
export function story(model, now = Date.now()) {
  const { state } = model;
  if (!model.connected || !state) return [{ key: "away", tone: "wait", text: "Belfry is not there just now.", more: "" }];
  const sentences = [
    ...dispatchers(state),
    ...retries(model, now),
    ...people(model),
    ...dead(state),
  ];
  if (sentences.length > 0) return sentences;
  const { arrived } = totals(state.ledger);
  if (arrived === 0) return [{ key: "calm", tone: "calm", text: "All parts of Belfry are up, and nothing has been sent yet.", more: "Start with the weekly allowance." }];
  return [{ key: "calm", tone: "good", text: "All is well: nothing waits.", more: "Whatever Belfry accepted has arrived, or was left out for a reason." }];
}

function dispatchers({ services = [] }) {
  return services
    .filter((one) => !one.up)
    .map((one) => ({
      key: `down-${one.name}`,
      tone: "wait",
      text: `${one.name} is down and being started again.`,
      more: "What it had in hand went back to the queue, and the others take it.",
    }));
}

const PROVIDERS = {
  push: { name: "fcm-down", words: "FCM is down", unit: ["push", "pushes"] },
  email: { name: "slow-mail", words: "The mail server is slow", unit: ["mail", "mails"] },
};

/** What a provider's trouble keeps waiting, and when it is tried again. */
function retries(model, now) {
  return Object.entries(PROVIDERS).flatMap(([channel, { name, words, unit }]) => {
    const trouble = model.switches.find((one) => one.name === name);
    const rungs = (model.state.ladder ?? []).filter((one) => one.channel === channel && one.waiting > 0);
    const waiting = model.state.ledger?.[channel]?.waiting ?? 0;
    if (!trouble?.on && waiting === 0) return [];
    const since = trouble?.on ? `${words}${trouble.since ? ` since ${clock(trouble.since)}` : ""}: ` : "";
    const verb = waiting === 1 ? "waits" : "wait";
    const what = waiting > 0 ? `${count(waiting, ...unit)} ${verb}` : "nothing waits for it yet";
    const text = since ? `${since}${what}.` : `${count(waiting, ...unit)} ${waiting === 1 ? "is" : "are"} on the way.`;
    return [{ key: `retry-${channel}`, tone: trouble?.on ? "bad" : "wait", text, more: next(rungs, now) }];
  });
}

function next(rungs, now) {
  if (rungs.length === 0) return "";
  const instants = rungs.filter((one) => one.next).map((one) => new Date(one.next).getTime());
  if (instants.length > 0) return `Next try in ${span(Math.min(...instants) - now)}.`;
  return `Next try within ${span(Math.min(...rungs.map((one) => one.seconds)) * 1000)}.`;
}

function people(model) {
  const sentences = [];
  for (const { id, name } of model.people) {
    const clockNow = model.clockOf(id);
    const held = model.heldFor(id);
    if (!clockNow?.quiet && held.length === 0) continue;
    const until = clockNow?.quietUntil ?? "the end of her quiet hours";
    const waits = held.length > 0 ? `${count(held.length, "push", "pushes")} ${held.length === 1 ? "waits" : "wait"} until ${until}` : "pushes would wait";
    sentences.push({
      key: `quiet-${id}`,
      tone: "wait",
      text: `It is night for ${name}: ${waits}.`,
      more: "Her bell and mailbox make no noise, so they have everything at once. An alert would pass.",
    });
  }
  if (model.isOn("ella-reading")) {
    sentences.push({ key: "reading", tone: "calm", text: "Ella has “Weekend plans” on her screen.", more: "Messages of that chat come to her bell, and not to her phone." });
  }
  if (model.isOn("tom-phone-gone")) {
    sentences.push({ key: "gone", tone: "wait", text: "Tom’s phone is gone.", more: "FCM refuses the first push to it; then Belfry forgets the phone. His bell and mailbox go on." });
  }
  return sentences;
}

function dead({ dead = [] }) {
  const waiting = dead.reduce((sum, one) => sum + one.waiting, 0);
  if (waiting === 0) return [];
  return [{ key: "dead", tone: "bad", text: `${count(waiting, "message")} could not be used and ${waiting === 1 ? "was" : "were"} put aside.`, more: "`belfry dead list` says why." }];
}

/** All deliveries ever sent from here: one is one notification for one person on one channel. */
export function totals(ledger = {}) {
  const sum = { accepted: 0, arrived: 0, waiting: 0, left: 0, twice: 0 };
  for (const channel of Object.values(ledger ?? {})) {
    const row = balance(channel);
    for (const name of Object.keys(sum)) sum[name] += row[name];
  }
  return sum;
}

/** One channel's: accepted = arrived + waiting + left out. What is held waits, what is skipped or refused is left out. */
export function balance({ due = 0, arrived = 0, waiting = 0, refused = 0, twice = 0, held = 0, skipped = 0 } = {}) {
  return { accepted: due + held + skipped, arrived, waiting: waiting + held, left: refused + skipped, twice };
}
