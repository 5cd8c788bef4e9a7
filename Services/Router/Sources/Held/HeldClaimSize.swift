import Retrying

/// How many rows are looked at to find the people of one batch. Pure.
///
/// Half as many after each timeout, then slowly as many as before: what is too slow stays so for a while.
struct HeldClaimSize {
  static let most = 250
  static let least = 10

  private(set) var limit = most

  mutating func passed() { limit = min(Self.most, limit + Self.most / 20) }

  mutating func failed(_ error: any Error) {
    if error.isTimeout { limit = max(Self.least, limit / 2) }
  }
}
