import Broker
import NotificationQueue

extension Bench {
  /// Messages that some service could do nothing with: no more than before, or what was measured is not what was to be.
  func deadLettered() async throws -> Int {
    var count = 0
    for queue in Topology.workQueues { count += try await admin.depth(of: Topology.deadQueue(of: queue)) }
    return count
  }
}
