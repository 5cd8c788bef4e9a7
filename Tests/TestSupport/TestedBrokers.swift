package import LocalStack
import Foundation

/// The RabbitMQs that tests run on: this machine's own, and RabbitMQ 4 as `.ci/rabbitmq4` unpacks it.
///
/// Where it could not be fetched, RabbitMQ 4 is left out; in CI its absence is a failure.
package enum TestedBrokers {
  package static let all: [RabbitMQInstallation] = {
    let four = RabbitMQInstallation(folder: "\(FileManager.default.currentDirectoryPath)/.belfry/rabbitmq-4")
    let mustBeThere = ProcessInfo.processInfo.environment["CI"] != nil
    return four.exists || mustBeThere ? [.system, four] : [.system]
  }()
}
