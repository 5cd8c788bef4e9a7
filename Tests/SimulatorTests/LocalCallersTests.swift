import HTTPTypes
import Hummingbird
import Testing

@testable import Simulator

/// Who may ask the control port.
@Suite struct LocalCallersTests {
  private let callers = LocalCallers<BasicRequestContext>(names: ["simulator"])

  private func status(_ authority: String?, _ headers: [String: String] = [:]) -> Int {
    var fields = HTTPFields()
    for (name, value) in headers {
      guard let name = HTTPField.Name(name) else { continue }
      fields[name] = value
    }
    do throws(ControlError) {
      try callers.check(authority, fields)
      return 200
    } catch {
      return error.status.code
    }
  }

  @Test(arguments: ["127.0.0.1:8082", "localhost:8082", "LOCALHOST", "[::1]:8082", "simulator:4080"])
  func `its own names are answered`(_ authority: String) {
    #expect(status(authority) == 200)
    #expect(status(authority, ["Origin": "http://\(authority)"]) == 200)
  }

  @Test(arguments: [
    "evil.example:8082", "127.0.0.1.evil.example", "localhost.evil.example:8082", "127.0.0.1:8082@evil.example", "",
    "10.0.0.7:8082",
    "localhost:8082/x", "[::1", "127.0.0.2",
  ])
  func `a name that was made to point here is not`(_ authority: String) {
    #expect(status(authority) == 421)
  }

  @Test func `nor is a request without a name`() {
    #expect(status(nil) == 421)
  }

  @Test(arguments: [
    "http://evil.example", "null", "https://127.0.0.1:8082", "http://127.0.0.1:8083", "http://localhost:8082",
    "http://127.0.0.1",
  ])
  func `pages of other origins are refused`(_ origin: String) {
    #expect(status("127.0.0.1:8082", ["Origin": origin]) == 403)
  }

  @Test func `other pages may lead here, and not embed`() {
    #expect(status("127.0.0.1:8082", ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"]) == 200)
    #expect(status("127.0.0.1:8082", ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"]) == 403)
    #expect(status("127.0.0.1:8082", ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"]) == 200)
  }
}
