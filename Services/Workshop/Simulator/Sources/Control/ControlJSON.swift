import Foundation
import BelfryJSON

/// The JSON of the control API.
enum ControlJSON {
  static func write(_ record: PushRecord, project: String, to writer: inout JSONWriter) {
    let message = record.message
    writer.object { writer in
      writer.field("sequence", record.sequence)
      writer.field("receivedAt", timestamp(record.receivedAt))
      writer.field("messageName", "projects/\(project)/messages/\(record.messageID)")
      switch message.target {
      case .token(let token): writer.field("token", token)
      case .fid(let fid): writer.field("fid", fid)
      case .topic(let topic): writer.field("topic", topic)
      case .condition(let condition): writer.field("condition", condition)
      }
      writer.nullableField("notificationId", message.notificationID)
      writer.nullableField("collapseKey", message.collapseKey)
      writer.nullableField("apnsCollapseId", message.apnsCollapseID)
      writer.nullableField("tag", message.tag)
      writer.nullableField("webTag", message.webTag)
      writer.key("message")
      writer.raw(record.json)
    }
  }

  static func write(_ summary: PushLog.Summary, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("accepted", summary.accepted)
      writer.field("kept", summary.kept)
      writer.field("dropped", summary.dropped)
      writer.field("distinctNotifications", summary.distinct)
      writer.field("duplicates", summary.duplicates)
      writer.field("duplicatesWithDifferentCollapseID", summary.differing)
      writer.field("untracked", summary.untracked)
      writer.object("attempts") { writer in
        for (name, count) in summary.attempts.sorted(by: { $0.key < $1.key }) { writer.dynamicField(name, count) }
      }
    }
  }

  static func write(_ subscription: TopicSubscription, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("sequence", subscription.sequence)
      writer.field("createdAt", subscription.createdAt.rfc3339)
      writer.field("registration", subscription.registration)
      writer.field("topic", subscription.topic)
    }
  }

  static func write(_ record: MailRecord, to writer: inout JSONWriter) {
    let envelope = record.envelope
    writer.object { writer in
      writer.field("sequence", record.sequence)
      writer.field("receivedAt", timestamp(record.receivedAt))
      writer.field("from", envelope.sender)
      writer.array("recipients") { writer in
        for recipient in envelope.recipients { writer.string(recipient) }
      }
      writer.field("client", envelope.client)
      writer.field("encrypted", envelope.isEncrypted)
      writer.nullableField("user", envelope.user)
      writer.nullableField("subject", record.headers["Subject"].map(EncodedWords.decode))
      writer.nullableField("messageId", record.headers["Message-ID"])
      writer.array("headers") { writer in
        for field in record.headers.fields {
          writer.object { writer in
            writer.field("name", field.name)
            writer.field("value", field.value)
          }
        }
      }
      writer.field("raw", String(decoding: envelope.message, as: UTF8.self))
    }
  }

  static func write(_ summary: MailLog.Summary, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("accepted", summary.accepted)
      writer.field("kept", summary.kept)
      writer.field("dropped", summary.dropped)
      writer.field("distinctMessages", summary.distinct)
      writer.field("duplicates", summary.duplicates)
      writer.object("replies") { writer in
        for (code, count) in summary.replies.sorted(by: { $0.key < $1.key }) { writer.dynamicField("\(code)", count) }
      }
    }
  }

  static func write(_ fault: Fault, to writer: inout JSONWriter) {
    let effect = fault.effect
    writer.object { writer in
      writer.field("id", fault.id)
      writer.object("match") { writer in
        writer.field("channel", fault.match.channel.rawValue)
        if let target = fault.match.target {
          writer.field(fault.match.channel == .email ? "recipient" : "token", target)
        }
        if let share = fault.match.share { writer.field("share", share) }
      }
      writer.object("effect") { writer in
        writer.field("kind", effect.kind.rawValue)
        if let value = effect.milliseconds { writer.field("milliseconds", value) }
        if let value = effect.retryAfter { writer.field("retryAfter", value) }
        if let value = effect.status { writer.field("status", value) }
        writer.optionalField("scope", effect.scope?.rawValue)
        if let value = effect.smtpCode { writer.field("smtpCode", value) }
        writer.optionalField("enhancedCode", effect.enhancedCode)
        writer.optionalField("text", effect.text)
        if fault.match.channel == .email { writer.field("stage", effect.stage.rawValue) }
        if effect.accepts { writer.field("accepts", true) }
      }
      writer.members([
        JSONMember("times", fault.remaining.map { $0 + fault.hits }), JSONMember("remaining", fault.remaining),
      ])
      writer.field("hits", fault.hits)
    }
  }

  private static func timestamp(_ milliseconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(milliseconds) / 1_000).rfc3339
  }
}
