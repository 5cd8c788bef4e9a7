import ArgumentParser
import ConsoleCommands
import Foundation
import BelfryJSON
import NotificationModel
import NotificationStore
import Postgres

/// The file that services have by setting, as the first version of the catalogue: then they can be moved from the one to the other
/// without a moment in which they work by something else.
struct FirstCatalogue {
  /// What became of it.
  enum Outcome: Equatable {
    case stored
    /// There are versions, of which this one is in force.
    case superseded(by: Int)
  }

  let name: String
  private let text: CatalogueText
  private let catalogue: Catalogue
  /// What a check objects to, and services take all the same.
  let findings: [String]

  /// - Parameter file: `-` is standard input.
  /// - Throws: `ExitCode.failure` once it is said why services would not take the file.
  init(file: String, on console: Console) throws {
    let bytes = Array(try CatalogueText(file: file, on: console).yaml.utf8)
    let isJSON = file.lowercased().hasSuffix(".json")
    try self.init(bytes, isJSON: isJSON, name: Console.name(of: file)) { try console.say($0) }
  }

  /// - Parameter say: Takes what is wrong with it, line by line.
  init(_ bytes: [UInt8], isJSON: Bool = false, name: String, say: (String) throws -> Void) throws {
    do {
      let yaml = try CatalogueText(bytes: bytes)
      text = try isJSON ? CatalogueText(json: bytes) : yaml
    } catch {
      throw CommandFailure("\(name): \(error)")
    }
    let review = Catalogue.review(text.yaml)
    let lines = review.problems.map { $0.line(in: name) }
    guard let catalogue = review.catalogue else {
      for line in lines { try say(line) }
      throw ExitCode.failure
    }
    (self.catalogue, self.name, findings) = (catalogue, name, lines)
  }

  /// Stores it where there is no version yet; else nothing is done.
  func store(in client: PostgresClient, at now: Date = .now) async throws -> Outcome {
    let versions = CatalogueVersionStore(client: client)
    let newest = try await versions.newest()
    guard newest == 0 else { return .superseded(by: newest) }
    let applied = try await versions.apply(
      text.yaml,
      changes: CatalogueDifference(from: try Catalogue(), to: catalogue).changes(counting: []),
      names: catalogue.versionNames,
      by: "belfry migrate",
      expecting: 0,
      at: now
    )
    guard applied == nil else { return .stored }
    return .superseded(by: try await versions.newest())
  }

  /// What became of it, for people.
  func words(_ outcome: Outcome) -> String {
    switch outcome {
    case .stored:
      "\(name) is version 1 of the catalogue. Services with BELFRY_CATALOGUE_FILE go on by their file: remove the setting, and restart one copy after the other."
    case .superseded(let version):
      "Version \(version) of the catalogue is in force: \(name) is not applied. `belfry catalogue apply` makes it the next one."
    }
  }
}
