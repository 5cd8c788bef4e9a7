import NotificationQueue

/// The push dispatcher's Web Push, fed from a full queue, beside other clients of the simulator's push service.
///
/// libcurl's loop sends a message that was encrypted beforehand: what the dispatcher takes longer for is encryption for the most
/// part, of which ``EncryptionSuite`` tells what it takes at least.
struct WebPushSuite {
  let bench: Bench

  private static let browsers = 10_000

  func measure() async throws {
    let limit = try await WebPushLimit(bench)
    let drain = PushDrain(
      bench: bench,
      suite: .webpush,
      feed: try PushFeed(bench, try await .webPush(Self.browsers, bench)),
      limit: { try await limit.loop(bench.options.seconds * 1_000) }
    )
    let figures = try await drain.measure(bench.options.seconds * 20)
    bench.add(
      Measurement(
        .webpush,
        PushDrain.what,
        figures.perSecond,
        "/s",
        limit: ("libcurl loop, same simulator, nothing encrypted", figures.limit.perSecond)
      )
    )
    let bare = try await EncryptionSuite.bare(bench.options.seconds)
    bench.add(
      Measurement(
        .webpush,
        "push dispatcher: CPU of a push",
        figures.microsecondsEach,
        "µs",
        limit: ("libcurl loop, and OpenSSL's bare key pair, ECDH and AES-GCM", figures.limit.microsecondsEach + bare),
        // On a core: seven tenths of the limit's rate.
        budget: .ratioAtMost(1 / 0.7)
      )
    )
    await bench.add(.webpush, figures, beside: "pywebpush") {
      try await limit.pywebpush(bench.options.seconds * 50)
    }
    try await bench.simulator.reset()
  }
}
