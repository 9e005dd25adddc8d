// Renders every unit that ships, alone, in a chain and in a graph, inside realtime sections.
// SPDX-License-Identifier: Apache-2.0
//
// Meanwhile another thread sets every parameter and property. Scripts/check-realtime links this program with
// RealtimeSanitizer, then with a counter of allocations. The sanitizer ends it with a stack at the first
// allocation, lock or system call between enter and exit. Scripts/check-threads builds it with ThreadSanitizer.

import AudioComponents
import AudioGraph
import AudioTypes
import AudioUnits
import CAudioToolbox
import Glibc
import LV2Units
import NativeUnits
import RealtimeSupport
import TestSupport
import UnitChains

@main struct RealtimeCheck {
  static let maximumFrames = 1024

  static func main() {
    do {
      try check()
    } catch {
      print("realtime-check: \(error)")
      exit(1)
    }
  }

  private static func check() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let isForThreads = arguments.first == "--threads"
    if isForThreads { arguments.removeFirst() }
    guard RealtimeSection.isChecked || isForThreads else {
      print("no sanitizer is linked: run Scripts/check-realtime or Scripts/check-threads")
      exit(70)
    }
    if arguments.first == "--violate" { violate() }
    if arguments.first == "--race" { race() }
    let edits = number(after: "--edits", in: &arguments) ?? (isForThreads ? 300 : 3000)
    let seed = number(after: "--seed", in: &arguments) ?? 19
    let pause = number(after: "--pause", in: &arguments) ?? 0
    if arguments.first == "--edits-only" {
      return try GraphCheck.run(edits: edits, seed: UInt64(max(0, seed)), longestPause: pause)
    }
    let areUnitsAll = arguments.first == "--units"
    if areUnitsAll { arguments.removeFirst() }
    guard let folder = arguments.first else {
      print(
        """
        usage: realtime-check [--threads] [--edits N] [--seed N] [--pause MICROSECONDS]
                              [--units] COMPONENTS-FOLDER | --edits-only
               realtime-check --violate | --threads --race
        """)
      exit(64)
    }
    let found = NativeComponentSource(folders: [(path: folder, origin: .builtIn)]).discover()
    guard !found.components.isEmpty else {
      print("no components in \(folder)")
      exit(66)
    }
    // Offline units see the whole sound before they render, in no hurry.
    for component in found.components
    where component.description.componentType != kAudioUnitType_OfflineEffect {
      for channels in [1, 2, 8] {
        for setup in UnitSetup.setups(of: component, channels) {
          try UnitScenario(component, setup).run(sliceCount: 240)
        }
      }
      print("\(component.triple) \(component.name): in order")
    }
    if areUnitsAll { return }
    try UnitScenario(amplifier(), UnitSetup(inputs: [1], outputs: [1])).run(sliceCount: 240)
    print("an LV2 unit: in order")
    let effects = found.components.filter { $0.description.componentType == kAudioUnitType_Effect }
    try checkChain(effects)
    print("a chain of \(effects.count) units: in order")
    try GraphScenario(found.components).run(sliceCount: 600)
    print("a graph that changes while it plays: in order")
    try WritingScenario.run(sliceCount: 600)
    print("writing into a file: in order")
    try GraphCheck.run(edits: edits, seed: UInt64(max(0, seed)), longestPause: pause)
  }

  /// Returns the number of an option, and removes both from the arguments.
  private static func number(after option: String, in arguments: inout [String]) -> Int? {
    guard let place = arguments.firstIndex(of: option), place + 1 < arguments.count else {
      return nil
    }
    defer { arguments.removeSubrange(place...place + 1) }
    return Int(arguments[place + 1])
  }

  /// The amplifier of the LV2 examples: a small plug-in that keeps to the rules itself.
  private static func amplifier() throws -> AudioComponent {
    let found = LV2ComponentSource(cacheFolder: "").discover().components
    guard let component = found.first(where: { $0.name.hasSuffix("Simple Amplifier") }) else {
      throw AuricleError(.unavailable, "no LV2 amplifier: install the package lv2-examples")
    }
    return component
  }

  /// Allocates inside a realtime section, to show that the sanitizer is awake.
  static func violate() -> Never {
    RealtimeSection.enter()
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4096)
    unsafe memory.initialize(repeating: 1, count: 4096)
    RealtimeSection.exit()
    print("not stopped: \(unsafe memory[17])")
    exit(0)
  }

  /// Lets two threads write the same memory, to show that the sanitizer is awake.
  static func race() -> Never {
    let memory = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    unsafe memory.initialize(to: 0)
    var thread = pthread_t()
    unsafe pthread_create(
      &thread, nil,
      { memory in
        for _ in 0..<1000 { unsafe memory?.assumingMemoryBound(to: Int.self).pointee += 1 }
        return nil
      }, memory)
    for _ in 0..<1000 { unsafe memory.pointee += 1 }
    pthread_join(thread, nil)
    print("counted to \(unsafe memory.pointee)")
    exit(0)
  }

  /// Renders the graph of a chain of all the effects, each mixed with its input.
  static func checkChain(_ components: [AudioComponent]) throws {
    let stages = components.map { component in
      ChainStage(label: component.name, mix: 0.5) { () throws(AuricleError) in
        try component.instantiate()
      }
    }
    let chain = try UnitChain(
      stages: stages, sampleRate: 48_000, channelCount: 2, maximumFrames: maximumFrames)
    let source = NoiseSource()
    let output = AudioBuffers(channelCount: 2, frameCapacity: maximumFrames)
    let inputs = unsafe [source.samples, source.samples]
    // From here on the input lies where it was in this slice.
    _ = try unsafe chain.render(input: inputs, frameCount: maximumFrames)
    guard let unit = chain.graph.outputUnit else { return }
    var time = Double(maximumFrames)
    for slice in 0..<200 {
      let frames = 1 + slice * 5
      output.setFrameCount(frames)
      var flags: AudioUnitRenderActionFlags = 0
      var stamp = AudioTimeStamp(sampleTime: time)
      RealtimeSection.enter()
      let status = unsafe unit.render(
        flags: &flags, timeStamp: &stamp, frameCount: UInt32(frames), buffers: output.list)
      RealtimeSection.exit()
      try AuricleError.check(status, "rendering the chain at frame \(time)")
      time += Double(frames)
    }
  }
}
