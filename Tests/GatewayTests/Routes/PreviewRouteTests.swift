import Authentication
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

/// `POST /api/v1/admin/preview`
@Suite struct PreviewRouteTests {
  /// A value that is allowed, and too long for the words around it.
  private static let long = String(repeating: "a", count: 3_950)

  private func ask(_ body: String, _ gateway: TestGateway) async throws -> Answer {
    try await gateway.call(.post, "/api/v1/admin/preview", as: .service("ops", role: .admin), body: body)
  }

  @Test func `a type is worded on each channel, and nobody is notified`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await ask(
        #"{"type":"AllowanceDeposit","data":{"amount":"$5.00","balance":"$47.00"},"locale":"en-GB"}"#,
        gateway
      ).expect(.ok)
      let words =
        #"{"title":"Allowance Received!","#
        + #""body":"Your weekly allowance of $5.00 has been deposited. New balance: $47.00"}"#
      #expect(
        answer.text.hasPrefix(
          #"{"type":10,"typeName":"AllowanceDeposit","locale":"en","channels":"#
            + #"{"inApp":\#(words),"push":\#(words),"email":\#(words)},"mail":{"subject":"Allowance Received!","text":""#
        )
      )
      #expect(answer.text.contains(#""html":"<!DOCTYPE html>"#))
      #expect(gateway.ingested.isEmpty)
    }
  }

  @Test func `without data the type's example is filled in`() async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await ask(#"{"type":"GiftReceived"}"#, gateway).expect(.ok)
      #expect(answer.text.contains(#""body":"Grandma sent you $20.00!""#), "\(answer.text)")
      #expect(
        try await ask(#"{"type":"GiftReceived","data":{}}"#, gateway).expectProblem("validation", .badRequest).count
          == 2
      )
    }
  }

  @Test(arguments: [
    (#"{"type":10,"data":{"amount":"$5.00"}}"#, ["data.balance"]), (#"{"type":9999}"#, ["type"]),
    (#"{"type":12,"locale":"no locale"}"#, ["locale"]), (#"{"type":12,"Locale":"de"}"#, ["Locale"]),
    (#"{"type":10,"data":{"amount":"\#(long)","balance":"$1"}}"#, ["body"]),
  ])
  func `what a send would be refused for is refused, by name`(_ body: String, _ fields: [String]) async throws {
    try await TestGateway.withoutDatabase { gateway in
      let answer = try await ask(body, gateway)
      #expect(try answer.expectProblem("validation", .badRequest) == fields)
    }
  }
}
