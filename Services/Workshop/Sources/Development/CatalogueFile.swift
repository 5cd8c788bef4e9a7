import ConsoleCommands
import Foundation
import NotificationModel

/// An operator's catalogue file that `belfry-dev run` is to begin with, found to be good.
struct CatalogueFile: Sendable {
  /// As it was named.
  let path: String
  let text: String
  let catalogue: Catalogue

  /// Why it cannot be used: each mistake on a line of its own, behind the file's name.
  struct Refusal: Error, CustomStringConvertible {
    let lines: [String]

    var description: String { lines.joined(separator: "\n") }
  }

  init(_ path: String) throws(Refusal) {
    self.path = path
    guard FileManager.default.fileExists(atPath: path) else {
      throw Refusal(lines: [CommandFailure(noCatalogue: path).description])
    }
    do throws(CatalogueError) {
      text = try CatalogueText(file: path).yaml
    } catch {
      throw Refusal(lines: error.problems.map { $0.line(in: path) })
    }
    let review = Catalogue.review(text, channels: Channel.routing)
    guard let catalogue = review.catalogue, review.problems.isEmpty else {
      throw Refusal(lines: review.problems.map { $0.line(in: path) })
    }
    self.catalogue = catalogue
  }

  /// Its name without folders.
  var name: String { URL(filePath: path).lastPathComponent }
}
