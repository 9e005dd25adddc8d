// The end of a replaced note: the sound that its voice adds is faded out, frame by frame.
// SPDX-License-Identifier: Apache-2.0

/// Memory for the output as it was before a voice is added. Copies share it; the code that made it frees it.
@safe @usableFromInline struct VoiceFade {
  /// Frames in which a replaced note falls silent: about 5 ms.
  static var frameCount: Int { @_noLocks get { 256 } }
  /// Samples of a piece, of all channels together.
  private static var capacity: Int { @_noLocks get { 1024 } }

  private let before: UnsafeMutablePointer<Float>

  /// Allocates. Context: control.
  @usableFromInline init() {
    unsafe before = .allocate(capacity: Self.capacity)
    unsafe before.initialize(repeating: 0, count: Self.capacity)
  }

  /// Frees. Context: control.
  @usableFromInline func deallocate() { unsafe before.deallocate() }

  /// Returns the next piece of an output, whose samples are kept. Context: render.
  @_noLocks @usableFromInline func begin(
    _ output: VoiceOutput, from frame: Int, framesLeft: Int
  ) -> VoiceOutput {
    let most = max(1, Self.capacity / max(output.channelCount, 1))
    let piece = VoiceOutput(
      output.slice, firstFrame: output.firstFrame + frame,
      frameCount: min(most, min(framesLeft, output.frameCount - frame)))
    for channel in 0..<channels(of: piece) {
      let samples = unsafe piece.slice.channel(channel) + piece.firstFrame
      let kept = unsafe before + channel * piece.frameCount
      for index in 0..<piece.frameCount { unsafe kept[index] = samples[index] }
    }
    return piece
  }

  /// Fades the sound that was added to a piece. Context: render.
  @_noLocks @usableFromInline func end(_ piece: VoiceOutput, framesLeft: Int) {
    for channel in 0..<channels(of: piece) {
      let samples = unsafe piece.slice.channel(channel) + piece.firstFrame
      let kept = unsafe before + channel * piece.frameCount
      for index in 0..<piece.frameCount {
        let gain = Float(framesLeft - index) / Float(Self.frameCount)
        unsafe samples[index] = kept[index] + (samples[index] - kept[index]) * gain
      }
    }
  }

  /// Channels that there is room for.
  @_noLocks private func channels(of piece: VoiceOutput) -> Int {
    min(piece.channelCount, Self.capacity / max(piece.frameCount, 1))
  }
}
