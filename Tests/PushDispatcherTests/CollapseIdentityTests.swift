import Testing

@testable import PushDispatcher

@Suite struct CollapseIdentityTests {
  @Test(arguments: ["balance", "019a8b7c-6d5e-735c-a510-b492e7201281", "a b", String(repeating: "k", count: 64)])
  func `a key that fits is itself`(_ key: String) {
    #expect(CollapseIdentity.text(key) == key)
  }

  @Test(arguments: [String(repeating: "k", count: 65), String(repeating: "ü", count: 33), "ü", "a\nb", ""])
  func `any other is a hash that fits a header`(_ key: String) {
    let text = CollapseIdentity.text(key)
    #expect(text != key && text.utf8.count == CollapseIdentity.maximumBytes)
    #expect(text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    #expect(CollapseIdentity.text(key) == text)
  }

  @Test func `long keys that differ in the last character only stay two`() {
    let start = String(repeating: "k", count: 100)
    #expect(CollapseIdentity.text(start + "a") != CollapseIdentity.text(start + "b"))
  }

  @Test func `the hash is SHA-256, so that every version makes the same`() {
    #expect(CollapseIdentity.text("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }
}
