import Authentication
import Foundation
import NotificationModel

@testable import Gateway

extension Route {
  /// Whom the route serves: this user, this service, or an admin.
  func caller(user: UserID = UserID(UUID()), service: String = "shop") async throws -> Caller {
    switch access {
    case .open, .user: try await .user(user)
    case .service: try await .service(service)
    case .admin: try await .service("ops", role: .admin)
    }
  }
}
