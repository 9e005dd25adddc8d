// Finding the component a user means: triples, URIs, names; suggestions of similar ones.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import Testing

@Suite struct ResolveTests {
  @Test(arguments: [
    ("aufx:lpas:appl", "aufx:lpas:appl"),
    ("aufc:conv:appl", "aufc:conv:appl"),
    ("0x61756678:lpas:appl", "aufx:lpas:appl"),
    ("aumu:*:*", "aumu:samp:appl"),
    ("http://calf.example/plugins/Compressor", "aufx:Ab12:Calf"),
    ("urn:zam:reverb", "aufx:Ef56:Zam_"),
    ("Calf: Compressor", "aufx:Ab12:Calf"),
    ("calf: COMPRESSOR", "aufx:Ab12:Calf"),
    ("Sampler", "aumu:samp:appl"),
    ("low-pass FILTER", "aufx:lpas:appl"),
    ("AULowpass", "aufx:lpas:appl"),
    ("Apple: AUConverter", "aufc:conv:appl"),
    ("AUSampler", "aumu:samp:appl"),
  ])
  func findsTheOne(text: String, triple: String) throws {
    #expect(try sampleRegistry().resolve(text).triple == triple)
  }

  private func failure(_ text: String) -> String {
    let error = #expect(throws: AuricleError.self) { _ = try sampleRegistry().resolve(text) }
    #expect(error?.category == .unavailable)
    return error?.message ?? ""
  }

  @Test func severalOfANameAreListed() {
    let message = failure("compressor")
    #expect(message.contains("names 2 components"))
    #expect(message.contains("http://calf.example/plugins/Compressor (Calf: Compressor)"))
    #expect(message.contains("urn:zam:compressor (Zam: Compressor)"))
    #expect(failure("matrix reverb").contains("aufx:mrev:appl (Auricle: Matrix reverb)"))
    #expect(failure("aufx:*:Zam_").contains("names 2 components"))
  }

  @Test(arguments: [
    ("aufx:lpass:appl", "aufx:lpas:appl"), ("aufx:lpsa:appl", "aufx:lpas:appl"),
    ("Smapler", "\"Sampler\" (aumu:samp:appl)"), ("Low pass filter", "\"Low-pass filter\""),
    ("http://calf.example/plugin/Compresor", "http://calf.example/plugins/Compressor"),
    ("urn:zam:rev", "urn:zam:reverb"), ("reverb", "Matrix reverb"),
    ("rever", "Matrix reverb"), ("matirx", "Matrix reverb"),
  ])
  func whatIsNearIsNamed(text: String, near: String) {
    let message = failure(text)
    #expect(message.contains("no component \"\(text)\" is installed; did you mean"), "\(message)")
    #expect(message.contains(near), "\(message)")
  }

  @Test(arguments: [
    "zzzzzzzzzz", "", "x", "http://else.example/qwertz", "aufx:lpas:appl:more:no", "aufx:nope:appl",
  ])
  func whatIsNotNearIsNot(text: String) {
    let message = failure(text)
    #expect(message.contains("\"\(text)\" is installed; "))
    #expect(!message.contains("did you mean"), "\(message)")
  }

  @Test func aTypeIsNoUnit() {
    #expect(failure("aufx").hasSuffix("\"auricle list aufx\" shows those of it"))
  }

  @Test func editDistances() {
    #expect(EditDistance.between("", "") == 0)
    #expect(EditDistance.between("abc", "") == 3)
    #expect(EditDistance.between("kitten", "sitting") == 3)
    #expect(EditDistance.between("Reverb", "rEVERB") == 0)
    #expect(EditDistance.between("ab", "ba") == 1, "a swap is one step")
    #expect(EditDistance.between("kitten", "sitting", limit: 2) == nil)
    #expect(
      EditDistance.nearest(to: "treshold", among: ["ratio", "threshold", "hold"]) == ["threshold"])
  }
}
