public import NotificationStore

/// Where versions of the catalogue are read: ``CatalogueVersionStore``, or a test's memory.
public protocol CatalogueVersionReading: Sendable {
  /// The number of the version in force; 0 if none was applied yet.
  func newest() async throws -> Int
  /// One version; nil if there is none of that number.
  func version(_ number: Int) async throws -> CatalogueVersion?
}

extension CatalogueVersionStore: CatalogueVersionReading {}
