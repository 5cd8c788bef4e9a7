import Foundation

/// The first notification of a digest opens a window and waits in it with those that follow.
///
/// At re-evaluation, what waited in a window is delivered. What waited for anything else was gathered already: it opens no new
/// window, but joins one that is open, for two pushes in a row would be no digest. What waited for the time that its sender
/// set is as new.
struct DigestRule: DecisionRule {
  var name: String { "digest" }

  func verdict(on input: DecisionInput, over channel: ChannelTraits) -> Verdict {
    guard let digest = input.subject.type.digest, digest.channel == channel.channel else { return .pass }
    let open = input.state.digest.flatMap { $0.until > input.subject.now ? $0.until : nil }
    switch input.state.occasion {
    case .first, .due(.sendAt): return .hold(until: open ?? input.subject.now + Double(digest.every), .digest)
    case .due(.digest): return .pass
    case .due: return open.map { .hold(until: $0, .digest) } ?? .pass
    }
  }

  func sight(of input: DecisionInput, over channel: ChannelTraits) -> String {
    guard let digest = input.subject.type.digest, digest.channel == channel.channel else {
      return "the type has no digest here"
    }
    let words = "told together with others of \(spoken(seconds: digest.every))"
    switch input.state.occasion {
    case .first, .due(.sendAt): return words
    case .due(let reason): return "\(words), held before: \(reason.words)"
    }
  }
}
