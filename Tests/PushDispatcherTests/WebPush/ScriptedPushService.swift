import Synchronization

@testable import PushDispatcher
@testable import Transport

/// Answers as a test says, and remembers what it was asked.
final class ScriptedPushService: HTTPSender {
  struct Answer {
    var status: Int
    var headers = ""
    var body = ""
  }

  private struct State {
    var answers: [Answer] = []
    var otherwise = Answer(status: 201, headers: "Location: https://push.example/m/1\r\n")
    var requests: [HTTPRequest] = []
    var error: TransportError?
  }

  private let state = Mutex(State())

  var requests: [HTTPRequest] { state.withLock(\.requests) }

  /// First these, then always the last.
  func say(_ answers: Answer...) {
    state.withLock { state in
      state.otherwise = answers[answers.count - 1]
      state.answers = Array(answers.dropLast())
    }
  }

  func say(_ status: Int, _ headers: String = "", _ body: String = "") {
    say(Answer(status: status, headers: headers, body: body))
  }

  func fail(_ error: TransportError) {
    state.withLock { $0.error = error }
  }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let (answer, error) = state.withLock { state in
      state.requests.append(request)
      return (state.answers.isEmpty ? state.otherwise : state.answers.removeFirst(), state.error)
    }
    if let error { throw error }
    return Self.response(answer)
  }

  static func response(_ answer: Answer) -> HTTPResponse {
    HTTPResponse(
      status: answer.status,
      headers: HTTPHeaders(lines: Array(answer.headers.utf8)),
      body: Array(answer.body.utf8),
      httpVersion: "2"
    )
  }
}
