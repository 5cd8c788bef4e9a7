public import Broker
import TerminalText

/// A dead-lettered message as an operator sees it.
public struct DeadMessage: Sendable {
  public let message: BrokerMessage

  public init(_ delivery: BrokerDelivery) {
    self.init(delivery.message)
  }

  public init(_ message: BrokerMessage) {
    self.message = message
  }

  /// By which commands know it: its AMQP message id, or a hash of its body where there is none to type.
  public var id: String {
    if let id = message.messageID, !id.isEmpty, id == id.escapedForTerminal() { return id }
    // FNV-1a: not for security, only to tell a few messages apart, and the same at each look.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in message.body { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return "body-\(String(hash, radix: 16))"
  }

  public var reason: String {
    text(DeadLetter.reasonHeader) ?? text("x-first-death-reason").map { "dead-lettered by the broker: \($0)" }
      ?? "no reason given"
  }

  /// What a header says, as text; nil if there is none.
  public func text(_ header: String) -> String? {
    message.headers[header].map(Self.plain)
  }

  public static func plain(_ value: BrokerValue) -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    default: "\(value)"
    }
  }
}
