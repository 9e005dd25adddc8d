// Programs on OpenAL, against an installed tree: OpenAL Soft renders their output as fast as they ask.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

private let hasOpenALSoft =
  (try? runProcess("/sbin/ldconfig", ["-p"]).standardOutput.contains("libopenal.so.1")) ?? false

@Suite(.enabled(if: hasOpenALSoft, "needs OpenAL Soft: package libopenal1"))
struct OpenALTests {
  /// Builds a program of Tests/AudioToolboxTests/Programs and plays with it; returns its output.
  private func play(
    _ name: String, _ arguments: String, rate: Double, with compiler: String,
    in tree: InstalledTree
  ) throws -> Sound {
    let source = Places.inPackage("Tests/AudioToolboxTests/Programs/\(name).c")
    let result = try tree.run(
      """
      auricle-cc -Wall -Wextra -Werror \(source) -o \(name) \
        -framework AudioToolbox -framework OpenAL -framework CoreFoundation
      ./\(name) \(arguments) heard.raw
      """, ["AURICLE_CC": compiler])
    try #require(result.exitCode == 0, "\(compiler): \(result.summary)")
    let data = try Data(contentsOf: URL(fileURLWithPath: tree.folder("heard.raw")))
    let samples = unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    let rows = (0..<2).map { side in
      stride(from: side, to: samples.count, by: 2).map { samples[$0] }
    }
    return Sound(rows, sampleRate: rate)
  }

  /// The root of the mean square of a part, in seconds.
  private func level(_ samples: [Float], _ range: Range<Double>, rate: Double) -> Double {
    let part = samples[Int(range.lowerBound * rate)..<Int(range.upperBound * rate)]
    return (part.reduce(0) { $0 + Double($1) * Double($1) } / Double(part.count)).squareRoot()
  }

  @Test("A source goes round the listener once a second", arguments: ["clang", "gcc"])
  func orbit(compiler: String) throws {
    let tree = try InstalledTree()
    let tone = TestSignal.sine(
      frequency: 441, amplitude: 0.5, sampleRate: 44100, frameCount: 44100)
    try Sound([tone], sampleRate: 44100).write(to: tree.folder("tone.wav"), encoding: .pcm24)
    let delivered = try play(
      "OrbitingSource", "tone.wav 1.6", rate: 44100, with: compiler, in: tree)
    try #require(delivered.frameCount > 48000)
    // At the start it is on the right, half a turn later on the left, and then on the right again.
    for (moment, near) in [(0.0, 1), (0.5, 0), (1.0, 1)] {
      let range = max(0, moment - 0.04)..<(moment + 0.04)
      let levels = delivered.channels.map { level($0, range, rate: 44100) }
      #expect(
        levels[near] > 0.2 && levels[near] > 3 * levels[1 - near], "at \(moment) s: \(levels)")
    }
    // Behind and in front it is in both.
    let behind = delivered.channels.map { level($0, 0.2..<0.3, rate: 44100) }
    #expect(behind[0] > 0.05 && behind[1] > 0.05, "\(behind)")
  }

  @Test(
    "A source is fed from a file by queued buffers, without a gap", arguments: ["clang", "gcc"])
  func stream(compiler: String) throws {
    let tree = try InstalledTree()
    let noise = TestSignal.noise(seed: 7, amplitude: 0.5, frameCount: 48000)
    try Sound([noise], sampleRate: 48000).write(to: tree.folder("noise.wav"), encoding: .pcm16)
    let delivered = try play(
      "StreamedSource", "noise.wav", rate: 48000, with: compiler, in: tree)
    let (left, right) = (delivered.channels[0], delivered.channels[1])
    let start = try #require(right.firstIndex { $0 != 0 })
    try #require(right.count >= start + 47900)
    // All of the file comes from the right, in its order: the same but for the gain.
    var (product, power, error) = (0.0, 0.0, 0.0)
    let offset = noise.firstIndex { abs($0) > 1e-4 } ?? 0
    let count = 47800
    for frame in 0..<count {
      product += Double(right[start + frame]) * Double(noise[offset + frame])
      power += Double(noise[offset + frame]) * Double(noise[offset + frame])
    }
    let gain = product / power
    for frame in 0..<count {
      let difference = Double(right[start + frame]) - gain * Double(noise[offset + frame])
      error += difference * difference
    }
    #expect(
      gain > 0.5 && error < 1e-3 * gain * gain * power,
      "gain \(gain), error \(error), power \(power)")
    #expect(level(left, 0..<0.9, rate: 48000) < 0.01 * level(right, 0..<0.9, rate: 48000))
  }

  @Test("Without OpenAL Soft a program receives a sentence, and no device is opened")
  func withoutOpenALSoft() throws {
    let tree = try InstalledTree()
    // A false library of that name comes before the real one.
    try tree.folder.write(
      """
      #include <OpenAL/OpenAL.h>
      #include <stdio.h>
      int main(void) {
        ALfloat value = 5;
        if (alcOpenDevice(NULL) || alcCreateContext(NULL, NULL) || alGetFloat(AL_DOPPLER_FACTOR) != 0) return 1;
        alGetListenerf(AL_GAIN, &value);
        if (value != 5 || alIsExtensionPresent("AL_EXT_STATIC_BUFFER")) return 2;
        return alcGetProcAddress(NULL, "alcCreateNothing") != NULL;
      }
      """, to: "program.c")
    try tree.folder.write("not a library", to: "none/libopenal.so.1")
    let result = try tree.run(
      "auricle-cc program.c -o program -framework OpenAL; LD_LIBRARY_PATH=none ./program")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.standardError.contains("OpenAL Soft (libopenal.so.1) is not installed"))
  }
}
