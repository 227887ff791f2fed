// SPDX-License-Identifier: Apache-2.0
package import SyncCore

/// The file of the tokens of one login: one JSON object on one line, with a check of itself at its end.
package enum TokenFile {
  package static let format = "syncjob-tokens"
  package static let version = 1
  package static let maximumSize = ByteCount(256 << 10)

  /// - Parameter identity: That of the client. The tokens of another client are not sent.
  package static func encode(_ tokens: OAuthTokens, of identity: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("format", format)
      writer.field("version", version)
      writer.field("client", identity)
      writer.field("login", tokens.login)
      writer.field("access_token", tokens.access.exposed)
      writer.field("refresh_token", tokens.refresh?.exposed)
      writer.field("issued_at", tokens.issuedAt.rfc3339)
      writer.field("expires_in", tokens.lifetime?.components.seconds)
      writer.object("endpoints") { writer in
        let endpoints = tokens.endpoints
        writer.field("authorization", endpoints.authorization?.text)
        writer.field("token", endpoints.token.text)
        writer.field("device", endpoints.device?.text)
        writer.field("revocation", endpoints.revocation?.text)
        writer.field("issuer", endpoints.issuer)
        writer.field("secret_in_body", endpoints.takesSecretInBody)
      }
    }
    writer.sealLine(from: 0)
    writer.endLine()
    return writer.bytes
  }

  /// True for a file that this program has made, also if it was damaged since.
  package static func isOwn(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "{\"format\":\"\(format)\"".utf8) }

  /// - Returns: Nil for the tokens of another client.
  /// - Throws: For a file that is not as it was written.
  package static func decode(_ bytes: [UInt8], of identity: String) throws(QueueFileProblem) -> OAuthTokens? {
    let document: JSONValue
    do throws(JSONError) { document = try JSONValue(parsing: bytes) } catch { throw .wrongSeal }
    guard document["format"]?.string == format else { throw .wrongFormat(found: document["format"]?.string) }
    let found = document["version"]?.integer.flatMap { Int(exactly: $0) } ?? 0
    guard found <= version else { throw .newerVersion(found: found, known: version) }
    let end = (bytes.lastIndex(of: UInt8(ascii: "}")) ?? -1) + 1
    guard end > 0, LineCheck.isWhole(bytes, 0..<end) else { throw .wrongSeal }
    guard document["client"]?.string == identity else { return nil }
    guard let endpoints = document["endpoints"].flatMap(endpoints) else {
      throw .badField(.file, field: "endpoints")
    }
    guard let login = document["login"]?.string, let access = document["access_token"]?.string,
      let issuedAt = document["issued_at"]?.string.flatMap({ Timestamp(rfc3339: $0) })
    else { throw .badField(.file, field: "access_token") }
    return OAuthTokens(
      login: login, access: Secret(access), refresh: document["refresh_token"]?.string.map { Secret($0) },
      issuedAt: issuedAt, lifetime: document["expires_in"]?.integer.map { .seconds($0) }, endpoints: endpoints)
  }

  private static func endpoints(_ value: JSONValue) -> OAuthEndpoints? {
    func url(_ name: String) -> RemoteURL? {
      guard let text = value[name]?.string else { return nil }
      do throws(RemoteURL.Problem) {
        let url = try RemoteURL(text)
        return url.isSafeForTokens ? url : nil
      } catch { return nil }
    }
    guard let token = url("token") else { return nil }
    var endpoints = OAuthEndpoints(
      authorization: url("authorization"), token: token, device: url("device"), revocation: url("revocation"))
    endpoints.issuer = value["issuer"]?.string
    endpoints.takesSecretInBody = value["secret_in_body"]?.bool ?? false
    return endpoints
  }
}
