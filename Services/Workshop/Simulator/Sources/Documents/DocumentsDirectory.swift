import Foundation

/// A folder with a built site, of which nothing outside is ever read.
struct DocumentsDirectory: Sendable {
  /// Larger files are no pages.
  static let maximumBytes = 32 * 1_024 * 1_024

  enum Found: Equatable {
    case file(name: String, [UInt8])
    /// The path is a folder's, and must end with a slash: links on its page are relative.
    case folder
    case nothing
  }

  private let root: String

  init(_ path: String) {
    root = URL(filePath: path).resolvingSymlinksInPath().path
  }

  /// Whether there is a site.
  var exists: Bool { FileManager.default.fileExists(atPath: "\(root)/index.html") }

  /// - Parameter path: Below the root, as it came in a request, escapes resolved; empty or with a slash at its end for a folder.
  func find(_ path: String) -> Found {
    let names = path.split(separator: "/", omittingEmptySubsequences: true)
    guard names.allSatisfy({ $0 != ".." && $0 != "." && !$0.contains("\\") && !$0.contains("\0") }) else {
      return .nothing
    }
    let isFolder = path.isEmpty || path.hasSuffix("/")
    let wanted = ([root] + names.map(String.init) + (isFolder ? ["index.html"] : [])).joined(separator: "/")
    // Links within the folder may lead anywhere: what counts is where they end.
    let real = URL(filePath: wanted).resolvingSymlinksInPath().path
    guard real.hasPrefix(root + "/") else { return .nothing }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: real, isDirectory: &isDirectory) else { return .nothing }
    if isDirectory.boolValue { return isFolder ? .nothing : .folder }
    guard let size = try? FileManager.default.attributesOfItem(atPath: real)[.size] as? Int, size <= Self.maximumBytes,
      let content = FileManager.default.contents(atPath: real)
    else { return .nothing }
    return .file(name: wanted.split(separator: "/").last.map(String.init) ?? "", Array(content))
  }
}
