import struct Foundation.Data

/// Text outside ASCII in header fields, as RFC 2047 writes it: `=?utf-8?B?…?=`.
enum EncodedWords {
  /// At most 75 characters a word (section 2), characters never cut in two (section 5); a reader joins them without blanks.
  static func encode(_ text: String) -> [String] {
    var words: [String] = []
    var piece: [UInt8] = []
    for scalar in text.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      if piece.count + bytes.count > bytesPerWord {
        words.append(word(piece))
        piece = []
      }
      piece += bytes
    }
    if !piece.isEmpty { words.append(word(piece)) }
    return words
  }

  /// 39 bytes are 52 characters of base64; with 12 of frame that leaves 12 of a line for the field's name.
  private static let bytesPerWord = 39

  private static func word(_ bytes: [UInt8]) -> String {
    "=?utf-8?B?\(Data(bytes).base64EncodedString())?="
  }
}
