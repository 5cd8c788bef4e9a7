import NIOCore
import Testing

@testable import ServiceRuntime

@Suite struct RequestDeadlinesTests {
  private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
  private static let limits = ConnectionLimits(
    maximumConnections: 1,
    maximumPerAddress: 1,
    headerTimeout: .seconds(10),
    bodyTimeout: .seconds(20),
    idleTimeout: .seconds(60)
  )

  private var deadlines = RequestDeadlines(Self.limits, connectedAt: Self.start)

  private func after(_ seconds: Int64) -> NIODeadline { Self.start + .seconds(seconds) }

  @Test func `a new connection has the header's time for its first request`() {
    #expect(deadlines.deadline == after(10))
    #expect(deadlines.shortest == .seconds(10))
  }

  @Test mutating func `a body has its own time, and no drop of it gives more`() {
    deadlines.receivedHead(at: after(9))
    #expect(deadlines.deadline == after(29))
  }

  @Test mutating func `while we work the client may wait for ever`() {
    deadlines.receivedHead(at: after(1))
    deadlines.receivedEnd(at: after(2))
    #expect(deadlines.deadline == nil)
  }

  @Test mutating func `between two requests a connection may be idle for a while`() {
    deadlines.receivedHead(at: after(1))
    deadlines.receivedEnd(at: after(2))
    deadlines.answered(at: after(3))
    #expect(deadlines.deadline == after(63))
  }

  @Test mutating func `what is sent ahead of an answer is not late`() {
    deadlines.receivedHead(at: after(1))
    deadlines.receivedEnd(at: after(1))
    deadlines.receivedHead(at: after(1))
    #expect(deadlines.deadline == nil)
    deadlines.answered(at: after(40))
    #expect(deadlines.deadline == after(60))
    deadlines.receivedEnd(at: after(41))
    #expect(deadlines.deadline == nil)
  }

  @Test mutating func `a body that goes on after its answer still has to end`() {
    deadlines.receivedHead(at: after(1))
    deadlines.answered(at: after(2))
    #expect(deadlines.deadline == after(22))
    deadlines.receivedEnd(at: after(3))
    #expect(deadlines.deadline == after(63))
  }

  @Test mutating func `a client that takes nothing of its answer is given up`() {
    deadlines.receivedHead(at: after(1))
    deadlines.receivedEnd(at: after(1))
    deadlines.writability(is: false, at: after(5))
    #expect(deadlines.deadline == after(25))
    deadlines.writability(is: true, at: after(6))
    #expect(deadlines.deadline == nil)
  }

  @Test mutating func `an answer to what was no request counts for none`() {
    deadlines.answered(at: after(1))
    #expect(deadlines.deadline == after(61))
  }
}
