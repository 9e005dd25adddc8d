// The XML form: every element, the grammar, and where errors are said to be.
// SPDX-License-Identifier: Apache-2.0

import PropertyLists
import Testing

@Suite("XML property lists")
struct XMLPropertyListTests {
  private func read(_ text: String) throws -> PropertyListValue {
    try PropertyListReader().read(Array(text.utf8))
  }

  private func failure(_ text: String) throws -> PropertyListError {
    try #require(throws: PropertyListError.self) { try read(text) }
  }

  @Test func componentPropertyList() throws {
    let value = try read(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <!-- A component. -->
      <plist version="1.0">
      <dict>
        <key>CFBundleExecutable</key> <string>Gain</string>
        <key>AudioComponents</key>
        <array>
          <dict>
            <key>type</key><string>aufx</string>
            <key>version</key><integer>65536</integer>
            <key>sandboxSafe</key><true/>
            <key>tags</key><array><string>Effects</string></array>
          </dict>
        </array>
      </dict>
      </plist>
      """)
    #expect(value["CFBundleExecutable"]?.stringValue == "Gain")
    let entry = value["AudioComponents"]?.arrayValue?.first
    #expect(entry?["version"]?.integerValue == 65536)
    #expect(entry?["sandboxSafe"]?.booleanValue == true)
    #expect(entry?["tags"]?.arrayValue == [.string("Effects")])
  }

  @Test(
    "leaves",
    arguments: [
      ("<string/>", .string("")), ("<string> a b </string>", .string(" a b ")),
      ("<string>&lt;&amp;&#x41;&quot;é😀</string>", .string("<&A\"é😀")),
      ("<string><![CDATA[<b>&]]></string>", .string("<b>&")),
      ("<string>a<!-- no -->b</string>", .string("ab")),
      ("<integer>0</integer>", .integer(0)), ("<integer> -12\n</integer>", .integer(-12)),
      ("<integer>+7</integer>", .integer(7)), ("<integer>0x1F</integer>", .integer(31)),
      ("<integer>-0x1f</integer>", .integer(-31)),
      ("<integer>9223372036854775807</integer>", .integer(Int128(Int64.max))),
      ("<integer>-9223372036854775808</integer>", .integer(Int128(Int64.min))),
      ("<integer>18446744073709551615</integer>", .integer(Int128(UInt64.max))),
      ("<real>1.5</real>", .real(1.5)), ("<real>-1e-3</real>", .real(-0.001)),
      ("<real>+infinity</real>", .real(.infinity)), ("<true/>", .boolean(true)),
      ("<false></false>", .boolean(false)), ("<data/>", .data([])),
      ("<data>\n\tAQID\n</data>", .data([1, 2, 3])), ("<data>AQ==</data>", .data([1])),
      ("<data>A Q I =</data>", .data([1, 2])), ("<data>+/+/</data>", .data([0xFB, 0xFF, 0xBF])),
      ("<date>2001-01-01T00:00:00Z</date>", .date(0)),
      ("<date>2000-02-29T12:30:15Z</date>", .date(-26_479_785)),
      ("<date>2024-12-31T23:59:59Z</date>", .date(757_382_399)),
      ("<date>1601-01-01T00:00:00Z</date>", .date(-12_622_780_800)),
      ("<array/>", .array([])), ("<dict></dict>", .dictionary([:])),
      ("<dict><key/><true/></dict>", .dictionary(["": .boolean(true)])),
    ] as [(String, PropertyListValue)])
  func leaf(text: String, value: PropertyListValue) throws {
    #expect(try read("<plist>\(text)</plist>") == value)
  }

  @Test(
    "faults are named with their place",
    arguments: [
      ("<plist>", 1, 8, "no element found"),
      ("<plist>\n  <dict>\n    <key>a</key>\n  </dict></plist>", 4, 3, "\"a\" has no value"),
      ("<plist><dict><key>a</key><key>b</key></dict></plist>", 1, 26, "\"a\" has no value"),
      ("<plist><dict><true/></dict></plist>", 1, 14, "<true> has no <key> before it"),
      (
        "<plist><dict><key>a</key><true/><key>a</key><true/></dict></plist>", 1, 39, "occurs twice"
      ),
      ("<plist>\n<array><key>a</key></array></plist>", 2, 8, "<key> is inside <array>"),
      ("<plist><key>a</key></plist>", 1, 8, "outside <dict>"),
      ("<plist><true/><true/></plist>", 1, 15, "more than one value"),
      ("<plist></plist>", 1, 8, "holds no value"),
      ("<plist><set/></plist>", 1, 8, "unknown element \"set\""),
      ("<html/>", 1, 1, "unknown element \"html\""),
      ("<dict/>", 1, 1, "outside <plist>"),
      ("<plist><plist/></plist>", 1, 8, "<plist> inside of <plist>"),
      ("<plist><string><true/></string></plist>", 1, 16, "<true> inside of <string>"),
      ("<plist>text</plist>", 1, 8, "text where an element"),
      ("<plist><array>text</array></plist>", 1, 15, "text where an element"),
      ("<plist><true>x</true></plist>", 1, 14, "text where an element"),
      ("<plist><integer>12x</integer></plist>", 1, 20, "holds \"12x\""),
      ("<plist><integer/></plist>", 1, 18, "not a whole number"),
      ("<plist><integer>18446744073709551616</integer></plist>", 1, 37, "64 bits"),
      ("<plist><integer>-9223372036854775809</integer></plist>", 1, 37, "64 bits"),
      ("<plist><integer>--1</integer></plist>", 1, 20, "not a whole number"),
      ("<plist><integer>0x</integer></plist>", 1, 19, "not a whole number"),
      ("<plist><integer>1 2</integer></plist>", 1, 20, "not a whole number"),
      ("<plist><real>one</real></plist>", 1, 17, "not a number"),
      ("<plist><real></real></plist>", 1, 14, "not a number"),
      ("<plist><data>A</data></plist>", 1, 15, "base 64"),
      ("<plist><data>AQ=</data></plist>", 1, 17, "base 64"),
      ("<plist><data>AQ==AQ==</data></plist>", 1, 22, "base 64"),
      ("<plist><data>A*==</data></plist>", 1, 18, "base 64"),
      ("<plist><date>2001-02-29T00:00:00Z</date></plist>", 1, 34, "not a date"),
      ("<plist><date>2001-01-01</date></plist>", 1, 24, "not a date"),
      ("<plist><date>2001-01-01T24:00:00Z</date></plist>", 1, 34, "not a date"),
      ("<plist><string>&nope;</string></plist>", 1, 16, "undefined entity"),
      ("<plist><string>a\u{1}</string></plist>", 1, 17, "not well-formed"),
      ("<plist><true/></plist>more", 1, 23, "junk after document element"),
      ("<plist><true></plist>", 1, 16, "mismatched tag"),
    ] as [(String, Int, Int, String)])
  func malformed(text: String, line: Int, column: Int, reason: String) throws {
    let error = try failure(text)
    #expect(error.message.contains(reason), "\(error)")
    #expect(error.location == .text(line: line, column: column), "\(error)")
    #expect(!error.description.contains("\n"))
  }

  @Test func documentTypes() throws {
    #expect(try read("<!DOCTYPE plist><plist><true/></plist>") == .boolean(true))
    #expect(
      try read("<!DOCTYPE plist SYSTEM \"file:///etc/passwd\"><plist><true/></plist>")
        == .boolean(true))
    let other = try failure("<!DOCTYPE html><plist><true/></plist>")
    #expect(other.message.contains("\"html\""))
    // With an external subset named, XML lets unknown entities pass in silence: we do not.
    let silent = "<!DOCTYPE plist SYSTEM \"x.dtd\"><plist><string>a&b;</string></plist>"
    try #expect(failure(silent).message.contains("\"b\" is not defined"))
  }

  @Test func encodings() throws {
    let text = "<plist><string>é</string></plist>"
    for bigEndian in [true, false] {
      let bytes = ("\u{FEFF}" + text).utf16.flatMap { unit in
        let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        return bigEndian ? pair : pair.reversed()
      }
      #expect(try PropertyListReader().read(bytes) == .string("é"))
    }
    #expect(try read("\u{FEFF}" + text) == .string("é"))
    let latin = Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist><string>".utf8)
    #expect(
      try PropertyListReader().read(latin + [0xE9] + Array("</string></plist>".utf8))
        == .string("é"))
    let unknown = try failure(
      "<?xml version=\"1.0\" encoding=\"klingon\"?><plist><true/></plist>")
    #expect(unknown.message.contains("unknown encoding"))
    #expect(throws: PropertyListError.self) {
      try PropertyListReader().read(
        Array("<plist><string>".utf8) + [0xC3, 0x28] + Array("</string></plist>".utf8))
    }
  }

  @Test func otherForms() throws {
    try #expect(failure("").message == "it is empty")
    for text in ["{ a = b; }", "{\"a\": 1}", "hello", "   ", "bplis", "\u{0}\u{0}\u{0}"] {
      #expect(throws: PropertyListError.self) { try read(text) }
    }
  }

  @Test func cutAtEveryByte() {
    let whole = Array(
      "<?xml version=\"1.0\"?>\n<!DOCTYPE plist>\n<plist><dict><key>a</key><string>é&amp;</string></dict></plist>"
        .utf8)
    #expect(throws: Never.self) { try PropertyListReader().read(whole) }
    for length in whole.indices {
      #expect(throws: PropertyListError.self) {
        try PropertyListReader().read(Array(whole[..<length]))
      }
    }
  }
}
