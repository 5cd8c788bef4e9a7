import Broker
import Postgres

/// What keeps a service from its work until the operator mends it. No message is at fault, so all wait.
public struct ServiceFault: Sendable, Equatable {
  /// What readiness shows.
  public let name: String
  /// What the operator can do, for the log.
  public let remedy: String

  private init(_ name: String, _ remedy: String) {
    self.name = name
    self.remedy = remedy
  }

  /// Nil for every failure that passes by itself, or is a message's own.
  public init?(_ error: any Error) {
    switch error {
    case let error as PostgresError:
      guard let fault = error.installationFault else { return nil }
      self.init(fault)
    case let error as BrokerError:
      switch error.code {
      case .accessRefused:
        self.init("broker: permission", "let the user write to Belfry's exchanges (rabbitmqctl set_permissions)")
      case .notFound: self.init("broker: topology", "restart the service: it declares what is missing")
      default: return nil
      }
    default: return nil
    }
  }

  private init(_ fault: PostgresError.InstallationFault) {
    switch fault {
    case .missingPartition:
      self.init("database: partition", "attach the week's partition, or see why maintenance cannot make it")
    case .schema: self.init("database: schema", "run belfry migrate of this release")
    case .privilege: self.init("database: privilege", "grant the user what belfry migrate's owner has")
    case .storage: self.init("database: storage", "see the server's log; free or add disk space")
    case .memory: self.init("database: memory", "see the server's log; give it memory, or lower its settings")
    case .readOnly: self.init("database: read-only", "make it writable, or point BELFRY_DATABASE_URL at the primary")
    }
  }
}
