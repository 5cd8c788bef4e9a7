import Cryptography
import Foundation
import Testing

@testable import Transport

/// dkimpy verifies what it makes: see `EmailDispatcherTests.DKIMJudgeTests`.
@Suite struct DKIMSignerTests {
  private let key: PrivateKey

  init() throws {
    key = try PrivateKey(.rsa)
  }

  private static let message = """
    Date: Thu, 29 Feb 2024 00:00:00 +0000
    From: "Belfry" <belfry@example.org>
    To: mara@example.org
    Subject: Hello
     again
    Message-ID: <1@example.org>
    List-Unsubscribe: <https://example.org/u>
    List-Unsubscribe-Post: List-Unsubscribe=One-Click
    Feedback-ID: 1:2:bulk:belfry
    MIME-Version: 1.0
    Content-Type: text/plain; charset=utf-8
    X-Other: not signed

    Hello
    """.replacing("\n", with: "\r\n")

  /// The signature's tags.
  private func tags(_ message: String = DKIMSignerTests.message, unsigned: Set<String> = []) throws -> [String: String]
  {
    let signer = DKIMSigner(domain: "example.org", selector: "s1", key: key, unsigned: unsigned)
    let signed = String(decoding: try signer.sign(Array(message.utf8)), as: UTF8.self)
    #expect(signed.hasSuffix(message))
    let header = String(signed.dropLast(message.count))
    #expect(header.hasPrefix("DKIM-Signature: ") && header.hasSuffix("\r\n"))
    for line in header.split(separator: "\r\n") { #expect(line.utf8.count <= 78) }
    var tags: [String: String] = [:]
    for tag in header.dropFirst("DKIM-Signature: ".count).split(separator: ";") {
      let parts = tag.filter { !$0.isWhitespace }.split(separator: "=", maxSplits: 1)
      tags[String(parts[0])] = String(parts[1])
    }
    return tags
  }

  @Test func `a signature names what it is, and each header as often as nobody may add another`() throws {
    let tags = try tags()
    #expect(tags["v"] == "1" && tags["a"] == "rsa-sha256" && tags["c"] == "relaxed/relaxed")
    #expect(tags["d"] == "example.org" && tags["s"] == "s1")
    #expect(
      tags["h"]
        == "from:from:to:to:subject:subject:reply-to:date:message-id:mime-version:content-type:"
        + "content-type:feedback-id:list-unsubscribe:list-unsubscribe:list-unsubscribe-post:list-unsubscribe-post"
    )
    // No part of the body is left out, and no time makes one signature unlike the next.
    #expect(Set(tags.keys) == ["v", "a", "c", "d", "s", "h", "bh", "b"])
  }

  @Test func `the same mail has the same signature`() throws {
    let signer = DKIMSigner(domain: "example.org", selector: "s1", key: key)
    let message = Array(Self.message.utf8)
    #expect(try signer.sign(message) == signer.sign(message))
  }

  @Test func `what the mail server writes anew is left out, but never From`() throws {
    let names = try tags(unsigned: ["Message-ID", "date", "from"])["h"]?.split(separator: ":") ?? []
    #expect(!names.contains("message-id") && !names.contains("date"))
    #expect(names.prefix(2) == ["from", "from"])
  }

  @Test func `the signature is over the headers, the last of two first, and the signature's own without its value`()
    throws
  {
    let message = "From: a@example.org\r\nTo: one@example.org\r\nTO :\ttwo@example.org \r\n\r\n"
    let signer = DKIMSigner(domain: "example.org", selector: "s1", key: key)
    let header = String(decoding: try signer.sign(Array(message.utf8)), as: UTF8.self).dropLast(message.count)
    let value = try #require(header.range(of: "\r\n b="))
    let open = String(header[..<value.upperBound])
    let signed =
      "from:a@example.org\r\nto:two@example.org\r\nto:one@example.org\r\n"
      + String(decoding: DKIMCanonicalization.header(Array(open.utf8)[...]), as: UTF8.self)
    let signature = try #require(Data(base64Encoded: header[value.upperBound...].filter { !$0.isWhitespace }))
    #expect(key.publicKey.isValid([UInt8](signature), of: Array(signed.utf8)))
    #expect(open.contains("h=from:from:to:to:to:subject:reply-to:content-type;"))
  }

  // MARK: Canonical forms

  /// The example of RFC 6376, section 3.4.5.
  @Test func `headers and body have the form of the standard's example`() {
    let message = "A: X\r\nB : Y\t\r\n\tZ  \r\n\r\n C \r\nD \t E\r\n\r\n\r\n"
    let (headers, body) = DKIMCanonicalization.parts(of: Array(message.utf8))
    #expect(
      headers.map { String(decoding: DKIMCanonicalization.header($0), as: UTF8.self) } == ["a:X", "b:Y Z"]
    )
    #expect(String(decoding: DKIMCanonicalization.body(body), as: UTF8.self) == " C\r\nD E\r\n")
  }

  @Test(arguments: [
    ("", ""), ("\r\n", ""), ("\r\n\r\n", ""), (" \t\r\n", ""), ("a", "a\r\n"), ("a\r\n", "a\r\n"), ("a  ", "a\r\n"),
    ("\r\na\r\n \r\nb \t c\r\n\r\n", "\r\na\r\n\r\nb c\r\n"),
  ]) func `empty lines at the end, and blanks, are as the standard says`(_ body: String, _ canonical: String) {
    #expect(String(decoding: DKIMCanonicalization.body(Array(body.utf8)[...]), as: UTF8.self) == canonical)
  }

  @Test func `the hash of an empty body is the standard's`() throws {
    let tags = try tags("From: a@example.org\r\n\r\n")
    #expect(tags["bh"] == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
  }

  @Test func `a message without a body is all headers`() {
    let (headers, body) = DKIMCanonicalization.parts(of: Array("A: b\r\n c\r\nD: e".utf8))
    #expect(headers.map { String(decoding: $0, as: UTF8.self) } == ["A: b\r\n c", "D: e"])
    #expect(body.isEmpty)
  }
}
