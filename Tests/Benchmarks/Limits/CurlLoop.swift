import CCurl

/// libcurl's multi interface in a plain loop: what a program that does nothing else reaches with the library.
enum CurlLoop {
  struct Result: Sendable {
    var perSecond: Double
    /// Processor time of the loop's thread.
    var microsecondsEach: Double
    /// Requests that the server or the connection failed, and that were sent again.
    var failures: Int

    /// What lies between two results: before and after something else.
    static func mean(_ one: Result, _ other: Result) -> Result {
      Result(
        perSecond: (one.perSecond + other.perSecond) / 2,
        microsecondsEach: (one.microsecondsEach + other.microsecondsEach) / 2,
        failures: one.failures + other.failures
      )
    }
  }

  struct Target: Sendable {
    var url: String
    var caFile: String
    var headers: [String]
    var body: [UInt8]
    /// Of an answer that is good.
    var status = 200
  }

  /// Sends `count` requests over HTTP/2, so many at a time.
  static func run(_ target: Target, connections: Int = 1, window: Int = 100, count: Int) async throws -> Result {
    let results = try await Threads.run { _ in
      try measure(target, connections: connections, window: window, count: count)
    }
    return results[0]
  }

  private static func measure(_ target: Target, connections: Int, window: Int, count: Int) throws -> Result {
    guard let multi = curl_multi_init() else { throw BenchError("libcurl could not be initialised") }
    defer { curl_multi_cleanup(multi) }
    _ = ccurl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    _ = ccurl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, connections)
    let headers = target.headers.reduce(nil as UnsafeMutablePointer<curl_slist>?) { curl_slist_append($0, $1) }
    defer { curl_slist_free_all(headers) }
    let handles = try (0..<window).map { _ in try handle(target, headers) }
    defer { for handle in handles { curl_easy_cleanup(handle) } }

    let started = WallTime.now
    let cpu = OwnThread.cpuSeconds
    for handle in handles { curl_multi_add_handle(multi, handle) }
    defer { for handle in handles { curl_multi_remove_handle(multi, handle) } }
    var begun = window
    var done = 0
    var failures = 0
    while done < count {
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      var left: Int32 = 0
      while let message = curl_multi_info_read(multi, &left) {
        guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
        var status = 0
        _ = ccurl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        let result = message.pointee.data.result
        curl_multi_remove_handle(multi, handle)
        if result != CURLE_OK, failures < count / 10 {
          failures += 1
          curl_multi_add_handle(multi, handle)
          continue
        }
        guard result == CURLE_OK, status == target.status else {
          let reason = String(cString: curl_easy_strerror(result))
          throw BenchError("libcurl's loop: status \(status) from \(target.url) (\(reason))")
        }
        done += 1
        guard begun < count else { continue }
        curl_multi_add_handle(multi, handle)
        begun += 1
      }
      if done < count { curl_multi_poll(multi, nil, 0, 100, nil) }
    }
    return Result(
      perSecond: Double(count) / WallTime.seconds(from: started, to: WallTime.now),
      microsecondsEach: (OwnThread.cpuSeconds - cpu) * 1_000_000 / Double(count),
      failures: failures
    )
  }

  private static func handle(_ target: Target, _ headers: UnsafeMutablePointer<curl_slist>?) throws
    -> UnsafeMutableRawPointer
  {
    guard let handle = curl_easy_init() else { throw BenchError("libcurl gave no handle") }
    _ = ccurl_set_string(handle, CURLOPT_URL, target.url)
    _ = ccurl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    _ = ccurl_set_string(handle, CURLOPT_CAINFO, target.caFile)
    _ = ccurl_set_long(handle, CURLOPT_PIPEWAIT, 1)
    _ = ccurl_set_long(handle, CURLOPT_POSTFIELDSIZE, target.body.count)
    target.body.withUnsafeBytes { body in
      // Copied by libcurl.
      _ = ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: body.baseAddress))
    }
    _ = ccurl_set_list(handle, CURLOPT_HTTPHEADER, headers)
    _ = ccurl_set_callback(handle, CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count }
    return handle
  }
}
