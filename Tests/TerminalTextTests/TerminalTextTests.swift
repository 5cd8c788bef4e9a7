import TerminalText
import Testing

@Suite struct TerminalTextTests {
  @Test func `escapes say what stood there, and other text stays as it is`() {
    #expect("a\nb\r\tc\u{1B}\u{2028}é👍🏽".escapedForTerminal() == "a\\nb\\r\\tc\\u{1b}\\u{2028}é👍🏽")
    #expect("\u{202E}gpj.\u{2066}exe".escapedForTerminal() == "\\u{202e}gpj.\\u{2066}exe")
    #expect("ann\u{200B}\u{FEFF}".escapedForTerminal() == "ann\\u{200b}\\u{feff}")
    #expect("👩‍👩‍👧 می‌خواهم".escapedForTerminal() == "👩‍👩‍👧 می‌خواهم")
    #expect("plain, with a \\ and é".escapedForTerminal() == "plain, with a \\ and é")
  }

  @Test func `what is allowed stays, and nothing else`() {
    #expect("a\n\tb\r".escapedForTerminal(except: ["\n", "\t"]) == "a\n\tb\\r")
  }

  @Test func `no character of Unicode is left that controls, separates lines, turns text around or is not seen`() {
    let unseen: Set<UInt32> = [0xAD, 0x200B, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0xFEFF]
    for value in UInt32(0)...0x10_FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let properties = scalar.properties
      let steers =
        [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory) || properties.isBidiControl
        || unseen.contains(value)
      let isEscaped = String(scalar).escapedForTerminal() != String(scalar)
      if isEscaped != steers { Issue.record("U+\(String(value, radix: 16))") }
    }
  }

  @Test func `a JSON text stays one that says the same`() {
    let text = "{\n\t\"a\": \"\u{9B}31m\u{202E}\u{7F}é\"\r\n}"
    #expect(text.jsonEscapedForTerminal() == "{\n\t\"a\": \"\\u009b31m\\u202e\\u007fé\"\r\n}")
    #expect(#"{"a":"é\u0000"}"#.jsonEscapedForTerminal() == #"{"a":"é\u0000"}"#)
  }
}
