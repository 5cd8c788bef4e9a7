/// Who has on the screen what it is about needs no push; the inbox and mails keep it all the same.
struct ViewingRule: DecisionRule {
  var name: String { "viewing" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    guard channel.attention == .now, !input.recipient.viewing.isEmpty, let entity = input.subject.entity,
      input.recipient.viewing.contains(entity)
    else { return .pass }
    return .skip(.viewing)
  }

  func sight(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard let entity = input.subject.entity else { return "it is about nothing that can be on a screen" }
    let isViewed = input.recipient.viewing.contains(entity)
    return "the user \(isViewed ? "has" : "does not have") \(entity.type) \(entity.id) on the screen"
  }
}
