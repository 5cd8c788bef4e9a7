import BelfrySender
import Foundation
import Synchronization

/// A gateway without a network: answers what a test says, and remembers what it was asked.
final class InMemoryTransport: SenderTransport {
  /// - Parameter number: How many requests came before.
  typealias Reply = @Sendable (_ request: TransportRequest, _ number: Int) throws -> TransportResponse

  private let reply: Reply
  private let requests = Mutex<[TransportRequest]>([])

  init(_ reply: @escaping Reply) {
    self.reply = reply
  }

  /// Answers one after another; the last one again and again.
  convenience init(_ answers: TransportResponse...) {
    self.init { _, number in answers[min(number, answers.count - 1)] }
  }

  var asked: [TransportRequest] { requests.withLock { $0 } }

  /// Values of a header, in the order of the requests.
  func headers(_ name: String) -> [String?] { asked.map { $0.headers[name] } }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let number = requests.withLock { requests in
      requests.append(request)
      return requests.count - 1
    }
    return try reply(request, number)
  }
}

/// What a library says when a connection breaks.
struct BrokenConnection: Error {}

extension TransportResponse {
  init(_ status: Int, _ body: String = "", headers: [String: String] = [:]) {
    self.init(status: status, headers: headers.map { (name: $0.key, value: $0.value) }, body: Data(body.utf8))
  }

  static let requestID = "01a1fca2-310f-756e-8d6a-d49da1198ee2"

  static let accepted = TransportResponse(202, #"{"requestId":"\#(requestID)","status":"accepted"}"#)

  static func problem(_ status: Int, _ name: String, headers: [String: String] = [:]) -> TransportResponse {
    let body = #"{"type":"urn:belfry:problem:\#(name)","title":"A title","status":\#(status),"detail":"why"}"#
    return TransportResponse(status, body, headers: headers)
  }
}
