import Foundation
import BelfryJSON

/// What the page is sent of mails that arrived.
enum ActivityJSON {
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

  static func time(_ milliseconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(milliseconds) / 1_000).rfc3339
  }
}

extension MailRecord {
  /// Belfry's Message-IDs begin with the notification's id.
  var notificationID: String? {
    headers["Message-ID"].flatMap { id in
      id.firstMatch(of: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/).map { String($0.0) }
    }
  }
}
