import DevelopmentControl
import Foundation
import JSON

/// What the page is sent of what arrived.
enum ActivityJSON {
  /// Fields of a push.
  static func write(_ record: PushRecord, to writer: inout JSONWriter) {
    // What was accepted is a JSON object.
    let message = (try? JSONParser.parse(record.json)) ?? .object([])
    let data = message["data"]
    let aps = message["apns"]?["payload"]?["aps"]
    writer.field("sequence", record.sequence)
    writer.field("at", time(record.receivedAt))
    writer.field("token", record.message.target.text)
    writer.nullableField("notificationId", record.message.notificationID)
    if let type = data?["type"]?.string.flatMap({ Int($0) }) { writer.field("type", type) }
    // Without a notification the app shows what the data has.
    let shown = message["notification"] ?? data
    writer.nullableField("title", shown?["title"]?.string)
    writer.nullableField("body", shown?["body"]?.string)
    writer.nullableField("collapseId", record.message.collapseID)
    writer.field("urgent", aps?["interruption-level"]?.string == "time-sensitive")
    writer.field("again", record.repetition != .none)
    // Anew, for it may have come in several lines.
    writer.key("message")
    writer.value(message)
  }

  /// Fields of a mail.
  static func write(_ record: MailRecord, to writer: inout JSONWriter) {
    let content = MailContent(record.envelope.message)
    writer.field("sequence", record.sequence)
    writer.field("at", time(record.receivedAt))
    writer.field("from", record.headers["From"].map(EncodedWords.decode) ?? record.envelope.sender)
    writer.array("to") { writer in
      for recipient in record.envelope.recipients { writer.string(recipient) }
    }
    writer.nullableField("subject", record.headers["Subject"].map(EncodedWords.decode))
    writer.nullableField("messageId", record.headers["Message-ID"])
    writer.nullableField("notificationId", record.notificationID)
    writer.field("text", content.text ?? "")
    writer.field("html", content.html != nil)
    writer.field("again", record.repetition != .none)
  }

  /// Fields of a push that was not accepted.
  static func writeRefusal(_ message: PushMessage, _ effect: FaultEffect, at: Int64, to writer: inout JSONWriter) {
    writer.field("at", time(at))
    writer.field("token", message.target.text)
    writer.nullableField("notificationId", message.notificationID)
    if let status = effect.failure?.httpStatus { writer.field("status", status) }
    writer.field("words", words(effect))
  }

  private static func words(_ effect: FaultEffect) -> String {
    guard let failure = effect.failure else { return "no answer (\(effect.kind.rawValue))" }
    return "\(failure.httpStatus) \(failure.errorCode ?? failure.status)"
  }

  static func time(_ milliseconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(milliseconds) / 1_000).rfc3339
  }
}

extension PushMessage {
  /// What a later message replaces this one by.
  fileprivate var collapseID: String? { apnsCollapseID ?? tag ?? webTag ?? collapseKey }
}

extension MailRecord {
  /// Belfry's Message-IDs begin with the notification's id.
  var notificationID: String? {
    headers["Message-ID"].flatMap { id in
      id.firstMatch(of: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/).map { String($0.0) }
    }
  }
}
