// SPDX-License-Identifier: Apache-2.0
import SyncCore
import YAML

extension YAMLError {
  /// The error as a fact of the core, which knows no YAML library.
  var fact: Finding.Fact {
    switch problem {
    case .syntax(let problem, let context, let line):
      .document(.syntax(problem, context: context, contextLine: line))
    case .tab: .document(.tab)
    case .tooDeep(let limit): .document(.tooDeep(limit: limit))
    case .documentTooLarge(let limit): .document(.documentTooLarge(limit: ByteCount(Int64(limit))))
    case .scalarTooLarge(let limit): .document(.scalarTooLarge(limit: ByteCount(Int64(limit))))
    case .tooManyRepeatedNodes: .document(.tooManyAliases)
    case .invalidUTF8(let byte): .document(.invalidUTF8(byte: byte))
    case .utf16: .document(.utf16)
    case .nul: .document(.nul)
    case .controlCharacter(let character): .document(.controlCharacter(character))
    case .lineSeparator(let character): .document(.lineSeparator(character))
    case .secondDocument: .document(.secondDocument)
    case .tag(let tag): .document(.tag(tag))
    case .unknownAlias(let name): .document(.unknownAlias(name))
    case .aliasInsideItself(let name): .document(.aliasInsideItself(name))
    case .keyNotScalar: .document(.keyNotScalar)
    case .duplicateKey(let key, let firstLine): .key(.duplicate(key, firstLine: firstLine))
    case .mergeOfOther: .document(.mergeOfOther)
    case .outOfMemory: .document(.outOfMemory)
    }
  }
}
