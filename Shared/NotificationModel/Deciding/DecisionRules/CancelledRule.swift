/// A request that was withdrawn tells nobody any more.
struct CancelledRule: DecisionRule {
  var name: String { "cancelled" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    input.subject.isCancelled ? .skip(.cancelled) : .pass
  }

  func sight(of input: DecisionInput, over channel: ChannelTraits) -> String {
    input.subject.isCancelled ? SkipReason.cancelled.words : "the request stands"
  }
}
