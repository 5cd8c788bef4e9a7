import Logging
import NotificationModel
import ServiceLifecycle

/// Makes a provider from what the dispatcher was told of it.
///
/// A new provider is a folder with configuration, message, answer, sender and factory, its name in
/// ``DevicePlatform/Carrier/implemented``, and its line in ``PushConfiguration/factories``.
protocol PushProviderFactory: Sendable {
  var carrier: DevicePlatform.Carrier { get }
  /// What one push takes at most, whatever the provider does.
  var longestPush: Duration { get }
  /// - Parameter devices: Learns what the provider says of them.
  /// - Throws: Why pushes cannot be sent at all, in words for the operator.
  func make(devices: any DeviceRegistry, logger: Logger) throws -> PushProviderParts

  /// What runs beside the provider's pushes, in order of dependency.
  ///
  /// - Parameter topics: What the provider is to be told of topics.
  func reconcilers(of topics: any TopicRegistry, logger: Logger) throws -> [any Service]

  /// Finds out whether the provider takes what it would be sent: keys that can be read, the clock, a dry run where there is one.
  func check(logger: Logger) async -> [PushFinding]
}

/// A provider without topics.
extension PushProviderFactory {
  func reconcilers(of topics: any TopicRegistry, logger: Logger) throws -> [any Service] { [] }
}

/// A provider, and what runs for it.
struct PushProviderParts {
  var provider: any PushProvider
  /// In order of dependency.
  var services: [any Service]
  /// What the operator must mend before the provider takes pushes; nil if nothing.
  var problem: (@Sendable () -> String?)?

  init(provider: any PushProvider, services: [any Service], problem: (@Sendable () -> String?)? = nil) {
    self.provider = provider
    self.services = services
    self.problem = problem
  }
}
