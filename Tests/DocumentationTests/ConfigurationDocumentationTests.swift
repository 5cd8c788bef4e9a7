import Foundation
import Settings
import TestSupport
import Testing

/// docs/configuration.md says what the code reads. With `BELFRY_WRITE_DOCS=1` it is written first (`make docs`).
@Suite(.serialized) struct ConfigurationDocumentationTests {
  private let document = ConfigurationDocument(services: ServiceSettings.all)

  @Test func `the document lists the settings that the code reads`() throws {
    let text = document.text
    if ProcessInfo.processInfo.environment["BELFRY_WRITE_DOCS"] == "1" {
      let file = Repository.root.appending(path: ConfigurationDocument.path)
      try Data(text.utf8).write(to: file, options: .atomic)
    }
    let isCurrent = try Repository.text(ConfigurationDocument.path) == text
    #expect(isCurrent, "\(ConfigurationDocument.path) is not what the code reads: run make docs")
  }

  @Test func `every setting of every service is listed once, among the shared ones or its own`() {
    let text = document.text
    for setting in Set(ServiceSettings.all.flatMap(\.settings)) {
      let count = text.ranges(of: "| `\(setting.variable)` |").count
      #expect(count == 1, "\(setting.variable)")
    }
  }

  @Test func `the example of compose's variables has each of them, and no other`() throws {
    let example = try Repository.text("compose/.env.example")
    let shown = Set(example.matches(of: /(?m)^([A-Z_]+)=/).map { String($0.output.1) }).subtracting(["COMPOSE_PROFILES"]
    )
    #expect(shown == (try ofCompose()))
  }

  /// What compose.yaml takes from `.env`.
  private func ofCompose() throws -> Set<String> {
    Set(try Repository.text("compose/compose.yaml").matches(of: /\$\{([A-Z_]+)/).map { String($0.output.1) })
  }

  @Test func `documents name only settings that exist`() throws {
    // Read by the configuration loader, by the command line itself, by tests and by the benchmark.
    let others: Set = [
      "BELFRY_CONFIG_FILE", "BELFRY_CLI_GATEWAY_URL", "BELFRY_CLI_TOKEN", "BELFRY_DEMO_PAGE_URL", "BELFRY_FAULT",
      "BELFRY_MUTATIONS", "BELFRY_ROUNDS", "BELFRY_SEED", "BELFRY_SMTP_SOURCE",
    ]
    let known = Set(ServiceSettings.all.flatMap(\.settings).map(\.variable)).union(others).union(try ofCompose())
    for path in try Repository.documents() {
      for match in try Repository.text(path).matches(of: /BELFRY_[A-Z_]*[A-Z]/) {
        let isKnown = known.contains(String(match.output))
        #expect(isKnown, "\(path) names \(match.output)")
      }
    }
  }
}
