import TerminalText

/// A JSON text that comes in pieces, without what steers a terminal. Characters that are divided between pieces stay whole.
struct TerminalJSON {
  private var rest: [UInt8] = []

  mutating func take(_ piece: [UInt8]) -> [UInt8] {
    let bytes = rest + piece
    let whole = bytes.count - Self.unfinished(bytes)
    rest = Array(bytes[whole...])
    return Self.escaped(bytes[..<whole])
  }

  /// What is left at the end, of a text that ends within a character.
  mutating func end() -> [UInt8] {
    defer { rest = [] }
    return Self.escaped(rest[...])
  }

  /// How many of the last bytes are the beginning of a character that goes on (RFC 3629).
  private static func unfinished(_ bytes: [UInt8]) -> Int {
    for back in 1...3 where back <= bytes.count {
      switch bytes[bytes.count - back] {
      case 0x80...0xBF: continue
      case 0xC0...0xDF: return back < 2 ? back : 0
      case 0xE0...0xEF: return back < 3 ? back : 0
      case 0xF0...0xF7: return back < 4 ? back : 0
      default: return 0
      }
    }
    return 0
  }

  private static func escaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    Array(String(decoding: bytes, as: UTF8.self).jsonEscapedForTerminal().utf8)
  }
}
