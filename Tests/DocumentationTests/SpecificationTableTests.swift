import Foundation
import TestSupport
import Testing

/// The tables of the samples for the specifications: each name is in the file beside it, and in the client.
@Suite struct SpecificationTableTests {
  private static let folder = "docs/samples/specifications"

  private struct Row: CustomTestStringConvertible {
    /// The file that the row is about; nil of one that is about none.
    let file: String?
    /// Of the specification, and what stands beside the file.
    let names: [String]
    /// Of the client.
    let ours: [String]

    var testDescription: String { names.joined(separator: ", ") }
  }

  private static func rows() throws -> [Row] {
    var file: String?
    // The first table is that of the folders.
    let lines = try Repository.text("\(folder)/README.md").split(separator: "\n").drop { !$0.hasPrefix("## ") }
    return lines.compactMap { line -> Row? in
      let cells = line.split(separator: " | ").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "| ")) }
      guard line.hasPrefix("|"), cells.count == 3 else { return nil }
      if let link = cells[1].firstMatch(of: /\]\((\w+\/[\w+]+\.swift)\)/) { file = String(link.1) }
      let isAboutFile =
        cells[1].contains("](") && !cells[1].contains("](..") || cells[1].hasPrefix("the same")
        || cells[1].hasPrefix("`")
      return Row(
        file: isAboutFile ? file : nil,
        names: isAboutFile ? identifiers(cells[0]) + identifiers(cells[1]) : [],
        ours: cells[2].hasPrefix("none") ? [] : identifiers(cells[2])
      )
    }
  }

  /// What stands in the code's type: of `markAsRead(_:)` the name, of `Preferences.TypePreference` both.
  private static func identifiers(_ cell: String) -> [String] {
    cell.matches(of: /`([A-Za-z][\w.]*)(?:\(.*?\))?`/).flatMap { $0.1.split(separator: ".").map(String.init) }
  }

  @Test func `each name of a specification is in the file beside it`() throws {
    let rows = try Self.rows().filter { !$0.names.isEmpty }
    #expect(rows.count > 30)
    for row in rows {
      let code = try Repository.text("\(Self.folder)/\(try #require(row.file))")
      for name in row.names {
        let isThere = code.contains(try Regex("\\b\(name)\\b"))
        #expect(isThere, "\(name) in \(row.file ?? "")")
      }
    }
  }

  @Test func `each name of the client is in its sources`() throws {
    let folders = ["Shared/BelfryClient", "Shared/BelfryClientTesting"]
    let paths = try folders.flatMap { try Repository.sources(below: $0) }
    let code = try paths.map { try "\($0)\n\(Repository.text($0))" }.joined()
    for name in Set(try Self.rows().flatMap(\.ours)) {
      let isThere = code.contains(try Regex("\\b\(name)\\b"))
      #expect(isThere, "\(name)")
    }
  }

  @Test func `the tables name each file of the samples`() throws {
    let text = try Repository.text("\(Self.folder)/README.md")
    for path in try Repository.sources(below: Self.folder) {
      #expect(text.contains("](\(path.dropFirst(Self.folder.count + 1)))"), "\(path)")
    }
  }
}
