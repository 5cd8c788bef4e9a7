/// The numbers by which messages travel.
enum HubMessageType: Int64 {
  case invocation = 1
  case streamItem = 2
  case completion = 3
  case streamInvocation = 4
  case cancelInvocation = 5
  case ping = 6
  case close = 7
  case ack = 8
  case sequence = 9
}

extension HubMessage {
  var type: HubMessageType {
    switch self {
    case .invocation: .invocation
    case .streamItem: .streamItem
    case .completion: .completion
    case .streamInvocation: .streamInvocation
    case .cancelInvocation: .cancelInvocation
    case .ping: .ping
    case .close: .close
    case .ack: .ack
    case .sequence: .sequence
    }
  }
}
