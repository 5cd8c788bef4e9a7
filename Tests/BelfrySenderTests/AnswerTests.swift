import Foundation
import Testing

@testable import BelfrySender

@Suite struct AnswerTests {
  private static let id = TransportResponse.requestID
  private static let schedule = """
    {"key":"rent","to":{"users":["ann"]},"type":"Rent","title":"Rent","data":{"what":"Rent","n":1,"none":null},\
    "due":"2026-11-30","time":"09:00","reminders":[{"offset":"-P3D"}],"new":{"member":1},\
    "next":["2026-11-27T09:00:00.000Z"],"nextIsComplete":true,\
    "createdAt":"2026-11-21T05:44:10.609Z","updatedAt":"2026-11-21T05:44:10Z"}
    """

  @Test func `a request goes where it belongs`() async throws {
    let transport = InMemoryTransport(.accepted)
    let sender = try BelfrySender.testing(transport, gateway: "https://example.com/notify/")
    try await sender.send(.hello)
    let request = try #require(transport.asked.first)
    #expect(request.method == "POST")
    #expect(request.url.absoluteString == "https://example.com/notify/api/v1/notifications")
    #expect(request.headers["Content-Type"] == "application/json")
  }

  @Test(arguments: [
    "ftp://example.com", "https://", "https://example.com?a=b", "https://user@example.com", "example.com",
  ])
  func `an address that is none is refused`(address: String) {
    #expect(throws: SenderError.self) { try BelfrySender.testing(InMemoryTransport(.accepted), gateway: address) }
  }

  @Test func `a problem names the fields`() async throws {
    let body = """
      {"type":"urn:belfry:problem:validation","title":"The request is invalid","status":400,\
      "errors":[{"field":"data.balance","message":"is required"}]}
      """
    let transport = InMemoryTransport(TransportResponse(400, body, headers: ["X-Request-Id": "r-1"]))
    let error = try await failure { try await BelfrySender.testing(transport).send(.hello) }
    #expect(error.code == .refused)
    #expect(error.problem?.kind == .validation)
    #expect(error.problem?.requestID == "r-1")
    #expect(error.fields == [FieldError("data.balance", "is required")])
    #expect(error.description.contains("data.balance: is required"))
  }

  @Test func `an answer that is not Belfry's is said to be foreign`() async throws {
    for answer in [TransportResponse(200, "<html>"), TransportResponse(302), TransportResponse(404, "<html>")] {
      let error = try await failure { try await BelfrySender.testing(InMemoryTransport(answer)).send(.hello) }
      #expect(error.code == .foreignAnswer)
    }
  }

  @Test func `a scheduled send and an event are told apart from a send`() async throws {
    let scheduled = TransportResponse(202, #"{"requestId":"\#(Self.id)","status":"scheduled"}"#)
    let transport = InMemoryTransport(scheduled, .accepted)
    let sender = try BelfrySender.testing(transport)
    #expect(try await sender.send(.hello).isScheduled)
    let event = try await sender.report(EventReport("E", payload: ["n": 1]))
    #expect(event.eventID == UUID(uuidString: Self.id))
    #expect(transport.asked.map(\.url.path) == ["/api/v1/notifications", "/api/v1/events"])
  }

  @Test func `the status of a request has its numbers, and is nil before it is routed`() async throws {
    let body = """
      {"requestId":"\(Self.id)","status":"accepted","recipients":3,"isComplete":true,"channels":{"push":\
      {"delivered":1,"pending":0,"held":1,"failed":1,"skipped":{"preferenceOff":2}}}}
      """
    let transport = InMemoryTransport(.problem(404, "not-found"), TransportResponse(200, body))
    let sender = try BelfrySender.testing(transport)
    let id = try #require(UUID(uuidString: Self.id))
    #expect(try await sender.status(of: id) == nil)
    let status = try #require(try await sender.status(of: id))
    #expect(status.state == .accepted)
    #expect(status.recipients == 3)
    #expect(status.channels["push"]?.held == 1)
    #expect(status.channels["push"]?.skipped == ["preferenceOff": 2])
    #expect(transport.asked.last?.url.path == "/api/v1/requests/\(Self.id)")
    #expect(transport.headers("Idempotency-Key") == [nil, nil])
  }

  @Test func `the status of a push to a topic has its outcome`() async throws {
    let body = """
      {"requestId":"\(Self.id)","status":"accepted","recipients":0,"isComplete":true,"channels":{},"topicDelivery":\
      {"audience":"topic","target":"news","outcome":"pending","reason":null,"providerId":null,"attempts":1,"at":null}}
      """
    let id = try #require(UUID(uuidString: Self.id))
    let status = try await BelfrySender.testing(InMemoryTransport(TransportResponse(200, body))).status(of: id)
    #expect(status?.topicDelivery?.outcome == "pending")
    #expect(status?.topicDelivery?.attempts == 1)
  }

  @Test func `a request is cancelled and withdrawn`() async throws {
    let body = #"{"cancelledCount":1,"withdrawnCount":3,"isComplete":true,"status":"accepted"}"#
    let transport = InMemoryTransport(TransportResponse(200, body))
    let id = try #require(UUID(uuidString: Self.id))
    let cancellation = try await BelfrySender.testing(transport).cancel(id, withdrawing: true)
    #expect(cancellation.withdrawnCount == 3)
    #expect(transport.asked.first?.method == "DELETE")
    #expect(transport.asked.first?.url.query == "withdraw=true")
  }

  @Test func `a schedule is put under its key, with its condition, and has its version`() async throws {
    let transport = InMemoryTransport(TransportResponse(201, Self.schedule, headers: ["ETag": "\"1\""]))
    let sender = try BelfrySender.testing(transport)
    let definition = ScheduleDefinition(to: .user("ann"), type: "Rent", .recurring(.daily(), at: "09:00"))
    let stored = try await sender.put(definition, as: "a/b c?", if: .absent)
    #expect(stored.version == "\"1\"")
    #expect(stored.type == .name("Rent"))
    #expect(stored.data == ["what": "Rent", "n": 1])
    #expect(stored.due == "2026-11-30")
    #expect(stored.next == [Date(timeIntervalSince1970: 1_795_770_000)])
    _ = try await sender.put(definition, as: "rent", if: .version("\"1\""))
    #expect(transport.asked.first?.url.absoluteString.hasSuffix("/api/v1/schedules/a%2Fb%20c%3F") == true)
    #expect(transport.headers("If-None-Match") == ["*", nil])
    #expect(transport.headers("If-Match") == [nil, "\"1\""])
    #expect(transport.headers("Idempotency-Key").allSatisfy { $0 != nil })
  }

  @Test(arguments: ["", ".", "..", "a\u{0}", String(repeating: "x", count: 129)])
  func `a key that is none is refused`(key: String) async throws {
    let transport = InMemoryTransport(TransportResponse(204))
    let error = try await failure { try await BelfrySender.testing(transport).cancelSchedule(key) }
    #expect(error.fields.first?.field == "key")
    #expect(transport.asked.isEmpty)
  }

  @Test func `schedules come in pages`() async throws {
    let transport = InMemoryTransport(TransportResponse(200, #"{"schedules":[\#(Self.schedule)],"hasMore":true}"#))
    let page = try await BelfrySender.testing(transport).schedules(after: "bins & more", count: 1)
    #expect(page.hasMore)
    #expect(page.schedules.map(\.key) == ["rent"])
    #expect(transport.asked.first?.url.query(percentEncoded: true) == "pageSize=1&after=bins%20%26%20more")
  }

  @Test func `a schedule is ended once, also if the answer is lost`() async throws {
    let missing = TransportResponse.problem(404, "not-found")
    func ended(_ answers: InMemoryTransport) async throws -> Bool {
      try await BelfrySender.testing(answers).cancelSchedule("bins")
    }
    #expect(try await ended(InMemoryTransport(TransportResponse(204))))
    #expect(try await !ended(InMemoryTransport(missing)))
    #expect(try await !ended(InMemoryTransport(TransportResponse(429), missing)))
    let lost = InMemoryTransport { _, number in
      if number == 0 { throw BrokenConnection() }
      return missing
    }
    #expect(try await ended(lost))
  }
}
