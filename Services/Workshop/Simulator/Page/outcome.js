import { took } from "./dom.js";

export const CHANNELS = [
  ["push", "Push"],
  ["inApp", "Inbox"],
  ["email", "Email"],
];

/** Who carries pushes, by the names that the state and people have for them. */
export const PROVIDERS = [
  ["apns", "APNs"],
  ["fcm", "FCM"],
  ["webPush", "Web Push"],
];

/** What each step says of the delivery: where it is from then on, and how that is called. */
export const OUTCOMES = {
  delivered: ["good", "delivered"],
  opened: ["good", "opened"],
  acted: ["good", "acted on"],
  held: ["wait", "held"],
  retried: ["wait", "waits"],
  released: ["wait", "on its way"],
  skipped: ["left", "left out"],
  rejected: ["bad", "refused"],
  removed: ["bad", "refused"],
  exhausted: ["bad", "given up"],
  expired: ["bad", "expired"],
  uncertain: ["bad", "not answered"],
};

/** What people do with what has arrived comes after the outcome. */
export const isOutcome = ({ channel, what }) => !!channel && what in OUTCOMES && what !== "opened" && what !== "acted";

/** Whom the rows of a trace are about. A burst is shown in sums, for all together. */
export function rows(trace, people) {
  return isSummedUp(trace) ? [{ id: null, name: "All three" }] : people;
}

const isSummedUp = (trace) => !trace.deliveries;
const isOf = (user, channel) => (one) => (one.user ?? null) === user && one.channel === channel;

/**
 * One row's channel of a trace: the last step that decides, after how many milliseconds the outcome was there (null where nobody
 * saw when), how many deliveries are where, and how often was tried again.
 *
 * Of several each step stands for some; those that no final step has reported wait.
 */
export function delivery(trace, user, channel) {
  const steps = trace.steps.filter(isOf(user, channel));
  const last = steps.findLast((one) => OUTCOMES[one.what]);
  if (!last) return null;
  const ms = steps.findLast((one) => isOutcome(one) && !one.atMost)?.ms ?? null;
  const [tone, words] = OUTCOMES[last.what];
  const sum = (wanted) => steps.filter((one) => wanted(one.what)).reduce((total, one) => total + (one.count ?? 1), 0);
  const retries = sum((what) => what === "retried");
  const size = isSummedUp(trace) ? trace.notifications : trace.deliveries.filter(isOf(user, channel)).length;
  const parts = { good: 0, wait: 0, left: 0, bad: 0 };
  if (size <= 1) return { last, ms, tone, words, retries, parts: { ...parts, [tone]: 1 } };
  parts.good = sum((what) => what === "delivered");
  parts.left = sum((what) => what === "skipped");
  // A device that is removed was refused before.
  parts.bad = sum((what) => OUTCOMES[what]?.[0] === "bad" && what !== "removed");
  parts.wait = Math.max(0, size - parts.good - parts.left - parts.bad);
  const summed = Object.keys(parts).filter((one) => parts[one] > 0);
  return { last, ms, tone: summed.includes("wait") ? "wait" : summed[0], words: inWords(parts), retries, parts };
}

/** How many deliveries are where, in words. */
function inWords({ good = 0, wait = 0, bad = 0, left = 0 }) {
  return [
    good && `${good} delivered`,
    wait && `${wait} ${wait === 1 ? "waits" : "wait"}`,
    bad && `${bad} refused`,
    left && `${left} left out`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** Why something of a send was left out, refused, or waits: "Email left out: it is off by default"; each reason once. */
export function reasons(trace, people) {
  const found = rows(trace, people).flatMap(({ id }) => CHANNELS.map(([channel]) => delivery(trace, id, channel)));
  const why = found.filter((one) => one && one.tone !== "good" && one.last.words);
  const capital = (words) => words[0].toUpperCase() + words.slice(1);
  const said = ({ words, last }) => (last.words.includes(words) ? last.words : `${words}: ${last.words}`);
  return [...new Set(why.map((one) => capital(said(one)).replace(/\.$/, "")))];
}

/** How many pushes to a person wait, of the sends that the page knows one by one. */
export function pushesWaiting(traces, user) {
  return traces.reduce((total, trace) => total + (delivery(trace, user, "push")?.parts.wait ?? 0), 0);
}

/** A send in a few words: "9 delivered, in 92 ms"; "6 delivered, 2 wait, 1 left out". */
export function gist(trace, people) {
  const total = { good: 0, wait: 0, left: 0, bad: 0 };
  let last = null;
  for (const { id } of rows(trace, people)) {
    for (const [channel] of CHANNELS) {
      const one = delivery(trace, id, channel);
      if (!one) continue;
      for (const tone of Object.keys(total)) total[tone] += one.parts[tone];
      if (one.ms !== null) last = Math.max(last, one.ms);
    }
  }
  const words = inWords(total);
  return words ? `${words}${trace.status === "done" && last !== null ? `, in ${took(last)}` : ""}` : "accepted";
}
