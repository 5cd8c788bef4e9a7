import ConsoleCommands
import Foundation
import NotificationModel

extension CatalogueText {
  /// The file that a command names; `-` is standard input.
  ///
  /// - Throws: ``CommandFailure`` for what is not there, and for what no gateway takes.
  init(file: String, on console: Console) throws {
    do {
      self = try Self.read(file, on: console)
    } catch let error as CatalogueError {
      let name = Console.name(of: file)
      throw CommandFailure(error.problems.map { $0.line(in: name) }.joined(separator: "\n"))
    }
  }

  private static func read(_ file: String, on console: Console) throws -> CatalogueText {
    guard file == "-" else {
      guard FileManager.default.fileExists(atPath: file) else { throw CommandFailure(noCatalogue: file) }
      return try CatalogueText(file: file)
    }
    var bytes: [UInt8] = []
    try console.read(file) { piece in
      bytes += piece
      if bytes.count > maximumBytes { throw tooLarge }
    }
    return try CatalogueText(bytes: bytes)
  }
}
