import Cryptography
import Foundation
import Testing

@Suite struct UUIDTests {
  @Test func `a name's UUID is that of RFC 9562, A.4`() throws {
    let dns = try #require(UUID(uuidString: "6ba7b810-9dad-11d1-80b4-00c04fd430c8"))
    #expect(UUID(version5: "www.example.com", in: dns) == UUID(uuidString: "2ed6657d-e927-568b-95e1-2665a8aea6a2"))
  }
}
