public import Settings

/// How a service reaches RabbitMQ.
public struct BrokerSettings: ServiceConfiguration {
  /// Hosts, credentials and limits of the driver.
  public var connection: BrokerConfiguration
  /// Messages a publisher may have unconfirmed.
  public var maximumUnconfirmed: Int

  /// Reads `broker.…`.
  public init(_ settings: Settings) {
    let url = settings.string(
      "broker.url",
      default: nil,
      "RabbitMQ as amqp[s]://user:password@host1:5672,host2:5672/vhost; hosts are tried in turn.",
      isSecret: true
    )
    let heartbeat = settings.duration(
      "broker.heartbeat",
      default: .seconds(10),
      // Twice as long is well within the 30 min after which the broker takes a message back.
      in: .seconds(1) ... .seconds(600),
      "Interval of heartbeats on broker connections. A dead connection is noticed after about twice this time."
    )
    let caFile = settings.string(
      "broker.caFile",
      default: "",
      "PEM file of the certificate authority for amqps; empty means the system's."
    )
    maximumUnconfirmed = settings.integer(
      "broker.maximumUnconfirmed",
      default: 1_000,
      in: 100...100_000,
      "Messages published and not yet confirmed. Further messages wait, at most four times as many; beyond that they are "
        + "refused."
    )
    do {
      connection = try BrokerConfiguration(url: url.isEmpty ? Self.placeholder : url)
    } catch {
      settings.problem("BELFRY_BROKER_URL: \(error)")
      connection = Self.fallback
    }
    connection.heartbeat = heartbeat
    if !caFile.isEmpty { connection.caFile = caFile }
  }

  private static let placeholder = "amqp://127.0.0.1/"

  private static var fallback: BrokerConfiguration {
    do {
      return try BrokerConfiguration(url: placeholder)
    } catch {
      preconditionFailure("the placeholder is a valid URL: \(error)")
    }
  }
}
