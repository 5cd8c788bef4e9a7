/// What a local stack consists of.
public struct BelfryStackConfiguration: Sendable {
  /// Where data and logs are; absolute, made if it is missing. What is there is kept.
  public var directory: String
  /// What is run: the services, and the simulator.
  public var programs: BelfryPrograms
  /// The servers: this machine's own, or others.
  public var postgres = PostgresInstallation.system
  public var rabbitmq = RabbitMQInstallation.system
  /// How many of each service; 1 where nothing is said, none for 0.
  public var scale: [BelfryService: Int] = [:]
  /// The first gateway's port; `nil` finds a free one.
  public var gatewayPort: Int?
  /// The first in-app dispatcher's port; `nil` finds a free one.
  public var inAppPort: Int?
  /// The port of the simulator's page and control API; `nil` finds a free one.
  public var simulatorPort: Int?
  /// `false` for tests: commits survive the death of PostgreSQL, not the machine's.
  public var isDurable = true
  /// Settings (`BELFRY_…`) for all services and the simulator, except where the stack itself must decide: its ports, its
  /// addresses, its secrets.
  public var settings: [String: String] = [:]
  /// Variables (`BELFRY_…`) for each copy of a service, over those of the stack.
  public var variables: [BelfryService: [String: String]] = [:]
  /// The only settings that a service is given, where its programs are of another release, which does not start with others; see
  /// ``BelfryPrograms/settings(in:)``.
  public var knownSettings: [BelfryService: Set<String>] = [:]
  /// Variables (`BELFRY_SIMULATOR_…`) for the simulator, over those of the stack.
  public var simulatorVariables: [String: String] = [:]

  public init(directory: String, programs: BelfryPrograms) {
    self.directory = directory
    self.programs = programs
  }

  func count(of service: BelfryService) -> Int { scale[service] ?? 1 }
}
