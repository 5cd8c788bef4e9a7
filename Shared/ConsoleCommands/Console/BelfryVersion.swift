/// Which release these programs are.
public enum BelfryVersion {
  /// That of the changelog's first heading, which the packages have too; a test holds it to that.
  public static let current = "0.1.0"
}
