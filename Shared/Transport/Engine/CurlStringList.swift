import CCurl

/// Makes libcurl's linked lists of strings.
enum CurlStringList {
  /// A list that the caller frees with `curl_slist_free_all`.
  static func make(_ strings: [String]) -> UnsafeMutablePointer<curl_slist>? {
    var list: UnsafeMutablePointer<curl_slist>?
    // libcurl answers nil when out of memory, where Swift itself would have stopped.
    for string in strings { list = curl_slist_append(list, string) ?? list }
    return list
  }
}
