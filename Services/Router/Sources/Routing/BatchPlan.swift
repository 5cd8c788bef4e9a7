import Foundation
import NotificationModel
import NotificationQueue
import NotificationStore

/// The first of four steps from jobs to what goes out of them. Pure.
///
/// Each step is made from the one before it, which it consumes: none can be left out, repeated or taken too early. Between
/// two steps the caller asks the database.
///
/// | step | the caller asks for |
/// |---|---|
/// | ``BatchPlan`` | the recipients, what they look at, and the digest windows that are open |
/// | ``Decided`` | what throttles have room for |
/// | ``Limited`` | what was stored of its items |
/// | ``Stored`` | nothing |
struct BatchPlan: ~Copyable {
  /// A job, and what is decided for each of its recipients.
  fileprivate struct Entry {
    let job: RoutingJob
    let subject: DecisionSubject
  }

  private let entries: [Entry]
  private let channels: [any RoutingChannel]
  private let now: Date
  /// What must be known of whom.
  let recipientKeys: Set<RecipientStore.Key>

  init(_ jobs: [RoutingJob], channels: [any RoutingChannel], now: Date, spread: DueSpread) {
    let entries = jobs.map { Entry(job: $0, subject: $0.subject(now: now, spread: spread)) }
    recipientKeys = Set(
      entries.flatMap { entry in
        entry.job.order.recipients.map { RecipientStore.Key($0, about: entry.subject) }
      }
    )
    self.entries = entries
    self.channels = channels
    self.now = now
  }

  /// The digest windows that the decisions depend on: none where no type has any.
  var windowKeys: Set<HeldStore.WindowKey> {
    Set(
      entries.lazy.filter { $0.job.type.digest != nil }.flatMap { entry in
        entry.job.order.recipients.compactMap(entry.job.window)
      }
    )
  }

  /// Decides as if throttles had room.
  ///
  /// - Parameters:
  ///   - people: By ``recipientKeys``; who is left out has the defaults.
  ///   - viewing: What they look at.
  ///   - windows: Those that are open.
  consuming func decided(
    for people: [RecipientStore.Key: Recipient],
    viewing: [UserID: Set<RelatedEntity>],
    with windows: [HeldStore.WindowKey: DigestWindow]
  ) -> Decided {
    var decided = Decided(self, windows: windows)
    decided.decide(for: people, viewing: viewing)
    return decided
  }

  /// Everything is decided, if throttles have room.
  ///
  /// One notification is decided after the other: what one of them does to a digest's window, those after it see.
  struct Decided: ~Copyable {
    /// What throttles must count.
    private(set) var candidates: [HeldStore.ThrottleCandidate] = []
    /// Their places among the items.
    private var places: [Int] = []
    private var items: [NewNotification] = []
    /// One for each item.
    private var recipients: [Recipient] = []
    /// One for each item: the index of its entry.
    private var origins: [Int] = []
    /// Those of the jobs come first, in their order.
    private var contents: [NotificationContent]
    private var windows: [HeldStore.WindowKey: DigestWindow]
    private let plan: BatchPlan

    fileprivate init(_ plan: consuming BatchPlan, windows: [HeldStore.WindowKey: DigestWindow]) {
      contents = plan.entries.map(\.job.order.content)
      items.reserveCapacity(plan.recipientKeys.count)
      recipients.reserveCapacity(plan.recipientKeys.count)
      self.windows = windows
      self.plan = plan
    }

    fileprivate mutating func decide(
      for people: [RecipientStore.Key: Recipient],
      viewing: [UserID: Set<RelatedEntity>]
    ) {
      var seen: Set<NotificationID> = []
      for index in plan.entries.indices {
        let entry = plan.entries[index]
        let job = entry.job
        var readers = ReaderContents(job, index: index)
        for user in job.order.recipients {
          let id = job.order.id(for: user)
          // What is stored in one transaction may name none twice; and of a schedule's date there is one, whatever the zone
          // in which it finds the user.
          let one = job.order.date == nil ? id : NotificationID(request: job.order.requestId, recipient: user)
          guard seen.insert(one).inserted else { continue }
          var recipient = people[.init(user, about: entry.subject)] ?? Recipient(id: user)
          if let viewed = viewing[user] { recipient.viewing = viewed }
          let content = readers?.index(for: recipient, in: &contents) ?? index
          add(id, of: entry, index, to: recipient, content: content)
        }
      }
    }

    /// - Parameters:
    ///   - index: The entry's.
    ///   - content: Index of what it says to this recipient.
    private mutating func add(
      _ id: NotificationID,
      of entry: Entry,
      _ index: Int,
      to recipient: Recipient,
      content: Int
    ) {
      let job = entry.job
      let decision = decide(entry, to: recipient, throttle: nil, isTextTooLong: contents[content].isTextTooLong)
      if let throttle = job.type.throttle,
        RoutingDecision.isCounted(decision, from: DecisionState(), of: job.type, channels: plan.channels)
      {
        let key = job.order.throttleKey ?? ""
        places.append(items.count)
        candidates.append(
          .init(user: recipient.id, notification: id, type: job.type.code, key: key, throttle: throttle)
        )
      }
      let waits = decision.entries.contains { $0.value.heldUntil != nil }
      items.append(
        NewNotification(
          id: id,
          userID: recipient.id,
          requestID: job.order.requestId,
          owner: job.order.owner,
          content: content,
          plan: decision,
          waiting: waits ? job.waitingKeys(of: recipient, now: plan.now) : nil,
          siblings: job.order.date?.notificationIDs
        )
      )
      recipients.append(recipient)
      origins.append(index)
    }

    /// Decides again where throttles have no room.
    ///
    /// - Parameter answers: To ``candidates``, in their order.
    consuming func limited(by answers: [HeldStore.ThrottleAnswer]) -> Limited {
      for index in answers.indices {
        guard case .refused(let until) = answers[index] else { continue }
        let place = places[index]
        let entry = plan.entries[origins[place]]
        let use = ThrottleUse(count: candidates[index].throttle.atMost, freesAt: until)
        items[place].plan = decide(entry, to: recipients[place], throttle: use)
        items[place].waiting = entry.job.waitingKeys(of: recipients[place], now: plan.now)
      }
      return Limited(
        items: items,
        contents: contents,
        recipients: recipients,
        candidates: candidates,
        places: places,
        answers: answers
      )
    }

    private mutating func decide(
      _ entry: Entry,
      to recipient: Recipient,
      throttle: ThrottleUse?,
      // What is too long is counted by no throttle, so it is not decided again.
      isTextTooLong: Bool = false
    ) -> RoutingPlan {
      let window = entry.job.window(of: recipient.id)
      let state = DecisionState(throttle: throttle, digest: window.flatMap { windows[$0] })
      let decision = RoutingDecision.decide(
        DecisionInput(entry.subject, to: recipient, state: state, isTextTooLong: isTextTooLong),
        channels: plan.channels
      )
      if let window { windows[window] = DigestWindow.after(decision[window.channel], windows[window]) }
      return decision
    }
  }

  /// Everything is decided.
  struct Limited: ~Copyable {
    /// What is to be stored.
    let items: [NewNotification]
    let contents: [NotificationContent]
    fileprivate let recipients: [Recipient]
    fileprivate let candidates: [HeldStore.ThrottleCandidate]
    fileprivate let places: [Int]
    fileprivate let answers: [HeldStore.ThrottleAnswer]

    /// - Parameter results: What was stored of ``items``, in their order.
    consuming func stored(as results: [StoredNotification]) -> Stored {
      var wasted: [HeldStore.ThrottleCandidate] = []
      for index in answers.indices where answers[index] == .granted(isNew: true) && !results[places[index]].isNew {
        wasted.append(candidates[index])
      }
      return Stored(items: items, results: results, wasted: wasted, recipients: recipients, contents: contents)
    }
  }

  /// Everything is stored.
  struct Stored: ~Copyable {
    let items: [NewNotification]
    /// What was stored of ``items``, in their order.
    let results: [StoredNotification]
    /// What throttles counted in vain: the decision that counts was made before.
    let wasted: [HeldStore.ThrottleCandidate]
    fileprivate let recipients: [Recipient]
    fileprivate var contents: [NotificationContent]

    /// What goes out of it, once former decisions are revised.
    consuming func routed() -> (routed: [RoutedNotification], contents: [NotificationContent]) {
      var routed: [RoutedNotification] = []
      routed.reserveCapacity(items.count)
      for index in items.indices where !results[index].isErased {
        routed.append(
          RoutedNotification(items[index], results[index], recipient: recipients[index], contents: &contents)
        )
      }
      return (routed, contents)
    }
  }
}
