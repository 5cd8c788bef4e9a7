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
    guard let uuid = principal?.userID else { throw Problem.needsUser }
    return UserID(uuid)
  }

  /// Whose schedules and requests the caller may see; nil is everybody's.
  func ownerInSight() -> String? {
    principal?.roles.contains(.admin) == true ? nil : principal?.subject ?? ""
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
