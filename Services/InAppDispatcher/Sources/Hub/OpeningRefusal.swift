import NIOHTTP1

/// Why a WebSocket may not open. It fails the upgrade: some clients negotiate anew only then.
enum OpeningRefusal {
  case unknownID
  case inUse
  case nodeIsFull
  case tooManyOfUser

  var answer: HTTPAnswer {
    switch self {
    case .unknownID: .text(.notFound, "No Connection with that ID")
    case .inUse: .text(.conflict, "The connection is already open")
    case .nodeIsFull: .unavailable("Too many connections")
    case .tooManyOfUser: .text(.tooManyRequests, "Too many connections of this user").adding("Retry-After", "10")
    }
  }
}
