// SPDX-License-Identifier: Apache-2.0
import DynamicLibrary
import Testing

@testable import Curl

@Suite("libcurl is loaded late")
struct LibCurlTests {
  private func problem(_ file: String) -> String? {
    do throws(DynamicLibrary.Unavailable) {
      _ = try LibCurl(file)
      return nil
    } catch { return error.detail }
  }

  @Test("with every function that the program calls")
  func loaded() throws {
    let curl = try LibCurl.loaded.get()
    let handle = try #require(EasyHandle(curl))
    #expect(handle.reset())
  }

  @Test("a library that is absent is named")
  func absent() throws {
    let detail = try #require(problem("libcurl.so.none"))
    #expect(detail.contains("libcurl.so.none"))
  }

  @Test("a library without one of the functions is refused, with the name of the function")
  func anotherLibrary() throws {
    let detail = try #require(problem("libm.so.6"))
    #expect(detail.contains("curl_"))
  }
}
