public import BelfryClient

/// Which types, settings and headings an ``InMemoryServer`` knows.
public struct TestCatalogue: Sendable {
  /// A type of notification.
  public struct NotificationType: Sendable {
    public var code: Int
    public var name: String
    /// The heading in preferences.
    public var category: String
    public var actions: [BelfryAction]
    /// What is on unless the user chose otherwise.
    public var channels: Preferences.Switches

    public init(
      _ code: Int,
      _ name: String,
      category: String,
      actions: [BelfryAction] = [],
      channels: Preferences.Switches = Preferences.Switches(inApp: true, push: true, email: false)
    ) {
      self.code = code
      self.name = name
      self.category = category
      self.actions = actions
      self.channels = channels
    }
  }

  /// A number that each user may set.
  public struct Setting: Sendable {
    public var name: String
    public var range: ClosedRange<Double>
    public var defaultValue: Double
    public var title: String?

    public init(_ name: String, range: ClosedRange<Double>, defaultValue: Double, title: String? = nil) {
      self.name = name
      self.range = range
      self.defaultValue = defaultValue
      self.title = title
    }
  }

  public var types: [NotificationType]
  public var settings: [Setting]

  public init(types: [NotificationType], settings: [Setting] = []) {
    self.types = types
    self.settings = settings
  }

  /// Some of Belfry's built-in types: 10, 20, 21, 30, 33, 99 and 110.
  public static let standard = TestCatalogue(
    types: [
      NotificationType(10, "AllowanceDeposit", category: "Allowance"),
      NotificationType(20, "GoalProgress", category: "Goals & Savings", actions: [goals]),
      NotificationType(21, "GoalMilestone", category: "Goals & Savings", actions: [goals]),
      NotificationType(30, "TaskAssigned", category: "Tasks"),
      NotificationType(33, "ApprovalRequired", category: "Tasks"),
      NotificationType(99, "SystemAnnouncement", category: "System"),
      NotificationType(110, "NewMessage", category: "Messages"),
    ],
    settings: [
      Setting("minimumBalance", range: 0...1_000_000_000_000, defaultValue: 10, title: "Minimum balance")
    ]
  )

  private static let goals = BelfryAction(id: "VIEW_GOALS", title: "View goals")

  /// Headings, in the order of their first types.
  var categories: [String] {
    var seen: Set<String> = []
    return types.map(\.category).filter { seen.insert($0).inserted }
  }

  func type(_ code: Int) -> NotificationType? { types.first { $0.code == code } }
}
