// Fixture files built with the C compiler, and a small host that renders units.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import LADSPAUnits
import TestSupport

/// A folder of fixture plug-ins, each compiled from a source of its name.
struct LADSPAFixture {
  let folder: TemporaryFolder

  init(_ names: String...) throws {
    folder = try TemporaryFolder("auricle-ladspa-fixture")
    for name in names {
      // Without a library of mathematics: one of them counts on the host's.
      let result = try runProcess(
        "cc",
        [
          "-shared", "-fPIC", "-O1", "-o", folder("\(name).so"),
          Places.inPackage("Tests/LADSPAUnitsTests/Fixtures/\(name).c"),
        ])
      guard result.exitCode == 0 else {
        throw AuricleError(.software, "cc: \(result.standardError)")
      }
    }
  }

  func path(_ name: String) -> String { folder("\(name).so") }

  /// Reads the folder in this process.
  func catalog(cacheFolder: String = "") -> any ComponentCatalog {
    LADSPAFormat().catalog(
      CatalogRequest(searchPath: folder.path, cacheFolder: cacheFolder, runsCode: true))
  }

  func component() throws -> AudioComponent {
    let discovery = catalog().discover()
    guard let component = discovery.components.first else {
      throw AuricleError(.unavailable, "not listed: \(discovery.problems)")
    }
    return component
  }

  /// The sentences about the files.
  var problems: [String] { catalog().discover().problems.map(\.message) }
}

/// Renders one unit from arrays.
final class LADSPATestHost {
  let unit: AudioUnit
  private let fixture: LADSPAFixture
  private var inputs: [[Float]] = []
  private var time = 0

  /// Opens the first component of a fixture.
  init(_ fixture: LADSPAFixture, sampleRate: Double = 48_000) throws {
    self.fixture = fixture
    unit = try fixture.component().instantiate()
    unit.setRendersOffline(true)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      for bus in 0..<UInt32(unit.busCount(scope: scope)) {
        let count = try unit.streamFormat(scope: scope, element: bus).channelCount
        try unit.setStreamFormat(
          AudioStreamFormat(sampleRate: sampleRate, channelCount: count), scope: scope,
          element: bus)
      }
    }
    try unit.setMaximumFramesPerSlice(1024)
  }

  /// Renders the first channel of the output, with one signal for the first channel of each input bus.
  func render(_ inputs: [[Float]], frameCount: Int, slice: Int = 1024) throws -> [Float] {
    self.inputs = inputs
    let reference = unsafe Unmanaged.passUnretained(self).toOpaque()
    for bus in inputs.indices {
      unsafe try unit.setInputCallback(element: UInt32(bus), Self.feed, refCon: reference)
    }
    let count = try unit.streamFormat(scope: kAudioUnitScope_Output, element: 0).channelCount
    let buffers = AudioBuffers(channelCount: count, frameCapacity: 1024)
    var output: [Float] = []
    while output.count < frameCount {
      let frames = min(slice, frameCount - output.count)
      buffers.setFrameCount(frames)
      var flags: AudioUnitRenderActionFlags = 0
      var stamp = AudioTimeStamp(sampleTime: Double(time))
      let status = unsafe unit.render(
        flags: &flags, timeStamp: &stamp, outputElement: 0, frameCount: UInt32(frames),
        buffers: buffers.list)
      guard status == 0 else { throw AuricleError(.software, status: status, "render") }
      unsafe output.append(
        contentsOf: UnsafeBufferPointer(start: buffers.channel(0), count: frames))
      time += frames
    }
    return output
  }

  private static let feed: AURenderCallback = { reference, _, stamp, bus, count, list in
    guard let reference = unsafe reference, let stamp = unsafe stamp, let list = unsafe list else {
      return -50
    }
    let host = unsafe Unmanaged<LADSPATestHost>.fromOpaque(reference).takeUnretainedValue()
    let buffers = unsafe UnsafeMutableRawPointer(list).advanced(by: 8)
      .assumingMemoryBound(to: AudioBuffer.self)
    let start = unsafe Int(stamp.pointee.mSampleTime)
    let source = host.inputs[Int(bus)]
    for channel in unsafe 0..<Int(list.pointee.mNumberBuffers) {
      guard let data = unsafe buffers[channel].mData?.assumingMemoryBound(to: Float.self) else {
        return -50
      }
      for frame in 0..<Int(count) {
        unsafe data[frame] = start + frame < source.count ? source[start + frame] : 0
      }
    }
    return 0
  }
}
