import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NotificationStore
import Testing

@testable import Gateway

/// `If-Match` and `If-None-Match` (RFC 9110, 13).
@Suite struct PreconditionTests {
  private func precondition(_ headers: HTTPFields) -> Precondition {
    let head = HTTPRequest(method: .put, scheme: nil, authority: nil, path: "/", headerFields: headers)
    return Precondition(Request(head: head, body: RequestBody(buffer: ByteBuffer())))
  }

  /// Whether a write may go on where `tag` is what there is.
  private func admits(_ headers: HTTPFields, _ tag: EntityTag?) -> Bool {
    do throws(Problem) {
      try precondition(headers).check(tag)
      return true
    } catch {
      #expect(error.status == .preconditionFailed && error.kind == .preconditionFailed)
      return false
    }
  }

  @Test(arguments: [
    ("*", true), (#""7""#, true), (#""6", "7""#, true), (#""6","7""#, true), (#" "7" "#, true), (#""a,b", "7""#, true),
    (#""6""#, false), (#"W/"7""#, false), ("7", false), ("", false), (#""7"#, false), (#""77""#, false),
    (#""07""#, false),
  ])
  func `a write goes on where one of the tags is the strong one that there is`(_ header: String, _ isAdmitted: Bool) {
    #expect(admits([.ifMatch: header], EntityTag(text: "7")) == isAdmitted)
    #expect(!admits([.ifMatch: header], nil))
  }

  @Test(arguments: [
    ("*", false), (#""7""#, false), (#"W/"7""#, false), (#""6", W/"7""#, false), (#""6""#, true), ("7", true),
    ("", true),
  ])
  func `a write goes on where none of the tags is there, weak or strong`(_ header: String, _ isAdmitted: Bool) {
    #expect(admits([.ifNoneMatch: header], EntityTag(text: "7")) == isAdmitted)
    #expect(admits([.ifNoneMatch: header], nil))
  }

  @Test(
    arguments: [
      ([.ifMatch: "\"6\""], "It was changed, or is not there"), ([.ifNoneMatch: "*"], "It is there already"),
      ([.ifNoneMatch: "\"7\""], "It is a version that If-None-Match rules out"),
      ([.ifMatch: "\"6\"", .ifNoneMatch: "*"], "It was changed, or is not there"),
    ] as [(HTTPFields, String)]
  )
  func `who is refused hears what is there`(_ headers: HTTPFields, _ title: String) {
    let precondition = precondition(headers)
    #expect(throws: Problem.self) { try precondition.check(EntityTag(text: "7")) }
    do throws(Problem) { try precondition.check(EntityTag(text: "7")) } catch { #expect(error.title == title) }
    #expect(precondition.failure.title == title)
  }

  @Test func `who says nothing depends on nothing`() {
    #expect(!precondition([:]).isPresent)
    #expect(admits([:], nil) && admits([:], EntityTag(text: "7")))
    #expect(precondition([.ifMatch: "*"]).isPresent && precondition([.ifNoneMatch: "*"]).isPresent)
  }

  @Test func `tags on several lines are one list`() {
    var headers = HTTPFields()
    headers.append(HTTPField(name: .ifMatch, value: #""6""#))
    headers.append(HTTPField(name: .ifMatch, value: #""7""#))
    #expect(admits(headers, EntityTag(text: "7")))
  }

  @Test func `a schedule's tag is of its row and version, and nothing else is one`() throws {
    let id = try #require(UUID(uuidString: "4f9c1c1e-0001-4000-8000-000000000001"))
    let version = ScheduleStore.Version(id: id, number: 12)
    let tag = EntityTag(version)
    #expect(tag.headerValue == #""4f9c1c1e-0001-4000-8000-000000000001-12""#)
    #expect(tag.scheduleVersion == version)
    for text in ["", "-", "12", "\(id)-12", "\(tag.text) ", "\(tag.text.dropLast(3))", "\(tag.text.dropLast(2))012"] {
      #expect(EntityTag(text: text).scheduleVersion == nil, "\(text)")
    }
  }

  @Test func `a tag is of the very bytes`() {
    #expect(EntityTag(of: [1, 2]) == EntityTag(of: [1, 2]))
    #expect(EntityTag(of: [1, 2]) != EntityTag(of: [1, 3]))
    #expect(EntityTag(of: []).headerValue.wholeMatch(of: /"[0-9a-f]{32}"/) != nil)
  }
}
