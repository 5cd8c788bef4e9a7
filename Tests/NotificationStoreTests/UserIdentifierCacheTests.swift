import NotificationModel
import TestSupport
import Testing
import UserIdentity

@testable import NotificationStore

@Suite struct UserIdentifierCacheTests {
  private let user = Sample.user()

  @Test func `an absence that was read before a text was stored does not hide it`() {
    let cache = UserIdentifierCache(capacity: 10)
    cache.note([user: "ann"])
    cache.note(absent: [user])
    #expect(cache.texts(of: [user], absent: true) == [user: "ann"])
  }

  @Test func `a user is called as was seen last until forgotten, and nothing where none was seen`() {
    let cache = UserIdentifierCache(capacity: 10)
    #expect(cache.remembered(user) == nil)
    cache.note(absent: [user])
    #expect(cache.remembered(user) == nil)
    cache.note([user: "ann"])
    #expect(cache.remembered(user) == "ann")
    cache.forget(user)
    #expect(cache.remembered(user) == nil)
  }

  @Test func `an absence is known to those alone who ask for it, until a text comes`() {
    let cache = UserIdentifierCache(capacity: 10)
    cache.note(absent: [user])
    #expect(cache.texts(of: [user], absent: true) == [user: ""])
    #expect(cache.texts(of: [user], absent: false).isEmpty)
    cache.note([user: "ann"])
    #expect(cache.texts(of: [user], absent: false) == [user: "ann"])
  }

  @Test func `nothing is left to do for those alone who were seen as they are spelled, a moment ago`() throws {
    let cache = UserIdentifierCache(capacity: 10)
    let (ann, ben) = (try #require(UserIdentifier("ann")), try #require(UserIdentifier("ben")))
    let user = UserID(ann.uuid)
    #expect(!cache.know([ann], within: .seconds(60)))
    cache.note(absent: [user])
    #expect(!cache.know([ann], within: .seconds(60)))
    cache.note([user: "ann"])
    #expect(cache.know([ann], within: .seconds(60)))
    #expect(!cache.know([ann], within: .zero))
    #expect(!cache.know([ann, ben], within: .seconds(60)))
    // The UUID by itself is another's.
    #expect(!cache.know([UserIdentifier(ann.uuid)], within: .seconds(60)))
    cache.forget(user)
    #expect(!cache.know([ann], within: .seconds(60)))
  }
}
