import SignalRProtocol

func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Bytes written as pairs of hexadecimal digits, with spaces anywhere.
func hex(_ text: String) -> [UInt8] {
  let digits = text.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

func second(_ seconds: Double) -> HubInstant { HubInstant(nanoseconds: UInt64(seconds * 1e9)) }

let messageLimit = 32 * 1_024

func handshake(_ hubProtocol: HubProtocol = .json, version: Int = 1) -> [UInt8] {
  utf8("{\"protocol\":\"\(hubProtocol.rawValue)\",\"version\":\(version)}\u{1E}")
}

/// A connection that has shaken hands at second 0.
func connected(
  _ hubProtocol: HubProtocol = .json,
  version: Int = 1,
  transport: HubTransport = .webSockets,
  allowsStatefulReconnect: Bool = false
) -> HubConnectionState {
  var state = HubConnectionState(
    at: second(0),
    transport: transport,
    allowsStatefulReconnect: allowsStatefulReconnect
  )
  _ = state.receive(handshake(hubProtocol, version: version), at: second(0), limit: messageLimit)
  return state
}

/// A message of every type and shape.
let everyMessage: [HubMessage] = [
  .invocation(id: nil, target: "UnreadCountChanged", arguments: [.integer(3)]),
  .invocation(id: "7", target: "Upload", arguments: [], streamIDs: ["s", "t"]),
  .invocation(id: "8", target: "žluťoučký 🐎", arguments: [everyValue, .null]),
  .streamItem(id: "1", item: .string("é")),
  .completion(id: "1", .void),
  .completion(id: "1", .value(.null)),
  .completion(id: "1", .value(.bool(true))),
  .completion(id: "1", .error("no")),
  .streamInvocation(id: "2", target: "Count", arguments: [.integer(5)]),
  .streamInvocation(id: "2", target: "Count", arguments: [], streamIDs: ["s"]),
  .cancelInvocation(id: "2"),
  .ping,
  .ack(sequenceID: 12),
  .sequence(sequenceID: 13),
  .sequence(sequenceID: .max),
  .close(),
  .close(allowReconnect: true),
  .close(error: "x"),
]

/// A value that holds every kind which reads back the same from both protocols.
let everyValue = HubValue.object([
  HubMember("text", .string("quote \" slash \\ line\n tab\t bell\u{7} separator\u{1E} é 😀")),
  HubMember("numbers", .array([.integer(.min), .integer(0), .integer(.max), .double(0.1), .double(-1e300)])),
  HubMember("nothing", .null), HubMember("empty", .object([])), HubMember("yes", .bool(true)),
  HubMember("", .array([.array([.array([])])])),
])
