import Foundation

/// What has lost its meaning goes nowhere.
struct ExpiryRule: DecisionRule {
  var name: String { "expiry" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    guard let expiresAt = input.subject.expiresAt, expiresAt <= input.subject.now else { return .pass }
    return .skip(.expired)
  }

  func explanation(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard let expiresAt = input.subject.expiresAt else { return "it never expires" }
    return (expiresAt <= input.subject.now ? "it expired at " : "it expires at ") + input.spoken(expiresAt)
  }
}

/// A request that was withdrawn sends nothing any more.
struct CancelledRule: DecisionRule {
  var name: String { "cancelled" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    input.subject.isCancelled ? .skip(.cancelled) : .pass
  }

  func explanation(of input: DecisionInput, over channel: ChannelTraits) -> String {
    input.subject.isCancelled ? SkipReason.cancelled.words : "the request stands"
  }
}

/// The request narrows the channels, and never widens what the recipient wants.
struct RequestedRule: DecisionRule {
  var name: String { "requested" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    guard let requested = input.subject.requested, !requested.contains(channel.channel) else { return .pass }
    return .skip(.channelNotRequested)
  }

  func explanation(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard let requested = input.subject.requested else { return "the request is for all channels" }
    guard !requested.isEmpty else { return "the request is for no channel" }
    return "the request is for \(requested.sorted().map(\.label).joined(separator: ", ")) only"
  }
}

/// What is imported as history goes to the inbox and disturbs nobody.
struct SilentRule: DecisionRule {
  var name: String { "silent" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    input.subject.isSilent && channel.attention != .none ? .skip(.channelNotRequested) : .pass
  }

  func explanation(of input: DecisionInput, over channel: ChannelTraits) -> String {
    input.subject.isSilent ? "the request is silent, for the inbox only" : "the request is not silent"
  }
}

/// What would be longer than may be sent is sent to nobody: cut, it might say something else.
struct TextRule: DecisionRule {
  var name: String { "text" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    input.isTextTooLong ? .skip(.textTooLong) : .pass
  }

  func explanation(of input: DecisionInput, over channel: ChannelTraits) -> String {
    input.isTextTooLong ? SkipReason.textTooLong.words : "its texts are not too long"
  }
}

/// Before the time that its sender set, a notification is nowhere; the inbox included.
struct SendAtRule: DecisionRule {
  var name: String { "sendAt" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    guard let sendAt = input.subject.sendAt, sendAt > input.subject.now else { return .pass }
    return .hold(until: sendAt, .sendAt)
  }

  func explanation(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard let sendAt = input.subject.sendAt else { return "the sender set no time" }
    return "the sender set a time, \(input.spoken(sendAt))"
  }
}
