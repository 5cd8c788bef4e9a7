import BenchmarkComparison
import Cryptography

/// The encryption of messages to browsers, beside what OpenSSL alone takes for it on a core, and beside pywebpush.
struct EncryptionSuite {
  let bench: Bench

  private static let turns = 5

  func measure() async throws {
    let count = bench.options.seconds * 500
    var (own, bare, kept): ([Double], [Double], [Double]) = ([], [], [])
    // In turns: the machine's speed varies more within seconds than what is compared here differs.
    for _ in 0..<Self.turns {
      own.append(try await Self.encrypt(count))
      bare.append(try await Self.encryptBare(count))
      kept.append(try await Self.encryptBare(count, withKeyPair: false))
    }
    guard let each = FigureComparison.median(own), let least = FigureComparison.median(bare),
      let withoutKeyPairs = FigureComparison.median(kept)
    else { return }
    let measurement = Measurement(
      .encryption,
      "messages to browsers encrypted, on a core",
      1_000_000 / each,
      "/s",
      limit: ("OpenSSL's bare key pair, ECDH and AES-GCM", 1_000_000 / least),
      budget: .shareAtLeast(0.7)
    )
    bench.add(measurement)
    // Nobody may encrypt so: what a key pair for each message costs can be seen beside it.
    bench.add(
      Measurement(
        .encryption,
        "the same beside OpenSSL with one key pair for all",
        measurement.value,
        "/s",
        limit: ("OpenSSL's bare ECDH and AES-GCM, no key pairs", 1_000_000 / withoutKeyPairs)
      )
    )
    await bench.add(
      Measurement(.encryption, "the same beside pywebpush", measurement.value, "/s"),
      beside: "pywebpush"
    ) {
      let other = try await ForeignSender.run("pywebpush_rate.py", ["--count", "\(bench.options.seconds * 100)"])
      return 1_000_000 / other.microsecondsEach
    }
  }

  /// Processor time of OpenSSL for one message, in microseconds.
  static func bare(_ seconds: Int) async throws -> Double {
    var bare: [Double] = []
    for _ in 0..<turns { bare.append(try await encryptBare(seconds * 500)) }
    return FigureComparison.median(bare) ?? .infinity
  }

  private static func encryptBare(_ count: Int, withKeyPair: Bool = true) async throws -> Double {
    let point = try point()
    return try await Threads.run { _ in
      try OpenSSLLoop.measure(WebPushLimit.text, to: point, count: count, withKeyPair: withKeyPair)
    }[0]
  }

  /// Each for another browser, whose point is read as well.
  private static func encrypt(_ count: Int) async throws -> Double {
    let point = try point()
    let secret = randomBytes(16)
    return try await Threads.run { _ in
      let started = OwnThread.cpuSeconds
      for _ in 0..<count {
        let receiver = try PublicKey(p256: point)
        let message = try PushMessageEncryption.encrypt(WebPushLimit.text, for: receiver, secret: secret)
        guard message.count == WebPushLimit.text.count + PushMessageEncryption.overhead else {
          throw BenchError("a message of \(message.count) bytes")
        }
      }
      return (OwnThread.cpuSeconds - started) * 1_000_000 / Double(count)
    }[0]
  }

  private static func point() throws -> [UInt8] {
    guard let point = try PrivateKey(.p256).publicKey.point else { throw BenchError("a key without a point") }
    return point
  }
}
