import BelfryClient

/// The system's notification centre, in memory.
actor FakeSystem: SystemNotifications {
  private(set) var current = SystemPermission.notDetermined
  private(set) var questions = 0
  private(set) var list: [DeliveredNotification] = []
  private(set) var looks = 0
  private(set) var badge: Int?
  private(set) var categories: [PushCategory] = []
  private var answer: SystemPermission
  private var fails = false

  /// - Parameter answer: What the user answers when asked.
  init(answer: SystemPermission = .authorized, delivered: [DeliveredNotification] = []) {
    self.answer = answer
    list = delivered
  }

  /// The user changes it in Settings.
  func set(_ permission: SystemPermission) { current = permission }

  func answer(_ permission: SystemPermission) { answer = permission }

  func fail() { fails = true }

  // MARK: The system

  func permission() -> SystemPermission { current }

  func requestPermission(quietly: Bool) throws -> Bool {
    questions += 1
    if fails { throw BelfryError(.unavailable) }
    if current == .notDetermined || current == .provisional { current = quietly ? .provisional : answer }
    return current != .denied
  }

  func delivered() -> [DeliveredNotification] {
    looks += 1
    return list
  }

  func remove(_ identifiers: [String]) { list.removeAll { identifiers.contains($0.identifier) } }

  func setBadge(_ count: Int) { badge = count }

  func register(_ categories: [PushCategory]) { self.categories = categories }
}
