import Foundation
import Testing

@testable import LocalStack

struct PostgresInstallationTests {
  /// Runs `body` with an installation of these versions, whose servers are empty files.
  private func withInstallation(_ versions: [Int], _ body: (PostgresInstallation) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-installation-\(UUID().uuidString)").path
    for version in versions {
      let programs = "\(folder)/usr/lib/postgresql/\(version)/bin"
      try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
      let isMade = FileManager.default.createFile(
        atPath: "\(programs)/postgres",
        contents: nil,
        attributes: [.posixPermissions: 0o755]
      )
      try #require(isMade)
    }
    let result = Result { try body(PostgresInstallation(folder: folder)) }
    if !versions.isEmpty { try FileManager.default.removeItem(atPath: folder) }
    try result.get()
  }

  @Test func `the newest server is taken, or that of the data's version`() throws {
    try withInstallation([9, 17, 15]) { installation in
      let found = try [nil, 15].map { try installation.programs(version: $0) }
      #expect(found == [17, 15].map { "\(installation.folder)/usr/lib/postgresql/\($0)/bin" })
      let error = #expect(throws: LocalStackError.self) { try installation.programs(version: 16) }
      #expect(error?.code == .missingProgram)
      #expect(error?.message.contains("PostgreSQL 16") == true)
    }
  }

  @Test func `a folder without a server is refused by name, whatever this machine has`() throws {
    try withInstallation([]) { installation in
      let error = #expect(throws: LocalStackError.self) { try installation.programs(version: nil) }
      #expect(error?.code == .missingProgram)
      #expect(error?.message.contains(installation.folder) == true)
    }
  }
}
