public import Foundation
public import NotificationModel

/// A notification that routing has decided on and that is to be stored.
public struct NewNotification: Sendable {
  public var id: NotificationID
  public var userID: UserID
  public var requestID: RequestID
  /// Who may ask what became of the request, and withdraw it.
  public var owner: RequestOwner
  /// Index into the contents that are stored in the same call.
  public var content: Int
  public var plan: RoutingPlan
  /// What its channels wait by, if any does.
  public var waiting: WaitingKeys?
  /// Ids under which the same request may have notified the user before, where its own id alone does not say; nil is usual.
  ///
  /// What is found there counts as stored, without a ``StoredNotification/former``.
  public var siblings: Range<NotificationID>?

  public init(
    id: NotificationID,
    userID: UserID,
    requestID: RequestID,
    owner: RequestOwner = .unknown,
    content: Int,
    plan: RoutingPlan,
    waiting: WaitingKeys? = nil,
    siblings: Range<NotificationID>? = nil
  ) {
    self.siblings = siblings
    self.id = id
    self.userID = userID
    self.requestID = requestID
    self.owner = owner
    self.content = content
    self.plan = plan
    self.waiting = waiting
  }
}

/// By what a notification waits, besides the time.
public struct WaitingKeys: Sendable, Equatable {
  /// What gathers with it in a digest's window; nil where its type has none.
  public var digest: String?
  /// What is counted together with it; nil where its type has no throttle.
  public var throttle: String?
  /// When it was decided: it joins the window that was open then, whatever window it was to open itself.
  public var decidedAt: Date
  /// By which of the recipient's settings (``Recipient/settingsRevision``). If there are others by now, it is looked at again
  /// at once.
  public var settingsRevision: Int

  public init(digest: String? = nil, throttle: String? = nil, decidedAt: Date, settingsRevision: Int = 0) {
    self.digest = digest
    self.throttle = throttle
    self.decidedAt = decidedAt
    self.settingsRevision = settingsRevision
  }
}

/// What storing a notification led to.
public struct StoredNotification: Sendable {
  /// What was decided and said when a notification was first stored.
  public struct Former: Sendable {
    public var plan: RoutingPlan
    public var title: String
    public var body: String

    public init(plan: RoutingPlan, title: String, body: String) {
      self.plan = plan
      self.title = title
      self.body = body
    }
  }

  /// False if it had been stored before: its messages may have been sent already.
  public var isNew: Bool
  /// The notification's `seq` in the recipient's inbox.
  public var seq: Int
  /// The recipient's unread count after this call.
  public var unread: Int
  /// What counts where it is not new. Nil as well where retention has just dropped it.
  public var former: Former?
  /// Its user was erased after it was accepted: nothing of it is stored, and nothing may be sent.
  public var isErased = false

  init(isNew: Bool, seq: Int, unread: Int, former: Former? = nil) {
    self.isNew = isNew
    self.seq = seq
    self.unread = unread
    self.former = former
  }
}

/// A change of what was decided on one channel of a stored notification.
public struct DecisionChange: Sendable {
  public var id: NotificationID
  public var userID: UserID
  /// What the caller knows as stored.
  public var from: ChannelDecision
  public var to: ChannelDecision

  public init(id: NotificationID, userID: UserID, from: ChannelDecision, to: ChannelDecision) {
    self.id = id
    self.userID = userID
    self.from = from
    self.to = to
  }
}
