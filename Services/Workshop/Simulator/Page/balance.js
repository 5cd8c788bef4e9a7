/** Where one channel's deliveries are: accepted = arrived + waiting + refused + left. What is held until later waits, too. */
export function balance({ due = 0, arrived = 0, waiting = 0, refused = 0, leftOut = 0, twice = 0 } = {}, held = 0) {
  return { accepted: due + held + leftOut, arrived, waiting: waiting + held, refused, left: leftOut, twice };
}

/** By channel, and all together. */
export function balances({ ledger = {}, held = [] } = {}) {
  const channels = ["push", "inApp", "email"].map((channel) => {
    return [channel, balance(ledger[channel], held.filter((one) => one.channel === channel).length)];
  });
  const total = balance();
  for (const [, numbers] of channels) for (const name of Object.keys(total)) total[name] += numbers[name];
  return { channels: new Map(channels), total };
}
