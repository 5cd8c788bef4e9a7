import Foundation

/// Where web pages reach the hub: an absolute `http(s)` address, or a path on the gateway's own origin, as behind one proxy.
public struct HubAddress: LosslessStringConvertible, Sendable, Equatable {
  /// Behind a proxy that has gateway and hub.
  public static let sameOrigin = HubAddress(text: "/hubs/notifications")

  /// What a setting says that it expects.
  public static let kind =
    "address such as https://hub.example/hubs/notifications, or a path such as /hubs/notifications"

  public let description: String

  /// Nil for anything else: a page would connect to nowhere, and with a user name in it, tell everybody that.
  public init?(_ text: String) {
    guard text.wholeMatch(of: #/(https?://[^\s/?#@\\]+)?/[^\s/?#\\][^\s?#\\]*/#) != nil, URL(string: text) != nil else {
      return nil
    }
    description = text
  }

  private init(text: String) {
    description = text
  }
}
