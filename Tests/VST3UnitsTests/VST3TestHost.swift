// Folders with fixture plug-ins of VST3, and a host that renders one unit from an array.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import VST3Units

/// A folder with a fixture plug-in in a bundle, compiled with a defect or without, in a folder in it.
struct VST3Fixture {
  static let effect = "vst3:41757269636C65005465737400000001"

  let folder: TemporaryFolder
  /// The bundle.
  var bundle: String { folder("maker/Gain.vst3") }
  /// The shared object in it.
  var binary: String { bundle + "/Contents/\(Self.architecture)/Gain.so" }

  static var architecture: String {
    #if arch(arm64)
      "aarch64-linux"
    #else
      "x86_64-linux"
    #endif
  }

  init(_ defect: String = "SOUND", source: String = "effect") throws {
    folder = try TemporaryFolder("auricle-vst3-fixture")
    try make(folderOf: binary)
    try compile(defect, source: source, to: binary)
  }

  func make(folderOf path: String) throws {
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
  }

  /// Compiles the source with a defect.
  func compile(_ defect: String, source: String = "effect", to path: String) throws {
    let result = try runProcess(
      "cc",
      [
        "-shared", "-fPIC", "-O1", "-w", "-fvisibility=hidden", "-D\(defect)", "-o", path,
        Places.inPackage("Tests/VST3UnitsTests/Fixtures/\(source).c"), "-lm",
      ])
    guard result.exitCode == 0 else {
      throw AuricleError(.software, "cc: \(result.standardError)")
    }
  }

  /// Writes a file in the bundle.
  func write(_ text: String, to name: String) throws {
    try make(folderOf: bundle + "/" + name)
    try Data(text.utf8).write(to: URL(fileURLWithPath: bundle + "/" + name))
  }

  /// Reads the folder in this process.
  func catalog() -> any ComponentCatalog {
    VST3Format().catalog(
      CatalogRequest(searchPath: folder.path, cacheFolder: "", runsCode: true))
  }

  func component() throws -> AudioComponent {
    let discovery = catalog().discover()
    guard let component = discovery.components.first else {
      throw AuricleError(.unavailable, "not listed: \(discovery.problems)")
    }
    return component
  }
}

/// Renders one unit from an array.
final class VST3TestHost {
  let unit: AudioUnit
  private let fixture: VST3Fixture
  private let channels: Int
  private var input: [Float] = []
  private var time = 0

  init(_ fixture: VST3Fixture, channels: Int = 2, isOffline: Bool = true) throws {
    self.fixture = fixture
    self.channels = channels
    unit = try fixture.component().instantiate()
    unit.setRendersOffline(isOffline)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output]
    where unit.busCount(scope: scope) > 0 {
      try unit.setStreamFormat(
        AudioStreamFormat(sampleRate: 48_000, channelCount: channels), scope: scope, element: 0)
    }
    try unit.setMaximumFramesPerSlice(1024)
  }

  /// Renders one channel; each channel of the input has the signal times its number from 1 on.
  func render(
    _ input: [Float], frameCount: Int, slice: Int = 1024, channel: Int = 0
  ) throws -> [Float] {
    self.input = input
    if unit.busCount(scope: kAudioUnitScope_Input) > 0 {
      unsafe try unit.setInputCallback(
        element: 0, Self.feed, refCon: Unmanaged.passUnretained(self).toOpaque())
    }
    let buffers = AudioBuffers(channelCount: channels, frameCapacity: 1024)
    var output: [Float] = []
    let start = time
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
        contentsOf: UnsafeBufferPointer(start: buffers.channel(channel), count: frames))
      time += frames
    }
    first = start + frameCount
    return output
  }

  /// The sample time at which the signal begins.
  private var first = 0

  private static let feed: AURenderCallback = { reference, _, stamp, _, count, list in
    guard let reference = unsafe reference, let stamp = unsafe stamp, let list = unsafe list else {
      return -50
    }
    let host = unsafe Unmanaged<VST3TestHost>.fromOpaque(reference).takeUnretainedValue()
    let buffers = unsafe UnsafeMutableRawPointer(list).advanced(by: 8)
      .assumingMemoryBound(to: AudioBuffer.self)
    let start = unsafe Int(stamp.pointee.mSampleTime) - host.first
    for channel in unsafe 0..<Int(list.pointee.mNumberBuffers) {
      guard let data = unsafe buffers[channel].mData?.assumingMemoryBound(to: Float.self) else {
        return -50
      }
      for frame in 0..<Int(count) {
        let place = start + frame
        unsafe data[frame] =
          host.input.indices.contains(place) ? host.input[place] * Float(channel + 1) : 0
      }
    }
    return 0
  }
}
