import LocalStack
import TestSupport

extension BelfryStackConfiguration {
  /// The programs of this build on the servers of this run.
  static func tested(in directory: String) throws -> BelfryStackConfiguration {
    var configuration = BelfryStackConfiguration(directory: directory, programs: try .own())
    configuration.postgres = TestedServers.current.postgres
    configuration.rabbitmq = TestedServers.current.rabbitmq
    configuration.isDurable = false
    return configuration
  }
}
