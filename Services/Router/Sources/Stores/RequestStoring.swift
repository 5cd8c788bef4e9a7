import Foundation
import NotificationStore

/// Notes of requests what no notification says: what routing needs of ``RequestStore``.
protocol RequestStoring: Sendable {
  /// Notes that a router came to requests which are for nobody.
  func noteNobody(of requests: [NamedRequest], now: Date) async throws
}

extension RequestStore: RequestStoring {}
