import NotificationModel
import SignalRProtocol

/// What a client's call asks for, its arguments read.
enum HubOperation: Sendable, Equatable {
  case markAsRead(NotificationID)
  case markAllAsRead
  case markAllAsSeen
  case startViewing(RelatedEntity)
  case stopViewing
  /// Everything after this `seq`.
  case resume(after: Int)

  /// The method's name, however the client spells it.
  var name: String {
    switch self {
    case .markAsRead: "MarkAsRead"
    case .markAllAsRead: "MarkAllAsRead"
    case .markAllAsSeen: "MarkAllAsSeen"
    case .startViewing: "StartViewing"
    case .stopViewing: "StopViewing"
    case .resume: "Resume"
    }
  }

  /// Why a call cannot be carried out, in the original hub's words.
  struct Refusal: Error, Equatable {
    let message: String
  }

  private enum Method: String {
    case markAsRead = "markasread"
    case markAllAsRead = "markallasread"
    case markAllAsSeen = "markallasseen"
    case startViewing = "startviewing"
    case stopViewing = "stopviewing"
    case resume = "resume"
  }

  /// Reads a call; methods are named without regard to case.
  static func parse(_ call: HubCall) throws(Refusal) -> HubOperation {
    guard let method = Method(rawValue: call.target.lowercased()) else {
      throw Refusal(message: missing(call))
    }
    if call.isStream, method != .resume {
      throw Refusal(
        message: "The client attempted to invoke the non-streaming '\(call.target)' method with a streaming invocation."
      )
    }
    let arguments = Arguments(call)
    switch method {
    case .markAsRead:
      try arguments.expect(1)
      guard let id = arguments.values[0].stringValue.flatMap({ NotificationID($0) }) else {
        throw arguments.refusal("id: expected a UUID")
      }
      return .markAsRead(id)
    case .markAllAsRead:
      try arguments.expect(0)
      return .markAllAsRead
    case .markAllAsSeen:
      try arguments.expect(0)
      return .markAllAsSeen
    case .startViewing:
      try arguments.expect(2)
      return .startViewing(try arguments.entity())
    case .stopViewing:
      try arguments.expect(0)
      return .stopViewing
    case .resume:
      try arguments.expect(1)
      guard let seq = arguments.values[0].integerValue, (0...Int64(Int.max / 2)).contains(seq) else {
        throw arguments.refusal("lastSeq: expected a whole number, 0 or more")
      }
      return .resume(after: Int(seq))
    }
  }

  /// The answer to a call of a method that there is not, as originals give it since version 3.
  static func missing(_ call: HubCall) -> String {
    "Failed to invoke '\(call.target)' due to an error on the server. HubException: Method does not exist."
  }

  /// The answer to a call that failed through no fault of the caller's.
  static func failure(of call: HubCall) -> String {
    "An unexpected error occurred invoking '\(call.target)' on the server."
  }

  /// The answer to a call that the caller can put right.
  static func failure(of call: HubCall, _ reason: String) -> String {
    "\(failure(of: call)) HubException: \(reason)"
  }

  private struct Arguments {
    let call: HubCall
    var values: [HubValue] { call.arguments }

    init(_ call: HubCall) {
      self.call = call
    }

    func refusal(_ reason: String) -> Refusal {
      Refusal(message: HubOperation.failure(of: call, reason))
    }

    func expect(_ count: Int) throws(Refusal) {
      guard values.count == count else {
        throw refusal("Invocation provides \(values.count) argument(s) but target expects \(count).")
      }
    }

    func entity() throws(Refusal) -> RelatedEntity {
      guard let type = values[0].stringValue, let id = values[1].stringValue else {
        throw refusal("entityType, entityId: expected two texts")
      }
      guard let entity = RelatedEntity(type: type, id: id) else {
        let problems = RelatedEntity.problems(type: type, id: id)
        throw refusal(problems.map { "\($0.field): \($0.message)" }.joined(separator: "; "))
      }
      return entity
    }
  }
}
