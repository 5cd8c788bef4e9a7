import Authentication
import Hummingbird
import Logging
import NotificationModel

/// What is known about a request while it is served.
struct GatewayContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// Who is asking; set by ``AuthenticationMiddleware``.
  var principal: Principal?

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
  }

  /// The user who is asking.
  ///
  /// - Throws: 403 if the token names none.
  func user() throws -> UserID {
    guard let uuid = principal?.userID else {
      throw Problem(
        .forbidden,
        .forbidden,
        "This needs a user's token",
        detail: "the token's subject is no user id (UUID)"
      )
    }
    return UserID(uuid)
  }

  /// - Throws: 403 unless the token has one of the roles service and admin.
  func requireService() throws {
    guard principal?.isService == true else {
      throw Problem(
        .forbidden,
        .forbidden,
        "This needs a service's token",
        detail: "the token lacks the role 'service'"
      )
    }
  }

  /// Whose schedules and requests the caller may see; nil is everybody's.
  func ownerInSight() -> String? {
    principal?.roles.contains(.admin) == true ? nil : principal?.subject ?? ""
  }

  /// - Throws: 403 unless the token has the role admin.
  func requireAdmin() throws {
    guard principal?.roles.contains(.admin) == true else {
      throw Problem(
        .forbidden,
        .forbidden,
        "This needs an admin's token",
        detail: "the token lacks the role 'admin'"
      )
    }
  }

  /// An identifier in the path; anything else is a resource that does not exist.
  func identifier<Subject>(_ name: String = "id") throws -> Identifier<Subject> {
    guard let text = parameters.get(name), let identifier = Identifier<Subject>(text) else { throw Problem.notFound }
    return identifier
  }
}

extension Principal {
  /// An admin may do what a service may.
  var isService: Bool { roles.contains(.service) || roles.contains(.admin) }
}
