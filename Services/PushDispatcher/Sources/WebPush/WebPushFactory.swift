import Cryptography
import Foundation
import Logging
import NotificationModel
import Transport

/// Makes the sender to browsers' push services, from what the dispatcher was told of it.
struct WebPushFactory: PushProviderFactory {
  let configuration: WebPushConfiguration
  let appearance: WebAppearance
  let receipts: ReceiptKeys

  let carrier = DevicePlatform.Carrier.webPush

  /// With either key, and shortened with either.
  var longestPush: Duration { configuration.requestTimeout * 4 }

  func make(devices: any DeviceRegistry, logger: Logger) throws -> PushProviderParts {
    let client = OriginsClient(configuration: transport, logger: logger)
    let sender = WebPushSender(
      concurrency: configuration.concurrency,
      hosts: configuration.hosts,
      appearance: appearance,
      receipts: receipts,
      client: client,
      signatures: VAPIDSignatures(keys: try keys(), subject: configuration.subject),
      logger: logger
    )
    return PushProviderParts(provider: sender, services: [client]) { [records = sender.records] in records.problem }
  }

  func check(logger: Logger) async -> [PushFinding] {
    let keys: [VAPIDKey]
    do { keys = try self.keys() } catch { return [.bad(.webPush, "\(error)")] }
    var findings = Self.findings(of: keys)
    let client = HTTPClient(configuration: transport, logger: logger)
    findings += await WebPushCheck(
      signatures: VAPIDSignatures(keys: keys, subject: configuration.subject),
      client: client
    ).run()
    await client.close()
    return findings
  }

  /// - Parameter keys: The one in use, then the one before it.
  static func findings(of keys: [VAPIDKey]) -> [PushFinding] {
    keys.enumerated().map { index, key in
      let name = index == 0 ? "VAPID key" : "previous VAPID key"
      return .good(.webPush, "the \(name) \(key.id) can be read; its public half is \(key.publicText)")
    }
  }

  private var transport: HTTPClientConfiguration {
    var transport = HTTPClientConfiguration()
    transport.maximumConnectionsPerHost = configuration.connections
    transport.timeout = configuration.requestTimeout
    transport.caFile = configuration.caFile.isEmpty ? nil : configuration.caFile
    transport.publicAddressesOnly = !configuration.allowsPrivateEndpoints
    // What they say is short.
    transport.maximumResponseBody = 65_536
    return transport
  }

  /// - Throws: `PushError` naming the file, never its contents.
  private func keys() throws(PushError) -> [VAPIDKey] {
    var keys = [try Self.key(configuration.keyFile, "BELFRY_PUSH_WEBPUSH_KEY_FILE")]
    if !configuration.previousKeyFile.isEmpty {
      keys.append(try Self.key(configuration.previousKeyFile, "BELFRY_PUSH_WEBPUSH_PREVIOUS_KEY_FILE"))
    }
    return keys
  }

  private static func key(_ path: String, _ setting: String) throws(PushError) -> VAPIDKey {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw PushError("cannot read the VAPID key \(path) (\(setting)): \(WebPushConfiguration.remedy)")
    }
    do {
      return try VAPIDKey(PrivateKey(pem: String(decoding: data, as: UTF8.self), .p256))
    } catch {
      throw PushError("the VAPID key \(path) (\(setting)) is not a file as belfry vapid makes it")
    }
  }
}
