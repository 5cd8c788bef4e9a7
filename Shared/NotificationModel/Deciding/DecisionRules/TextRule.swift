/// What would be longer than may be told is told to nobody: cut, it might say something else.
struct TextRule: DecisionRule {
  var name: String { "text" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    input.isTextTooLong ? .skip(.textTooLong) : .pass
  }

  func sight(of input: DecisionInput, over channel: ChannelTraits) -> String {
    input.isTextTooLong ? SkipReason.textTooLong.words : "its texts are not too long"
  }
}
