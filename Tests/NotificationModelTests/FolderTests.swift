import TestSupport
import Testing

@Suite struct FolderTests {
  @Test func `a folder uses what comes before it, never what comes behind it`() throws {
    let order = FolderOrder(
      of: "Shared/NotificationModel",
      [
        "Values", "Fields", "Devices", "Channels", "Texts", "Catalogue", "Notification", "Requests", "Preferences",
        "Deciding", "Held", "Scheduling", "Explaining",
      ]
    )
    #expect(try order.problems() == [])
  }
}
