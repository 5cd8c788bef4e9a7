/// Why a request on the hub is refused. For a WebSocket it fails the upgrade: some clients negotiate anew only then.
enum OpeningRefusal {
  case idRequired
  case unknownID
  case inUse
  case otherTransport
  case postToWebSocket
  case deleteOfOther
  case tooMuchTooEarly
  case nodeIsFull
  case tooManyIDs
  case tooManyNegotiationsOfUser
  case tooManyOfUser
  case tooManyOfAddress
  case tooMuchOfUser
  case wrongNode
  case draining
}
