/// Reused memory for the pointer arrays that libpq wants beside the parameters.
struct ParameterScratch {
  private var values: [UnsafePointer<CChar>?] = []
  /// All parameters are binary.
  private var formats: [Int32] = [1]

  /// Calls `body` with count, values, lengths and formats, valid during the call.
  mutating func withParameters<R>(
    _ bindings: SQLBindings,
    _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> R
  ) -> R {
    let count = bindings.count
    while formats.count < count { formats.append(1) }
    values.removeAll(keepingCapacity: true)
    return bindings.bytes.withUnsafeBytes { bytes in
      formats.withUnsafeBufferPointer { formats in
        // An empty value needs some address all the same: a null pointer would be NULL.
        let somewhere = UnsafeRawPointer(formats.baseAddress!)
        var offset = 0
        for length in bindings.lengths {
          guard length >= 0 else {
            values.append(nil)
            continue
          }
          let address = length == 0 ? somewhere : bytes.baseAddress! + offset
          values.append(address.assumingMemoryBound(to: CChar.self))
          offset += Int(length)
        }
        return values.withUnsafeBufferPointer { values in
          bindings.lengths.withUnsafeBufferPointer { lengths in
            body(Int32(count), values.baseAddress, lengths.baseAddress, formats.baseAddress)
          }
        }
      }
    }
  }
}
