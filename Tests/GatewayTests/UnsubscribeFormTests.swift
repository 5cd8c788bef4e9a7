import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Gateway

@Suite struct UnsubscribeFormTests {
  private static let urlEncoded = "application/x-www-form-urlencoded"

  private func read(_ body: String, _ type: String? = urlEncoded) throws(Problem) -> UnsubscribeForm {
    try UnsubscribeForm.read(Array(body.utf8), contentType: type)
  }

  @Test(arguments: [
    "List-Unsubscribe=One-Click", "list-unsubscribe=one-click", "List%2DUnsubscribe=One%2dClick",
    "a=b&List-Unsubscribe=One-Click",
    "take-back=yes&List-Unsubscribe=One-Click", "List-Unsubscribe=One-Click\r\n",
  ])
  func `a one-click form as mailboxes write it`(_ body: String) throws {
    #expect(try read(body) == .unsubscribe)
    #expect(try read(body, nil) == .unsubscribe)
  }

  @Test(arguments: ["multipart/form-data; boundary=\"a b\"", "Multipart/Form-Data; charset=utf-8; Boundary=\"a b\""])
  func `a multipart form, whatever ends its lines`(_ type: String) throws {
    let body = """
      preamble
      --a b
      content-disposition: form-data; name="other"

      x
      --a b
      Content-Type: text/plain
      Content-Disposition: form-data; name="List-Unsubscribe"

      One-Click
      --a b--
      """
    #expect(try read(body, type) == .unsubscribe)
    #expect(try read(body.replacing("\n", with: "\r\n"), type) == .unsubscribe)
    #expect(throws: Problem.self) { try read(body.replacing("One-Click", with: "No"), type) }
  }

  @Test func `whatever comes is read or refused`() {
    var random = SplitMix64(seed: 25)
    let multipart = "--b\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--b--\r\n"
    let more = "more=\(String(repeating: "x", count: 300))"
    var (count, refused) = (0, 0)
    for _ in 0..<2_000 {
      for (body, type) in [
        ("\(more)&List-Unsubscribe=One-Click", Self.urlEncoded), (multipart, "multipart/form-data; boundary=b"),
        (multipart, "multipart/form-data; boundary=\""), ("take-back=yes", "application/x-www-form-urlencoded;"),
      ] {
        do throws(Problem) {
          _ = try UnsubscribeForm.read(random.mutated(Array(body.utf8)), contentType: type)
          count += 1
        } catch {
          #expect([.badRequest, .unsupportedMediaType].contains(error.status))
          refused += 1
        }
      }
    }
    #expect(count > 100 && refused > 100)
  }
}
