import Foundation
import BelfryJSON
import MailReports
import NotificationModel
import NotificationStore
import TestSupport
import Testing

@testable import Gateway

/// Webhooks of providers, as django-anymail reads them too; see `bounce_judge.py`.
@Suite struct BounceJudgeTests {
  private struct Judged: Decodable {
    struct Event: Decodable {
      let type: String
      let recipient: String
      let id: String?
    }

    let name: String
    let events: [Event]
  }

  private static let id = "019a8b7c-6d5e-7f40-8123-456789abcdef"
  private static let sesID = "0102018f0c1d2e3f-4a5b6c7d-000000"

  /// Provider, webhook, and what it says: kind and id.
  private static let webhooks: [(provider: String, json: String)] = [
    (
      "ses",
      """
      {"notificationType":"Bounce","bounce":{"bounceType":"Permanent","bounceSubType":"General","bouncedRecipients":\
      [{"emailAddress":"ann@example.net","action":"failed","status":"5.1.1","diagnosticCode":"smtp; 550 5.1.1 no"}],\
      "timestamp":"2026-11-28T10:00:00.000Z","feedbackId":"f"},"mail":{"messageId":"\(sesID)","destination":\
      ["ann@example.net"],"tags":{}}}
      """
    ),
    (
      "ses",
      """
      {"notificationType":"Complaint","complaint":{"complainedRecipients":[{"emailAddress":"ann@example.net"}],\
      "complaintFeedbackType":"abuse","timestamp":"2026-11-28T10:00:00.000Z","feedbackId":"f"},\
      "mail":{"messageId":"\(sesID)","destination":["ann@example.net"],"tags":{}}}
      """
    ),
    (
      "postmark",
      """
      {"RecordType":"Bounce","ID":42,"Type":"HardBounce","TypeCode":1,"MessageID":"883953f4-6105-42a2-a16a-77a8eac79483",\
      "Email":"ann@example.net","Details":"smtp;550 5.1.1 unknown","BouncedAt":"2026-11-28T10:00:00Z"}
      """
    ),
    (
      "postmark",
      """
      {"RecordType":"SpamComplaint","ID":42,"Type":"SpamComplaint","TypeCode":512,"MessageID":\
      "883953f4-6105-42a2-a16a-77a8eac79483","Email":"ann@example.net","BouncedAt":"2026-11-28T10:00:00Z"}
      """
    ),
    (
      "sendgrid",
      """
      [{"email":"ann@example.net","event":"bounce","type":"bounce","status":"5.1.1","reason":"550 5.1.1 unknown",\
      "smtp-id":"<\(id)@example.com>","timestamp":1795860000,"sg_event_id":"e"}]
      """
    ),
    (
      "sendgrid",
      #"[{"email":"ann@example.net","event":"spamreport","smtp-id":"<\#(id)@example.com>","timestamp":1795860000}]"#
    ),
    (
      "mailgun",
      """
      {"signature":{"timestamp":"1795860000","token":"t","signature":"s"},"event-data":{"event":"failed","severity":\
      "permanent","reason":"bounce","recipient":"ann@example.net","timestamp":1795860000.5,"message":{"headers":\
      {"message-id":"\(id)@example.com"}},"delivery-status":{"code":550,"message":"5.1.1 unknown"}}}
      """
    ),
    (
      "mailgun",
      """
      {"signature":{"timestamp":"1795860000","token":"t","signature":"s"},"event-data":{"event":"complained",\
      "recipient":"ann@example.net","timestamp":1795860000.5,"message":{"headers":{"message-id":"\(id)@example.com"}}}}
      """
    ),
  ]

  private static func ours(_ provider: String, _ json: String) throws -> [BounceEvent] {
    switch provider {
    case "ses": try SESReport.events(json)
    case "postmark": try PostmarkReport.events(Array(json.utf8))
    case "sendgrid": try SendGridReport.events(Array(json.utf8))
    default: try MailgunReport.events(try JSONParser.parse(Array(json.utf8)))
    }
  }

  @Test func `the judge reads kind, recipient and id as we do`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "belfry-judge-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let lines = Self.webhooks.enumerated().map { number, one in
      #"{"name":"\#(number)","provider":"\#(one.provider)","webhook":\#(one.json)}"#
    }
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    let judged = try Python.lines(of: "Tests/MailReportsTests/bounce_judge.py", [file.path]).map {
      try JSONDecoder().decode(Judged.self, from: $0)
    }
    try #require(judged.count == Self.webhooks.count)
    for (judged, webhook) in zip(judged, Self.webhooks) {
      let place = "\(webhook.provider): \(webhook.json)"
      let ours = try Self.ours(webhook.provider, webhook.json)
      #expect(ours.count == judged.events.count, "\(place)")
      for (ours, theirs) in zip(ours, judged.events) {
        #expect(ours.recipients == [theirs.recipient], "\(place)")
        #expect((ours.finding == .complaint) == (theirs.type == "complained"), "\(place)")
        if ours.finding != .complaint { #expect(ours.finding == .failure(.permanent(code: "5.1.1")), "\(place)") }
        let id = theirs.id?.drop { $0 == "<" }.prefix { $0 != ">" && $0 != "@" }
        let trace = ours.traces.first
        #expect((trace?.notification?.description ?? trace?.providerID) == id.map(String.init), "\(place)")
      }
    }
  }
}
