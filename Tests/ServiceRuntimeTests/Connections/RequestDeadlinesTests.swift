import NIOCore
import Testing

@testable import ServiceRuntime

/// What happens to a connection.
enum ConnectionEvent: Sendable {
  case head
  case end
  case answered
  /// A look, with bytes that wait for the client and bytes that it has taken.
  case look(waiting: Int, taken: UInt64)
}

/// What happens when, and until which second the connection may then stay as it is.
struct ConnectionCourse: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let steps: [(second: Int64, event: ConnectionEvent, deadline: Int64?)]

  init(_ description: String, _ steps: (second: Int64, event: ConnectionEvent, deadline: Int64?)...) {
    testDescription = description
    self.steps = steps
  }
}

@Suite struct RequestDeadlinesTests {
  private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
  private static let limits = ConnectionLimits(
    maximumConnections: 1,
    maximumPerAddress: 1,
    headerTimeout: .seconds(10),
    bodyTimeout: .seconds(20),
    idleTimeout: .seconds(60)
  )

  private static let courses = [
    ConnectionCourse("a body has its own time, and none of it gives more", (9, .head, 29)),
    ConnectionCourse("while we work the client may wait for ever", (1, .head, 21), (2, .end, nil)),
    ConnectionCourse(
      "between two requests a connection may be idle for a while",
      (1, .head, 21),
      (2, .end, nil),
      (3, .answered, 63),
      (50, .head, 70)
    ),
    ConnectionCourse(
      "what is sent ahead of an answer is not late",
      (1, .head, 21),
      (1, .end, nil),
      (1, .head, nil),
      (40, .answered, 60),
      (41, .end, nil)
    ),
    ConnectionCourse(
      "a body that goes on after its answer still has to end in its time",
      (1, .head, 21),
      (2, .answered, 21),
      (3, .end, 63)
    ),
    ConnectionCourse("an answer to what was no request counts for none", (1, .answered, 61)),
    ConnectionCourse(
      "a client that takes nothing of its answer is given up, however often one looks",
      (1, .head, 21),
      (1, .end, nil),
      (5, .look(waiting: 900, taken: 100), 25),
      (15, .look(waiting: 900, taken: 100), 25),
      (25, .look(waiting: 900, taken: 100), 25)
    ),
    ConnectionCourse(
      "who takes 16 KiB at a time may go on",
      (1, .head, 21),
      (1, .end, nil),
      (5, .look(waiting: 90_000, taken: 100), 25),
      (24, .look(waiting: 90_000, taken: 16_484), 44),
      (40, .look(waiting: 70_000, taken: 32_868), 60),
      (59, .look(waiting: 70_000, taken: 32_868), 60),
      (60, .look(waiting: 50_000, taken: 60_000), 80),
      (70, .look(waiting: 0, taken: 0), nil)
    ),
    ConnectionCourse(
      "who trickles is given up, however often it takes a little",
      (1, .head, 21),
      (1, .end, nil),
      (5, .look(waiting: 90_000, taken: 100), 25),
      (10, .look(waiting: 90_000, taken: 101), 25),
      (15, .look(waiting: 90_000, taken: 8_000), 25),
      (24, .look(waiting: 80_000, taken: 16_483), 25)
    ),
    ConnectionCourse(
      "little by little counts together, and from the beginning of each patience",
      (1, .head, 21),
      (1, .end, nil),
      (5, .look(waiting: 90_000, taken: 100), 25),
      (15, .look(waiting: 90_000, taken: 10_000), 25),
      (24, .look(waiting: 90_000, taken: 20_000), 44),
      (43, .look(waiting: 90_000, taken: 36_383), 44),
      (44, .look(waiting: 90_000, taken: 36_384), 64)
    ),
    ConnectionCourse(
      "an answer that grows while it is taken is progress, and one that only grows is none",
      (1, .head, 21),
      (1, .end, nil),
      (5, .look(waiting: 900, taken: 100), 25),
      (15, .look(waiting: 1_900, taken: 20_000), 35),
      (25, .look(waiting: 2_900, taken: 20_000), 35)
    ),
    ConnectionCourse(
      "who still takes an answer is not idle, and becomes so when it has all",
      (1, .head, 21),
      (1, .end, nil),
      (2, .answered, 62),
      (2, .look(waiting: 90_000, taken: 100), 22),
      (20, .look(waiting: 70_000, taken: 20_000), 40),
      (39, .look(waiting: 50_000, taken: 40_000), 59),
      (58, .look(waiting: 30_000, taken: 60_000), 78),
      (70, .look(waiting: 0, taken: 0), 130)
    ),
    ConnectionCourse(
      "to take an answer gives a body no more time",
      (1, .head, 21),
      (5, .look(waiting: 90_000, taken: 100), 21),
      (15, .look(waiting: 50_000, taken: 40_100), 21)
    ),
    ConnectionCourse(
      "who takes nothing of what waits after another has been taken has the whole time again",
      (1, .head, 21),
      (1, .end, nil),
      (5, .look(waiting: 900, taken: 100), 25),
      (10, .look(waiting: 0, taken: 0), nil),
      (30, .look(waiting: 900, taken: 1_000), 50),
      (40, .look(waiting: 900, taken: 1_000), 50)
    ),
  ]

  private func after(_ seconds: Int64) -> NIODeadline { Self.start + .seconds(seconds) }

  @Test func `a new connection has the header's time for its first request`() {
    let deadlines = RequestDeadlines(Self.limits, connectedAt: Self.start)
    #expect(deadlines.deadline == after(10))
    #expect(deadlines.shortest == .seconds(10))
  }

  @Test(arguments: courses)
  func `each connection has its time`(_ course: ConnectionCourse) {
    var deadlines = RequestDeadlines(Self.limits, connectedAt: Self.start)
    for (second, event, deadline) in course.steps {
      switch event {
      case .head: deadlines.receivedHead(at: after(second))
      case .end: deadlines.receivedEnd(at: after(second))
      case .answered: deadlines.answered(at: after(second))
      case .look(let waiting, let taken): deadlines.look(waiting: waiting, taken: taken, at: after(second))
      }
      #expect(deadlines.deadline == deadline.map(after), "\(event) at \(second)")
    }
  }
}
