// Settings of units that are no parameters: their names, values and refusals.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestSupport
import Testing

@Suite("Named settings") struct NamedSettingTests {
  @Test("each has a name, its values and the value of a fresh instance")
  func lists() throws {
    let wanted: [(String, [String])] = [
      ("lpas", ["design"]), ("hpas", ["design"]), ("pmeq", ["design"]), ("bpas", ["design"]),
      ("lshf", ["design"]), ("hshf", ["design"]), ("greq", ["design"]), ("ipeq", ["design"]),
      ("filt", ["design"]), ("nbeq", ["design", "bands"]), ("dcmp", ["look-ahead"]),
      ("lmtr", ["true-peak"]), ("dely", []),
    ]
    for (subtype, symbols) in wanted {
      let unit = try Shipped.open(subtype)
      #expect(unit.textProperties.map(\.symbol) == symbols, "\(subtype)")
      let values = unit.textValues
      for setting in unit.textProperties {
        let parameter = try #require(setting.parameter)
        #expect(values[setting.symbol].flatMap(Float.init) == parameter.defaultValue, "\(subtype)")
      }
    }
  }

  @Test("a setting and the property behind it are one")
  func properties() throws {
    let limiter = try Shipped.open("lmtr")
    try limiter.setText("true-peak", "1")
    #expect(try limiter.property(kAuricleProperty_TruePeak, as: UInt32.self) == 1)
    let dynamics = try Shipped.open("dcmp")
    try dynamics.setText("look-ahead", "0.003")
    #expect(try dynamics.property(kAuricleProperty_LookAhead, as: Double.self) == 0.003)
    try dynamics.setProperty(kAuricleProperty_LookAhead, 0.01)
    #expect(dynamics.textValues == ["look-ahead": "0.01"])
    let equalizer = try Shipped.open("nbeq")
    try equalizer.setText("bands", "16")
    try equalizer.setText("design", "0")
    #expect(try equalizer.property(kAUNBandEQProperty_NumberOfBands, as: UInt32.self) == 16)
    #expect(try equalizer.property(kAuricleProperty_FilterDesign, as: UInt32.self) == 0)
    for (unit, name, value) in [
      (limiter, "true-peak", "2"), (dynamics, "look-ahead", "0.2"), (equalizer, "bands", "2.5"),
      (equalizer, "design", "matched"), (dynamics, "look-ahead", "soon"),
      (dynamics, "nothing", "1"),
    ] {
      #expect(throws: AuricleError.self) { try unit.setText(name, value) }
    }
    #expect(dynamics.textValues == ["look-ahead": "0.01"])
  }
}
