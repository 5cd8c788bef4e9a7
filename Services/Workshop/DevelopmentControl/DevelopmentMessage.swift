/// A line of the socket between the simulator and `belfry-dev run`: a JSON object with one member that names its kind.
///
/// A connection is either for one question and its answer, or it begins with ``watch``: then events go one way and sightings
/// the other until it is closed.
public enum DevelopmentMessage: Sendable, Equatable {
  case ask(DevelopmentQuestion)
  case answer(DevelopmentAnswer)
  case watch
  case event(DevelopmentEvent)
  case seen(Sighting)
}

/// What the page of the first hour, or `belfry-dev demo`, asks of `belfry-dev run`: a request below `/api/development`.
public struct DevelopmentQuestion: Sendable, Equatable {
  public var method: String
  /// Without a slash at its beginning: `switches/fcm-down`; empty is `/api/development` itself.
  public var path: String
  public var query: [String: String]
  /// A JSON document; nil sends none.
  public var body: String?

  public init(method: String, path: String, query: [String: String] = [:], body: String? = nil) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body
  }
}

/// What it answers.
public struct DevelopmentAnswer: Sendable, Equatable {
  /// As of HTTP.
  public var status: Int
  /// A JSON document; that of a refusal has a `detail`, in words for people.
  public var body: String

  public init(status: Int = 200, body: String) {
    self.status = status
    self.body = body
  }
}

/// What `belfry-dev run` sends unasked.
public struct DevelopmentEvent: Sendable, Equatable {
  public enum Kind: String, Sendable {
    case trace, `switch`, state
  }

  public var kind: Kind
  /// What a later event of the same kind replaces: a trace's request, a switch's name.
  public var key: String
  /// A JSON document.
  public var data: String

  public init(kind: Kind, key: String, data: String) {
    self.kind = kind
    self.key = key
    self.data = data
  }
}

/// What the simulator saw arrive, or refused.
public struct Sighting: Sendable, Equatable {
  public enum Kind: String, Sendable {
    case push, refused, mail
  }

  public var kind: Kind
  /// Milliseconds since 1970.
  public var at: Int64
  /// Device token, or address.
  public var target: String
  public var notification: String?
  /// HTTP status of a refusal.
  public var status: Int?
  /// It came before, and a person sees it twice.
  public var isSeenTwice: Bool

  public init(
    kind: Kind,
    at: Int64,
    target: String,
    notification: String?,
    status: Int? = nil,
    isSeenTwice: Bool = false
  ) {
    self.kind = kind
    self.at = at
    self.target = target
    self.notification = notification
    self.status = status
    self.isSeenTwice = isSeenTwice
  }
}
