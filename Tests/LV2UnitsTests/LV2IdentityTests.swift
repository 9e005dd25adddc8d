// The identity of LV2 plug-ins: printable, fixed for ever, without a collision.
// SPDX-License-Identifier: Apache-2.0

import ForeignPlugIns
import Foundation
import TestSupport
import Testing

@Suite struct LV2IdentityTests {
  /// Every URI of a census of real plug-ins.
  static let uris: [String] = {
    let path = Places.inPackage("Tests/LV2UnitsTests/Fixtures/uris.txt")
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }()

  private func text(_ code: UInt32) -> String {
    String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }, as: UTF8.self)
  }

  @Test func censusHasNoCollision() {
    #expect(Self.uris.count == 652)
    #expect(Set(Self.uris.map(PlugInIdentity.init(of:))).count == 652)
  }

  @Test func manyMadeUpNamesHaveNoCollision() {
    let identities = Set(
      (0..<100_000).map { PlugInIdentity(of: "http://example.org/plug-in/\($0)") })
    #expect(identities.count == 100_000)
  }

  @Test func codesArePrintableAndNeverApples() {
    let digits = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    for uri in Self.uris {
      let identity = PlugInIdentity(of: uri)
      let (subtype, manufacturer) = (text(identity.subtype), text(identity.manufacturer))
      #expect(subtype.count == 4 && subtype.allSatisfy(digits.contains), "\(uri)")
      #expect(manufacturer.count == 4 && manufacturer.allSatisfy(digits.contains), "\(uri)")
      #expect(manufacturer.first?.isUppercase == true, "\(uri)")
      #expect(manufacturer != "Auri", "\(uri)")
    }
  }

  /// Stored presets hold these: a failure here means the function changed, which it must not.
  @Test(arguments: [
    ("http://calf.sourceforge.net/plugins/Compressor", "sAsD", "L8ON"),
    ("http://plugin.org.uk/swh-plugins/fastLookaheadLimiter", "z5SJ", "IObh"),
    ("", "ZaBZ", "A9DM"),
    ("urn:ünï", "EZGK", "FbDG"),
  ]) func codesStayWhatTheyAre(uri: String, subtype: String, manufacturer: String) {
    let identity = PlugInIdentity(of: uri)
    #expect(text(identity.subtype) == subtype)
    #expect(text(identity.manufacturer) == manufacturer)
  }
}
