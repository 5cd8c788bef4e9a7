import Foundation
import JSON
import NotificationModel
import Testing
import WallClock

@testable import Gateway

/// What documents show as a request is one: the gateway's own readers take it.
@Suite struct ExampleTests {
  private static let catalogue = Result { try Catalogue() }

  /// What stands in documents and is sent to nobody, by a member that only it has.
  private static let answers = ["errors", "unreadCount", "lastUsedAt", "types", "recipients", "key"]
  /// What the simulator takes.
  private static let elsewhere = ["match"]

  /// Reads a request as the gateway does; false if it is none that is known here.
  private func read(_ text: String) throws -> Bool {
    let catalogue = try Self.catalogue.get()
    let bytes = Array(text.utf8)
    let json = try JSONParser.parse(bytes)
    func has(_ names: String...) -> Bool { names.contains { json[$0] != nil } }
    if has("to"), has("recurrence", "due", "template") {
      _ = try FieldReader.read(ScheduleDefinition.self, from: bytes)
        .resolve(in: catalogue, startingOn: try #require(LocalDate("2026-11-22")))
    } else if has("to") {
      _ = try FieldReader.read(SendRequest.self, from: bytes).resolve(in: catalogue)
    } else if has("items") {
      // The first is a send; what is wrong with another is told by itself.
      let items = try FieldReader.read(BulkController.Items.self, from: bytes).values
      _ = try FieldReader.read(SendRequest.self, from: items[0]).resolve(in: catalogue)
    } else if has("userId"), has("title") {
      let test = try FieldReader.read(SendTestNotification.self, from: bytes)
      _ = try FieldReader.read(SendRequest.self, from: test.send).resolve(in: catalogue)
    } else if has("payload") {
      _ = try FieldReader.read(EventReport.self, from: bytes).resolve(in: catalogue, now: .now)
    } else if has("inAppTransactions") {
      _ = try FieldReader.read(UpdateCoarseSettings.self, from: bytes)
    } else if has("startTime") {
      _ = try FieldReader.read(UpdateQuietHours.self, from: bytes)
    } else if has("members") {
      _ = try FieldReader.read(GroupController.PutMembers.self, from: bytes)
    } else if has("displayName") {
      _ = try FieldReader.read(PutUser.self, from: bytes)
    } else if has("token") {
      _ = try FieldReader.read(RegisterDevice.self, from: bytes)
    } else if has("type"), has("locale") {
      _ = try FieldReader.read(Preview.self, from: bytes).render(in: catalogue)
    } else if has("preferences") {
      // What GET answers can be put back.
      try preferences(bytes)
    } else {
      return (Self.answers + Self.elsewhere).contains { has($0) }
    }
    return true
  }

  private func preferences(_ bytes: [UInt8]) throws {
    try FieldReader.read(UpdatePreferences.self, from: bytes).validate(in: try Self.catalogue.get(), at: .now)
  }

  @Test func `what a document shows as JSON is taken by who would get it`() throws {
    let examples = try Example.all(language: "json")
    #expect(examples.count >= 18)
    for example in examples {
      do {
        #expect(try read(example.text), "nobody here takes \(example.testDescription)")
      } catch {
        Issue.record("\(example.testDescription): \(error)")
      }
    }
  }

  @Test func `what a document shows as a request is taken`() throws {
    let requests = try Example.all(language: "").compactMap(\.request)
    #expect(requests.count >= 3)
    for request in requests {
      switch (request.method, request.path) {
      case ("PUT", "/api/v1/notifications/preferences"): try preferences(Array(request.body.utf8))
      default: #expect(try read(request.body), "nobody here takes \(request)")
      }
    }
  }
}
