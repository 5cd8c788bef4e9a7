import { took } from "./dom.js";

export const CHANNELS = [
  ["push", "Phone"],
  ["inApp", "Bell"],
  ["email", "Mail"],
];

/** What each step says of the delivery: where it is from then on, and how that is called. */
export const OUTCOMES = {
  delivered: ["good", "delivered"],
  opened: ["good", "opened"],
  acted: ["good", "acted on"],
  held: ["wait", "held"],
  retried: ["wait", "tried again"],
  released: ["wait", "released"],
  skipped: ["left", "left out"],
  rejected: ["bad", "refused"],
  removed: ["bad", "refused"],
  exhausted: ["bad", "given up"],
  expired: ["bad", "expired"],
};

/**
 * A person's channel of a trace: the last step that decides, how many deliveries are where, and how often one was tried again.
 *
 * Of a burst each step stands for some of its deliveries; those that no final step has told of wait.
 */
export function delivery(trace, user, channel) {
  const steps = trace.steps.filter((one) => one.user === user && one.channel === channel);
  const last = steps.findLast((one) => OUTCOMES[one.what]);
  if (!last) return null;
  const [tone, words] = OUTCOMES[last.what];
  const sum = (wanted) => steps.filter((one) => wanted(one.what)).reduce((total, one) => total + (one.count ?? 1), 0);
  const retries = sum((what) => what === "retried");
  const parts = { good: 0, left: 0, bad: 0 };
  if (trace.count === 1) return { last, tone, words, retries, parts: { ...parts, wait: 0, [tone]: 1 } };
  parts.good = sum((what) => what === "delivered");
  for (const final of ["left", "bad"]) parts[final] = sum((what) => OUTCOMES[what]?.[0] === final);
  const finished = parts.good + parts.left + parts.bad;
  parts.wait = Math.max(0, perPerson(trace, user) - finished);
  return { last, tone: parts.wait > 0 ? "wait" : parts.good > 0 ? "good" : tone, words, retries, parts };
}

/** How many notifications of a burst are this person's: as many as came to the bell, where nothing waits. */
function perPerson(trace, user) {
  const inApp = trace.steps.filter((one) => one.user === user && one.channel === "inApp" && ["delivered", "skipped"].includes(one.what));
  return inApp.reduce((total, one) => total + (one.count ?? 1), 0);
}

/** How many deliveries are where, in words. */
export function inWords({ good = 0, wait = 0, bad = 0, left = 0 }) {
  return [
    good && `${good} delivered`,
    wait && `${wait} ${wait === 1 ? "waits" : "wait"}`,
    bad && `${bad} refused`,
    left && `${left} left out`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** How many pushes to a person wait for a retry or the end of quiet hours, of the sends that the page knows. */
export function pushesWaiting(traces, user) {
  return traces.reduce((total, trace) => total + (delivery(trace, user, "push")?.parts.wait ?? 0), 0);
}

/** A send in a few words: "9 delivered, in 92 ms"; "6 delivered, 2 wait, 1 left out". */
export function gist(trace, people) {
  const total = { good: 0, wait: 0, left: 0, bad: 0 };
  let last = 0;
  for (const { id } of people) {
    for (const [channel] of CHANNELS) {
      const one = delivery(trace, id, channel);
      if (!one) continue;
      for (const tone of Object.keys(total)) total[tone] += one.parts[tone];
      last = Math.max(last, one.last.ms);
    }
  }
  const words = inWords(total);
  return words ? `${words}${trace.status === "done" ? `, in ${took(last)}` : ""}` : "accepted";
}
