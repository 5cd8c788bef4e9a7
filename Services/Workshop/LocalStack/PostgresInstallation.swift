import Foundation

/// Where a PostgreSQL is: where Debian's packages install it, or the same below a folder.
public struct PostgresInstallation: Sendable, Equatable {
  /// Absolute; empty for the machine's own.
  public var folder: String

  /// This machine's own.
  public static let system = PostgresInstallation(folder: "")

  public init(folder: String) {
    self.folder = folder
  }

  /// The directory of the server's programs: of the version given, or of the newest.
  func programs(version: Int?) throws(LocalStackError) -> String {
    let root = "\(folder)/usr/lib/postgresql"
    // No folder is no version: what follows looks elsewhere, or says what is missing.
    let installed = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).compactMap { Int($0) }
    let usable = installed.sorted(by: >).filter {
      FileManager.default.isExecutableFile(atPath: "\(root)/\($0)/bin/postgres")
    }
    if let version {
      guard usable.contains(version) else {
        throw LocalStackError(
          .missingProgram,
          "The data directory is of PostgreSQL \(version), which is not \(folder.isEmpty ? "installed" : "in \(folder)").",
          advice: "Install it (apt-get install postgresql-\(version)), or use another --data-dir."
        )
      }
      return "\(root)/\(version)/bin"
    }
    if let newest = usable.first { return "\(root)/\(newest)/bin" }
    guard folder.isEmpty else {
      throw LocalStackError(.missingProgram, "There is no PostgreSQL in \(folder).")
    }
    let postgres = try Programs.find("postgres")
    return URL(filePath: postgres).deletingLastPathComponent().path
  }
}
