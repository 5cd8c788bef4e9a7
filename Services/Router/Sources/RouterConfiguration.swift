public import NotificationModel
public import NotificationQueue
public import ServiceRuntime
public import Settings
public import WallClock

/// What the router reads from its environment.
public struct RouterConfiguration: ServiceConfiguration {
  public var parts: PartsConfiguration
  public var ladder: RetryLadder
  /// YAML file that adds to the built-in catalogue; empty means none.
  public var catalogueFile: String
  /// Ingest messages taken at once.
  public var maximumBatch: Int
  /// Notifications stored in one transaction.
  public var maximumTransaction: Int
  /// Members per part of a large group.
  public var chunkSize: Int
  /// Of who has none in the profile.
  public var timezone: Zone
  public var held: HeldConfiguration
  /// From a message's acceptance by a gateway until it is dead-lettered, if this router's catalogue does not know it.
  public var patience: Duration
  public var maintenance: MaintenanceConfiguration
  /// Those that the deployment has.
  public var providers: PushProviders

  public init(_ settings: Settings) {
    parts = PartsConfiguration(settings)
    ladder = RetryLadder(settings)
    catalogueFile = settings.string(
      "catalogue.file",
      default: "",
      "YAML file of notification types and events that adds to or replaces the built-in ones, or stands alone; it wins over the versions in the database."
    )
    maximumBatch = settings.integer(
      "router.maximumBatch",
      default: 500,
      in: 1...2_000,
      "Requests handled at once; twice as many are fetched."
    )
    maximumTransaction = settings.integer(
      "router.maximumTransaction",
      default: 2_000,
      in: 100...20_000,
      "Notifications stored in one transaction."
    )
    chunkSize = settings.integer(
      "router.chunkSize",
      default: 1_000,
      in: 10...5_000,
      "Members per part into which a larger group is cut, so that the parts spread over routers."
    )
    timezone = settings.value(
      "deployment.timezone",
      default: .utc,
      kind: "time zone such as Europe/Berlin",
      "Time zone of users whose profile has none: by its clocks their quiet hours begin and end."
    )
    held = HeldConfiguration(settings)
    patience = settings.duration(
      "router.patience",
      default: .seconds(600),
      in: .zero ... .seconds(86_400),
      "A gateway may accept a message that this router's catalogue does not know (a new type, for example). The router "
        + "tries such a message again for this time, and then dead-letters it."
    )
    maintenance = MaintenanceConfiguration(settings)
    providers = PushProviders(settings)
  }
}

/// How what waited is sent.
public struct HeldConfiguration: ServiceConfiguration {
  /// Up to so many pushes that come due together go out one by one, more as one.
  public var composeAbove: Int
  /// Over which time the ends of quiet hours are spread.
  public var spread: Duration

  public init(_ settings: Settings) {
    composeAbove = settings.integer(
      "held.composeAbove",
      default: 3,
      in: 1...1_000,
      "Pushes to one user that come due together go out one by one up to this number, and as one beyond it."
    )
    spread = settings.duration(
      "held.spread",
      default: .seconds(60),
      in: .zero...Duration.seconds(3_600),
      "Pushes that come due at the end of quiet hours are spread over this time. Each user's delay within this time is "
        + "always the same."
    )
  }
}

/// When maintenance runs and what it removes.
public struct MaintenanceConfiguration: ServiceConfiguration {
  public var interval: Duration
  public var retention: Duration
  public var keyLifetime: Duration
  public var staleDevice: Duration

  public init(_ settings: Settings) {
    interval = settings.duration(
      "maintenance.interval",
      default: .seconds(3_600),
      in: .seconds(1)...Self.days(7),
      "Time between runs that make and drop partitions and clean up."
    )
    retention = settings.duration(
      "maintenance.retention",
      default: Self.days(30),
      in: Self.days(7)...Self.days(1_825),
      "Age at which notifications and delivery outcomes are dropped, whole weeks at a time."
    )
    keyLifetime = settings.duration(
      "maintenance.keyLifetime",
      default: Self.days(2),
      in: .seconds(3_600)...Self.days(365),
      "Age at which idempotency keys are forgotten; shorter than BELFRY_MAINTENANCE_RETENTION."
    )
    settings.require(
      "maintenance.keyLifetime",
      shorterThan: "maintenance.retention",
      "a request repeated under its key needs the week in which it was stored."
    )
    staleDevice = settings.duration(
      "maintenance.staleDevice",
      default: Self.days(90),
      in: Self.days(1)...Self.days(1_825),
      "Disuse after which a device is deactivated."
    )
  }

  private static func days(_ count: Int) -> Duration { .seconds(86_400 * count) }
}
