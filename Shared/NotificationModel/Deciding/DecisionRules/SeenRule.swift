/// What was read or deleted while it waited is not delivered any more. Only asked at re-evaluation.
struct SeenRule: DecisionRule {
  var name: String { "seen" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    guard channel.attention != .none, input.state.occasion != .first else { return .pass }
    return switch input.state.inbox {
    case .unread: .pass
    case .read: .skip(.read)
    case .deleted: .skip(.deleted)
    }
  }

  func sight(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard input.state.occasion != .first else { return "it is new" }
    return switch input.state.inbox {
    case .unread: "it is still unread"
    case .read: SkipReason.read.words
    case .deleted: SkipReason.deleted.words
    }
  }
}
