import Dispatch

/// Where catalogue files that requests bring are read: beside the threads that answer requests, and one at a time. A large one
/// takes seconds, and nothing can stop it.
struct CatalogueDesk: Sendable {
  static let shared = CatalogueDesk()

  private let queue = DispatchQueue(label: "belfry.catalogue")

  func carryOut<Answer: Sendable>(_ work: @escaping @Sendable () -> Answer) async -> Answer {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }
}
