import HTTPTypes
import NotificationModel
import Testing

@testable import Gateway

/// Routes of one app's older API under a catalogue that lacks what they are about.
@Suite struct AbsentPathTests {
  private static let path = "/api/v1/notification-preferences"
  private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options]

  @Test func `only those are left out, and the built-in catalogue leaves out none`() throws {
    let all = try TestGateway.routes().map(\.name)
    let older = ["GET \(Self.path)", "PUT \(Self.path)"]
    #expect(Set(older).isSubset(of: all))
    for catalogue in [OwnCatalogue.empty, OwnCatalogue.shop] {
      #expect(try TestGateway.routes(catalogue.get()).map(\.name) == all.filter { !older.contains($0) })
    }
    #expect(try TestGateway.routes(OwnCatalogue.switches.get()).map(\.name) == all)
    #expect(try TestGateway.routes(Catalogue(overrides: "version: 1\nbuiltIn: true")).map(\.name) == all)
  }

  @Test(arguments: methods)
  func `whatever the method and whoever asks, it is 404, and says what is missing`(_ method: HTTPRequest.Method)
    async throws
  {
    let catalogue = try OwnCatalogue.shop.get()
    try await TestGateway.withoutDatabase(catalogue: catalogue) { gateway in
      for caller in [nil, try await Caller.user()] {
        let answer = try await gateway.call(method, Self.path, as: caller)
        #expect(answer.headers[.allow] == nil)
        guard method != .head else {
          #expect(answer.status == .notFound && answer.body.isEmpty)
          continue
        }
        try answer.expectProblem("not-found", .notFound)
        let detail = try #require(try answer.json()["detail"] as? String)
        for part in ["'Tasks'", "'Balance & Transactions'", "type LowBalanceWarning", "'lowBalanceThreshold'"] {
          #expect(detail.contains(part), "\(detail)")
        }
      }
    }
  }

  @Test func `a path beside it is unknown without a reason`() async throws {
    let catalogue = try OwnCatalogue.shop.get()
    try await TestGateway.withoutDatabase(catalogue: catalogue) { gateway in
      let answer = try await gateway.call(.get, "\(Self.path)/1")
      try answer.expectProblem("not-found", .notFound)
      #expect(try answer.json()["detail"] == nil)
    }
  }

  @Test func `an operator who declares all of it has the switches`() async throws {
    let catalogue = try OwnCatalogue.switches.get()
    try await TestGateway.with(catalogue: catalogue) { gateway in
      let ann = try await Caller.user()
      let shown = try await gateway.call(.get, Self.path, as: ann).expect(.ok)
      #expect(try shown.json()["lowBalanceThreshold"] as? Int == 5)
      let off = shown.text.replacing(#""inAppChores":true"#, with: #""inAppChores":false"#)
      #expect(try await gateway.call(.put, Self.path, as: ann, body: off).expect(.ok).text == off)
      try await gateway.call(.delete, Self.path, as: ann).expectProblem("method-not-allowed", .methodNotAllowed)
    }
  }
}
