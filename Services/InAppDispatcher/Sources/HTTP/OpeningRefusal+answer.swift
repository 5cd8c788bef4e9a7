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
    case .tooManyIDs: .tooMany("Too many negotiations")
    case .tooManyNegotiationsOfUser: .tooMany("Too many negotiations of this user")
    case .tooManyOfUser: .tooMany("Too many connections of this user")
    case .tooManyOfAddress: .tooMany("Too many connections from this address")
    case .tooMuchOfUser: .tooMany("Too much of this user is being received")
    case .wrongNode: .text(.misdirectedRequest, "This user's connections belong to another node; negotiate first")
    case .draining: .unavailable("Shutting down")
    }
  }
}
