import Foundation
import NotificationModel

/// An operator's catalogue file that `belfry-dev run` is to begin with, found to be good.
struct CatalogueFile: Sendable {
  /// As it was named.
  let path: String
  let text: String
  let catalogue: Catalogue

  /// What a gateway takes at most.
  static let maximumBytes = 1_024 * 1_024

  /// Why it cannot be used: each mistake on a line of its own, behind the file's name.
  struct Refusal: Error, CustomStringConvertible {
    let lines: [String]

    var description: String { lines.joined(separator: "\n") }
  }

  init(_ path: String) throws(Refusal) {
    self.path = path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
      throw Refusal(lines: ["\(path): there is no such file"])
    }
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw Refusal(lines: ["\(path): the file cannot be read"])
    }
    guard bytes.count <= Self.maximumBytes else {
      throw Refusal(lines: ["\(path): the file has \(bytes.count) bytes; at most \(Self.maximumBytes) are allowed"])
    }
    guard let text = String(bytes: bytes, encoding: .utf8) else {
      throw Refusal(lines: ["\(path): the file is not in UTF-8"])
    }
    self.text = text
    let review = Catalogue.review(text, channels: Channel.routing)
    guard let catalogue = review.catalogue, review.problems.isEmpty else {
      throw Refusal(lines: review.problems.map { Self.line(of: $0, in: path) })
    }
    self.catalogue = catalogue
  }

  private static func line(of problem: CatalogueProblem, in path: String) -> String {
    let place = [problem.line, problem.column].compactMap { $0.map { ":\($0)" } }.joined()
    return "\(path)\(place): \("\(problem)".split(whereSeparator: \.isNewline).joined(separator: " "))"
  }

  /// Its name without folders.
  var name: String { URL(filePath: path).lastPathComponent }
}
