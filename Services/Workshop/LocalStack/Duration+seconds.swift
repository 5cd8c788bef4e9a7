extension Duration {
  /// The duration as a number of seconds.
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
