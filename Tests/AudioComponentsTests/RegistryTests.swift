// The registry: order, finding the next, duplicates, registering.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import CAudioToolbox
import Synchronization
import Testing

@Suite struct RegistryTests {
  private func all(
    _ registry: AudioComponentRegistry, _ wanted: AudioComponentDescription
  ) -> [String] {
    var found: [String] = []
    var last: AudioComponent?
    while let next = registry.findNext(after: last, matching: wanted) {
      found.append(next.triple)
      last = next
    }
    return found
  }

  @Test func findNextWalksInTheSourcesOrder() {
    let registry = sampleRegistry()
    #expect(
      all(registry, describe("aufx:*:*")) == [
        "aufx:lpas:appl", "aufx:mrev:appl", "aufx:Ab12:Calf", "aufx:Cd34:Zam_", "aufx:Ef56:Zam_",
      ])
    #expect(all(registry, describe("aufx:*:*")) == all(registry, describe("aufx:*:*")))
    #expect(all(registry, describe("*:*:*")).count == 6, "the unsearchable one is left out")
    #expect(registry.components.count == 7)
    #expect(all(registry, describe("aufc:conv:appl")) == ["aufc:conv:appl"])
    #expect(all(registry, describe("augn:*:*")).isEmpty)
    #expect(registry.count(matching: describe("*:*:appl")) == 3)
  }

  @Test func aSourceIsAskedForWhatThoseBeforeItDoNotHave() throws {
    let last = CountedSource(component("aufx:Ef56:Zam_", "Zam: Gate"))
    let registry = AudioComponentRegistry(sources: [
      SampleSource(components: [component("aufx:lpas:appl", "First: Filter")]), last,
    ])
    let filter = registry.findNext(after: nil, matching: describe("aufx:lpas:appl"))
    #expect(filter?.name == "First: Filter" && last.count == 0)
    #expect(registry.findNext(after: filter, matching: describe("aufx:lpas:appl")) == nil)
    #expect(try registry.resolve("aufx:lpas:appl") === filter && last.count == 0)
    let path = "/components/First: Filter.component/aufx:lpas:appl"
    #expect(try registry.resolve(path) === filter && last.count == 0)
    #expect(all(registry, describe("aufx:*:*")) == ["aufx:lpas:appl", "aufx:Ef56:Zam_"])
    #expect(registry.components.count == 2 && last.count == 1)
  }

  @Test func onePlugInInTwoFormatsIsUsedInTheFirst() throws {
    func made(_ triple: String, _ name: String, _ uri: String, _ format: String) -> AudioComponent {
      component(triple, name, uri: uri, origin: ComponentOrigin(rawValue: format))
    }
    let registry = AudioComponentRegistry(sources: [
      SampleSource(components: [
        made("aufx:Ab12:Aaaa", "Zam: Delay", "urn:zam:delay", "lv2"),
        made("aufx:Cd34:Bbbb", "Zam: Delay", "clap:zam.delay", "clap"),
        made("aufx:Ef56:Cccc", "Other: Delay line", "clap:other", "clap"),
      ])
    ])
    #expect(try registry.resolve("delay").location.identifier == "urn:zam:delay")
    #expect(try registry.resolve("Zam: Delay").location.identifier == "urn:zam:delay")
    #expect(try registry.resolve("clap:Delay").location.identifier == "clap:zam.delay")
    #expect(try registry.resolve("clap:Zam: Delay").location.identifier == "clap:zam.delay")
    #expect(try registry.resolve("clap:zam.delay").location.identifier == "clap:zam.delay")
    #expect(throws: AuricleError.self) { try registry.resolve("lv2:Delay line") }
  }

  @Test func aStrangerFindsNothing() {
    let stranger = component("aufx:lpas:appl", "Other: Filter")
    let registry = sampleRegistry()
    #expect(registry.findNext(after: stranger, matching: describe("*:*:*")) == nil)
  }

  @Test func patternsFilter() throws {
    let registry = sampleRegistry()
    #expect(registry.matching(try ComponentPattern("aufx::Zam_")).count == 2)
    #expect(registry.matching(try ComponentPattern("")).count == 6)
  }

  @Test func theSecondOfAnIdentityIsKeptOut() throws {
    let registry = AudioComponentRegistry(sources: [
      SampleSource(
        components: [component("aufx:lpas:appl", "First: Filter")],
        problems: [ComponentProblem(path: "/broken", message: "It is broken.")]),
      SampleSource(components: [
        component("aufx:lpas:appl", "Second: Filter"), component("aufx:hpas:appl", "Second: High"),
      ]),
    ])
    #expect(registry.components.map(\.name) == ["First: Filter", "Second: High"])
    #expect(registry.problems.map(\.description) == ["/broken: It is broken."])
    #expect(
      try registry.resolve("/components/Second: Filter.component").name == "Second: Filter")
    #expect(
      try registry.resolve("/components/Second: Filter.component/aufx:lpas:appl").name
        == "Second: Filter")
  }

  @Test func anIdentityWithAZeroIsKeptOut() {
    let registry = AudioComponentRegistry(sources: [
      SampleSource(components: [component("aufx:*:appl", "Zero: Zero")])
    ])
    #expect(registry.components.isEmpty && registry.problems.count == 1)
  }

  @Test func registeringAddsAtTheEnd() throws {
    let registry = sampleRegistry()
    let factory: AudioComponentFactoryFunction = { _ in nil }
    let mine = unsafe try registry.register(
      description: describe("augn:mine:test", mask: 7), name: "Test: Mine", version: 1,
      factory: factory)
    #expect(registry.components.last === mine)
    #expect(mine.description.componentFlagsMask == 0)
    #expect(try registry.resolve("augn:mine:test") === mine)
    let twice = #expect(throws: AuricleError.self) { try registry.register(mine) }
    #expect(twice?.status == kAudioComponentErr_DuplicateDescription)
    let zero = #expect(throws: AuricleError.self) {
      try registry.register(component("aufx:*:appl", "Zero: Zero"))
    }
    #expect(zero?.status == kAudio_ParamError)
    let null = #expect(throws: AuricleError.self) { _ = try mine.instantiate() }
    #expect(null?.category == .unavailable)
    #expect(null?.message == "Test: Mine: the factory function returned nothing.")
  }

  @Test func componentsReportWhatTheyAre() {
    let lv2 = component("aufx:Ab12:Calf", "Calf: Compressor", uri: "http://calf.example/C")
    #expect(lv2.maker == "Calf" && lv2.shortName == "Compressor" && lv2.versionText == "1.2.3")
    #expect(lv2.location.identifier == "http://calf.example/C" && lv2.location.path == "/lv2/x.lv2")
    #expect(component("aufx:a234:b234", "Nameless").maker == nil)
    #expect(component("aufx:a234:b234", "Odd:").shortName == "Odd:")
    unsafe #expect(lv2.record.pointee.magic == kAuricleComponentMagic)
    unsafe #expect(AudioComponent.of(handle: lv2.record) === lv2)
    unsafe #expect(lv2.record.pointee.version == 0x10203)
    let error = #expect(throws: AuricleError.self) { _ = try lv2.instantiate() }
    #expect(error?.message == "Calf: Compressor is made of paper.")
  }
}

/// A source of one component that counts how often it is asked.
private final class CountedSource: AudioComponentSource {
  private let component: AudioComponent
  private let asked = Atomic<Int>(0)

  init(_ component: AudioComponent) { self.component = component }

  var count: Int { asked.load(ordering: .relaxed) }

  func discover() -> ComponentDiscovery {
    asked.add(1, ordering: .relaxed)
    return ComponentDiscovery(components: [component])
  }
}
