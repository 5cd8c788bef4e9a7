import Retrying
public import ServiceLifecycle

/// A service that begins once it is known which catalogue is in force: until then it takes no work.
public struct AfterCatalogue: Service {
  /// What it waits for.
  public enum Condition: Sendable {
    /// Which catalogue is in force.
    case known
    /// That the database was asked. A server listens then, whatever came of it: nobody is sent to it a moment too early, and an
    /// operator reaches one whose database is away, or that cannot read the version in force.
    case asked
  }

  private let catalogues: CatalogueInForce
  private let condition: Condition
  private let service: any Service

  public init(_ catalogues: CatalogueInForce, _ service: any Service, until condition: Condition = .known) {
    (self.catalogues, self.condition, self.service) = (catalogues, condition, service)
  }

  public func run() async throws {
    do {
      switch condition {
      case .known: try await catalogues.known()
      case .asked: try await catalogues.asked()
      }
    } catch  where error.isCancellation {
      return  // the service stops
    }
    try await service.run()
  }
}
