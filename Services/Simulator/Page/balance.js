/** Where one channel's deliveries are: accepted = arrived + waiting + left. What is held waits; what is refused is left out. */
export function balance({ due = 0, arrived = 0, waiting = 0, refused = 0, twice = 0, held = 0, skipped = 0 } = {}) {
  return { accepted: due + held + skipped, arrived, waiting: waiting + held, left: refused + skipped, twice };
}

/** All channels together. */
export function total(ledger) {
  const sum = balance();
  for (const channel of Object.values(ledger ?? {})) {
    for (const [name, number] of Object.entries(balance(channel))) sum[name] += number;
  }
  return sum;
}
