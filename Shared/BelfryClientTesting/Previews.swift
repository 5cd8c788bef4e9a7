public import BelfryClient
import Foundation

/// Data for SwiftUI's previews.
extension BelfryNotification {
  /// A notification with whatever a preview is about; the rest is made up.
  ///
  /// - Parameter age: How long ago it came.
  public static func preview(
    _ title: String = "Allowance Received!",
    body: String = "Your weekly allowance of $5.00 has been deposited.",
    age: Duration = .seconds(300),
    type: Int = 10,
    data: [String: DataValue] = [:],
    relatedEntity: RelatedEntity? = nil,
    isRead: Bool = false,
    archived: Bool = false
  ) -> BelfryNotification {
    let (known, now) = (TestCatalogue.standard.type(type), Date().rounded)
    let createdAt = now.addingTimeInterval(-(age / .seconds(1)))
    let texts = data.texts
    return BelfryNotification(
      id: UUID(createdAt, number: Int.random(in: 0..<(1 << 40))),
      seq: nil,
      type: type,
      typeName: known?.name ?? "Unknown",
      category: known?.category,
      title: title,
      body: body,
      data: texts.data,
      dataObject: texts.object,
      priority: known.map { _ in "high" },
      createdAt: createdAt,
      timeAgo: createdAt.age(at: now),
      relatedEntity: relatedEntity,
      actions: known?.actions ?? [],
      isRead: isRead,
      readAt: isRead ? now : nil,
      seenAt: isRead ? now : nil,
      archivedAt: archived ? now : nil
    )
  }

  /// Five of several types and ages, the newest one first; two are read.
  public static var previews: [BelfryNotification] {
    [
      .preview("New message", body: "Are you coming home for dinner?", age: .seconds(20), type: 110),
      .preview("Approval needed", body: "Ben says that the dishes are done.", age: .seconds(900), type: 33),
      .preview("Milestone Reached!", body: "You've hit 75% on your New bicycle goal!", age: .seconds(7_200), type: 21),
      .preview(age: .seconds(90_000), isRead: true),
      .preview(
        "New Task",
        body: "You have a new task: Clean your room",
        age: .seconds(270_000),
        type: 30,
        isRead: true
      ),
    ]
  }
}

extension InMemoryServer {
  /// A server for previews: what waits shortly does not wait.
  public static func preview(_ notifications: [BelfryNotification] = BelfryNotification.previews) -> InMemoryServer {
    InMemoryServer(notifications, clock: ImmediateClock())
  }
}

extension NotificationCenterModel {
  /// A model that is connected to a server of its own and works in all, filled a moment after it is made.
  public static func preview(
    _ notifications: [BelfryNotification] = BelfryNotification.previews,
    filter: NotificationFilter = NotificationFilter()
  ) -> NotificationCenterModel {
    let client = InMemoryServer.preview(notifications).client()
    Task { await client.connect() }
    return NotificationCenterModel(client, filter: filter)
  }
}

extension PreferencesModel {
  /// A model with a server of its own, filled a moment after it is made.
  public static func preview() -> PreferencesModel {
    let model = PreferencesModel(InMemoryServer.preview().client())
    Task { await model.load() }
    return model
  }
}

extension DevicesModel {
  /// A model with a server of its own and a device, filled a moment after it is made.
  public static func preview(deviceName: String = "iPhone") -> DevicesModel {
    let model = DevicesModel(InMemoryServer.preview().client())
    Task { await model.register(DeviceRegistration(.token("preview"), deviceName: deviceName)) }
    return model
  }
}
