import Foundation
import NotificationModel
import Testing

@Suite struct ReturnPathTests {
  private static let secret = String(repeating: "a", count: 32)
  private let user = UserID(UUID())
  private let notification = NotificationID(UUID())
  private let path: ReturnPath

  init() throws {
    path = try #require(ReturnPath("bounces@bounces.example.com", secrets: [Self.secret]))
  }

  private func isOurs(_ address: String, _ path: ReturnPath? = nil) -> Bool {
    guard let read = (path ?? self.path).read(address) else { return false }
    return read.user == user && read.notification == notification
  }

  @Test func `an address says whose mail returned, and fits into the standard's 64 characters`() throws {
    let address = try #require(path.address(for: user, notification))
    #expect(address.hasPrefix("bounces+") && address.hasSuffix("@bounces.example.com"))
    #expect(address.prefix { $0 != "@" }.utf8.count == 64)
    #expect(path.address(for: user, notification) == address, "the same at each attempt")
    #expect(MailAddress.isPlausible(address))
    #expect(isOurs(address))
  }

  @Test func `no changed character, other secret or other text is one`() throws {
    let address = try #require(path.address(for: user, notification))
    let at = try #require(address.firstIndex(of: "@"))
    for index in address.indices where index < at && index >= address.index(address.startIndex, offsetBy: 8) {
      var changed = address
      changed.replaceSubrange(index...index, with: address[index] == "A" ? "B" : "A")
      #expect(path.read(changed) == nil)
    }
    #expect(ReturnPath(reading: [String(repeating: "b", count: 32)]).read(address) == nil)
    #expect(ReturnPath.none.read(address) == nil)
    for other in [
      "", "+", "bounces+@x", "bounces@bounces.example.com", "bounces+\(String(repeating: "A", count: 56))@x",
    ] {
      #expect(path.read(other) == nil)
    }
  }

  @Test func `name and domain may change: the code proves it`() throws {
    let address = try #require(path.address(for: user, notification))
    let token = address.drop { $0 != "+" }.prefix { $0 != "@" }
    for other in ["b\(token)@other.example", "\(token)@x", "b\(token)"] { #expect(isOurs(other)) }
  }

  @Test func `the first secret signs, all are recognised, and without one there is no address`() throws {
    let rotated = try #require(
      ReturnPath("b@example.com", secrets: [String(repeating: "b", count: 32), Self.secret])
    )
    #expect(isOurs(try #require(path.address(for: user, notification)), rotated))
    let new = try #require(rotated.address(for: user, notification))
    #expect(!isOurs(new))
    #expect(isOurs(new, ReturnPath(reading: [String(repeating: "b", count: 32)])))
    #expect(ReturnPath.none.address(for: user, notification) == nil)
    #expect(ReturnPath(reading: [Self.secret]).address(for: user, notification) == nil)
  }

  @Test(arguments: [
    "", "bounces", "bounces@", "@example.com", "returns8@example.com", "b+c@example.com", "a b@example.com",
  ])
  func `what leaves no room, or is no address, is none`(_ address: String) {
    #expect(ReturnPath(address, secrets: [Self.secret]) == nil)
  }

  @Test func `neither description nor mirror has a secret`() {
    var dumped = ""
    dump(path, to: &dumped)
    #expect(!"\(path)".contains("aaaa") && !dumped.contains("aaaa"))
  }
}
