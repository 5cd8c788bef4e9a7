import BelfryClient
import Foundation
import SwiftUI

// What the documents' samples take as the app's own, and what Linux does not have of Foundation and SwiftUI.

enum MyServer {
  /// Of whoever is signed in.
  static func belfryToken() async throws -> String { "" }

  /// Nil if nobody is signed in.
  static func belfryToken(isRefresh: Bool) async throws -> String? { nil }
}

func show(_ notification: BelfryNotification) {}

func show(_ text: String) {}

func open(_ entity: RelatedEntity) {}

struct Balance: Decodable {
  let childId: String
  let newBalance: Double
}

struct Order: Decodable {
  let number: Int
}

extension URL {
  static var cachesDirectory: URL { URL(filePath: "/") }
}

extension FileManager {
  func containerURL(forSecurityApplicationGroupIdentifier group: String) -> URL? { nil }
}

extension App {
  static func main() {}
}
