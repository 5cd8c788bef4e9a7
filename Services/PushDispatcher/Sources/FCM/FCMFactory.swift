import Logging
import NotificationModel
import ServiceLifecycle
import Transport

/// Makes the sender to FCM with its connections, from what the dispatcher was told of it.
struct FCMFactory: PushProviderFactory {
  let configuration: FCMConfiguration
  var receipts = ReceiptKeys.none

  let carrier = DevicePlatform.Carrier.fcm

  /// Token and push, and both again if the token is refused.
  var longestPush: Duration { configuration.requestTimeout * 4 }

  func make(devices: any DeviceRegistry, logger: Logger) throws -> PushProviderParts {
    let account = try ServiceAccount(file: configuration.serviceAccountFile)
    var transport = HTTPClientConfiguration()
    transport.maximumConnectionsPerHost = configuration.connections
    transport.timeout = configuration.requestTimeout
    transport.caFile = configuration.caFile.isEmpty ? nil : configuration.caFile
    let fcm = try HTTP2Client(origin: configuration.endpoint, configuration: transport, logger: logger)
    // Once an hour: one connection is enough.
    transport.maximumConnectionsPerHost = 1
    let tokenServer = try HTTP2Client(origin: account.tokenOrigin, configuration: transport, logger: logger)
    let sender = FCMSender(
      concurrency: configuration.connections * transport.maximumStreamsPerConnection,
      url: "\(configuration.endpoint)/v1/projects/\(account.projectID)/messages:send",
      web: configuration.web,
      receipts: receipts,
      client: fcm,
      tokens: try AccessTokens(account: account, client: tokenServer, logger: logger),
      control: configuration.control,
      logger: logger
    )
    return PushProviderParts(provider: sender, services: [fcm, tokenServer])
  }

  /// By a connection of its own: subscriptions take no push's place.
  func reconcilers(of topics: any TopicRegistry, logger: Logger) throws -> [any Service] {
    let account = try ServiceAccount(file: configuration.serviceAccountFile)
    var transport = HTTPClientConfiguration()
    transport.maximumConnectionsPerHost = 1
    transport.timeout = configuration.requestTimeout
    transport.caFile = configuration.caFile.isEmpty ? nil : configuration.caFile
    let fcm = try HTTP2Client(origin: configuration.endpoint, configuration: transport, logger: logger)
    let tokenServer = try HTTP2Client(origin: account.tokenOrigin, configuration: transport, logger: logger)
    let reconciler = TopicReconciler(
      registry: topics,
      subscriptions: TopicSubscriptionClient(
        url: "\(configuration.endpoint)/v1/projects/\(account.projectID)/registrations",
        client: fcm,
        tokens: try AccessTokens(account: account, client: tokenServer, logger: logger)
      ),
      // All of a claim is told at once, each within the time of a push.
      lease: longestPush + TopicReconciler.margin,
      logger: logger
    )
    return [fcm, tokenServer, reconciler]
  }

  func check(logger: Logger) async -> [PushFinding] {
    var findings: [PushFinding] = []
    do {
      let account = try ServiceAccount(file: configuration.serviceAccountFile)
      var transport = HTTPClientConfiguration()
      transport.maximumConnectionsPerHost = 1
      transport.timeout = configuration.requestTimeout
      transport.caFile = configuration.caFile.isEmpty ? nil : configuration.caFile
      let fcm = try HTTP2Client(origin: configuration.endpoint, configuration: transport, logger: logger)
      let tokenServer = try HTTP2Client(origin: account.tokenOrigin, configuration: transport, logger: logger)
      let tokens = try AccessTokens(account: account, client: tokenServer, logger: logger)
      findings.append(.good(.fcm, "the service account's key can be read; its project is \(account.projectID)"))
      findings += await FCMCheck(
        url: "\(configuration.endpoint)/v1/projects/\(account.projectID)/messages:send",
        project: account.projectID,
        client: fcm,
        tokens: tokens
      ).run()
      await fcm.close()
      await tokenServer.close()
    } catch {
      findings.append(.bad(.fcm, "\(error)"))
    }
    return findings
  }
}
