import BelfryJSON
import Testing

/// Bytes that are a text, and bytes that are none, on systems of today and on those before.
@Suite struct ValidUTF8Tests {
  @Test(arguments: ["", "plain", "Ünïcödé", "日本語", "👨‍👩‍👧", "\u{0}", "\u{FFFD}", "\u{10FFFF}", "e\u{301}"])
  func `UTF-8 is read`(text: String) {
    let bytes = Array(text.utf8)
    #expect(String(validUTF8: bytes) == text)
    #expect(String(unrepairedUTF8: bytes).map { Array($0.utf8) } == bytes)
  }

  @Test(arguments: [
    [0x80], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0x61, 0xE2, 0x82],
    [0xEF, 0xBF, 0xBD, 0xEF, 0xBF],
  ])
  func `what is no UTF-8 is no text`(bytes: [UInt8]) {
    #expect(String(validUTF8: bytes) == nil)
    #expect(String(unrepairedUTF8: bytes) == nil)
  }

  @Test func `both ways agree about any two bytes after one`() {
    var differing: [[UInt8]] = []
    for first: UInt8 in [0xC3, 0xE2, 0xF0] {
      for second in UInt8.min...UInt8.max {
        for third in UInt8.min...UInt8.max {
          let bytes = [first, second, third]
          if String(unrepairedUTF8: bytes) != String(validUTF8: bytes) { differing.append(bytes) }
        }
      }
    }
    #expect(differing.isEmpty)
  }
}
