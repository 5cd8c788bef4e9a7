import ConsoleCommands
import Foundation
import BelfryJSON
import UserIdentity

/// Users' ids from a file: one on each line, without the spaces around it. `#` at the beginning of a line or after a space begins a
/// comment; empty lines are passed over, and so is a byte order mark. What is not in UTF-8 is refused: repaired, two people would be one.
struct MemberList {
  /// As many as the gateway takes in one call.
  static let batch = 200_000
  /// As many as a group may have.
  private static let maximum = 10_000_000
  private static let maximumLine = 1_024
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// Wrong lines that are reported.
  private static let maximumProblems = 10

  private(set) var members: [UserIdentifier] = []

  private var line: [UInt8] = []
  private var lineNumber = 1
  private var problems: [String] = []

  /// Reads a file; `-` is standard input.
  ///
  /// - Throws: ``CommandFailure`` that names every wrong line, or the first ones.
  init(_ path: String, on console: Console) throws {
    do {
      try console.read(path) { try take($0) }
      try endLine()
    } catch is TooMany {
      // Reported with the others.
    }
    if !problems.isEmpty {
      throw CommandFailure(
        "\(Console.name(of: path)) was not sent:\n" + problems.map { "  \($0)" }.joined(separator: "\n")
      )
    }
  }

  init(_ members: [UserIdentifier]) {
    self.members = members
  }

  /// The body of a call for some of them.
  static func write(_ members: some Sequence<UserIdentifier>, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.array("members") { writer in
        for member in members { writer.string(member.description) }
      }
    }
  }

  /// The members in parts of the size of a call, at least one.
  var batches: [ArraySlice<UserIdentifier>] {
    stride(from: 0, to: max(1, members.count), by: Self.batch).map { start in
      members[start..<min(start + Self.batch, members.count)]
    }
  }

  /// Reading further would tell nothing new.
  private struct TooMany: Error {}

  private mutating func take(_ piece: [UInt8]) throws(TooMany) {
    for byte in piece {
      if byte == UInt8(ascii: "\n") {
        try endLine()
      } else if line.count < Self.maximumLine {
        line.append(byte)
      }
    }
  }

  private mutating func endLine() throws(TooMany) {
    if lineNumber == 1, line.starts(with: Self.byteOrderMark) { line.removeFirst(Self.byteOrderMark.count) }
    let bytes = line.prefix(upTo: endOfID)
    let isWhole = line.count < Self.maximumLine
    line.removeAll(keepingCapacity: true)
    defer { lineNumber += 1 }
    let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    if text.isEmpty { return }
    // A longer one is too long, and may end within a character here.
    let isReadable = String(validating: bytes, as: UTF8.self) != nil && !text.unicodeScalars.contains("\u{FFFD}")
    guard isReadable || !isWhole else {
      return try problem("line \(lineNumber): '\(text.prefix(64))' is not in UTF-8")
    }
    guard let id = UserIdentifier(text) else {
      return try problem("line \(lineNumber): '\(text.prefix(64))' is no user id")
    }
    guard members.count < Self.maximum else {
      problems.append("line \(lineNumber): a group has at most \(Self.maximum) members")
      throw TooMany()
    }
    members.append(id)
  }

  /// Where a comment begins, or the line ends.
  private var endOfID: Int {
    line.indices.first { index in
      line[index] == UInt8(ascii: "#")
        && (index == 0 || [UInt8(ascii: " "), UInt8(ascii: "\t")].contains(line[index - 1]))
    } ?? line.endIndex
  }

  private mutating func problem(_ text: String) throws(TooMany) {
    problems.append(text)
    if problems.count == Self.maximumProblems { throw TooMany() }
  }
}
