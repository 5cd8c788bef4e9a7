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
}

/// How an invocation ended.
public enum HubResult: Sendable, Equatable {
  case void
  case value(HubValue)
  case error(String)
}

/// The numbers by which messages travel.
enum HubMessageType {
  static let invocation: Int64 = 1
  static let streamItem: Int64 = 2
  static let completion: Int64 = 3
  static let streamInvocation: Int64 = 4
  static let cancelInvocation: Int64 = 5
  static let ping: Int64 = 6
  static let close: Int64 = 7
  static let ack: Int64 = 8
  static let sequence: Int64 = 9
}
