import Foundation
import BelfryJSON
import NotificationModel
import Testing

/// What is said of names that the catalogue does not have.
@Suite struct UnknownNameTests {
  private let catalogue: Catalogue

  init() throws { catalogue = try Catalogue() }

  @Test func `a type gets the name that was meant, a code none`() {
    #expect(
      catalogue.unknown(type: .name("AlowanceDeposit"))
        == "'AlowanceDeposit' is not in the catalogue; did you mean AllowanceDeposit?"
    )
    #expect(catalogue.unknown(type: .name("Nonsense")) == "'Nonsense' is not in the catalogue")
    #expect(catalogue.unknown(type: .code(9_999)) == "9999 is not in the catalogue")
    let long = String(repeating: "x", count: 100_000)
    #expect(catalogue.unknown(type: .name(long)).utf8.count < 100)
  }

  @Test func `events, categories and settings too`() throws {
    let event = try #require(catalogue.events.first?.name)
    #expect(
      catalogue.unknown(event: event + "x") == "'\(event)x' is not an event of the catalogue; did you mean \(event)?"
    )
    #expect(catalogue.unknown(category: "Task") == "'Task' is not a category of the catalogue; did you mean Tasks?")
    #expect(catalogue.unknown(setting: "lowbalancethreshold").hasSuffix("; did you mean lowBalanceThreshold?"))
    #expect(catalogue.unknown(setting: "gossip") == "is not a setting of the catalogue")
  }

  @Test func `a send, an event and a schedule are refused with it`() throws {
    func problems(_ body: () throws -> Void) throws -> [String] {
      try #require(#expect(throws: ValidationError.self) { try body() }).errors.map { "\($0.field): \($0.message)" }
    }
    let user = UUID().uuidString
    let send = try problems {
      let request = try FieldReader.read(
        SendRequest.self,
        from: Array(#"{"to":{"users":["\#(user)"]},"type":"AllowanceDepositt","data":{}}"#.utf8)
      )
      try request.accept(in: catalogue)
    }
    #expect(send == ["type: 'AllowanceDepositt' is not in the catalogue; did you mean AllowanceDeposit?"])
    let name = try #require(catalogue.events.first?.name)
    let event = try problems {
      let report = try FieldReader.read(EventReport.self, from: Array(#"{"name":"\#(name)s","payload":{}}"#.utf8))
      _ = try report.resolve(in: catalogue, now: .now)
    }
    #expect(event == ["name: '\(name)s' is not an event of the catalogue; did you mean \(name)?"])
  }
}
