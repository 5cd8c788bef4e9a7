import Cryptography
import Foundation
import Logging
import NotificationModel
import ServiceLifecycle
import Transport

/// Makes the sender to APNs with its pools, from what the dispatcher was told of it.
struct APNsFactory: PushProviderFactory {
  let configuration: APNsConfiguration
  var receipts = ReceiptKeys.none

  let carrier = DevicePlatform.Carrier.apns

  /// APNs allows fewer at first, and more or fewer later; the connections follow.
  static let streams = 250
  /// Apple: keep connections for days, and see that they live.
  private static let silence = Duration.seconds(3_600)

  /// Here, with a renewed token, and the same in the other environment once it is its turn.
  var longestPush: Duration { configuration.requestTimeout * 4 + APNsPool.longestProbeWait }

  func make(devices: any DeviceRegistry, logger: Logger) throws -> PushProviderParts {
    var pools: [APNsPool] = []
    var services: [any Service] = []
    for environment in configuration.environments {
      let (pool, client) = try pool(of: environment, logger: logger)
      pools.append(pool)
      services.append(client)
    }
    let sender = APNsSender(
      concurrency: configuration.connections * Self.streams,
      pools: pools,
      environment: configuration.environment,
      topic: configuration.topic,
      receipts: receipts,
      devices: devices,
      logger: logger
    )
    return PushProviderParts(provider: sender, services: services) { [pools] in
      pools.lazy.compactMap(\.problem).first
    }
  }

  func check(logger: Logger) async -> [PushFinding] {
    var findings: [PushFinding] = []
    for environment in configuration.environments {
      let service = configuration.service(of: environment)
      do {
        let key = try Self.key(service.keyFile, of: environment)
        var transport = HTTPClientConfiguration()
        transport.maximumConnectionsPerHost = 1
        transport.timeout = configuration.requestTimeout
        transport.caFile = configuration.caFile.isEmpty ? nil : configuration.caFile
        let client = try HTTP2Client(origin: service.endpoint, configuration: transport, logger: logger)
        findings.append(.good(.apns, "\(environment.rawValue): the key \(service.keyID) can be read"))
        findings += await APNsCheck(
          environment: environment,
          origin: service.endpoint,
          topic: configuration.topic,
          client: client,
          tokens: ProviderTokens(key: key, keyID: service.keyID, teamID: configuration.teamID)
        ).run()
        await client.close()
      } catch {
        findings.append(.bad(.apns, "\(environment.rawValue): \(error)"))
      }
    }
    return findings
  }

  private func pool(of environment: APNsAddress.Environment, logger: Logger) throws -> (APNsPool, HTTP2Client) {
    let service = configuration.service(of: environment)
    var transport = HTTPClientConfiguration()
    transport.maximumConnectionsPerHost = configuration.connections
    transport.maximumStreamsPerConnection = Self.streams
    transport.awaitsSettings = true
    transport.pingAfter = Self.silence
    transport.timeout = configuration.requestTimeout
    transport.caFile = configuration.caFile.isEmpty ? nil : configuration.caFile
    let client = try HTTP2Client(origin: service.endpoint, configuration: transport, logger: logger) { goodbye in
      APNsPool.report(goodbye, of: environment, to: logger)
    }
    let pool = APNsPool(
      environment,
      origin: service.endpoint,
      connections: client,
      tokens: ProviderTokens(
        key: try Self.key(service.keyFile, of: environment),
        keyID: service.keyID,
        teamID: configuration.teamID
      ),
      logger: logger
    )
    return (pool, client)
  }

  /// - Throws: `PushError` naming the file, never its contents.
  private static func key(_ path: String, of environment: APNsAddress.Environment) throws(PushError) -> PrivateKey {
    let setting = environment == .production ? "BELFRY_PUSH_APNS_KEY_FILE" : "BELFRY_PUSH_APNS_SANDBOX_KEY_FILE"
    guard let data = FileManager.default.contents(atPath: path) else {
      throw PushError("cannot read the key for APNs \(path) (\(setting)): \(APNsConfiguration.remedy)")
    }
    do {
      return try PrivateKey(pem: String(decoding: data, as: UTF8.self), .p256)
    } catch {
      throw PushError(
        "the key for APNs \(path) (\(setting)) is not a .p8 file as Apple's developer portal gives it"
      )
    }
  }
}
