import Foundation
import LocalStack
import NotificationQueue
import Settings

/// What `belfry-dev run` sets otherwise than a production system, where nobody says how it is to be.
enum DevelopmentSettings {
  /// Nobody watches a screen for half an hour: pushes that fail wait for seconds, and are tried often enough for it.
  private static let defaults = [
    "BELFRY_RETRY_TIERS": "1s,10s,20s,30s", "BELFRY_PUSH_MAXIMUM_ATTEMPTS": "20", "BELFRY_EMAIL_MAXIMUM_ATTEMPTS": "20",
  ]
  static let catalogueFile = "BELFRY_CATALOGUE_FILE"
  private static let docs = "BELFRY_SIMULATOR_DOCS_DIRECTORY"

  /// - Parameter current: The folder in which the command runs.
  static func add(to configuration: inout BelfryStackConfiguration, current: String) {
    let given = configuration.settings
    for (name, value) in defaults where given[name] == nil {
      for service in services(reading: name) { configuration.variables[service, default: [:]][name] = value }
    }
    configuration.simulatorVariables["BELFRY_SIMULATOR_DEVELOPMENT_SOCKET"] =
      DemoPageRun.socket(in: configuration.directory)
    if given[docs] == nil {
      configuration.simulatorVariables[docs] = site(of: configuration.programs.product, current: current)
    }
  }

  /// Where `make docs-site` puts the documentation of the sources that the program was built from, wherever it is started; of an
  /// installed one that of the current folder.
  static func site(of program: String, current: String) -> String {
    var folder = URL(filePath: program).deletingLastPathComponent()
    while folder.path != "/" {
      if FileManager.default.fileExists(atPath: folder.appending(path: "docs/site/contents.yaml").path) {
        return folder.appending(path: ".belfry/site").path
      }
      folder.deleteLastPathComponent()
    }
    return "\(current)/.belfry/site"
  }

  private static func services(reading name: String) -> [BelfryService] {
    switch name {
    case "BELFRY_PUSH_MAXIMUM_ATTEMPTS": [.push]
    case "BELFRY_EMAIL_MAXIMUM_ATTEMPTS": [.email]
    default: [.gateway, .router, .push, .email]
    }
  }

  /// The ladder that the services have.
  static func ladder(of configuration: BelfryStackConfiguration) -> RetryLadder {
    let name = "BELFRY_RETRY_TIERS"
    let text = configuration.settings[name] ?? configuration.variables[.push]?[name] ?? ""
    return RetryLadder(delays: text.split(separator: ",").compactMap { Duration(settingText: String($0)) })
  }

  /// Whether the documentation is built.
  static func hasDocs(_ configuration: BelfryStackConfiguration) -> Bool {
    guard let folder = configuration.settings[docs] ?? configuration.simulatorVariables[docs] else { return false }
    return FileManager.default.fileExists(atPath: "\(folder)/index.html")
  }
}
