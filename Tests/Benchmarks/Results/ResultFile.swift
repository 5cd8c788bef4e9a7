import Foundation

/// The JSON file of a run.
enum ResultFile {
  static func write(_ report: some Encodable, to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    try encoder.encode(report).write(to: URL(filePath: path))
  }
}
