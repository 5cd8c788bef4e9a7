import ArgumentParser
import ConsoleCommands
import Foundation
import NotificationModel
import NotificationStore
import TestSupport
import Testing

@testable import OperatorCLI

/// `belfry migrate --catalogue`
@Suite struct FirstCatalogueTests {
  private static let file = "# Ours.\nversion: 1\nevents: [{ name: TableIsSet }]\n"

  private func first(_ text: String, isJSON: Bool = false) throws -> FirstCatalogue {
    try FirstCatalogue(Array(text.utf8), isJSON: isJSON, name: "ours.yaml") { _ in }
  }

  @Test func `a file becomes version 1 as it is, once, and the audit log says so`() async throws {
    try await TestDatabase.with { client in
      let versions = CatalogueVersionStore(client: client)
      #expect(try await first(Self.file).store(in: client) == .stored)
      let version = try #require(try await versions.version(1))
      #expect(version.text == Self.file && version.summary.appliedBy == "belfry migrate")
      #expect(version.summary.changes.map(\.kind) == [.eventAdded])
      let entry = try #require(try await AuditStore(client: client).page(before: nil, limit: 9).entries.first)
      #expect(entry.action == "catalogue.apply" && entry.subject == "1")

      #expect(try await first("version: 1\ncurrency: EUR\n").store(in: client) == .superseded(by: 1))
      _ = try await versions.apply("version: 1\n", changes: [], by: "ops", expecting: 1, at: .now)
      #expect(try await first(Self.file).store(in: client) == .superseded(by: 2))
      #expect(try await versions.newest() == 2)
    }
  }

  @Test func `what services take is taken, and what a check finds beside is said`() throws {
    let unheard = try first("version: 1\nevents: [{ name: TableIsSet, relay: false }]\n")
    #expect(unheard.findings.count == 1)
    #expect(unheard.findings.first?.hasPrefix("ours.yaml:2:") == true)
    #expect(try first(Self.file).findings.isEmpty)
    #expect(try first(#"{"version":1,"events":[]}"#, isJSON: true).findings.isEmpty)
  }

  @Test func `what services would refuse is refused before the database is asked, with its place`() throws {
    var lines: [String] = []
    #expect(throws: ExitCode.failure) {
      try FirstCatalogue(Array("version: 1\ntypes: [{ code: here }]\n".utf8), name: "ours.yaml") { lines.append($0) }
    }
    #expect(lines.contains { $0.hasPrefix("ours.yaml:2:") })
    for text in ["version: 1 # \0", "{"] {
      #expect(throws: CommandFailure.self) { try first(text, isJSON: true) }
    }
  }

  @Test func `the option wants a file`() throws {
    #expect(try MigrateCommand.parse(["--catalogue", "ours.yaml"]).catalogue == "ours.yaml")
    #expect(throws: (any Error).self) { try MigrateCommand.parse(["--catalogue", ""]) }
  }
}
