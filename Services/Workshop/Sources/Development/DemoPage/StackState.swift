import Foundation
import BelfryJSON
import NotificationModel
import NotificationQueue
import WallClock

/// How the whole stack stands at one moment.
struct StackState: Sendable, Equatable {
  struct Rung: Sendable, Equatable {
    let channel: String
    /// Whose pushes wait on it; nil of a channel that does not go by providers.
    let provider: String?
    /// `bulk` of bulk mails; nil of all others.
    let stream: String?
    let delay: Duration
    let queue: String
    var waiting = 0
  }

  struct Queue: Sendable, Equatable {
    let name: String
    let queue: String
    var waiting = 0
  }

  struct Service: Sendable, Equatable {
    let name: String
    let service: String
    let isUp: Bool
    let restarts: Int
  }

  struct Held: Sendable, Equatable {
    let user: String
    let notification: String
    let request: String
    let channel: String
    let type: Int
    let label: String
    let reason: String
    let until: Date
    let words: String
  }

  struct Clock: Sendable, Equatable {
    let user: String
    let timezone: String
    /// Where somebody is who is not at home, as people call it.
    let place: String?
    /// `HH:mm`
    let time: String
    let isQuiet: Bool
    let quietFrom: String?
    let quietUntil: String?
  }

  var ladder: [Rung]
  var queues: [Queue]
  var dead: [Queue]
  var services: [Service] = []
  var held: [Held] = []
  var clocks: [Clock] = []
  var ledger = DemoLedger()
  /// By which push services know people's phones and browsers, by user.
  var addresses: [String: String] = [:]
  /// Grows with each catalogue that the page is about, over starts as well: what it showed before is gone.
  var story = 0
  /// Whether the documentation is built.
  var hasDocs = false

  /// Nothing anywhere.
  init(ladder: RetryLadder) {
    self.ladder = WorkQueue.allCases.flatMap { channel in
      ladder.tiers.map { tier in
        Rung(
          channel: channel.channel.name,
          provider: channel.carrier?.rawValue,
          stream: channel.stream == .bulk ? MailStream.bulk.rawValue : nil,
          delay: tier.delay,
          queue: tier.queue(of: channel)
        )
      }
    }
    queues =
      WorkQueue.allCases.map { Queue(name: $0.label, queue: $0.name) }
      + [Queue(name: "ingest", queue: Topology.ingestQueue)]
    dead = DeadQueue.allCases.map { Queue(name: $0.rawValue, queue: $0.name) }
  }

  var queueNames: [String] { ladder.map(\.queue) + queues.map(\.queue) + dead.map(\.queue) }

  /// - Parameter depths: By the queue's name.
  mutating func take(_ depths: [String: Int]) {
    for index in ladder.indices { ladder[index].waiting = depths[ladder[index].queue] ?? 0 }
    for index in queues.indices { queues[index].waiting = depths[queues[index].queue] ?? 0 }
    for index in dead.indices { dead[index].waiting = depths[dead[index].queue] ?? 0 }
  }

  /// Whether something waits in the broker.
  var isBusy: Bool { (ladder.map(\.waiting) + queues.map(\.waiting)).contains { $0 > 0 } }

  // MARK: JSON

  func json(at now: Date) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("at", now.rfc3339)
      writer.field("docs", hasDocs)
      writer.field("story", story)
      writer.array("ladder") { writer in
        for rung in ladder {
          writer.object { writer in
            writer.field("channel", rung.channel)
            writer.nullableField("provider", rung.provider)
            writer.optionalField("stream", rung.stream)
            writer.field("step", rung.label)
            writer.field("seconds", rung.delay / .seconds(1))
            writer.field("waiting", rung.waiting)
          }
        }
      }
      Self.write("queues", queues, to: &writer)
      Self.write("dead", dead, to: &writer)
      writer.array("services") { writer in
        for service in services {
          writer.object { writer in
            writer.field("name", service.name)
            writer.field("service", service.service)
            writer.field("up", service.isUp)
            writer.field("restarts", service.restarts)
          }
        }
      }
      writer.array("held") { writer in
        for held in held { held.write(to: &writer) }
      }
      writer.array("clocks") { writer in
        for clock in clocks { clock.write(to: &writer) }
      }
      writer.object("ledger") { writer in
        for channel in Channel.allCases {
          writer.dynamicKey(channel.name)
          ledger.entries[channel, default: DemoLedger.Entry()].write(to: &writer)
        }
      }
      // Of the ledger's pushes.
      writer.object("pushes") { writer in
        for carrier in DevicePlatform.Carrier.allCases {
          writer.dynamicKey(carrier.rawValue)
          ledger.pushes[carrier, default: DemoLedger.Entry()].write(to: &writer)
        }
      }
      writer.array("devices") { writer in
        for (user, address) in addresses.sorted(by: { $0.key < $1.key }) {
          writer.object { writer in
            writer.field("user", user)
            writer.field("address", address)
          }
        }
      }
    }
    return writer.text
  }

  private static func write(_ name: StaticString, _ queues: [Queue], to writer: inout JSONWriter) {
    writer.array(name) { writer in
      for queue in queues {
        writer.object { writer in
          writer.field("name", queue.name)
          writer.field("waiting", queue.waiting)
        }
      }
    }
  }
}

extension DemoLedger.Entry {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("due", due)
      writer.field("arrived", arrived)
      writer.field("waiting", waiting)
      writer.field("refused", refused)
      writer.field("leftOut", leftOut)
      writer.field("twice", twice)
    }
  }
}

extension StackState.Rung {
  /// `10 s`, `30 min`
  var label: String {
    let seconds = delay / .seconds(1)
    if seconds >= 60, seconds.truncatingRemainder(dividingBy: 60) == 0 { return "\(Int(seconds) / 60) min" }
    return seconds >= 1 && seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(Int(seconds * 1_000)) ms"
  }
}

extension StackState.Held {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("user", user)
      writer.field("notificationId", notification)
      writer.field("requestId", request)
      writer.field("channel", channel)
      writer.field("type", type)
      writer.field("label", label)
      writer.field("reason", reason)
      writer.field("until", until.rfc3339)
      writer.field("words", words)
    }
  }
}

extension StackState.Clock {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("user", user)
      writer.field("timezone", timezone)
      writer.optionalField("place", place)
      writer.field("time", time)
      writer.field("quiet", isQuiet)
      writer.optionalField("quietFrom", quietFrom)
      writer.optionalField("quietUntil", quietUntil)
    }
  }
}
