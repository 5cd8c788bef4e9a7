import Broker
import Foundation
import BelfryJSON
import NotificationQueue
import TerminalText

extension DeadMessage {
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

  /// Everything, for programs.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("id", id)
      writer.field("reason", reason)
      writer.nullableField("messageType", message.type)
      writer.nullableField("appId", message.appID)
      writer.object("headers") { writer in
        for (name, value) in message.headers.sorted(by: { $0.key < $1.key }) {
          writer.dynamicField(name, Self.plain(value))
        }
      }
      if let body = String(validating: message.body, as: UTF8.self) {
        writer.field("body", body)
      } else {
        writer.field("bodyBase64", Data(message.body).base64EncodedString())
      }
    }
    return writer.bytes
  }
}
