package import LocalStack
import Foundation

/// A PostgreSQL and a RabbitMQ that tests run on.
package struct TestedServers: Sendable, Equatable, CustomStringConvertible {
  package let description: String
  package let postgres: PostgresInstallation
  package let rabbitmq: RabbitMQInstallation

  /// This machine's own.
  package static let system = Self(description: "this machine's servers", postgres: .system, rabbitmq: .system)

  /// This machine's own, then Debian 13's (PostgreSQL 17, RabbitMQ 4) as `.ci/debian13` unpacks them.
  ///
  /// Where these could not be fetched they are left out; in CI their absence is a failure.
  package static let all: [TestedServers] = {
    let folder = "\(FileManager.default.currentDirectoryPath)/.belfry/debian-13"
    let debian13 = Self(
      description: "Debian 13's servers",
      postgres: PostgresInstallation(folder: "\(folder)/postgresql"),
      rabbitmq: RabbitMQInstallation(folder: "\(folder)/rabbitmq")
    )
    let mustBeThere = ProcessInfo.processInfo.environment["CI"] != nil
    return FileManager.default.fileExists(atPath: folder) || mustBeThere ? [system, debian13] : [system]
  }()
}
