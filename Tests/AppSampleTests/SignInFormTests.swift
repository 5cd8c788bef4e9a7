import Foundation
import Testing

@testable import AppSample

struct SignInFormTests {
  @Test(
    arguments: [
      ("https://belfry.example.com", "https://belfry.example.com"),
      ("  belfry.example.com/notes \n", "https://belfry.example.com/notes"),
      ("http://localhost:8080", "http://localhost:8080"), ("http://[::1]:8080", "http://[::1]:8080"),
    ]
  )
  func `an address is read as people type it`(text: String, address: String) throws {
    #expect(try SignInForm(gateway: text, token: "t").check().gateway.absoluteString == address)
  }

  @Test(
    arguments: [
      "", " ", "https://", "ftp://example.com", "https://user@example.com", "https://example.com?a=b",
      "https://example.com#a", "https://exa mple.com", "javascript:alert(1)",
    ]
  )
  func `what is no address is refused`(text: String) {
    #expect(throws: SignInForm.Fault.noAddress) { try SignInForm(gateway: text, token: "t").check() }
  }

  @Test(arguments: ["http://example.com", "http://localhost.example.com", "http://127.0.0.1.example.com"])
  func `a token goes over no open line`(text: String) {
    #expect(throws: SignInForm.Fault.notEncrypted) { try SignInForm(gateway: text, token: "t").check() }
  }

  @Test(arguments: [("", SignInForm.Fault.noToken), (" \n", .noToken), ("a b", .badToken), ("ä", .badToken)])
  func `what is no token is refused`(token: String, fault: SignInForm.Fault) {
    #expect(throws: fault) { try SignInForm(gateway: "example.com", token: token).check() }
  }

  @Test func `a token is taken as it was pasted, and no text has it`() throws {
    let credentials = try SignInForm(gateway: "example.com", token: " abc.def.ghi\n").check()
    #expect(credentials.token == "abc.def.ghi")
    #expect(!"\(credentials)".contains("abc"))
    #expect(!String(reflecting: credentials).contains("abc"))
  }

  @Test func `nothing is wrong with what was not typed yet`() {
    #expect(SignInForm().fault == nil)
    #expect(SignInForm(gateway: "example.com").fault == .noToken)
    #expect(SignInForm(gateway: "example.com", token: "t").fault == nil)
  }
}
