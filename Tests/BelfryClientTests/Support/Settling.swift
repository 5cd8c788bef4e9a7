/// Lets others work until something is so; false if it is not after so many turns.
func settles(_ turns: Int = 100_000, _ condition: () async throws -> Bool) async rethrows -> Bool {
  for _ in 0..<turns {
    if try await condition() { return true }
    await Task.yield()
  }
  return false
}
