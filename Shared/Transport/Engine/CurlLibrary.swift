import CCurl

/// libcurl's global state.
enum CurlLibrary {
  /// Initialises libcurl on first use; false when that failed.
  static let isReady = curl_global_init(ccurl_global_all) == CURLE_OK

  /// libcurl's fixed text for a code: holds nothing of the request.
  static func text(of code: CURLcode) -> String {
    "\(String(cString: curl_easy_strerror(code))) (libcurl \(code.rawValue))"
  }
}
