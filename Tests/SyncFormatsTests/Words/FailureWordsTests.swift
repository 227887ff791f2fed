// SPDX-License-Identifier: Apache-2.0
import Glibc
import SyncCore
import SyncFormats
import Testing

@Suite("a failure in words")
struct FailureWordsTests {
  @Test("every failure has its sentence")
  func sentences() throws {
    let checksum = try #require(Checksum(.sha1, hex: String(repeating: "ab", count: 20)))
    let rows: [(Failure, String)] = [
      (.network(detail: "reset\n"), "the connection failed: reset\\u{A}"),
      (.timeout(.connect, after: .seconds(15)), "no connection within 15 s"),
      (.timeout(.stall, after: .seconds(30)), "less than 1 KiB came in 30 s"),
      (
        .localFile(path: "/m/a.mp3", .outsideRoots),
        "\"/m/a.mp3\" is not below the folder of its list or one of its roots, or a symbolic link leads out of there;"
          + " add its real folder to roots"
      ),
      (.localFile(path: "/m/a", .notAFile), "\"/m/a\" is not a regular file; name a file in the list"),
      (.localFile(path: "/m/a", .empty), "the file \"/m/a\" is empty"),
      (.localFile(path: "/m/a", .notMedia(found: "plain text")), "the file \"/m/a\" is plain text, not media"),
      (
        .localFile(path: "/m/a", .changed),
        "the file \"/m/a\" changed while it was copied; the next run copies it again"
      ),
      (
        .localFile(path: "/m/a", .unreadable(.enoent)),
        "cannot read the file \"/m/a\": no such file or directory; put it back, or make it readable"
      ),
      (
        .notReplaced(path: "all/a.mp3", .unproven),
        "the new file for \"all/a.mp3\" may be cut: the server announced neither its length nor its end, and no playing"
          + " time proves that it is whole"
      ),
      (
        .notReplaced(path: "all/a.mp3", .refused(.eperm)),
        "\"all/a.mp3\" cannot be replaced: operation not permitted; check who owns it and who may write into"
          + " its folder"
      ),
      (
        .folderClosed(path: "all", .eacces),
        "no file can be put into the folder \"all\": permission denied; check who owns it and who may write there"
      ),
      (
        .folderClosed(path: "all", .erofs),
        "no file can be put into the folder \"all\": the file system is read-only; mount it writable"
      ),
      (
        .folderClosed(path: "all", .exdev),
        "no file can be put into the folder \"all\": it lies on another file system; a library is on one file system:"
          + " put the real folder there, or give this one a library of its own"
      ),
      (
        .folderClosed(path: "all", .estale),
        "no file can be put into the folder \"all\": the network file system lost it; mount it again"
      ),
      (
        .nameRefused(path: "all/a.mp3", .enametoolong),
        "the file system does not accept the name \"all/a.mp3\": the name is too long; change library.layout or"
          + " library.profile"
      ),
      (
        .changedByOthers(path: "all/a.mp3"),
        "somebody changed the file that was to be replaced, \"all/a.mp3\"; it is left as it is"
      ),
      (.dns(host: "a.example"), "the host name \"a.example\" could not be resolved; check the name and the network"),
      (
        .proxy("http://***@p:1", detail: "refused\n"),
        "the proxy http://***@p:1 cannot be used: refused\\u{A}; look at downloads.proxy"
      ), (.engine(EngineCode(99), detail: "poll"), "the connection failed: poll"),
      (
        .tls(.verification, detail: "expired"),
        "the server could not prove its identity: expired; look at its certificate and at your clock"
          + " (the authority of a server of your own goes into downloads.tls.ca_file)"
      ),
      (
        .tls(.pin, detail: "x"),
        "the server's key matches none of downloads.tls.pins: x; put the new key there if it was changed on purpose"
      ),
      (
        .tls(.handshake, detail: "x"),
        "no secure connection could be agreed on (downloads.tls.min says what is accepted): x"
      ),
      (
        .tls(.caFile, detail: "x"),
        "the certificates of downloads.tls.ca_file cannot be used: x; name a file of certificates in PEM form"
      ),
      (
        .tls(.clientCertificate, detail: "x"),
        "the server wants a certificate of its client, which syncjob does not have: x"
      ), (.tls(.other, detail: "x"), "the secure connection failed: x"),
      (.http(status: 404), "the server answered 404 (not found)"), (.http(status: 418), "the server answered 418"),
      (.emptyBody, "the server answered with success and no bytes"),
      (.shortBody(received: ByteCount(5), expected: ByteCount(2048)), "the body ended after 5 B of 2.00 KiB"),
      (.compressedBodyCut, "the compressed body is cut short"),
      (.compressedBodyDamaged, "the compressed body is damaged"),
      (.malformedResponse(detail: "x"), "the server's answer cannot be used (x)"),
      (.notMedia(found: "a web page"), "the server sent a web page where media was expected"),
      (
        .size(expected: ByteCount(10), actual: ByteCount(9)), "the file has 9 bytes, the manifest declares 10"
      ),
      (
        .checksum(expected: checksum, actual: String(repeating: "0", count: 40)),
        "the sha1 is 000000000000…, the manifest declares abababababab…"
      ),
      (
        .duration(declared: .seconds(225), actual: .seconds(9)),
        "the file plays 0:09, and 3:45 was declared (checks.duration)"
      ),
      (
        .storageFull(ErrnoCode(ENOSPC)),
        "no room left to write (no space left on the device); free some space or lower the budget"
      ),
      (
        .io(operation: "write", path: "/x y", ErrnoCode(EIO)), "cannot write \"/x y\": input/output error"
      ), (.invalidURL("a b"), "\"a b\" is not a URL that can be fetched"),
      (
        .redirectRefused(to: "file:///x", .notHTTP),
        "a redirect to \"file:///x\" is not followed: it is not an http or https URL"
      ),
      (
        .redirectRefused(to: "http:///a", .noHost),
        "a redirect to \"http:///a\" is not followed: it names no host"
      ),
      (
        .redirectRefused(to: "http://a/", .downgrade),
        "a redirect to \"http://a/\" is not followed: it leads from https to http"
      ),
      (
        .redirectRefused(to: "http://a/", .circle),
        "a redirect to \"http://a/\" is not followed: it leads back in a circle"
      ),
      (
        .redirectRefused(to: "http://a/", .tooMany(limit: 10)),
        "a redirect to \"http://a/\" is not followed: there were 10 before it"
      ),
      (
        .forbiddenAddress("127.0.0.1"),
        "the address 127.0.0.1 is private; allow it with downloads.network.allow_private: [127.0.0.1]"
      ), (.tooLarge(limit: ByteCount(4 << 30)), "the file is larger than downloads.max_item_size (4.00 GiB)"),
      (.cancelled, "cancelled"),
    ]
    for (failure, sentence) in rows { #expect(failure.words == sentence) }
    // The one of the contract that no failure has yet.
    #expect(Set(rows.map(\.0.kind)) == Set(FailureKind.allCases).subtracting([.license, .login]))
  }

  @Test(
    "a status that people meet has its phrase",
    arguments: [
      (400, "bad request"),
      (
        401,
        "the login is missing or was refused: check the playlist's `auth`, and its `scope` for hosts that only the source names"
      ),
      (407, "the proxy wants credentials; downloads.proxy gives them"), (403, "forbidden"), (404, "not found"),
      (408, "request timeout"),
      (410, "gone for good"), (416, "range not satisfiable"), (425, "too early"), (429, "too many requests"),
      (451, "withheld for legal reasons"), (500, "internal server error"), (502, "bad gateway"),
      (503, "service unavailable"), (504, "gateway timeout"),
    ])
  func phrases(status: Int, phrase: String) {
    #expect(Failure.http(status: status).words == "the server answered \(status) (\(phrase))")
  }

  @Test(
    "a system's error number is said in English",
    arguments: [
      (EACCES, "permission denied"), (EPERM, "operation not permitted"), (ENOENT, "no such file or directory"),
      (ENOTDIR, "a part of the path is not a directory"), (EISDIR, "it is a directory"), (EEXIST, "it exists already"),
      (ENOSPC, "no space left on the device"), (EDQUOT, "disk quota exceeded"), (EROFS, "the file system is read-only"),
      (EIO, "input/output error"), (ELOOP, "a symbolic link is in the way"), (ENAMETOOLONG, "the name is too long"),
      (EMFILE, "too many open files"), (ENFILE, "too many open files"),
      (EFBIG, "the file is too large for the file system"),
      (EXDEV, "it lies on another file system"), (EBUSY, "it is in use"), (ENODEV, "no such device"),
      (ENXIO, "no such device"), (ESTALE, "the network file system lost it"), (EINVAL, "invalid argument"),
      (9999, "the system reports error 9999"),
    ])
  func errno(code: Int32, words: String) { #expect(ErrnoCode(code).words == words) }
}
