import Foundation
import NotificationModel
import Testing

@Suite struct RelatedEntityTests {
  @Test func `entities are the same in capitals and small letters`() throws {
    let written = try #require(RelatedEntity(type: "Account", id: "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"))
    let read = try #require(RelatedEntity(type: "account", id: "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"))
    #expect(written == read)
    #expect(Set([written, read]).count == 1)
    #expect(written.type == "account")
    #expect(written.id == "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")
    #expect(RelatedEntity(type: "Straße", id: "É") == RelatedEntity(type: "straße", id: "é"))
    #expect(RelatedEntity(type: "account", id: "1") != RelatedEntity(type: "account", id: "2"))
    #expect(RelatedEntity(type: "account", id: "1") != RelatedEntity(type: "goal", id: "1"))
  }

  @Test func `names are as long as in a send request, and every problem is reported`() {
    let type = String(repeating: "ü", count: 64)
    let id = String(repeating: "1", count: 128)
    #expect(RelatedEntity(type: type, id: id) != nil)
    #expect(RelatedEntity(type: type + "x", id: id) == nil)
    #expect(RelatedEntity(type: type, id: id + "1") == nil)
    #expect(RelatedEntity(type: "", id: "1") == nil)
    #expect(
      RelatedEntity.problems(type: "a\u{0}", id: "") == [
        FieldError("entityType", "must not contain control characters"), FieldError("entityId", "must not be empty"),
      ]
    )
    #expect(
      RelatedEntity.problems(type: type + "x", id: id + "1") == [
        FieldError("entityType", "has 65 characters; at most 64 are allowed"),
        FieldError("entityId", "has 129 characters; at most 128 are allowed"),
      ]
    )
  }

  @Test func `a notification is about something if it names both the kind and the thing`() throws {
    let type = try #require(try Catalogue().type(.code(12)))
    func content(_ kind: String?, _ id: String?) -> NotificationContent {
      NotificationContent(
        type: type,
        text: type.template.render(title: nil, body: nil, data: [:]),
        data: [:],
        relatedEntityType: kind,
        relatedEntityId: id,
        collapseKey: nil,
        createdAt: .distantPast,
        expiresAt: .distantFuture
      )
    }
    #expect(content("Goal", "G1").relatedEntity == RelatedEntity(type: "goal", id: "g1"))
    for (kind, id) in [("Goal", nil), (nil, "G1"), (nil, nil), ("", "G1"), ("Goal", "")] {
      #expect(content(kind, id).relatedEntity == nil)
    }
  }
}
