/// Spreads waits, so that what failed together does not come back together: each is any between nothing, or what the provider
/// asks for, and the whole.
struct FullJitter: Sendable {
  /// A number from 0 to 1.
  private let random: @Sendable () -> Double

  init(random: @escaping @Sendable () -> Double = { .random(in: 0...1) }) {
    self.random = random
  }

  /// One that spreads nothing any more: for what is to stay together.
  func once() -> FullJitter {
    let part = random()
    return FullJitter { part }
  }

  /// - Parameter least: Never less than that.
  func wait(upTo longest: Duration, least: Duration = .zero) -> Duration {
    guard longest > least else { return least }
    return least + (longest - least) * random()
  }
}
