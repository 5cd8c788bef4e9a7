import Transport

/// Finds the DMARC record that holds for a domain, and which domain is its organization's: by asking upwards label by label, as
/// the revision of RFC 7489 has it ("tree walk"), not by a list of public suffixes.
struct DMARCSearch {
  enum Failure: Error, Equatable {
    case dns(DNSError)
    case several(domain: String, count: Int)
    case broken(domain: String, text: String)
  }

  struct Result: Equatable {
    /// What holds for the domain; nil: nothing.
    var record: DMARCRecord?
    /// Where it stands.
    var place: String
    var organization: String
  }

  let names: any DNSResolving

  func result(for domain: String) async throws(Failure) -> Result {
    var found: [(domain: String, record: DMARCRecord)] = []
    for name in Self.walk(domain) {
      guard let record = try await record(of: name) else { continue }
      found.append((name, record))
      if record.publicSuffix == "n" || record.publicSuffix == "y" && name != domain { break }
    }
    let organization = Self.organization(of: domain, found)
    let holding = found.first { $0.domain == domain } ?? found.first { $0.domain == organization }
    return Result(record: holding?.record, place: holding?.domain ?? domain, organization: organization)
  }

  private func record(of domain: String) async throws(Failure) -> DMARCRecord? {
    let records: [DNSRecord]
    do throws(DNSError) {
      records = try await names.records(.txt, of: "_dmarc.\(domain)")
    } catch {
      throw .dns(error)
    }
    let texts = records.compactMap(\.text).filter(DMARCRecord.isMeant)
    guard let text = texts.first else { return nil }
    guard texts.count == 1 else { throw .several(domain: domain, count: texts.count) }
    guard let record = DMARCRecord(text) else { throw .broken(domain: domain, text: text) }
    return record
  }

  /// The domain and those above it, eight at most.
  static func walk(_ domain: String) -> [String] {
    let labels = domain.split(separator: ".")
    guard labels.count > 1 else { return [domain] }
    let above = (1..<labels.count).map { labels[$0...].joined(separator: ".") }
    return [domain] + above.suffix(7)
  }

  private static func organization(of domain: String, _ found: [(domain: String, record: DMARCRecord)]) -> String {
    if let own = found.first(where: { $0.record.publicSuffix == "n" }) { return own.domain }
    if let suffix = found.first(where: { $0.record.publicSuffix == "y" && $0.domain != domain }) {
      // One label more than that under which others register.
      return walk(domain).last { $0.hasSuffix(".\(suffix.domain)") } ?? domain
    }
    return found.last?.domain ?? domain
  }
}
