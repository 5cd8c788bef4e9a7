import NIOCore
import NotificationModel

/// The connections of one event loop; used on that loop only, hence without a lock.
final class ConnectionRegistry {
  let loop: Int
  let eventLoop: any EventLoop
  private let directory: ConnectionDirectory
  private var requests: [ObjectIdentifier: any HTTPConnection] = [:]
  private var connections: [ConnectionID: HubConnection] = [:]
  /// Those that receive events.
  private var subscribers = SlotTable<HubConnection>()
  /// What a connection has written and not flushed.
  let written = WriteBuffer()
  /// Reads of what clients have missed.
  let reads = ReadQueue()
  /// Connections whose handshake waits for the last `seq` of their user's inbox.
  private var seqless: [HubConnection] = []
  private var isFindingSeqs = false
  /// What ``run(_:)`` has begun and whose result has not come back to this loop, by number.
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var lastTask = 0
  /// Made by ``drain(over:)``; the removal of the last connection completes it.
  private var emptied: EventLoopPromise<Void>?
  /// Made by ``end()``; the removal of the last HTTP connection or task completes it.
  private var ended: EventLoopPromise<Void>?

  init(loop: Int, eventLoop: any EventLoop, directory: ConnectionDirectory) {
    self.loop = loop
    self.eventLoop = eventLoop
    self.directory = directory
  }

  /// Runs something away from the loop. ``end()`` waits until its result has come back to the loop.
  func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) -> EventLoopFuture<Value>.Isolated {
    let promise = eventLoop.makePromise(of: Value.self)
    lastTask += 1
    let (number, eventLoop, registry) = (lastTask, eventLoop, NIOLoopBound(self, eventLoop: eventLoop))
    // A task that is kept, unlike that of `makeFutureWithTask`, can be cancelled when the drain takes too long.
    tasks[number] = Task {
      let result: Result<Value, any Error>
      do {
        result = .success(try await body())
      } catch {
        result = .failure(error)
      }
      eventLoop.execute {
        // The result first: a connection that gets it may run something else, for which `end` has to wait as well.
        promise.completeWith(result)
        registry.value.tasks[number] = nil
        registry.value.announceEnd()
      }
    }
    return promise.futureResult.assumeIsolated()
  }

  // MARK: Coming and going

  /// HTTP connections that carry no hub connection, or not yet.
  var requestCount: Int { requests.count }

  func add(_ request: any HTTPConnection) { requests[ObjectIdentifier(request)] = request }

  func remove(_ request: any HTTPConnection) {
    requests[ObjectIdentifier(request)] = nil
    announceEnd()
  }

  func add(_ connection: HubConnection) { connections[connection.id] = connection }

  func remove(_ connection: HubConnection) {
    connections[connection.id] = nil
    announceEmptiness()
  }

  func connection(_ id: ConnectionID) -> HubConnection? { connections[id] }

  /// The connection has read its client's handshake: from now on it receives its user's events.
  func subscribe(_ connection: HubConnection) -> Slot {
    let slot = subscribers.insert(connection)
    let form = FormSet.index(connection.form, connection.path)
    directory.subscribe(connection.user, Subscription(loop: UInt8(loop), form: UInt8(form), slot: slot))
    return slot
  }

  func unsubscribe(_ slot: Slot, of user: UserID) {
    subscribers.remove(slot)
    directory.unsubscribe(user, loop: loop, slot)
  }

  // MARK: Seq

  /// Asks the database for the last `seq` of the inbox of a connection's user, together with all who come meanwhile.
  func findSeq(of connection: HubConnection, _ methods: HubMethods) {
    seqless.append(connection)
    findSeqs(methods)
  }

  private func findSeqs(_ methods: HubMethods) {
    guard !isFindingSeqs else { return }
    let asking = seqless.filter(\.isOpen)
    seqless = []
    guard !asking.isEmpty else { return }
    isFindingSeqs = true
    let users = Array(Set(asking.map(\.user)))
    run { await methods.seqs(of: users) }.whenSuccess { seqs in
      self.isFindingSeqs = false
      for connection in asking { connection.begin(at: seqs[connection.user]) }
      self.findSeqs(methods)
    }
  }

  // MARK: Events

  /// How many connections are looked at before something is written to the first of them.
  ///
  /// Most of them are not in the processor's cache: to look at some one after the other costs little more than to look at one,
  /// because the processor waits for all of them at the same time.
  private static let portion = 32

  /// Writes each event to those who are to get it.
  ///
  /// - Returns: How many events were written, counted once for each connection.
  func deliver(_ batch: EventBatch) -> Int {
    let now = NIODeadline.now()
    var written = 0
    var rest = batch.deliveries[loop][...]
    while !rest.isEmpty {
      var portion = rest.prefix(Self.portion)
      // All events of its last connection, for one system call.
      let last = rest[portion.endIndex...].prefix { [slot = portion.last?.slot] in $0.slot == slot }
      portion = rest[..<last.endIndex]
      rest = rest[portion.endIndex...]
      var arePlain = portion.map { subscribers.ask($0.slot, \.isPlain) ?? false }[...]
      while let first = portion.first, let isPlain = arePlain.first {
        let own = portion.prefix { $0.slot == first.slot }
        portion = portion[own.endIndex...]
        arePlain = arePlain.dropFirst(own.count)
        guard let connection = subscribers[first.slot] else { continue }
        let event = batch.events[Int(first.event)]
        if isPlain, own.count == 1, connection.sendStraight(event, form: Int(first.form), at: now) {
          written += 1
          continue
        }
        var count = 0
        for delivery in own {
          let event = batch.events[Int(delivery.event)]
          if connection.deliver(event, form: Int(delivery.form), at: now) { count += 1 }
        }
        if count > 0 { connection.flush(at: now) }
        written += count
      }
    }
    return written
  }

  // MARK: Time

  /// Pings, timeouts and stalled requests. The server's timer calls it on this loop, about once a second.
  func tick(at now: NIODeadline, requestTimeout: TimeAmount) {
    for connection in connections.values { connection.tick(at: now) }
    for request in requests.values { request.tick(at: now, timeout: requestTimeout) }
  }

  /// Asks every connection to come back, in even portions over the period.
  func sendAway(over period: TimeAmount) {
    let all = Array(connections.values)
    let portions = 20
    let isolated = eventLoop.assumeIsolated()
    for portion in 0..<portions {
      isolated.scheduleTask(in: .nanoseconds(period.nanoseconds / Int64(portions) * Int64(portion))) {
        for connection in all[(all.count * portion / portions)..<(all.count * (portion + 1) / portions)] {
          connection.end(.sentAway)
        }
      }
    }
  }

  /// Says goodbye to everybody; completes when all connections are gone.
  func drain(over period: TimeAmount) -> EventLoopFuture<Void> {
    let promise = eventLoop.makePromise(of: Void.self)
    emptied = promise
    sendAway(over: period)
    announceEmptiness()
    return promise.futureResult
  }

  /// Closes HTTP connections once they are idle; completes when none is left and nothing will come back to the loop.
  ///
  /// The server calls it when the drains of all loops are over: until then a client may be about to poll for its goodbye.
  func end() -> EventLoopFuture<Void> {
    let promise = eventLoop.makePromise(of: Void.self)
    ended = promise
    for request in requests.values { request.closeIfIdle() }
    announceEnd()
    return promise.futureResult
  }

  /// Ends what is left without a word. The server's timer calls it when the drain takes too long.
  func abortAll() {
    for connection in connections.values { connection.end(.drainTimeout) }
    for request in requests.values { request.close() }
    for task in tasks.values { task.cancel() }
  }

  private func announceEmptiness() {
    guard let emptied, connections.isEmpty else { return }
    self.emptied = nil
    emptied.succeed()
  }

  private func announceEnd() {
    guard let ended, requests.isEmpty, tasks.isEmpty else { return }
    self.ended = nil
    ended.succeed()
  }
}
