import SignalRProtocol

/// The methods that clients may call.
struct HubMethods: Sendable {
  /// What to answer to a client's message; nil where it wants no answer.
  func answer(to message: HubMessage) -> HubMessage? {
    switch message {
    case .invocation(let id?, let target, _, _), .streamInvocation(let id, let target, _, _):
      .completion(id: id, .error("Unknown hub method '\(target)'"))
    case .invocation(nil, _, _, _), .streamItem, .completion, .cancelInvocation, .ping, .close, .ack, .sequence:
      nil
    }
  }
}
