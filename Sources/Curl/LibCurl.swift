// SPDX-License-Identifier: Apache-2.0
internal import CCurl
import DynamicLibrary

/// The functions of libcurl, loaded when the first request is made.
///
/// It is not linked: its thirty libraries take half of the time of a run that has nothing to fetch
/// (docs/decisions/0059).
struct LibCurl: Sendable {
  typealias Handle = UnsafeMutableRawPointer
  typealias Text = UnsafePointer<CChar>
  typealias List = UnsafeMutablePointer<curl_slist>

  // One transfer.
  let easyInit: @convention(c) () -> Handle?
  let easyCleanup: @convention(c) (Handle?) -> Void
  let easyReset: @convention(c) (Handle?) -> Void
  let easyPause: @convention(c) (Handle?, CInt) -> CURLcode
  let easyErrorText: @convention(c) (CURLcode) -> Text?
  let setOption: ccurl_variadic
  let getInfo: ccurl_variadic
  let append: @convention(c) (List?, Text?) -> List?
  let freeList: @convention(c) (List?) -> Void

  // All transfers of a loop.
  let multiInit: @convention(c) () -> Handle?
  let multiCleanup: @convention(c) (Handle?) -> CURLMcode
  let multiSetOption: ccurl_variadic
  let multiAdd: @convention(c) (Handle?, Handle?) -> CURLMcode
  let multiRemove: @convention(c) (Handle?, Handle?) -> CURLMcode
  let multiPerform: @convention(c) (Handle?, UnsafeMutablePointer<CInt>?) -> CURLMcode
  let multiPoll:
    @convention(c) (Handle?, UnsafeMutablePointer<curl_waitfd>?, CUnsignedInt, CInt, UnsafeMutablePointer<CInt>?) ->
      CURLMcode
  let multiWakeup: @convention(c) (Handle?) -> CURLMcode
  let multiInfoRead: @convention(c) (Handle?, UnsafeMutablePointer<CInt>?) -> UnsafeMutablePointer<CURLMsg>?
  let multiErrorText: @convention(c) (CURLMcode) -> Text?

  // URLs.
  let url: @convention(c) () -> OpaquePointer?
  let urlCleanup: @convention(c) (OpaquePointer?) -> Void
  let urlSet: @convention(c) (OpaquePointer?, CURLUPart, Text?, CUnsignedInt) -> CURLUcode
  let urlGet:
    @convention(c) (OpaquePointer?, CURLUPart, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, CUnsignedInt) ->
      CURLUcode
  let free: @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// Loaded and initialised once, because the library's state is shared by all threads.
  static let loaded = Result<LibCurl, DynamicLibrary.Unavailable> { () throws(DynamicLibrary.Unavailable) in
    try LibCurl("libcurl.so.4")
  }

  /// 7.87, the first version with `CURLOPT_QUICK_EXIT`.
  private static let oldest: CUnsignedInt = 0x075700

  init(_ file: String) throws(DynamicLibrary.Unavailable) {
    let library = try DynamicLibrary(file)
    try Self.checkVersion(library)
    easyInit = try library.function("curl_easy_init")
    easyCleanup = try library.function("curl_easy_cleanup")
    easyReset = try library.function("curl_easy_reset")
    easyPause = try library.function("curl_easy_pause")
    easyErrorText = try library.function("curl_easy_strerror")
    setOption = try library.function("curl_easy_setopt")
    getInfo = try library.function("curl_easy_getinfo")
    append = try library.function("curl_slist_append")
    freeList = try library.function("curl_slist_free_all")
    multiInit = try library.function("curl_multi_init")
    multiCleanup = try library.function("curl_multi_cleanup")
    multiSetOption = try library.function("curl_multi_setopt")
    multiAdd = try library.function("curl_multi_add_handle")
    multiRemove = try library.function("curl_multi_remove_handle")
    multiPerform = try library.function("curl_multi_perform")
    multiPoll = try library.function("curl_multi_poll")
    multiWakeup = try library.function("curl_multi_wakeup")
    multiInfoRead = try library.function("curl_multi_info_read")
    multiErrorText = try library.function("curl_multi_strerror")
    url = try library.function("curl_url")
    urlCleanup = try library.function("curl_url_cleanup")
    urlSet = try library.function("curl_url_set")
    urlGet = try library.function("curl_url_get")
    free = try library.function("curl_free")
    let initialise: @convention(c) (CLong) -> CURLcode = try library.function("curl_global_init")
    guard initialise(CLong(CURL_GLOBAL_ALL)) == CURLE_OK else {
      throw DynamicLibrary.Unavailable(detail: "\(file) cannot be initialised")
    }
  }

  private static func checkVersion(_ library: DynamicLibrary) throws(DynamicLibrary.Unavailable) {
    let information: @convention(c) (CURLversion) -> UnsafeMutablePointer<curl_version_info_data>? =
      try library.function("curl_version_info")
    guard let found = information(CURLVERSION_FIRST)?.pointee, found.version_num < oldest else { return }
    throw DynamicLibrary.Unavailable(detail: "libcurl \(found.version.map { String(cString: $0) } ?? "") is too old")
  }
}
