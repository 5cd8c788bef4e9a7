import Retrying
import Testing

@Suite struct BackoffTests {
  @Test func `pauses double up to the longest and never fall below half of their step`() {
    for _ in 0..<50 {
      var backoff = Backoff(first: .milliseconds(100), longest: .milliseconds(1_000))
      for step in [100, 200, 400, 800, 1_000, 1_000, 1_000] {
        let pause = backoff.next()
        #expect(pause >= .milliseconds(step) / 2)
        #expect(pause <= .milliseconds(step))
      }
    }
  }

  @Test func `pauses differ, so that callers do not come back together`() {
    let pauses = Set(
      (0..<20).map { _ in
        var backoff = Backoff()
        return backoff.next()
      }
    )
    #expect(pauses.count > 10)
  }

  @Test func `a cancelled pause ends at once`() async {
    let task = Task {
      var backoff = Backoff(first: .seconds(3_600), longest: .seconds(3_600))
      try await backoff.pause()
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
