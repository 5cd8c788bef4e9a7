public import Broker

/// By which version of the catalogue a message was judged, in a header: whoever routes it goes by that version, or by a later one.
///
/// 0 is the built-in catalogue. Absent where nobody knows: a file's, or that of a service of the release before. Routers that do not know
/// the header pass it over. It is worth what the broker's credentials are worth.
extension BrokerMessage {
  static let catalogueHeader = "x-belfry-catalogue"

  /// The version's number; 0 is the built-in catalogue. Nil: nobody knows. Anything but a number from 0 counts as absent.
  public var catalogueVersion: Int? {
    get { headers[Self.catalogueHeader]?.integerValue.flatMap { $0 >= 0 ? Int($0) : nil } }
    set { headers[Self.catalogueHeader] = newValue.flatMap { $0 >= 0 ? .integer(Int64($0)) : nil } }
  }
}
