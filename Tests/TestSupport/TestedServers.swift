package import LocalStack
import Foundation

/// A PostgreSQL and a RabbitMQ that tests run on.
package struct TestedServers: Sendable, Equatable, CustomStringConvertible {
  package let description: String
  package let postgres: PostgresInstallation
  package let rabbitmq: RabbitMQInstallation

  /// This machine's own.
  package static let system = Self(description: "this machine's servers", postgres: .system, rabbitmq: .system)

  /// Those of this run: this machine's own every day, in the long run Debian 13's (PostgreSQL 17, RabbitMQ 4) as `.ci/debian13`
  /// unpacks them.
  package static let all: [TestedServers] = {
    guard TestScope.isLong else { return [system] }
    let folder = "\(FileManager.default.currentDirectoryPath)/.belfry/debian-13"
    return [
      Self(
        description: "Debian 13's servers",
        postgres: PostgresInstallation(folder: "\(folder)/postgresql"),
        rabbitmq: RabbitMQInstallation(folder: "\(folder)/rabbitmq")
      )
    ]
  }()
}
