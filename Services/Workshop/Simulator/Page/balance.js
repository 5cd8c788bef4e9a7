/** Where one channel's deliveries are: accepted = arrived + waiting + refused + left. What is held until later waits, too. */
export function balance({ due = 0, arrived = 0, waiting = 0, refused = 0, leftOut = 0, twice = 0 } = {}, held = 0) {
  return { accepted: due + held + leftOut, arrived, waiting: waiting + held, refused, left: leftOut, twice };
}

/** By channel, pushes by provider as well, and all together. `providers` says by user who carries somebody's pushes. */
export function balances({ ledger = {}, pushes = {}, held = [] } = {}, providers = new Map()) {
  const channels = ["push", "inApp", "email"].map((channel) => {
    return [channel, balance(ledger[channel], held.filter((one) => one.channel === channel).length)];
  });
  const total = balance();
  for (const [, numbers] of channels) for (const name of Object.keys(total)) total[name] += numbers[name];
  const heldBy = (name) => held.filter((one) => one.channel === "push" && providers.get(one.user) === name).length;
  const carried = Object.entries(pushes).map(([name, numbers]) => [name, balance(numbers, heldBy(name))]);
  return { channels: new Map(channels), providers: new Map(carried), total };
}
