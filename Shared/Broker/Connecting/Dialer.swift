import DriverExecutor

/// Makes connections on a queue of its own, so that the actor that will own one stays responsive meanwhile: connecting,
/// logging in and declaring block.
actor Dialer {
  private nonisolated let executor: QueueExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let configuration: BrokerConfiguration
  private let topology: BrokerTopology
  private let purpose: LinkPurpose
  private var generation: UInt64 = 0

  init(configuration: BrokerConfiguration, topology: BrokerTopology, purpose: LinkPurpose) {
    executor = QueueExecutor(label: "belfry.broker.dialer")
    self.configuration = configuration
    self.topology = topology
    self.purpose = purpose
  }

  /// Connects to the first host that answers and prepares the connection. If none does, the error names each.
  func dial() throws(BrokerError) -> sending AMQPLink {
    generation += 1
    var errors: [BrokerError] = []
    for host in configuration.hosts {
      do throws(BrokerError) {
        return try Self.open(configuration, host, generation, topology, purpose)
      } catch {
        errors.append(error)
        // The same on every host of a cluster, and not for us to mend.
        if error.code == .preconditionFailed { break }
      }
      if Task.isCancelled { break }
    }
    // The most telling one first: a host that is merely down explains less than one that refused.
    guard let first = errors.first(where: { $0.code != .cannotConnect }) ?? errors.first else {
      throw BrokerError(.invalidConfiguration, "The broker's configuration names no host.")
    }
    let others = errors.filter { $0 != first }.map(\.description)
    throw BrokerError(
      first.code,
      ([first.description] + others).joined(separator: "; "),
      detail: first.debugDescription
    )
  }

  private static func open(
    _ configuration: BrokerConfiguration,
    _ host: BrokerConfiguration.Host,
    _ generation: UInt64,
    _ topology: BrokerTopology,
    _ purpose: LinkPurpose
  ) throws(BrokerError) -> sending AMQPLink {
    let link = try AMQPLink(configuration: configuration, host: host, generation: generation)
    try link.declare(topology)
    switch purpose {
    case .publish: try link.enableConfirms()
    case .consume(let queue, let prefetch): try link.consume(queue: queue, prefetch: prefetch)
    case .manage: break
    }
    return link
  }
}
