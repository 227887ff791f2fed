// SPDX-License-Identifier: Apache-2.0
import SyncCore

/// A name made of anything is legal, short enough, and stays as it is when it is made again.
@Sendable func fuzzName(_ bytes: [UInt8]) {
  let text = bytes.text
  for naming in namings {
    let name = naming.cleaned(text)
    let again = naming.cleaned(name)
    must(
      Array(again.utf8) == Array(name.utf8),
      "\(name.debugDescription) is cleaned again to \(again.debugDescription)")
    checkName(name, naming.isPortable)
    let fitted = naming.fitted(name, reserving: 10, tag: "0123abcd")
    must(length(fitted[...], naming) <= FileNaming.maximumLength - 10, "\(fitted.count) characters are too long")
    checkName(fitted, naming.isPortable)
  }
}

private let namings = [
  FileNaming(isPortable: false), FileNaming(isPortable: true), FileNaming(isPortable: true, unit: .utf16),
]

private func length(_ name: Substring, _ naming: FileNaming) -> Int {
  naming.unit == .bytes ? name.utf8.count : name.utf16.count
}

private func checkName(_ name: String, _ isPortable: Bool) {
  let forbidden: [Unicode.Scalar] = isPortable ? Array("/\\:*?\"<>|".unicodeScalars) : ["/"]
  for scalar in name.unicodeScalars {
    must(
      scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value), "a control character in \(name.debugDescription)")
    must(!forbidden.contains(scalar), "\(scalar) in \(name.debugDescription)")
  }
  must(![".", "..", "-"].contains { name.hasPrefix($0) }, "\(name.debugDescription) begins with a dot or dash")
  must(!name.hasSuffix(".") && !name.hasSuffix(" "), "\(name.debugDescription) ends with a dot or blank")
}

/// A template is refused, or leads every item to a path inside the library, with components that every file system takes.
@Sendable func fuzzLayout(_ bytes: [UInt8]) {
  let pieces = bytes.pieces() + Array(repeating: "", count: 5)
  let template: LayoutTemplate
  do throws(LayoutTemplate.Problem) { template = try LayoutTemplate(pieces[0]) } catch { return }
  guard let id = ItemID(pieces[1].isEmpty ? "x" : pieces[1]), let main = url("http://h/a") else { return }
  var item = Item(id: id, title: pieces[2], main: Candidate(url: main))
  item.artist = pieces[3]
  item.published = Timestamp(secondsSince1970: Int64(bytes.count) * 100_000_000)
  let fields = LayoutFields(playlist: pieces[4], item: Boxed(item), position: bytes.count)
  let naming = namings[bytes.count % namings.count]
  var paths: Set<LibraryPath> = []
  for attempt in 0..<3 {
    let path = template.path(fields, fileExtension: "mp3", naming: naming, attempt: attempt)
    must(paths.insert(path).inserted, "\(path) for attempt \(attempt) as well")
    for component in path.components {
      must(length(component, naming) <= FileNaming.maximumLength, "\(component.count) characters in one component")
      must(component != "." && component != "..", "\(path) leaves its folder")
    }
  }
}

func url(_ text: String) -> RemoteURL? {
  do throws(RemoteURL.Problem) { return try RemoteURL(text) } catch { return nil }
}
