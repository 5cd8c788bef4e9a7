import BelfryClient
import BelfryClientTesting
import Foundation
import Testing

@testable import AppSample

@MainActor
struct AppSessionTests {
  @Test func `whoever signs in sees what there is, and is signed in at the next start`() async throws {
    let app = TestApp([.preview("One"), .preview("Two", isRead: true)])
    let account = try await app.signIn()
    #expect(await app.settles { account.center.notifications.count == 2 && account.center.unreadCount == 1 })
    #expect(app.store.credentials?.gateway.absoluteString == "https://belfry.test")
    let next = AppSession(app.store, system: app.pushSystem) { _ in app.server.configuration() }
    next.restore()
    let again = try #require(next.account)
    await next.connect()
    #expect(await app.settles { again.center.notifications.count == 2 })
    await next.signOut()
    await app.session.signOut()
  }

  @Test func `a form with a fault signs nobody in, and nobody out`() async throws {
    let app = TestApp()
    let account = try await app.signIn()
    await #expect(throws: SignInForm.Fault.noToken) {
      try await app.session.signIn(SignInForm(gateway: "example.com"))
    }
    #expect(app.session.account === account)
    await app.session.signOut()
  }

  @Test func `the user is told to the app before anything is asked of the server`() async throws {
    let app = TestApp()
    var requests: [Int] = []
    app.session.began = { _ in requests.append(0) }
    app.store.credentials = try SignInForm(gateway: "https://belfry.test", token: "t").check()
    app.session.restore()
    #expect(requests == [0])
    #expect(await app.server.requests.isEmpty)
    app.session.restore()
    #expect(requests == [0])
    await app.session.signOut()
  }

  @Test func `after a sign-out nothing is left, and this device gets no push`() async throws {
    let app = TestApp([.preview()])
    let account = try await app.signIn()
    await account.pushes.cameToFront()
    await account.pushes.take(Data(repeating: 7, count: 32))
    #expect(account.pushes.error == nil)
    #expect(await app.server.deviceAddresses().count == 1)
    await app.session.signOut()
    #expect(app.session.account == nil)
    #expect(app.store.credentials == nil)
    #expect(await app.server.deviceAddresses().isEmpty)
    #expect(app.calls.names == ["ask", "stop"])
    #expect(await app.settles { account.center.notifications.isEmpty })
  }

  @Test func `a token that is refused says so, and another sign-in helps`() async throws {
    let app = TestApp([.preview()])
    let account = try await app.signIn()
    #expect(await app.settles { account.center.connectionState == .connected })
    await app.server.expireTokens()
    #expect(await app.settles { account.center.connectionState == .unauthorized })
    #expect(ListBanner(account.center)?.canRetry == true)
    let next = try await app.signIn()
    #expect(await app.settles { next.center.notifications.count == 1 })
    await app.session.signOut()
  }

  @Test func `what is opened is read`() async throws {
    let app = TestApp([.preview()])
    let account = try await app.signIn()
    #expect(await app.settles { account.center.unreadCount == 1 })
    let notification = try #require(account.center.notifications.first)
    await account.open(notification)
    #expect(account.center.unreadCount == 0)
    #expect(
      await app.settles {
        let kept = await app.server.notification(notification.id)
        return kept?.isRead == true && kept?.openedAt != nil
      }
    )
    await app.session.signOut()
  }

  @Test func `a tap on a push shows its notification, also one that came meanwhile`() async throws {
    let app = TestApp()
    let account = try await app.signIn()
    #expect(await app.settles { account.center.isLoaded })
    await account.client.disconnect()
    let notification = await app.server.deliver(title: "Dinner")
    let userInfo = ["type": "10", "notificationId": notification.id.uuidString]
    #expect(await account.show(try #require(PushRoute(userInfo: userInfo))))
    #expect(account.path.map(\.id) == [notification.id])
    #expect(account.isCenterShown)
    await app.session.signOut()
  }

  @Test func `a tap that leads nowhere shows nothing`() async throws {
    let app = TestApp([.preview()])
    let account = try await app.signIn()
    #expect(await app.settles { account.center.isLoaded })
    let gone = ["type": "10", "notificationId": UUID().uuidString]
    #expect(await account.show(try #require(PushRoute(userInfo: gone))) == false)
    #expect(await account.show(try #require(PushRoute(userInfo: ["type": "10"]))) == false)
    let known = try #require(account.center.notifications.first?.id.uuidString)
    let dismissed = PushRoute(
      userInfo: ["type": "10", "notificationId": known],
      actionIdentifier: "com.apple.UNNotificationDismissActionIdentifier"
    )
    #expect(await account.show(try #require(dismissed)) == false)
    #expect(account.path.isEmpty && !account.isCenterShown)
    await app.session.signOut()
  }

  @Test func `row actions do what they say`() async throws {
    let app = TestApp([.preview("One")])
    let account = try await app.signIn()
    #expect(
      await app.settles { account.center.notifications.count == 1 && account.center.connectionState == .connected }
    )
    let (model, id) = (account.center, try #require(account.center.notifications.first?.id))
    await RowAction.markAsRead.perform(id, model)
    #expect(await app.settles { model.unreadCount == 0 })
    await RowAction.markAsUnread.perform(id, model)
    #expect(await app.settles { model.unreadCount == 1 })
    await RowAction.delete.perform(id, model)
    #expect(UndoText.text(model.deletions.count) == "Deleted")
    #expect(ListState(model) == ListState(isEmpty: true, isLoaded: true, error: nil, filter: model.filter))
    await model.undoDelete()
    #expect(UndoText.text(model.deletions.count) == nil)
    await RowAction.archive.perform(id, model)
    #expect(model.notifications.isEmpty)
    await RowAction.unarchive.perform(id, model)
    #expect(model.notifications.map(\.id) == [id])
    await app.session.signOut()
  }

  @Test func `offline before anything was read, the list says so, and loads when the network is back`() async throws {
    let app = TestApp([.preview()])
    await app.server.goOffline()
    let account = try await app.signIn()
    #expect(
      await app.settles {
        if case .failed(let texts) = ListState(account.center) { return texts.title == "Offline" }
        return false
      }
    )
    await app.server.goOnline()
    await account.tryAgain()
    #expect(await app.settles { ListState(account.center) == .list })
    await app.session.signOut()
  }
}
