package import LocalStack
import Foundation

/// The PostgreSQL and the RabbitMQ that tests run on.
package struct TestedServers: Sendable {
  package let postgres: PostgresInstallation
  package let rabbitmq: RabbitMQInstallation

  /// This machine's own every day; in the long run Debian 13's, PostgreSQL 17 and RabbitMQ 4, as `.ci/debian13` unpacks them.
  package static let current: TestedServers = {
    guard TestScope.isLong else { return TestedServers(postgres: .system, rabbitmq: .system) }
    let folder = "\(FileManager.default.currentDirectoryPath)/.belfry/debian-13"
    return TestedServers(
      postgres: PostgresInstallation(folder: "\(folder)/postgresql"),
      rabbitmq: RabbitMQInstallation(folder: "\(folder)/rabbitmq")
    )
  }()
}
