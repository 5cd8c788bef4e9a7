import Foundation
import NotificationStore

/// Notes of requests what no notification says: what routing needs of ``RequestStore``.
protocol RequestKeeping: Sendable {
  /// Notes that a router came to a request which is for nobody.
  func noteNobody(of request: NamedRequest, now: Date) async throws
}

extension RequestStore: RequestKeeping {}
