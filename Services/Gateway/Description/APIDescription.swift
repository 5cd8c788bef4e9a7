/// The API's descriptions as they were built in, each a YAML document.
///
/// A module of its own, because a literal of their size takes the compiler longer than all of the gateway.
public enum APIDescription {
  /// REST, as OpenAPI 3.1.
  public static var openAPI: [UInt8] { PackageResources.openapi_yaml }

  /// The hub and AMQP, as AsyncAPI 3.
  public static var asyncAPI: [UInt8] { PackageResources.asyncapi_yaml }
}
