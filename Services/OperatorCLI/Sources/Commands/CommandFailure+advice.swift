import Broker
import Postgres

extension CommandFailure {
  /// What went wrong below, with what the person at the terminal can do about it; nil where there is nothing to add.
  init?(advising error: any Error) {
    let advice: String? =
      switch error {
      case let error as BrokerError: Self.advice(error.code)
      case let error as PostgresError: Self.advice(error.code)
      default: nil
      }
    guard let advice else { return nil }
    self.init("\(error)\n\(advice)")
  }

  private static func advice(_ code: BrokerError.Code) -> String? {
    switch code {
    case .cannotConnect, .unavailable, .connectionLost, .timeout:
      "Is RabbitMQ running at the address in BELFRY_BROKER_URL? `belfry dev` starts one on this machine."
    case .accessRefused: "Check user, password and virtual host in BELFRY_BROKER_URL."
    case .tls: "BELFRY_BROKER_CA_FILE names the authority; the URL must name the host as its certificate does."
    case .blocked: "RabbitMQ has a memory or disk alarm: `rabbitmqctl status` tells which."
    default: nil
    }
  }

  private static func advice(_ code: PostgresError.Code) -> String? {
    switch code {
    case .cannotConnect, .connectionLost:
      "Is PostgreSQL running at the address in BELFRY_DATABASE_URL, and are user and password right? `belfry dev` starts one"
        + " on this machine."
    default: nil
    }
  }
}
