// SPDX-License-Identifier: Apache-2.0
import SyncCore
import SyncFormats

@Sendable func fuzzNetrc(_ bytes: [UInt8]) {
  do throws(CredentialSyntaxError) {
    for entry in try NetrcReader.read(bytes.text) {
      must(entry.host.map { $0 == $0.lowercased() } ?? true, "a host in lower case")
    }
  } catch { must(error.line >= 1, "line \(error.line)") }
}

/// Tests both kinds of file that contain header fields.
@Sendable func fuzzCookies(_ bytes: [UInt8]) {
  do throws(CredentialSyntaxError) {
    for cookie in try CookiesReader.read(bytes.text) {
      must(
        cookie.domain == cookie.domain.lowercased() && !cookie.domain.hasPrefix("."), "a domain without a dot in front")
      must(!hasLineEnd(cookie.name) && !hasLineEnd(cookie.value.exposed), "a line end in a cookie")
    }
  } catch { must(error.line >= 1, "line \(error.line)") }
  do throws(CredentialSyntaxError) {
    for field in try HeaderFileReader.read(bytes.text) {
      must(!hasLineEnd(field.name) && !hasLineEnd(field.value.exposed), "a line end in a header field")
    }
  } catch { must(error.line >= 1, "line \(error.line)") }
}

/// A value with a line end would become two fields of a request.
private func hasLineEnd(_ text: String) -> Bool { text.utf8.contains { $0 == 0x0A || $0 == 0x0D || $0 == 0 } }

/// The recorded hosts are read as they were written, and a header field never affects another host.
@Sendable func fuzzHSTS(_ bytes: [UInt8]) {
  let memory = HSTSFile.cache(bytes)
  let text = HSTSFile.text(memory)
  must(HSTSFile.text(HSTSFile.cache(Array(text.utf8))) == text, "what is kept is read as it was written")
  guard let host = url("https://media.example/a") else { return }
  var noted = HSTSCache()
  let now = Timestamp(secondsSince1970: 1_800_000_000)
  noted.note(bytes.text, from: host, at: now)
  for (name, entry) in noted.entries {
    must(name == "media.example", "the field speaks of \(name)")
    must(now < entry.until && entry.until - now <= .days(3650), "until \(entry.until)")
  }
}
