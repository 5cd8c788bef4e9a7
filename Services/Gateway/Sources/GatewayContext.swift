import Authentication
import Hummingbird
import Logging
import NIOCore
import NotificationModel

/// What is known about a request while it is served.
struct GatewayContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// Who is asking; set by ``AuthenticationMiddleware``.
  var principal: Principal?
  /// What the request is called in its answer, in its log lines and where it is written down.
  private(set) var requestID: String
  /// The connection.
  let channel: any NIOCore.Channel

  /// What the server calls it in the log, and calls each request by a number of its own.
  private static let requestIDKey = "hb.request.id"

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
    requestID = source.logger[metadataKey: Self.requestIDKey]?.description ?? "none"
  }

  /// Calls the request as its client does, if that is fit to be taken over.
  mutating func takeRequestID(of request: Request) {
    guard let id = request.headers[.requestID], RequestIdentifier.isWellFormed(id) else { return }
    requestID = id
    logger[metadataKey: Self.requestIDKey] = .string(id)
  }

  /// The `sub` of the caller's token or the name of its key, under which what it does is written down; empty where nobody has
  /// shown one.
  var subject: String { principal?.subject ?? "" }

  /// Whose requests the caller's sends are.
  var owner: RequestOwner { RequestOwner(subject) }

  /// The user who is asking.
  ///
  /// - Throws: 403 if the token names none.
  func user() throws -> UserID {
    guard let uuid = principal?.userID else { throw Problem.needsUser(principal) }
    return UserID(uuid)
  }

  /// Whose schedules and requests the caller may see; nil is everybody's.
  func ownerInSight() -> String? {
    principal?.roles.contains(.admin) == true ? nil : subject
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
