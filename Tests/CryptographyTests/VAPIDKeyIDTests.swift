import Cryptography
import Testing

struct VAPIDKeyIDTests {
  @Test func `a key's id is the beginning of its hash, and another key's is another`() throws {
    // RFC 8291, appendix A; the hash by Python's hashlib.
    let text = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
    var key = try #require(Base64URL.bytes(text.utf8))
    #expect(VAPIDKeyID.of(key) == "-RYOphCUn-Y")
    key[64] ^= 1
    #expect(VAPIDKeyID.of(key) != "-RYOphCUn-Y" && VAPIDKeyID.of(key).utf8.count == 11)
  }
}
