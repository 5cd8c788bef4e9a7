import HTTPTypes
import Hummingbird
import NIOCore
import NotificationModel
import Testing
import UserIdentity

@testable import Gateway

@Suite struct QueryParametersTests {
  private func query(_ text: String) -> QueryParameters {
    QueryParameters(
      Request(
        head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/?\(text)"),
        body: RequestBody(buffer: ByteBuffer())
      )
    )
  }

  @Test func `a user's id that is not in UTF-8 is nobody's, where it would be repaired`() {
    var good = query("user=M%C3%BCller")
    let user = good.user("user")
    #expect(user?.text == "Müller" && good.errors.isEmpty)
    for text in ["M%FCller", "M%EF%BF%BDller"] {
      var wrong = query("user=\(text)")
      let user = wrong.user("user")
      #expect(user == nil)
      #expect(wrong.errors == [FieldError("user", "is not in UTF-8")])
    }
  }

  @Test func `a required number is read, and its absence and every wrong form are named`() {
    var good = query("since=0")
    #expect(good.requiredInteger("since", in: 0...Int.max) == 0)
    #expect(good.errors.isEmpty)
    var absent = query("limit=5")
    #expect(absent.requiredInteger("since", in: 0...100) == 0)
    #expect(absent.errors == [FieldError("since", "is required")])
    for text in ["-1", "101", "x", "1.0", "9223372036854775808"] {
      var wrong = query("since=\(text)")
      _ = wrong.requiredInteger("since", in: 0...100)
      #expect(wrong.errors == [FieldError("since", "expected an integer from 0 to 100")])
    }
  }
}
