/// A message of the hub protocol, after the handshake.
///
/// Source: HubProtocol.md of ASP.NET Core. Headers are left out: nothing here reads them, and some clients copy their
/// token into them.
public enum HubMessage: Sendable, Equatable {
  /// A call; without an id no answer is wanted. `streamIDs` name the streams that the caller will send.
  case invocation(id: String?, target: String, arguments: [HubValue], streamIDs: [String] = [])
  case streamItem(id: String, item: HubValue)
  case completion(id: String, HubResult)
  case streamInvocation(id: String, target: String, arguments: [HubValue], streamIDs: [String] = [])
  case cancelInvocation(id: String)
  case ping
  /// The end of the connection; with an error several clients never reconnect.
  case close(error: String? = nil, allowReconnect: Bool = false)
  /// Stateful reconnect: everything up to this number has been processed.
  case ack(sequenceID: Int64)
  /// Stateful reconnect: the number of the next message.
  case sequence(sequenceID: Int64)

  /// Whether stateful reconnect counts it, keeps it until it is acknowledged and sends it again.
  public var isNumbered: Bool {
    switch self {
    case .invocation, .streamItem, .completion, .streamInvocation, .cancelInvocation: true
    case .ping, .close, .ack, .sequence: false
    }
  }
}
