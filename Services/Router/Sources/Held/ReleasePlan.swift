import Foundation
import NotificationModel
import NotificationStore

/// The first of four steps from a claim to what goes out. Pure.
///
/// Each step is made from the one before it, which it consumes: none can be left out, repeated or taken too early. Between
/// two steps the caller asks the database.
///
/// | step | the caller asks for |
/// |---|---|
/// | ``ReleasePlan`` | the digest windows that are open |
/// | ``Decided`` | what throttles have room for |
/// | ``Limited`` | nothing |
/// | ``Release`` | what was stored of its settlement |
struct ReleasePlan: ~Copyable {
  private var reevaluations: [Reevaluation] = []
  private var draft = ReleaseDraft()
  private let now: Date

  init(_ work: ClaimedWork) {
    now = work.now
    var compositions: [NotificationID: [(entry: HeldEntry, type: NotificationType)]] = [:]
    for entry in work.entries {
      guard let type = work.types.type(entry.type),
        let routing = work.channels.routing(of: entry.key.channel)
      else { continue }
      if let composition = entry.composedIn {
        compositions[composition, default: []].append((entry, type))
        continue
      }
      // Deleted while it waited: then there is nothing to send, and nowhere to say why.
      guard let content = work.contents[entry.key.notification] else { continue }
      let recipient = work.recipient(of: entry, type)
      if let reevaluation = Reevaluation(
        entry,
        content,
        type: type,
        routing: routing,
        recipient: recipient,
        isCancelled: work.withdrawn.contains(content.request),
        now: work.now,
        spread: work.spread
      ) {
        reevaluations.append(reevaluation)
      } else if content.plan[routing.channel] == .deliver {
        let message = content.message(type: type, collapseKey: entry.collapseKey)
        draft.sendAgain(entry, id: entry.key.notification, content, message, routing, recipient)
      }
    }
    for (id, members) in compositions {
      guard let content = work.contents[id], let (entry, type) = members.first,
        let routing = work.channels.routing(of: entry.key.channel), content.plan[routing.channel] == .deliver,
        var message = content.message(ofMembers: members.map(\.type))
      else { continue }
      message.listing = work.listing(of: members.map(\.entry))
      draft.sendAgain(entry, id: id, content, message, routing, work.recipient(of: entry, type))
    }
  }

  /// The digest windows that the decisions depend on.
  var windowKeys: Set<HeldStore.WindowKey> { Set(reevaluations.compactMap(\.window)) }

  /// Decides as if throttles had room.
  ///
  /// - Parameter windows: Those that are open.
  consuming func decided(with windows: [HeldStore.WindowKey: DigestWindow]) -> Decided {
    var candidates: [HeldStore.ThrottleCandidate] = []
    var seen: Set<NotificationID> = []
    for index in reevaluations.indices {
      guard let candidate = reevaluations[index].decide(with: windows), seen.insert(candidate.notification).inserted
      else { continue }
      candidates.append(candidate)
    }
    return Decided(candidates: candidates, windows: windows, reevaluations: reevaluations, draft: draft, now: now)
  }

  /// Everything is decided, if throttles have room.
  struct Decided: ~Copyable {
    /// What throttles must count, each notification once.
    let candidates: [HeldStore.ThrottleCandidate]
    fileprivate let windows: [HeldStore.WindowKey: DigestWindow]
    fileprivate var reevaluations: [Reevaluation]
    fileprivate let draft: ReleaseDraft
    fileprivate let now: Date

    /// Decides again where throttles have no room.
    ///
    /// - Parameter answers: To ``candidates``, in their order.
    consuming func limited(by answers: [HeldStore.ThrottleAnswer]) -> Limited {
      var refused: [NotificationID: Date] = [:]
      for (candidate, answer) in zip(candidates, answers) {
        if case .refused(let until) = answer { refused[candidate.notification] = until }
      }
      if !refused.isEmpty {
        for index in reevaluations.indices {
          guard let until = refused[reevaluations[index].entry.key.notification] else { continue }
          reevaluations[index].decide(throttledUntil: until, with: windows)
        }
      }
      return Limited(reevaluations: reevaluations, draft: draft, now: now)
    }
  }

  /// Everything is decided.
  struct Limited: ~Copyable {
    fileprivate let reevaluations: [Reevaluation]
    fileprivate var draft: ReleaseDraft
    fileprivate let now: Date

    /// Composes what is due together, for each person and channel.
    ///
    /// - Parameter limit: Up to so many pushes go out one by one.
    consuming func composed(above limit: Int, texts: CompositionTexts) -> Release {
      var start = reevaluations.startIndex
      while start < reevaluations.endIndex {
        let key = reevaluations[start].entry.key
        let end =
          reevaluations[start...].firstIndex { $0.entry.key.user != key.user || $0.entry.key.channel != key.channel }
          ?? reevaluations.endIndex
        draft.add(reevaluations[start..<end], composeAbove: limit, texts: texts)
        start = end
      }
      return Release(
        settlement: HeldSettlement(changes: draft.changes, compositions: draft.compositions, now: now),
        outgoing: draft.outgoing
      )
    }
  }

  /// What is to be stored, and what goes out once that is stored.
  struct Release: ~Copyable {
    let settlement: HeldSettlement
    fileprivate let outgoing: [OutgoingNotification]

    /// What goes out of it.
    ///
    /// - Parameter result: What was stored of ``settlement``.
    consuming func routed(after result: HeldSettlement.Result) -> (
      routed: [RoutedNotification], contents: [NotificationContent]
    ) {
      var contents: [NotificationContent] = []
      var known: [RequestID: Int] = [:]
      var routed: [RoutedNotification] = []
      for outgoing in outgoing where outgoing.isSent(after: result) {
        // What one request says to many is in the message once.
        var index = contents.count
        if let former = known[outgoing.requestID], contents[former] == outgoing.content {
          index = former
        } else {
          known[outgoing.requestID] = index
          contents.append(outgoing.content)
        }
        routed.append(
          RoutedNotification(
            outgoing.id,
            over: outgoing.channel,
            to: outgoing.recipient,
            content: index,
            unread: outgoing.unread
          )
        )
      }
      return (routed, contents)
    }
  }
}
