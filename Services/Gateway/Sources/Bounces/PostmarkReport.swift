import Foundation
import BelfryJSON
import MailReports
import NotificationStore

/// Reads Postmark's webhooks of bounces and spam complaints; basic authentication is their proof.
enum PostmarkReport {
  /// - Parameter authorization: The header.
  static func check(_ authorization: String?, _ credentials: [String]) throws(BounceRefusal) {
    guard let authorization, authorization.lowercased().hasPrefix("basic "),
      let given = Data(base64Encoded: authorization.dropFirst(6).trimmingCharacters(in: .whitespaces)),
      credentials.contains(where: { isSame(Array($0.utf8), Array(given)) })
    else { throw .forged("user or password is wrong") }
  }

  /// How long it looks tells nobody anything about the right one.
  private static func isSame(_ right: [UInt8], _ given: [UInt8]) -> Bool {
    guard right.count == given.count else { return false }
    return zip(right, given).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  static func events(_ bytes: [UInt8]) throws(BounceRefusal) -> [BounceEvent] {
    guard let json = try? JSONParser.report(bytes), json.members != nil else {
      throw .unreadable("it is no JSON object")
    }
    guard let record = json["RecordType"]?.string else { throw .unreadable("RecordType is missing") }
    guard record == "Bounce" || record == "SpamComplaint" else { return [] }
    guard let address = json["Email"]?.string else { throw .unreadable("Email is missing") }
    let details = json["Details"]?.string ?? json["Description"]?.string
    guard let finding = finding(record, json["Type"]?.string, details) else { return [] }
    let traces = [DeliveryStore.MailTrace.of(providerID: json["MessageID"]?.string)].compactMap(\.self)
    return [BounceEvent(finding: finding, recipients: [address], traces: traces, diagnostic: details)]
  }

  private static func finding(_ record: String, _ type: String?, _ details: String?) -> BounceEvent.Finding? {
    switch (record, type) {
    case ("SpamComplaint", _), ("Bounce", "SpamComplaint"): .complaint
    case ("Bounce", "HardBounce"):
      .failure(.confirmed(status: nil, diagnostic: details))
    case ("Bounce", "BadEmailAddress"): .failure(.permanent(code: "5.1.3"))
    case ("Bounce", "Transient"), ("Bounce", "SoftBounce"), ("Bounce", "DnsError"), ("Bounce", "Undeliverable"):
      .failure(.soft(code: "4.0.0"))
    case ("Bounce", "SpamNotification"), ("Bounce", "Blocked"), ("Bounce", "DMARCPolicy"),
      ("Bounce", "VirusNotification"):
      .failure(.notTheAddress(code: type ?? ""))
    // Answers of machines, unsubscriptions at Postmark, and what Postmark does not know.
    default: nil
    }
  }
}
