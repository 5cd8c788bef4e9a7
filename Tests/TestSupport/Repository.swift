public import Foundation

/// The files of this repository, as the tests find them.
public enum Repository {
  public static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  public static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  public static func exists(_ url: URL) -> Bool {
    FileManager.default.fileExists(atPath: url.path)
  }

  /// Paths of every Swift file below a folder, in order.
  public static func sources(below folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
      .filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }.sorted()
  }

  /// Paths of every Markdown file at the top and below docs, in order.
  public static func documents() throws -> [String] {
    let top = try FileManager.default.contentsOfDirectory(atPath: root.path)
    let below = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "docs").path)
    return (top + below.map { "docs/\($0)" }).filter { $0.hasSuffix(".md") }.sorted()
  }
}
