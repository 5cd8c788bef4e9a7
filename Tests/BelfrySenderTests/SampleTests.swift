import BelfrySender
import Foundation
import TestSupport
import Testing

/// The page's samples are those that are compiled here, and do what they say.
@Suite struct SampleTests {
  @Test func `the page shows the sample as it is compiled`() throws {
    let sample = try Repository.text("Tests/BelfrySenderTests/Samples/Shop.swift")
    let shown = try DocumentExample.all(in: "docs/swift-sender.md").filter { $0.language == "swift" }.map(\.text)
    #expect(shown.contains(sample))
  }

  @Test func `the sample sends under the order's key, and keeps a schedule`() async throws {
    let transport = InMemoryTransport { request, _ in
      switch request.method {
      case "POST": .accepted
      case "PUT":
        TransportResponse(
          201,
          """
          {"key":"offers-ann","to":{"users":["ann"]},"next":[],"nextIsComplete":true,\
          "createdAt":"2026-11-21T05:44:10.609Z","updatedAt":"2026-11-21T05:44:10.609Z"}
          """
        )
      default: TransportResponse(204)
      }
    }
    let gateway = try #require(URL(string: "https://belfry.example.com"))
    let shop = try Shop(gateway: gateway, key: "belfry_1", transport: transport)
    try await shop.orderPaid(17, by: "ann", amount: "$5.00")
    try await shop.remind("ann")
    try await shop.remindNoMore("ann")
    #expect(transport.asked.map(\.method) == ["POST", "PUT", "DELETE"])
    #expect(transport.headers("Idempotency-Key").first == "order-17-paid")
    let body = try #require(transport.asked.first?.body)
    let expected = """
      {"data":{"amount":"$5.00","number":"17"},"relatedEntityId":"17","relatedEntityType":"Order",\
      "to":{"users":["ann"]},"type":"OrderPaid"}
      """
    #expect(String(decoding: body, as: UTF8.self) == expected)
  }
}
