import Foundation
import Testing

@testable import BelfrySender

@Suite struct BulkTests {
  private static let ids = (0..<3).map { "01a1fca2-310f-756e-8d6a-d49da1198ee\($0)" }
  private static let wrong = SendRequest(to: .group(""), type: 99)

  private static func accepted(_ index: Int) -> String {
    #"{"index":\#(index),"status":"accepted","requestId":"\#(ids[index])"}"#
  }

  private static func unavailable(_ index: Int) -> String {
    #"{"index":\#(index),"status":"unavailable","errors":[{"field":"items[\#(index)]","message":"not tried"}]}"#
  }

  private static func answer(_ results: String...) -> TransportResponse {
    TransportResponse(200, #"{"results":[\#(results.joined(separator: ","))]}"#)
  }

  @Test func `one that is wrong does not affect the others, and each result is in its place`() async throws {
    let transport = InMemoryTransport(Self.answer(Self.accepted(1), Self.accepted(0)))
    let results = try await BelfrySender.testing(transport).send([.hello, Self.wrong, .hello.title("Again")])
    #expect(results.count == 3)
    #expect(results[0].accepted?.requestID.uuidString.lowercased() == Self.ids[0])
    #expect(results[1] == .invalid([FieldError("to.group", "must not be empty")]))
    #expect(results[2].accepted?.requestID.uuidString.lowercased() == Self.ids[1])
    let body = try #require(transport.asked.first?.body)
    let expected = #"{"items":[\#(try SendRequest.hello.text()),\#(try SendRequest.hello.title("Again").text())]}"#
    #expect(String(decoding: body, as: UTF8.self) == expected)
  }

  @Test func `nothing is sent where all are wrong, or none is there`() async throws {
    let transport = InMemoryTransport(TransportResponse(500))
    let sender = try BelfrySender.testing(transport)
    #expect(try await sender.send([Self.wrong]).map(\.accepted) == [nil])
    #expect(try await sender.send([SendRequest]()).isEmpty)
    #expect(transport.asked.isEmpty)
  }

  @Test func `what the broker did not confirm is tried again with the same key and body`() async throws {
    let transport = InMemoryTransport(
      Self.answer(Self.accepted(0), Self.unavailable(1)),
      Self.answer(Self.accepted(0), Self.accepted(1))
    )
    let results = try await BelfrySender.testing(transport).send([.hello, .hello])
    #expect(results.allSatisfy { $0.accepted != nil })
    #expect(transport.asked.count == 2)
    #expect(Set(transport.headers("Idempotency-Key")).count == 1)
    #expect(Set(transport.asked.map(\.body)).count == 1)
  }

  @Test func `what was accepted is answered even if the rest never is`() async throws {
    let partial = Self.answer(Self.accepted(0), Self.unavailable(1))
    for transport in [InMemoryTransport(partial), InMemoryTransport(partial, TransportResponse(503))] {
      let results = try await BelfrySender.testing(transport, retries: RetryPolicy(attempts: 3)).send([.hello, .hello])
      #expect(transport.asked.count == 3)
      #expect(results[0].accepted != nil)
      #expect(results[1] == .unavailable([FieldError("items[1]", "not tried")]))
    }
  }

  @Test func `an answer without all results is asked for again`() async throws {
    let transport = InMemoryTransport(Self.answer(Self.accepted(0)), Self.answer(Self.accepted(0), Self.accepted(1)))
    #expect(try await BelfrySender.testing(transport).send([.hello, .hello]).count == 2)
    #expect(transport.asked.count == 2)
  }

  @Test func `a call has at most a thousand sends, and eight MiB`() async throws {
    let transport = InMemoryTransport(TransportResponse(500))
    let sender = try BelfrySender.testing(transport)
    let many = [SendRequest](repeating: .hello, count: 1_001)
    #expect(try await failure { _ = try await sender.send(many) }.fields.map(\.field) == ["items"])
    let large = [SendRequest](repeating: .hello.body(String(repeating: "é", count: 4_000)), count: 1_000)
    let users = Audience.users((0..<1_000).map { "a user with a long name \($0)" })
    let larger = large.map { _ in SendRequest(to: users, type: 99) }
    #expect(try await failure { _ = try await sender.send(larger) }.code == .invalid)
    #expect(transport.asked.isEmpty)
  }
}
