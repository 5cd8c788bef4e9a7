import Foundation
import NotificationModel
import NotificationQueue
import TestSupport
import Testing

/// compose/kubernetes is what Kubernetes takes, and says what compose.yaml, the settings and docs/kubernetes.md say.
@Suite struct KubernetesTests {
  private static let judge = "Tests/DocumentationTests/Kubernetes/judge.py"

  /// A way to break the manifests, and what the judge then has against them.
  private struct Damage: Decodable {
    let damage: String
    /// Words of the objection that it is to meet.
    let expected: String
    let objections: [String]
  }

  /// The queue of each service that has one, as JSON.
  private func queues() throws -> String {
    func names(of channel: Channel) -> [String] { WorkQueue.allCases.filter { $0.channel == channel }.map(\.name) }
    let queues = ["router": [Topology.ingestQueue], "push": names(of: .push), "email": names(of: .email)]
    return String(decoding: try JSONEncoder().encode(queues), as: UTF8.self)
  }

  @Test func `the manifests are valid, fit together, and have the facts of compose.yaml`() throws {
    let lines = try Python.lines(of: Self.judge, [try queues()])
    let objections = try lines.map { try JSONDecoder().decode(String.self, from: $0) }
    #expect(objections.isEmpty, "\(objections.joined(separator: "\n"))")
  }

  @Test func `each way to break the manifests meets its objection`() throws {
    let lines = try Python.lines(of: Self.judge, [try queues(), "damaged"])
    #expect(lines.count >= 57)
    for line in lines {
      let damage = try JSONDecoder().decode(Damage.self, from: line)
      let isMet = damage.objections.contains { $0.contains(damage.expected) }
      #expect(isMet, "\(damage.damage): \(damage.objections)")
    }
  }
}
