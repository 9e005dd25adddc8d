// One sound through the responses of two ears at once.
// SPDX-License-Identifier: Apache-2.0

/// Convolution in the time domain, without latency. Context: render.
enum PairedConvolution {
  /// Frames that are worked on at once; outputs and inputs have room for a multiple of them.
  static var lanes: Int { @_noLocks get { 8 } }

  /// Sets the frames of both outputs.
  ///
  /// - Parameters:
  ///   - newest: The first input frame; `count - 1` frames before it and `frames` from it on can be read.
  ///   - left: The response of the left ear; `count` frames.
  ///   - right: The same of the right ear.
  @_noLocks static func run(
    _ newest: UnsafePointer<Float>, _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>,
    _ count: Int, toLeft: UnsafeMutablePointer<Float>, toRight: UnsafeMutablePointer<Float>,
    _ frames: Int
  ) {
    var frame = 0
    while frame < frames {
      var (a, b) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
      let source = unsafe UnsafeRawPointer(newest + frame)
      for tap in 0..<count {
        let samples = unsafe source.loadUnaligned(
          fromByteOffset: -4 &* tap, as: SIMD8<Float>.self)
        unsafe a += samples * left[tap]
        unsafe b += samples * right[tap]
      }
      for lane in 0..<lanes {
        unsafe toLeft[frame + lane] = a[lane]
        unsafe toRight[frame + lane] = b[lane]
      }
      frame += lanes
    }
  }
}
