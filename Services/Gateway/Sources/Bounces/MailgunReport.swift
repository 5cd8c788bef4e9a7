import Cryptography
import Foundation
import BelfryJSON
import MailReports
import NotificationStore

/// Reads Mailgun's webhooks: HMAC with SHA-256 over timestamp and token.
enum MailgunReport {
  /// - Returns: The token, which counts once.
  static func check(_ json: JSONValue, _ keys: [HMACSHA256], at now: Date) throws(BounceRefusal) -> String {
    let proof = json["signature"]
    let text = proof?["timestamp"]?.string ?? proof?["timestamp"]?.integer.map(String.init)
    guard let text, text.utf8.count <= 20, let seconds = Int64(text), let token = proof?["token"]?.string,
      (20...200).contains(token.utf8.count), let code = proof?["signature"]?.string.flatMap(bytes(hexadecimal:))
    else { throw .forged("it has no signature") }
    guard keys.contains(where: { $0.isValid(code, of: Array((text + token).utf8)) }) else {
      throw .forged("its signature is wrong")
    }
    try ProofTime.check(Date(timeIntervalSince1970: TimeInterval(seconds)), at: now)
    return token
  }

  private static func bytes(hexadecimal text: String) -> [UInt8]? {
    let digits = Array(text.utf8).map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 2 * SHA256.byteCount, digits.allSatisfy({ $0 != nil }) else { return nil }
    let values = digits.compactMap(\.self)
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }

  static func events(_ json: JSONValue) throws(BounceRefusal) -> [BounceEvent] {
    guard let data = json["event-data"], let event = data["event"]?.string else {
      throw .unreadable("event-data or its event is missing")
    }
    guard event == "failed" || event == "complained" else { return [] }
    guard let address = data["recipient"]?.string else { throw .unreadable("recipient is missing") }
    let status = data["delivery-status"]
    let words = [status?["message"]?.string, status?["description"]?.string].compactMap(\.self).filter { !$0.isEmpty }
    let diagnostic = ([status?["code"]?.integer.map(String.init)].compactMap(\.self) + words).joined(separator: " ")
    let traces = [
      data["message"]?["headers"]?["message-id"]?.string.map { String($0.drop { $0 == "<" }.prefix { $0 != ">" }) }
        .flatMap(DeliveryStore.MailTrace.of(messageID:))
    ].compactMap(\.self)
    return [
      BounceEvent(
        finding: event == "complained" ? .complaint : .failure(verdict(data, status, diagnostic)),
        recipients: [address],
        traces: traces,
        diagnostic: diagnostic.isEmpty ? event : diagnostic,
        reported: data["timestamp"]?.double.map(Date.init(timeIntervalSince1970:))
      )
    ]
  }

  private static func verdict(_ data: JSONValue, _ status: JSONValue?, _ diagnostic: String) -> BounceVerdict {
    let code = status?["enhanced-code"]?.string
    guard data["severity"]?.string == "permanent" else {
      return .soft(code: code.flatMap { EnhancedStatus(leading: $0)?.text } ?? "4.0.0")
    }
    // "suppress-bounce" and the like: on Mailgun's own list already. Code 605 is its own.
    switch data["reason"]?.string {
    case "suppress-bounce": return .permanent(code: "5.1.1")
    case "suppress-complaint", "suppress-unsubscribe", "espblock", "old": return .notTheAddress(code: code ?? "5.0.0")
    default: return .confirmed(status: code, diagnostic: diagnostic)
    }
  }
}
