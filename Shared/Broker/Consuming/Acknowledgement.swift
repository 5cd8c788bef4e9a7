/// One `basic.ack` to be sent.
struct Acknowledgement: Equatable {
  let tag: UInt64
  /// All earlier tags as well.
  let multiple: Bool
}
