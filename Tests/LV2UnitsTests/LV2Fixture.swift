// Fixture bundles built with the C compiler, and a small host that renders units.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import LV2Units
import TestSupport

/// A fixture bundle, copied to a separate folder and compiled.
struct LV2Fixture {
  /// The folder that holds the bundle alone.
  let folder: TemporaryFolder
  /// The bundle.
  let bundle: String

  init(_ name: String) throws {
    folder = try TemporaryFolder("auricle-lv2-fixture")
    bundle = folder("\(name).lv2")
    let source = Places.inPackage("Tests/LV2UnitsTests/Fixtures/\(name).lv2")
    try FileManager.default.copyItem(atPath: source, toPath: bundle)
    let code = source + "/plugin.c"
    guard FileManager.default.fileExists(atPath: code) else { return }
    let result = try runProcess(
      "cc", ["-shared", "-fPIC", "-O1", "-o", bundle + "/plugin.so", code, "-lm"])
    guard result.exitCode == 0 else {
      throw AuricleError(.software, "cc: \(result.standardError)")
    }
  }

  /// Replaces text in the bundle's manifest.
  func edit(_ old: String, _ new: String) throws {
    let path = bundle + "/manifest.ttl"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    guard text.contains(old) else { throw AuricleError(.software, "no \(old) in \(path)") }
    try text.replacing(old, with: new).write(toFile: path, atomically: true, encoding: .utf8)
  }

  func discover() -> ComponentDiscovery {
    LV2ComponentSource(searchPath: folder.path, cacheFolder: "").discover()
  }

  func component() throws -> AudioComponent {
    let discovery = discover()
    guard let component = discovery.components.first else {
      throw AuricleError(.unavailable, "not listed: \(discovery.problems)")
    }
    return component
  }
}

/// Renders one unit from arrays.
final class LV2TestHost {
  let unit: AudioUnit
  let sampleRate: Double
  private let maximumFrames: Int
  private let fixture: LV2Fixture?
  private var inputs: [[[Float]]] = []
  private var time = 0

  /// Opens a component; further set-up may follow before `initialize`.
  ///
  /// - Parameter fixture: Kept as long as the host.
  init(
    _ component: AudioComponent, keeping fixture: LV2Fixture? = nil, sampleRate: Double = 48000,
    maximumFrames: Int = 1024
  ) throws {
    self.fixture = fixture
    unit = try component.instantiate()
    self.sampleRate = sampleRate
    self.maximumFrames = maximumFrames
    unit.setRendersOffline(true)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      for bus in 0..<UInt32(unit.busCount(scope: scope)) {
        let count = try unit.streamFormat(scope: scope, element: bus).channelCount
        try unit.setStreamFormat(
          AudioStreamFormat(sampleRate: sampleRate, channelCount: count), scope: scope, element: bus
        )
      }
    }
    try unit.setMaximumFramesPerSlice(maximumFrames)
  }

  /// Opens the component of a fixture.
  convenience init(
    _ fixture: LV2Fixture, sampleRate: Double = 48000, maximumFrames: Int = 1024
  ) throws {
    try self.init(
      fixture.component(), keeping: fixture, sampleRate: sampleRate, maximumFrames: maximumFrames)
  }

  /// Channels of a bus.
  func channelCount(_ scope: AudioUnitScope, _ bus: Int = 0) throws -> Int {
    try unit.streamFormat(scope: scope, element: UInt32(bus)).channelCount
  }

  /// Renders output bus 0 from these inputs, one array of channels a bus; nil leaves a bus alone.
  func render(_ inputs: [[[Float]]?], frameCount: Int, slice: Int? = nil) throws -> [[Float]] {
    self.inputs = inputs.map { $0 ?? [] }
    let reference = unsafe Unmanaged.passUnretained(self).toOpaque()
    for (bus, channels) in inputs.enumerated() where channels != nil {
      unsafe try unit.setInputCallback(element: UInt32(bus), Self.feed, refCon: reference)
    }
    let outputCount = try channelCount(kAudioUnitScope_Output)
    let buffers = AudioBuffers(channelCount: outputCount, frameCapacity: maximumFrames)
    var output = Array(repeating: [Float](), count: outputCount)
    let start = time
    while time - start < frameCount {
      let count = min(slice ?? maximumFrames, frameCount - (time - start))
      buffers.setFrameCount(count)
      var flags: AudioUnitRenderActionFlags = 0
      var stamp = AudioTimeStamp(sampleTime: Double(time))
      let status = unsafe unit.render(
        flags: &flags, timeStamp: &stamp, outputElement: 0, frameCount: UInt32(count),
        buffers: buffers.list)
      guard status == 0 else { throw AuricleError(.software, status: status, "render") }
      for channel in 0..<outputCount {
        unsafe output[channel].append(
          contentsOf: UnsafeBufferPointer(start: buffers.channel(channel), count: count))
      }
      time += count
    }
    return output
  }

  private static let feed: AURenderCallback = { reference, _, stamp, bus, count, list in
    guard let reference = unsafe reference, let stamp = unsafe stamp, let list = unsafe list else {
      return -50
    }
    let host = unsafe Unmanaged<LV2TestHost>.fromOpaque(reference).takeUnretainedValue()
    let buffers = unsafe UnsafeMutableRawPointer(list).advanced(by: 8)
      .assumingMemoryBound(to: AudioBuffer.self)
    let start = unsafe Int(stamp.pointee.mSampleTime)
    let channels = host.inputs[Int(bus)]
    for channel in unsafe 0..<Int(list.pointee.mNumberBuffers) {
      guard let data = unsafe buffers[channel].mData?.assumingMemoryBound(to: Float.self) else {
        return -50
      }
      for frame in 0..<Int(count) {
        let index = start + frame
        let source = channels[channel % channels.count]
        unsafe data[frame] = index < source.count ? source[index] : 0
      }
    }
    return 0
  }
}
