// Metadata of a part of a file.
// SPDX-License-Identifier: Apache-2.0

extension AudioFileMetadata {
  /// The same for the part of a file that begins at a frame: marks are moved, those outside left out
  /// (regions are shortened), as are the loops of a sampled instrument that do not lie wholly within;
  /// the time reference of the broadcast extension is moved on.
  ///
  /// `count` is the part's length in frames; nil when it is not known.
  public func beginning(atFrame start: Int, count: Int? = nil) -> AudioFileMetadata {
    movingPositions(by: -start, scalingBy: 1, frameCount: count)
  }
}
