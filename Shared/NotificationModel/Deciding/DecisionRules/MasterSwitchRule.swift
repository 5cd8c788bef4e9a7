/// Who switched notifications off hears nothing, the inbox included.
struct MasterSwitchRule: DecisionRule {
  var name: String { "masterSwitch" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    input.recipient.isEnabled ? .pass : .skip(.notificationsOff)
  }

  func sight(of input: DecisionInput, over channel: ChannelTraits) -> String {
    input.recipient.isEnabled ? "the user's notifications are on" : SkipReason.notificationsOff.words
  }
}
