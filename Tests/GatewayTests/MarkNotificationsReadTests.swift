import Foundation
import NotificationModel
import Testing

@testable import Gateway

@Suite struct MarkNotificationsReadTests {
  private let id = "019a8b7c-6d5e-7f40-8123-456789abcdef"

  private func read(_ body: String) throws -> [NotificationID]? {
    try MarkNotificationsRead.read(from: Array(body.utf8))
  }

  @Test(arguments: ["", "{}", #"{"ids":null}"#])
  func `without ids it means all`(_ body: String) throws {
    #expect(try read(body) == nil)
  }

  @Test func `ids mean these, each once, and an empty list means none`() throws {
    #expect(try read(#"{"ids":["\#(id)","\#(id.uppercased())"]}"#)?.map(\.description) == [id])
    #expect(try read(#"{"ids":[]}"#) == [])
  }

  @Test(arguments: [#"{"ids":["x"]}"#, #"{"ids":"all"}"#, #"{"ids":[1]}"#, "[]", "x", " "])
  func `what cannot be read never means all`(_ body: String) {
    #expect(throws: ValidationError.self) { try read(body) }
  }

  @Test func `at most a thousand are taken`() {
    let many = (0...1_000).map { _ in "\"\(NotificationID(request: RequestID(now: .now), recipient: UserID(UUID())))\""
    }
    #expect(throws: ValidationError.self) { try read("{\"ids\":[\(many.joined(separator: ","))]}") }
  }
}
