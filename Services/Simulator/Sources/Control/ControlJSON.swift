import Foundation

/// The JSON of the control API.
enum ControlJSON {
  static func write(_ record: PushRecord, project: String, to writer: inout JSONBuilder) {
    let message = record.message
    writer.beginObject()
    writer.member("sequence", record.sequence)
    writer.member("receivedAt", timestamp(record.receivedAt))
    writer.member("messageName", "projects/\(project)/messages/\(record.messageID)")
    switch message.target {
    case .token(let token): writer.member("token", token)
    case .fid(let fid): writer.member("fid", fid)
    case .topic(let topic): writer.member("topic", topic)
    case .condition(let condition): writer.member("condition", condition)
    }
    writer.member("notificationId", message.notificationID)
    writer.member("collapseKey", message.collapseKey)
    writer.member("apnsCollapseId", message.apnsCollapseID)
    writer.member("tag", message.tag)
    writer.member("webTag", message.webTag)
    writer.member("message", json: record.json)
    writer.endObject()
  }

  static func write(_ summary: PushLog.Summary, to writer: inout JSONBuilder) {
    writer.beginObject()
    writer.member("accepted", summary.accepted)
    writer.member("kept", summary.kept)
    writer.member("dropped", summary.dropped)
    writer.member("distinctNotifications", summary.distinct)
    writer.member("duplicates", summary.duplicates)
    writer.member("duplicatesWithDifferentCollapseID", summary.differing)
    writer.member("untracked", summary.untracked)
    writer.beginObject("attempts")
    for (name, count) in summary.attempts.sorted(by: { $0.key < $1.key }) { writer.member(name, count) }
    writer.endObject()
    writer.endObject()
  }

  static func write(_ subscription: TopicSubscription, to writer: inout JSONBuilder) {
    writer.beginObject()
    writer.member("sequence", subscription.sequence)
    writer.member("createdAt", subscription.createdAt.rfc3339)
    writer.member("registration", subscription.registration)
    writer.member("topic", subscription.topic)
    writer.endObject()
  }

  static func write(_ record: MailRecord, to writer: inout JSONBuilder) {
    let envelope = record.envelope
    writer.beginObject()
    writer.member("sequence", record.sequence)
    writer.member("receivedAt", timestamp(record.receivedAt))
    writer.member("from", envelope.sender)
    writer.member("recipients", envelope.recipients)
    writer.member("client", envelope.client)
    writer.member("encrypted", envelope.isEncrypted)
    writer.member("user", envelope.user)
    writer.member("subject", record.headers["Subject"].map(EncodedWords.decode))
    writer.member("messageId", record.headers["Message-ID"])
    writer.beginArray("headers")
    for field in record.headers.fields {
      writer.beginObject()
      writer.member("name", field.name)
      writer.member("value", field.value)
      writer.endObject()
    }
    writer.endArray()
    writer.member("raw", String(decoding: envelope.message, as: UTF8.self))
    writer.endObject()
  }

  static func write(_ summary: MailLog.Summary, to writer: inout JSONBuilder) {
    writer.beginObject()
    writer.member("accepted", summary.accepted)
    writer.member("kept", summary.kept)
    writer.member("dropped", summary.dropped)
    writer.member("distinctMessages", summary.distinct)
    writer.member("duplicates", summary.duplicates)
    writer.beginObject("replies")
    for (code, count) in summary.replies.sorted(by: { $0.key < $1.key }) { writer.member("\(code)", count) }
    writer.endObject()
    writer.endObject()
  }

  static func write(_ fault: Fault, to writer: inout JSONBuilder) {
    let effect = fault.effect
    writer.beginObject()
    writer.member("id", fault.id)
    writer.beginObject("match")
    writer.member("channel", fault.match.channel.rawValue)
    if let target = fault.match.target {
      writer.member(fault.match.channel == .email ? "recipient" : "token", target)
    }
    if let share = fault.match.share { writer.member("share", share) }
    writer.endObject()
    writer.beginObject("effect")
    writer.member("kind", effect.kind.rawValue)
    if let value = effect.milliseconds { writer.member("milliseconds", value) }
    if let value = effect.retryAfter { writer.member("retryAfter", value) }
    if let value = effect.status { writer.member("status", value) }
    if let value = effect.smtpCode { writer.member("smtpCode", value) }
    if let value = effect.enhancedCode { writer.member("enhancedCode", value) }
    if let value = effect.text { writer.member("text", value) }
    if fault.match.channel == .email { writer.member("stage", effect.stage.rawValue) }
    if effect.accepts { writer.member("accepts", true) }
    writer.endObject()
    writer.member("times", fault.remaining.map { $0 + fault.hits })
    writer.member("remaining", fault.remaining)
    writer.member("hits", fault.hits)
    writer.endObject()
  }

  private static func timestamp(_ milliseconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(milliseconds) / 1_000).rfc3339
  }
}
