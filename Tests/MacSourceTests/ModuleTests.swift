// Programs of the distribution as they are, with the modules by which they play and record through Core Audio's devices.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

/// Whether a process may mount folders in place of those of the system, and the programs are there.
private let canTry: Bool = {
  let words = ["--user", "--map-root-user", "--mount", "true"]
  let hasPlaces = (try? runProcess("unshare", words))?.exitCode == 0
  let programs = ["sox", "ogg123", "oggenc"].allSatisfy {
    (try? runProcess("sh", ["-c", "command -v \($0)"]))?.exitCode == 0
  }
  let headers = (try? runProcess("pkg-config", ["--exists", "sox", "ao"]))?.exitCode == 0
  return hasPlaces && programs && headers
}()

@Suite(
  "Modules of programs",
  .enabled(
    if: canTry,
    "needs user namespaces, and the packages sox, vorbis-tools, libsox-dev, libao-dev"))
struct ModuleTests {
  private let tree: InstalledTree

  init() throws {
    tree = try InstalledTree()
    let tone = TestSignal.sine(
      frequency: 440, amplitude: 0.5, sampleRate: 48_000, frameCount: 24_000)
    try Sound([tone, tone.map { $0 * 0.5 }]).write(to: tree.folder("in.wav"), encoding: .pcm16)
  }

  /// Runs lines of shell with the modules among those of the system, which stay as they are for all others.
  private func run(_ script: String, device: String) throws {
    let result = try tree.run(
      """
      \(Places.inPackage("Scripts/build-modules")) \(Places.builtProducts) modules
      for place in sox ao/plugins-4; do
        folder=$(echo /usr/lib/*/$place)
        cp -n "$folder"/*.so modules/$place/
      done
      cat > inside << 'END'
      set -e
      for place in sox ao/plugins-4; do mount --bind modules/$place "$(echo /usr/lib/*/$place)"; done
      \(script)
      END
      LD_LIBRARY_PATH=\(tree.prefix)/lib/auricle unshare --user --map-root-user --mount sh inside
      """, ["AURICLE_DEVICE": device])
    try #require(result.exitCode == 0, "\(result.summary)")
  }

  /// Whether a sound has the tone in both channels, whole, and the second at half of the first.
  private func expectTone(in name: String) throws {
    let sound = try Sound(path: tree.folder(name))
    try #require(sound.channels.count == 2)
    let energies = sound.channels.map { $0.reduce(0) { $0 + Double($1) * Double($1) } }
    // Half a second at an amplitude of 0.5.
    let whole = 0.125 * sound.sampleRate / 2
    #expect(abs(energies[0] / whole - 1) < 0.02, "\(energies[0]) of \(whole)")
    #expect(abs(energies[1] / energies[0] - 0.25) < 0.01)
  }

  @Test("SoX plays through the default output unit")
  func play() throws {
    try run("sox -q in.wav -d", device: "file:\(tree.folder("played.wav")),clock=real")
    try expectTone(in: "played.wav")
  }

  @Test("SoX records from the default input")
  func record() throws {
    try run(
      "sox -q -r 48000 -c 2 -d -b 16 taken.wav trim 0 0.25",
      device: "file:,in=\(tree.folder("in.wav")),clock=real")
    let used = try Sound(path: tree.folder("taken.wav"))
    #expect(used.frameCount == 12_000)
    #expect(abs(peak(used.channels[0]) - 0.5) < 0.01)
  }

  @Test("A program on libao plays through its driver")
  func libao() throws {
    try run(
      "flac -s in.wav\nogg123 -q -d coreaudio in.flac",
      device: "file:\(tree.folder("played.wav")),clock=real")
    try expectTone(in: "played.wav")
  }
}
