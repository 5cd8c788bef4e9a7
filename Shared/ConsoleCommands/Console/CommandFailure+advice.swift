import Broker
import Postgres
import Transport

extension CommandFailure {
  /// What went wrong below, with what the person at the terminal can do about it; nil where there is nothing to add.
  public init?(advising error: any Error) {
    let advice: String? =
      switch error {
      case let error as BrokerError: Self.advice(error.code)
      case let error as PostgresError: Self.advice(error.code)
      default: nil
      }
    guard let advice else { return nil }
    self.init("\(error)\n\(advice)")
  }

  /// No answer came from what is at `url`.
  ///
  /// - Parameters:
  ///   - setting: Where that address comes from.
  ///   - reason: In the transport's words.
  init(asking url: String, saidBy setting: String, failed code: TransportError.Code, _ reason: String) {
    let advice =
      switch code {
      case .cannotConnect:
        "Start Belfry with `\(Self.run)`, or say where it is with \(setting). \(Self.elsewhere)"
      case .tls: "Is it https, and does the machine trust who signed the certificate? See \(setting)."
      case .invalidRequest: "\(setting) must be an address such as http://127.0.0.1:8080."
      default: "Is that the gateway? Its GET /health/ready tells what is away. See \(setting)."
      }
    let address = Self.withoutCredentials(url)
    self.init(code == .cannotConnect ? "Nobody answers at \(address).\n\(advice)" : "\(address): \(reason)\n\(advice)")
  }

  /// There is no file of that name, where a catalogue is expected.
  public init(noCatalogue file: String) {
    self.init("\(file): there is no such file: `belfry init \(CallerOptions.quoted(file))` writes one to begin with.")
  }

  /// `https://user:secret@host/` as `https://host/`.
  static func withoutCredentials(_ url: String) -> String {
    guard let start = url.firstRange(of: "://")?.upperBound else { return url }
    let authority = url[start...].prefix { $0 != "/" }
    guard let end = authority.lastIndex(of: "@") else { return url }
    return String(url[..<start] + url[url.index(after: end)...])
  }

  /// Where the gateway's address comes from.
  public static let address = "--gateway or BELFRY_CLI_GATEWAY_URL"
  private static var run: String { CallerOptions.current.stack("belfry-dev run") }
  private static let elsewhere = "A stack that keeps its data elsewhere than in .belfry is found with --data-dir."

  private static func advice(_ code: BrokerError.Code) -> String? {
    switch code {
    case .cannotConnect, .unavailable, .connectionLost, .timeout:
      "Is RabbitMQ running at the address in BELFRY_BROKER_URL? `\(run)` starts one on this machine. \(elsewhere)"
    case .accessRefused: "Check user, password and virtual host in BELFRY_BROKER_URL."
    case .tls: "BELFRY_BROKER_CA_FILE names the authority; the URL must name the host as its certificate does."
    case .blocked: "RabbitMQ has a memory or disk alarm: `rabbitmqctl status` tells which."
    default: nil
    }
  }

  private static func advice(_ code: PostgresError.Code) -> String? {
    switch code {
    case .cannotConnect, .connectionLost:
      "Is PostgreSQL running at the address in BELFRY_DATABASE_URL, and are user and password right? `\(run)` starts"
        + " one on this machine. \(elsewhere)"
    default: nil
    }
  }
}
