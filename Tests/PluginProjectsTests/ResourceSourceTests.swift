// Resource sources of the Component Manager: the units that they declare.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Foundation
import PluginProjects
import PropertyLists
import TestSupport
import Testing

@Suite("Resource sources")
struct ResourceSourceTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder("resources")
    try folder.write(
      """
      #ifndef __FilterVersion_h__
      #define __FilterVersion_h__
      #ifdef DEBUG
        #define kFilterVersion 0xFFFFFFFF
      #else
        #define kFilterVersion 0x00010203
      #endif
      // customize for each unit
      #define Filter_COMP_SUBTYPE 'filt'
      #define Filter_COMP_MANF \t'Demo'
      #endif
      """, to: "FilterVersion.h")
  }

  private func unit(_ name: String, subtype: String, more: String = "") -> String {
    """
    #define RES_ID 1000
    #define COMP_TYPE kAudioUnitType_MusicEffect /* a comment */
    #define COMP_SUBTYPE \(subtype)
    #define COMP_MANUF Filter_COMP_MANF
    #define VERSION kFilterVersion
    #define NAME "Demo: \(name) // \\
    no comment"
    #define DESCRIPTION "What" " it is"
    #define ENTRY_POINT "\(name)Entry"
    \(more)
    #include "AUResources.r"
    """
  }

  @Test func readsEveryUnitOfAFile() throws {
    let text =
      "#include <AudioUnit/AudioUnit.r>\n#include \"FilterVersion.h\"\n"
      + unit("Filter", subtype: "Filter_COMP_SUBTYPE") + "\n" + unit("Other", subtype: "'othr'")
      // Its view in Carbon is no unit.
      + "\n#define COMP_TYPE kAudioUnitCarbonViewComponentType\n#include \"AUResources.r\"\n"
    // Line ends of old, and a byte that is no UTF-8.
    var bytes = Data([0x2F, 0x2F, 0xA9, 0x0D])
    bytes.append(Data(text.replacing("\n", with: "\r").utf8))
    try folder.write(bytes, to: "Filter.r")
    let source = try ResourceSource(path: folder("Filter.r"))
    #expect(source.components.count == 2)
    let first = try #require(source.components.first)
    #expect(first["type"] == .string("aumf"))
    #expect(first["subtype"] == .string("filt"))
    #expect(first["manufacturer"] == .string("Demo"))
    #expect(first["version"] == .integer(66_051))
    #expect(first["name"]?.stringValue?.hasPrefix("Demo: Filter // ") == true)
    #expect(first["description"] == .string("What it is"))
    #expect(first["factoryFunction"] == .string("FilterFactory"))
    #expect(source.components[1]["factoryFunction"] == .string("OtherFactory"))
  }

  @Test func namesWhatIsMissing() throws {
    try folder.write(unit("Filter", subtype: "Nowhere_SUBTYPE"), to: "Filter.r")
    let error = #expect(throws: AuricleError.self) { try ResourceSource(path: folder("Filter.r")) }
    #expect(error?.message.contains("does not define COMP_SUBTYPE") == true)
    try folder.write("resource 'thng' (1) {};", to: "Other.r")
    let other = #expect(throws: AuricleError.self) { try ResourceSource(path: folder("Other.r")) }
    #expect(other?.message.contains("declares no unit") == true)
  }
}
