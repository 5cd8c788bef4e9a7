/// Pauses between attempts to connect: doubling from 100 ms to 5 s, each shortened by up to half at random, so that
/// many clients of a restarted broker don't return all at once.
struct ReconnectBackoff {
  private var ceiling: Duration = .milliseconds(100)

  mutating func next() -> Duration {
    let pause = ceiling * Double.random(in: 0.5...1)
    ceiling = min(ceiling * 2, .seconds(5))
    return pause
  }

  mutating func reset() { self = ReconnectBackoff() }
}
