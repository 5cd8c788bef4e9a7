import Broker
import CatalogueVersions
import NotificationQueue

/// A message is judged by the version of the catalogue of the gateway that accepted it. It is routed by the current one, if that
/// is no earlier and can; otherwise by the very version that accepted it.
extension IngestProcessor {
  /// Takes a later version before anything is decided, if a gateway has it already: once for all of the batch.
  func catchUp(with batch: IngestBatch) async throws {
    let current = catalogues.current.number
    let isAhead = batch.pending.contains { version(of: batch.deliveries[$0].message).map { $0 > current } ?? false }
    if isAhead { try await catalogues.refresh() }
  }

  /// The version by which a service accepted the message; 0 is the built-in catalogue. Nil if nobody did, or none is followed
  /// here.
  func version(of message: BrokerMessage) -> Int? {
    guard catalogues.followsVersions, IngestDecoder.isOurs(message) else { return nil }
    return message.catalogueVersion ?? 0
  }

  /// Why a message must wait that a later version accepted: this one may know its type by other words.
  func isAhead(_ message: BrokerMessage, of resolver: IngestResolver) -> String? {
    guard let version = version(of: message), version > resolver.catalogueVersion else { return nil }
    return "version \(version) of the catalogue accepted it; this router has version \(resolver.catalogueVersion)"
  }
}
