import Foundation
import Testing
import Transport

@testable import ConsoleCommands

/// What somebody at a terminal is told to do where the gateway does not answer, or answers no.
@Suite struct GatewayAdviceTests {
  private func refusal(_ status: Int, _ body: String) -> String {
    GatewayRefusal(call: "POST /api/v1/admin/explain", status: status, body: body).description
  }

  private func problem(_ field: String, _ message: String) -> String {
    #"{"title":"The request is invalid","errors":[{"field":"\#(field)","message":"\#(message)"}]}"#
  }

  @Test(arguments: [
    (TransportError.Code.cannotConnect, "belfry-dev run"), (.timeout, "/health/ready"),
    (.connectionLost, "/health/ready"),
    (.tls, "certificate"), (.invalidRequest("url"), "http://127.0.0.1:8080"),
  ])
  func `where no answer comes, the address and what to look at are named`(_ code: TransportError.Code, _ advice: String)
  {
    let words = CommandFailure(asking: "http://gateway", saidBy: CommandFailure.address, failed: code, "no answer")
      .description
    #expect(words.contains("http://gateway") && words.contains(advice))
    #expect(words.contains("BELFRY_CLI_GATEWAY_URL") && words.contains("--gateway"))
  }

  @Test(arguments: [TransportError.Code.cannotConnect, .invalidRequest("url")])
  func `credentials in an address are not repeated`(_ code: TransportError.Code) {
    for (address, shown) in [
      ("https://ops:p@ss@gateway/belfry", "https://gateway/belfry"), ("http://gateway/@x", "http://gateway/@x"),
      ("ops:secret", "ops:secret"),
    ] {
      let words = CommandFailure(asking: address, saidBy: CommandFailure.address, failed: code, "no answer").description
      #expect(words.contains(shown) && !words.contains("p@ss"))
    }
  }

  @Test func `who names a type or an event that there is not is told where they are listed`() {
    for (field, message) in [
      ("type", "Hello is not in the catalogue"), ("event.name", "'Hello' is not an event of the catalogue"),
      ("data.amount", "is required by the template of AllowanceDeposit"),
    ] {
      let words = refusal(400, problem(field, message))
      #expect(words.contains("  \(field): \(message)\n") && words.contains("`belfry types`"))
    }
    #expect(!refusal(400, problem("at", "expected a time")).contains("belfry types"))
  }

  @Test func `what no gateway says is shown as it came, with where it came from`() {
    #expect(refusal(404, "<html>not here</html>").hasSuffix("<html>not here</html>\n" + Self.notBelfry))
    #expect(!refusal(404, #"{"title":"There is no such resource"}"#).contains("Is that"))
  }

  @Test func `only the gateway's own refusals have a kind`() {
    func kind(_ body: String) -> String? {
      GatewayRefusal(call: "POST /api/v1/webhooks/bounces/mail", status: 400, body: body).kind
    }
    #expect(kind(#"{"type":"urn:belfry:problem:malformed","title":"It cannot be read"}"#) == "malformed")
    for body in [
      "", "<html>400</html>", "{}", #"{"title":"malformed"}"#, #"{"type":"malformed","title":"malformed"}"#,
      #"{"type":"urn:ietf:problem:malformed","title":"malformed"}"#,
    ] { #expect(kind(body) == nil) }
  }

  @Test func `who meets a fault of the gateway is told what its log knows it by`() {
    let body = #"{"title":"Something went wrong; it has been logged","status":500}"#
    let refusal = GatewayRefusal(call: "GET /api/v1/admin/stats", status: 500, body: body, requestID: "r\u{1B}")
    #expect(refusal.description.hasSuffix("logged\nThe gateway's log says why: look for r\\u{1b}."))
    #expect(self.refusal(500, body).hasSuffix("\nThe gateway's log says why."))
  }

  @Test(arguments: [("POST /api/v1/admin/explain", "admin"), ("POST /api/v1/notifications", "service")])
  func `a refused token is answered with how to get the right one`(_ call: String, _ role: String) {
    for status in [401, 403] {
      let refusal = GatewayRefusal(call: call, status: status, body: "no")
      #expect(refusal.description.contains("belfry token --role \(role)"))
    }
  }

  private static let notBelfry = "Is that Belfry's gateway? See --gateway or BELFRY_CLI_GATEWAY_URL."
}
