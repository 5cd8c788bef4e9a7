import Broker
import Foundation
import NotificationQueue
import TestSupport

/// Dead-lettered messages such as any client may have made of them: headers of every kind and size, or none, and bodies that are no
/// text, no JSON, or ours but damaged. The same in every run.
struct HostileLetters {
  private var random: SplitMix64
  private let bodies: [[UInt8]]
  private let headers: [String]

  private static let headers = [
    DeadLetter.reasonHeader, DeadLetter.originHeader, DeadLetter.exchangeHeader, DeadLetter.routingKeyHeader,
    DeadLetter.attemptsHeader, DeadLetter.timeHeader, "traceparent", "queue", "routing-keys", "n", "ünïcode",
  ]
  /// Where brokers keep their own account.
  private static let accounts = ["x-death", "x-first-death-reason", "x-delivery-count"]
  private static let texts = [
    "", "because", "line\nbreak", "\u{1B}[2J", "\u{0}", "\u{2028}", "\u{9B}31m", "\u{202E}", "🧨", "event",
    "belfry.ingest", String(repeating: "x", count: 4_000),
  ]
  private static let numbers: [Int64] = [.min, -1, 0, 1, 32_768, .max]
  private let fractions: [Double]

  /// - Parameter isSent: Without what no broker can have passed on: Erlang has no infinity and no NaN, and RabbitMQ closes the
  ///   connection of who sends one, or a count of deaths in a form of its own.
  init(seed: UInt64, isSent: Bool = false) throws {
    random = SplitMix64(seed: seed)
    fractions = [-.greatestFiniteMagnitude, 0.1] + (isSent ? [] : [.infinity, .nan])
    headers = Self.headers + (isSent ? [] : Self.accounts)
    var dispatch = try SampleMessages.dispatch()
    dispatch.recheck = false
    bodies = [
      QueueCoder.encode(dispatch), QueueCoder.encode(try SampleMessages.chunk()),
      Array(#"{"to":{"group":"family:1"},"type":12}"#.utf8),
    ]
  }

  /// - Parameter largest: Of a body that is random throughout.
  mutating func next(largest: Int) -> BrokerMessage {
    var message = BrokerMessage(
      body: body(largest: largest),
      messageID: pick(["", "m-\(random.below(1_000))", "line\nbreak", "\u{1B}[2J", "a\u{2066}b", "🧨", "two words"]),
      type: pick(["belfry.push", "belfry.chunk", "\u{0}"]),
      appID: pick(["app", "\n"]),
      isPersistent: random.below(2) == 0
    )
    for _ in 0..<random.below(8) { message.headers[headers[random.below(headers.count)]] = value(depth: 3) }
    return message
  }

  private mutating func pick(_ values: [String]) -> String? {
    random.below(4) == 0 ? nil : values[random.below(values.count)]
  }

  private mutating func body(largest: Int) -> [UInt8] {
    switch random.below(4) {
    case 0: []
    case 1: random.bytes(random.below(largest))
    case 2: bodies[random.below(bodies.count)]
    default: random.mutated(bodies[random.below(bodies.count)])
    }
  }

  private mutating func value(depth: Int) -> BrokerValue {
    switch random.below(depth == 0 ? 7 : 9) {
    case 0: .string(Self.texts[random.below(Self.texts.count)])
    case 1: .integer(Self.numbers[random.below(Self.numbers.count)])
    case 2: .boolean(random.below(2) == 0)
    case 3: .double(fractions[random.below(fractions.count)])
    case 4: .timestamp(Date(timeIntervalSince1970: [0, -1, 1e10, 1.8e19][random.below(4)]))
    case 5: .bytes(random.bytes(random.below(64)))
    case 6: .null
    case 7: .array((0..<random.below(4)).map { _ in value(depth: depth - 1) })
    default:
      .table(
        (0..<random.below(4)).reduce(into: [:]) { table, _ in
          table[headers[random.below(headers.count)]] = value(depth: depth - 1)
        }
      )
    }
  }
}
