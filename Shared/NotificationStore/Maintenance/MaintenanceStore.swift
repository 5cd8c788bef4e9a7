public import Postgres

/// Maintenance of the schema: partitions, old keys and throttle uses, stale tokens, dead nodes. Any number of routers may call it; one does the work.
public struct MaintenanceStore: Sendable {
  /// What a run did.
  public struct Report: Sendable, Equatable {
    public var partitionsMade = 0
    public var partitionsDropped = 0
    public var keysDeleted = 0
    /// What throttles let through, so long ago that none looks at it any more.
    public var throttleUsesDeleted = 0
    public var devicesDeactivated = 0
    /// In-app nodes that ended without a word, and what was looked at over them.
    public var nodesRemoved = 0
    /// What rules remembered of what is long over.
    public var ruleStatesDeleted = 0

    public init() {}
  }

  /// How old what becomes before it goes.
  struct Ages: Sendable {
    let retention: Duration
    let keyLifetime: Duration
    let staleDevice: Duration
  }

  /// In this order. Keys before partitions: as long as one is known, so is the week in which its request is stored.
  private static let maintenance: [MaintenanceStep] = [
    .idempotencyKeys,
    .throttleUses,
    .oldPartitions,
    .newPartitions,
    .staleDevices,
    .deadNodes,
    .requests,
    .oldHeld,
    .oldCompanions,
    .oldChanges,
    .presence,
    .ruleStates,
    .erasedUsers,
    .audit,
    .softBounces,
    .statistics,
  ]

  private let client: PostgresClient

  public init(client: PostgresClient) {
    self.client = client
  }

  /// Runs once, or answers nil if another service is at it.
  ///
  /// - Parameters:
  ///   - retention: Age at which notifications and deliveries are dropped, whole weeks at a time.
  ///   - keyLifetime: Age at which idempotency keys are forgotten.
  ///   - staleDevice: Disuse after which a device is deactivated.
  public func run(
    retention: Duration,
    keyLifetime: Duration,
    staleDevice: Duration
  ) async throws -> Report? {
    let ages = Ages(retention: retention, keyLifetime: keyLifetime, staleDevice: staleDevice)
    // Not one transaction: locks on the tables and on inboxes would add up, and writers take them in another order.
    return try await client.withConnection(hasDeadlines: false) { session in
      let lock = try await session.query("SELECT pg_try_advisory_lock(\(Self.lockKey))")
      guard try lock.first?.get(0, as: Bool.self) == true else { return nil }
      var report = Report()
      for step in Self.maintenance { try await step.run(session, ages, &report) }
      return report
    }
  }

  /// "belfry" in ASCII, as a number.
  private static let lockKey = 0x62_65_6C_66_72_79
}
