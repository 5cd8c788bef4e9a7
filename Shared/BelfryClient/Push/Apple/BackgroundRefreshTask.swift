// Not compiled on Linux, which has no BackgroundTasks: tests compile it there against declarations (Tests/AppleDeclarations).
#if canImport(BackgroundTasks) && os(iOS) || BELFRY_APPLE_DECLARATIONS
  #if BELFRY_APPLE_DECLARATIONS
    import AppleDeclarations
    @testable public import BelfryClient
    public import Foundation
  #else
    import BackgroundTasks
    public import Foundation
  #endif

  /// Refreshes the inbox now and then, when iOS lets the app run behind.
  ///
  /// The identifier is one of `BGTaskSchedulerPermittedIdentifiers` in the app's `Info.plist`; the mode `fetch` is in `UIBackgroundModes`.
  ///
  /// ```swift
  /// let refresh = BackgroundRefreshTask("com.example.app.belfry", client: client, in: AppleNotifications())
  /// refresh.register()        // before the app has finished launching
  /// try refresh.schedule()    // when the app goes behind
  /// ```
  public struct BackgroundRefreshTask: Sendable {
    private let identifier: String
    private let client: BelfryClient
    private let center: any SystemNotifications
    private let pause: TimeInterval

    /// - Parameter pause: How long iOS waits at least, in seconds; it decides how much longer.
    public init(
      _ identifier: String,
      client: BelfryClient,
      in center: any SystemNotifications,
      pause: TimeInterval = 30 * 60
    ) {
      self.identifier = identifier
      self.client = client
      self.center = center
      self.pause = pause
    }

    /// Says whether iOS takes it: not if `Info.plist` lacks the identifier.
    @available(iOSApplicationExtension, unavailable)
    @discardableResult
    public func register() -> Bool {
      // A queue of its own: what it runs waits.
      let queue = DispatchQueue(label: "belfry.refresh", qos: .utility)
      return BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: queue) { @Sendable task in
        carryOut(task)
      }
    }

    /// Asks for the next one.
    ///
    /// - Throws: `BGTaskScheduler.Error`.
    public func schedule() throws {
      let request = BGAppRefreshTaskRequest(identifier: identifier)
      request.earliestBeginDate = Date(timeIntervalSinceNow: pause)
      try BGTaskScheduler.shared.submit(request)
    }

    /// The task is the system's, and no other thread may have it: so this one waits, ten seconds at most.
    private func carryOut(_ task: BGTask) {
      // Another chance if this one fails; where iOS refuses, the next call of the app's counts.
      try? schedule()
      let (client, center) = (client, center)
      let result = waiting(BackgroundRefreshResult.failed) {
        await client.refresh(deadline: .seconds(9), in: center)
      } started: { cancel in
        task.expirationHandler = cancel
      }
      task.setTaskCompleted(success: result != .failed)
    }
  }
#endif
