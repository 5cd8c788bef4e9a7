import Foundation
import NotificationModel
import Testing

@testable import Gateway

@Suite struct NotificationSelectionTests {
  private let id = "019a8b7c-6d5e-7f40-8123-456789abcdef"

  private func read(_ body: String) throws -> [NotificationID]? {
    try NotificationSelection.read(from: Array(body.utf8))
  }

  @Test(arguments: ["", "{}", #"{"notificationIds":null}"#])
  func `without ids it means all`(_ body: String) throws {
    #expect(try read(body) == nil)
  }

  @Test func `ids mean these, each once, and an empty list means none`() throws {
    #expect(try read(#"{"notificationIds":["\#(id)","\#(id.uppercased())"]}"#)?.map(\.description) == [id])
    #expect(try read(#"{"notificationIds":[]}"#) == [])
  }

  @Test(arguments: [
    #"{"notificationIds":["x"]}"#, #"{"notificationIds":"all"}"#, #"{"notificationIds":[1]}"#, "[]", "x", " ",
  ])
  func `what cannot be read never means all`(_ body: String) {
    #expect(throws: ValidationError.self) { try read(body) }
  }

  @Test(arguments: ["ids", "notificationIDs", "NotificationIds", "userIds"])
  func `a member of another name is refused by name and never means all`(_ name: String) {
    let refused = #expect(throws: ValidationError.self) { try read("{\"\(name)\":[\"\(id)\"]}") }
    #expect(refused?.errors == [FieldError(name, "is not a known field")])
  }

  @Test func `at most a thousand are taken`() {
    let many = (0...1_000).map { _ in "\"\(NotificationID(request: RequestID(now: .now), recipient: UserID(UUID())))\""
    }
    #expect(throws: ValidationError.self) { try read("{\"notificationIds\":[\(many.joined(separator: ","))]}") }
  }
}
