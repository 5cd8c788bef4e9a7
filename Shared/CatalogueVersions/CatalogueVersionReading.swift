public import Foundation
public import NotificationStore

/// Where versions of the catalogue are read: ``CatalogueVersionStore``, or a test's memory.
public protocol CatalogueVersionReading: Sendable {
  /// The version in force; nil if none was applied yet.
  func newestIdentity() async throws -> CatalogueVersion.Identity?
  /// The version that has a number now; nil if there is none.
  func identity(of number: Int) async throws -> CatalogueVersion.Identity?
  /// One version; nil if there is none of that number.
  func version(_ number: Int) async throws -> CatalogueVersion?
  /// For each of the names that any version before `number` knows, or may know, those versions: some of the newest, the newest first,
  /// and at last the oldest.
  func versions(knowing names: Set<String>, before number: Int, limit: Int) async throws -> [String: [Int]]
  /// The numbers of the versions that were in force at those times; 0 before the first.
  func numbers(inForceAt times: [Date]) async throws -> [Int]
}

extension CatalogueVersionStore: CatalogueVersionReading {}
