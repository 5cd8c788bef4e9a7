import Logging
import NIOCore
import Retrying
import SignalRProtocol

/// `Resume`: what the client missed, read page by page as fast as the client takes it, then live again without a gap.
///
/// The connection is subscribed all the while. A notification is published after its commit, and `seq` is given
/// in the order of commits: so whatever is sent while a page is read is on that page or on a later one.
///
/// The same fills gaps. Two routers may publish a user's notifications in another order than they stored them, and the broker
/// may lose some: without this, a client that comes back with the highest `seq` it has seen would miss those below.
extension HubConnection {
  /// Bytes of the notifications that are given at a time, the call's result among them. Some clients take no message of
  /// 1 MiB.
  private var maximumResultSize: Int { min(256 * 1_024, hub.limits.maximumPendingBytes / 2) }
  private static let pageSize = 100

  func beginResume(_ call: HubCall, after seq: Int) {
    let extras = neededExtras()
    extras.resume = ResumeProgress(call, after: seq, insteadOf: extras.resume)
    continueResume()
  }

  /// Reads the notifications before this one, if some are missing, and it with them.
  ///
  /// - Returns: False if none are.
  func fillGap(before seq: Int) -> Bool {
    guard seq > lastSeq + 1 else { return false }
    return fillGap(upTo: seq)
  }

  /// Reads what is missing up to a notification, and it too.
  ///
  /// - Returns: False if nothing is missing, or nobody knows from where on.
  @discardableResult
  func fillGap(upTo seq: Int) -> Bool {
    guard lastSeq >= 0, seq > lastSeq, extras?.resume == nil, hub.methods != nil else { return false }
    let progress = ResumeProgress(fillingAfter: lastSeq)
    progress.holdBack(seq)
    neededExtras().resume = progress
    continueResume()
    return true
  }

  /// The `seq` up to which this connection has everything that came since it began; negative if that is not known.
  private var lastSeq: Int { max(got.highest ?? -1, initialSeq ?? -1) }

  /// Leaves a notification to the `Resume` in flight, which will read it.
  ///
  /// - Returns: False if none is.
  func leaveToResume(_ seq: Int) -> Bool {
    guard let resume = extras?.resume else { return false }
    if !got.contains(seq) { resume.holdBack(seq) }
    return true
  }

  /// Reads the next page, once the client has taken what it was given.
  func continueResume() {
    guard isOpen, isWritable, let resume = extras?.resume, !resume.isReading, !resume.isPaused,
      let methods = hub.methods
    else { return }
    if resume.closingUnread != nil { return sendRest(of: resume) }
    resume.beginReading()
    let (user, path, hubProtocol, telemetry) = (user, path, state.hubProtocol, hub.telemetry)
    let isCalled = resume.call != nil
    registry.reads
      .run { () -> EventLoopFuture<MissedNotifications>.Isolated? in
        guard self.isOpen, self.extras?.resume === resume else { return nil }
        // What came while the read waited for its turn is on the page.
        resume.beginReading()
        let seq = resume.lastSeq
        let needsChanges = resume.changes == nil
        return self.registry.run {
          try await telemetry.observe(isCalled ? "Resume" : "gap", on: path, isCalled: isCalled) {
            try await methods.missed(
              by: user,
              after: seq,
              limit: Self.pageSize,
              withChanges: needsChanges,
              as: hubProtocol
            )
          }
        }
      } whenDone: { result in
        guard self.isOpen, self.extras?.resume === resume else { return }
        let mayBeBehind = resume.endReading()
        switch result {
        case .success(let page): self.give(page, to: resume, mayBeBehind: mayBeBehind)
        case .failure(let error): self.fail(resume, error)
        }
      }
  }

  private func give(_ page: MissedNotifications, to resume: ResumeProgress, mayBeBehind: Bool) {
    if let reported = resume.takeReported(within: page.seq) {
      got.insert(reported)
      resume.skip(to: got.end(of: reported.upperBound))
    }
    resume.take(page.changes)
    let missing = resume.take(page).filter { !got.contains($0.seq) }
    let items = fitting(missing[...])
    for item in items { _ = got.insert(item.seq) }
    let isCut = items.count < missing.count
    if isCut, let last = items.last {
      resume.goBack(to: last.seq)
    } else if !page.hasMore {
      resume.reachEnd(at: page.seq)
    }
    hub.statistics.count(.replayed, by: items.count)
    if resume.manner == .result {
      answer(resume, items.map(\.payload))
      resume.manner = .messages
    } else {
      for item in items {
        switch (resume.manner, resume.call?.id) {
        case (.stream, let id?): write(record: PayloadMessage.streamItem(id: id, item.payload, as: state.hubProtocol))
        default: write(record: PayloadMessage.invocation("ReceiveNotification", [item.payload], as: state.hubProtocol))
        }
      }
    }
    flush()
    // A write that fails brings what the client sent last: it may have cancelled this and begun another.
    guard isOpen, extras?.resume === resume else { return }
    let call = resume.releaseCall()
    let isAnswered = resume.isCancelled || call?.isStream != true
    if isCut || page.hasMore || mayBeBehind {
      continueResume()
    } else {
      finish(resume, unread: page.unread)
    }
    guard let call else { return }
    if !isAnswered { answer(call, .void) }
    finishCall()
  }

  /// The first items, as many as a result may hold; at least one.
  private func fitting(_ items: ArraySlice<MissedNotifications.Item>) -> ArraySlice<MissedNotifications.Item> {
    var size = 0
    return items.prefix { item in
      size += item.payload.count
      return size <= maximumResultSize || size == item.payload.count
    }
  }

  private func answer(_ resume: ResumeProgress, _ result: [[UInt8]]) {
    guard let id = resume.call?.id else { return }
    write(record: PayloadMessage.completion(id: id, list: result, as: state.hubProtocol))
  }

  private func finish(_ resume: ResumeProgress, unread: Int) {
    resume.close(unread: unread)
    sendRest(of: resume)
  }

  /// What became of notifications, as fast as the client takes it, then the unread count.
  private func sendRest(of resume: ResumeProgress) {
    while isOpen, extras?.resume === resume, isWritable || !resume.hasChanges, let unread = resume.closingUnread {
      let changes = resume.nextChanges(fitting: maximumResultSize)
      if changes.isEmpty {
        // What was sent while this went on may be newer than what was read.
        let live = resume.takeLive()
        for frame in live.changes { write(frame) }
        // While the client was slow something new may have come.
        guard !resume.isBehind else {
          resume.reopen()
          flush()
          return continueResume()
        }
        extras?.resume = nil
        if let count = live.unread {
          write(count)
        } else {
          let count = HubMessage.invocation(id: nil, target: "UnreadCountChanged", arguments: [.integer(Int64(unread))])
          write(record: state.hubProtocol.encode(count))
        }
      }
      for record in changes { write(record: record) }
      flush()
    }
  }

  /// The database could not be read: once more in a moment. If that goes on, what was held back is lost to this connection,
  /// and the client has to come again.
  private func fail(_ resume: ResumeProgress, _ error: any Error) {
    if error.isTransientFailure, let pause = resume.pauseAfterFailure(at: .now()) {
      registry.eventLoop.assumeIsolated().scheduleTask(in: pause) {
        resume.endPause()
        if self.extras?.resume === resume { self.continueResume() }
      }
      return
    }
    hub.logger.warning("notifications missed by a client cannot be read", metadata: ["error": "\(error)"])
    abandon(resume)
    guard let call = resume.call else { return end(.sentAway) }
    if resume.manner != .messages { answer(call, .error(HubOperation.failure(of: call))) }
    if resume.isBehind || resume.manner == .messages { return end(.sentAway) }
    finishCall()
  }

  func cancelResume(_ id: String) {
    guard let resume = extras?.resume, let call = resume.call, resume.manner == .stream, call.id == id else { return }
    answer(call, .void)
    if resume.cancelStream() { return continueResume() }
    abandon(resume)
    finishCall()
  }

  /// Ends it before its end: of what it has given some may be older than what was sent.
  private func abandon(_ resume: ResumeProgress) {
    extras?.resume = nil
    for frame in resume.takeLive().changes { write(frame) }
    flush()
  }
}
