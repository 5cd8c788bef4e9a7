import Foundation
import LocalStack
import Testing

@testable import Workshop

/// What `belfry-dev run` sets where nobody says how it is to be.
@Suite struct DevelopmentSettingsTests {
  @Test func `the documentation is that of the program's own sources, wherever it is started, as soon as it is built`()
    throws
  {
    let root = FileManager.default.temporaryDirectory.appending(path: "belfry-sources-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    for folder in ["docs/site", ".build/debug", ".belfry/site"] {
      try FileManager.default.createDirectory(at: root.appending(path: folder), withIntermediateDirectories: true)
    }
    try Data().write(to: root.appending(path: "docs/site/contents.yaml"))
    let build = root.appending(path: ".build/debug").path
    var configuration = BelfryStackConfiguration(
      directory: root.appending(path: "data").path,
      programs: BelfryPrograms(product: "\(build)/belfry", workshop: "\(build)/belfry-dev")
    )
    DevelopmentSettings.add(to: &configuration, current: "/elsewhere")
    #expect(
      configuration.simulatorVariables["BELFRY_SIMULATOR_DOCS_DIRECTORY"] == root.appending(path: ".belfry/site").path
    )
    #expect(!DevelopmentSettings.hasDocs(configuration))
    try Data().write(to: root.appending(path: ".belfry/site/index.html"))
    #expect(DevelopmentSettings.hasDocs(configuration))
    #expect(DevelopmentSettings.site(of: "/usr/bin/belfry", current: "/here") == "/here/.belfry/site")
  }
}
