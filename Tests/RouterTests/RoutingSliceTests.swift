import Foundation
import NotificationModel
import NotificationQueue
import Testing

@testable import Router

@Suite struct RoutingSliceTests {
  /// The sizes of each slice's jobs, and what is finished with it, of jobs of these sizes.
  private func slices(_ sizes: [Int], limit: Int) throws -> [(sizes: [Int], finished: [Int])] {
    let type = try #require(try TestRouter.catalogue.get().type(.code(12)))
    let content = NotificationContent(
      type: type,
      text: type.template.render(title: nil, body: nil, data: [:]),
      data: [:],
      relatedEntityType: nil,
      relatedEntityId: nil,
      collapseKey: nil,
      createdAt: .now,
      expiresAt: .now
    )
    let jobs = sizes.enumerated().map { index, size in
      let users = (0..<size).map { _ in UserID(UUID()) }
      return BatchEntry(
        index: index,
        value: RoutingJob(
          type: type,
          order: RoutingOrder(requestId: RequestID(now: .now), content: content, channels: nil, recipients: users)
        )
      )
    }
    let slices = RoutingSlice.slices(of: jobs, limit: limit)
    #expect(slices.flatMap { $0.jobs.flatMap(\.order.recipients) } == jobs.flatMap(\.value.order.recipients))
    return slices.map { ($0.jobs.map(\.order.recipients.count), $0.finished) }
  }

  private func text(_ sizes: [Int], limit: Int) throws -> String {
    try slices(sizes, limit: limit).map { "\($0.sizes)\($0.finished)" }.joined(separator: " ")
  }

  @Test func `jobs fill a slice up to the limit`() throws {
    #expect(try text([1, 1, 1], limit: 10) == "[1, 1, 1][0, 1, 2]")
    #expect(try text([4, 4, 4], limit: 10) == "[4, 4][0, 1] [4][2]")
    #expect(try text([5, 5, 5], limit: 10) == "[5, 5][0, 1] [5][2]")
    #expect(try text([], limit: 10).isEmpty)
  }

  @Test func `a larger job is cut, and done with its last piece`() throws {
    #expect(try text([25, 1], limit: 10) == "[10][] [10][] [5, 1][0, 1]")
    #expect(try text([3, 25], limit: 10) == "[3][0] [10][] [10][] [5][1]")
    #expect(try text([20], limit: 10) == "[10][] [10][0]")
    #expect(try text([3], limit: 1) == "[1][] [1][] [1][0]")
  }

  @Test func `a job for nobody is done as well`() throws {
    #expect(try text([0], limit: 10) == "[0][0]")
    #expect(try text([10, 0, 1], limit: 10) == "[10, 0][0, 1] [1][2]")
  }
}
