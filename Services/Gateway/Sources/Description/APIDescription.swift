import Embedded

/// The API's descriptions as they were built in, each a YAML document.
public enum APIDescription {
  /// REST, as OpenAPI 3.1.
  public static var openAPI: [UInt8] { EmbeddedFile.at("Services/Gateway/Description/openapi.yaml").bytes }

  /// The hub and AMQP, as AsyncAPI 3.
  public static var asyncAPI: [UInt8] { EmbeddedFile.at("Services/Gateway/Description/asyncapi.yaml").bytes }
}
