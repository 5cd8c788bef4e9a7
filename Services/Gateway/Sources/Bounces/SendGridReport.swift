import Cryptography
import Foundation
import BelfryJSON
import MailReports
import NotificationStore

/// Reads SendGrid's signed event webhook: ECDSA over timestamp and body.
enum SendGridReport {
  private static let maximumEvents = 5_000

  /// - Parameters:
  ///   - signature: DER in base64, of `X-Twilio-Email-Event-Webhook-Signature`.
  ///   - timestamp: Seconds, of `X-Twilio-Email-Event-Webhook-Timestamp`.
  static func check(
    _ bytes: [UInt8],
    signature: String?,
    timestamp: String?,
    _ keys: [PublicKey],
    at now: Date
  ) throws(BounceRefusal) {
    guard let timestamp, timestamp.utf8.count <= 20, let seconds = Int64(timestamp), let signature,
      signature.utf8.count <= 200, let code = Data(base64Encoded: signature)
    else { throw .forged("it has no signature") }
    let content = Array(timestamp.utf8) + bytes
    guard keys.contains(where: { $0.isValid(der: Array(code), of: content) }) else {
      throw .forged("its signature is wrong")
    }
    try ProofTime.check(Date(timeIntervalSince1970: TimeInterval(seconds)), at: now)
  }

  static func events(_ bytes: [UInt8]) throws(BounceRefusal) -> [BounceEvent] {
    guard let entries = (try? JSONParser.report(bytes))?.array else { throw .unreadable("it is no JSON array") }
    guard entries.count <= maximumEvents else { throw .unreadable("it has more than \(maximumEvents) events") }
    return entries.compactMap { entry in
      guard let address = entry["email"]?.string, let finding = finding(entry) else { return nil }
      let traces = [
        entry["smtp-id"]?.string.map { String($0.drop { $0 == "<" }.prefix { $0 != ">" }) }
          .flatMap(DeliveryStore.MailTrace.of(messageID:)),
        // What follows names the machine that went on with it.
        entry["sg_message_id"]?.string.map { String($0.prefix { $0 != "." }) }
          .flatMap(DeliveryStore.MailTrace.of(providerID:)),
      ].compactMap(\.self)
      return BounceEvent(
        finding: finding,
        recipients: [address],
        traces: traces,
        diagnostic: entry["reason"]?.string ?? entry["event"]?.string,
        reported: entry["timestamp"]?.double.map(Date.init(timeIntervalSince1970:))
      )
    }
  }

  private static func finding(_ entry: JSONValue) -> BounceEvent.Finding? {
    let (reason, status) = (entry["reason"]?.string, entry["status"]?.string)
    switch entry["event"]?.string {
    case "spamreport": return .complaint
    case "bounce":
      guard entry["type"]?.string != "blocked" else { return .failure(.notTheAddress(code: status ?? "blocked")) }
      return .failure(.confirmed(status: status, diagnostic: reason))
    case "dropped":
      // On SendGrid's own lists already.
      switch reason {
      case "Bounced Address": return .failure(.permanent(code: "5.1.1"))
      case "Spam Reporting Address": return .complaint
      default: return nil
      }
    default: return nil
    }
  }
}
