// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SyncFormats

@Suite("a table in CSV")
struct CSVTests {
  @Test(
    "has quotes where they are needed, and no formula",
    arguments: [
      ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("say \"x\"", "\"say \"\"x\"\"\""), ("a\nb", "\"a\nb\""),
      ("a\r\nb", "\"a\r\nb\""), (" a", "\" a\""), ("=1+1", "'=1+1"), ("+49", "'+49"), ("-1", "'-1"),
      ("@SUM(A1)", "'@SUM(A1)"),
      ("\tx", "'\tx"), ("=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""), ("＝1", "'＝1"),
      ("=\u{301}1", "'=\u{301}1"), ("a=b", "a=b"), ("שלום 🎧", "שלום 🎧"),
    ])
  func cells(_ cell: String, _ written: String) {
    var table = CSV(columns: ["id", "text"])
    table.add(["1", cell])
    table.add([nil, nil])
    #expect(table.text == "id,text\r\n1,\(written)\r\n,\r\n")
  }
}
