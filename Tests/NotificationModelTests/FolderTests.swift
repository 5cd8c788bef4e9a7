import NotificationModel
import TestSupport
import Testing

@Suite struct FolderTests {
  @Test func `a folder uses what comes before it, never what comes behind it`() throws {
    let order = FolderOrder(
      of: "Shared/NotificationModel",
      [
        "Values", "Devices", "Channels", "Fields", "Texts", "Catalogue", "Notification", "Mails", "Requests",
        "Preferences",
        "Deciding", "Held", "Scheduling", "Explaining", "Compatibility",
      ]
    )
    #expect(try order.problems() == [])
  }

  /// Any other is declared by an operator's catalogue alone, and so is this one by the built-in.
  @Test func `the setting of one application is named by code for its older app alone`() throws {
    let naming = try ["Shared", "Services"].flatMap { try Repository.sources(below: $0) }.filter {
      try Repository.text($0).contains(CoarseSettings.threshold)
    }
    #expect(!naming.isEmpty)
    #expect(naming.filter { !$0.contains("/Compatibility/") } == [])
  }
}
