import Broker
import Foundation
import NotificationQueue
import TerminalText

/// A parked message as an operator sees it.
struct DeadMessage {
  let message: BrokerMessage

  init(_ delivery: BrokerDelivery) {
    message = delivery.message
  }

  /// By which `show` and `redrive` know it: its AMQP message id, or a hash of its body where there is none to type.
  var id: String {
    if let id = message.messageID, !id.isEmpty, id == id.escapedForTerminal() { return id }
    // FNV-1a: not for security, only to tell a few messages apart, and the same at each look.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in message.body { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return "body-\(String(hash, radix: 16))"
  }

  var reason: String {
    text(DeadLetter.reasonHeader) ?? text("x-first-death-reason").map { "dead-lettered by the broker: \($0)" }
      ?? "no reason given"
  }

  /// One line.
  var summary: String {
    let attempts = text(DeadLetter.attemptsHeader) ?? "?"
    return "\(id)  \(text(DeadLetter.timeHeader) ?? "")  attempts \(attempts)  \(reason)".escapedForTerminal()
  }

  /// Everything.
  var details: String {
    var lines = ["id: \(id)", "reason: \(reason)", "type: \(message.type ?? "-")", "app: \(message.appID ?? "-")"]
    for (name, value) in message.headers.sorted(by: { $0.key < $1.key }) where name != DeadLetter.reasonHeader {
      lines.append("\(name): \(Self.plain(value))")
    }
    lines.append("body (\(message.body.count) bytes):")
    let body = String(decoding: message.body.prefix(16_384), as: UTF8.self)
    return (lines.map { $0.escapedForTerminal() } + [body.escapedForTerminal(except: ["\n", "\t"])])
      .joined(separator: "\n")
  }

  private func text(_ header: String) -> String? {
    message.headers[header].map(Self.plain)
  }

  private static func plain(_ value: BrokerValue) -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    default: "\(value)"
    }
  }
}
