import NIOHTTP1

extension OpeningRefusal {
  var answer: HTTPAnswer {
    switch self {
    case .idRequired: .text(.badRequest, "Connection ID required")
    case .unknownID: .text(.notFound, "No Connection with that ID")
    case .inUse: .text(.conflict, "The connection is already open")
    case .otherTransport: .text(.badRequest, "Cannot change transports mid-connection")
    case .postToWebSocket:
      .text(.methodNotAllowed, "POST requests are not allowed for WebSocket connections.").adding("Allow", "GET")
    case .deleteOfOther: .text(.badRequest, "Cannot terminate this connection using the DELETE endpoint.")
    case .tooMuchTooEarly: .text(.payloadTooLarge, "Too much was sent before the connection's first GET")
    case .nodeIsFull: .unavailable("Too many connections")
    case .tooManyOfUser: .text(.tooManyRequests, "Too many connections of this user").adding("Retry-After", "10")
    case .tooManyOfAddress:
      .text(.tooManyRequests, "Too many connections from this address").adding("Retry-After", "10")
    case .tooMuchOfUser:
      .text(.tooManyRequests, "Too much of this user is being received").adding("Retry-After", "10")
    case .wrongNode: .text(.misdirectedRequest, "This user's connections belong to another node; negotiate first")
    case .draining: .unavailable("Shutting down")
    }
  }
}
