// The thread that renders a graph while it is edited, and checks for clicks.
// SPDX-License-Identifier: Apache-2.0

public import AudioGraph
public import AudioTypes
import AudioUnits
public import CAudioToolbox
import Glibc
import RealtimeSupport
public import Synchronization
import TestSupport

/// A puller of a graph's output unit on a separate thread, which checks for clicks.
///
/// @unchecked Sendable because data written by the thread is read after it was joined, or is atomic.
@safe public final class GraphPuller: @unchecked Sendable {
  /// A step that the signal itself does not make.
  public struct Click: Sendable, CustomStringConvertible {
    /// The number of slices before the one with the click.
    public var slice: Int
    /// Frame of the slice.
    public var frame: Int
    /// The sample before.
    public var from: Float
    /// The sample there.
    public var to: Float
    /// The status of the slice.
    public var status: OSStatus
    /// Notes of the journal before the slice began.
    public var notesBefore: Int
    /// Notes of the journal when it was over.
    public var notesAfter: Int

    /// All of it in a line.
    public var description: String {
      "slice \(slice), frame \(frame): from \(from) to \(to), status \(status), "
        + "notes \(notesBefore) to \(notesAfter)"
    }
  }

  /// Slices rendered so far.
  public let slices = Atomic<Int>(0)
  /// The largest step between two samples.
  public private(set) var largestStep: Float = 0
  /// The first steps that were too large.
  public private(set) var clicks: [Click] = []
  /// The first error; 0 for none.
  public private(set) var status: OSStatus = 0
  /// The sum of the magnitudes of all samples: 0 if all was silent.
  public private(set) var sum = 0.0

  private let isRunning = Atomic<Bool>(true)
  private let begun = Changes()
  private let render: RenderProcedure
  private let unit: AudioUnit
  private let checksRealtime: Bool
  private let journal: EditJournal?
  private let buffers = AudioBuffers(channelCount: 1, frameCapacity: 512)
  private var generator: SeededGenerator
  private var last: Float = 0
  private var time = 0.0
  private var thread = pthread_t()

  /// Prepares the pulling of an initialised graph.
  ///
  /// - Parameters:
  ///   - checksRealtime: Whether RealtimeSanitizer checks each slice as a section.
  ///   - journal: The editor's notes, for the places of clicks.
  public init(
    _ graph: AudioUnitGraph, seed: UInt64, checksRealtime: Bool = false,
    journal: EditJournal? = nil
  ) throws(AuricleError) {
    guard let unit = graph.outputUnit else { throw AuricleError(.software, "no output unit") }
    self.unit = unit
    self.checksRealtime = checksRealtime
    self.journal = journal
    render = unit.renderProcedure
    generator = SeededGenerator(seed: seed)
  }

  /// Renders one slice of a random length.
  public func pull() {
    let frames = Int(generator.next() % 256) + 1
    buffers.setFrameCount(frames)
    var flags: AudioUnitRenderActionFlags = 0
    var stamp = AudioTimeStamp(sampleTime: time)
    let notes = journal?.count.load(ordering: .acquiring) ?? 0
    if checksRealtime { RealtimeSection.enter() }
    let result = unsafe render.render(
      &flags, &stamp, outputElement: 0, frameCount: UInt32(frames), buffers: buffers.list)
    if checksRealtime { RealtimeSection.exit() }
    time += Double(frames)
    // Before anything was ever connected, the output has no input, and says so.
    if result != 0 && result != kAudioUnitErr_NoConnection && status == 0 { status = result }
    let samples = unsafe buffers.channel(0)
    for frame in 0..<frames {
      let sample = unsafe result == 0 ? samples[frame] : 0
      let step = sample.isFinite ? abs(sample - last) : .infinity
      if step > GraphEditor.largestStep, clicks.count < 8 {
        clicks.append(
          Click(
            slice: slices.load(ordering: .relaxed), frame: frame, from: last, to: sample,
            status: result, notesBefore: notes,
            notesAfter: journal?.count.load(ordering: .acquiring) ?? 0))
      }
      largestStep = max(largestStep, step)
      last = sample
      sum += Double(abs(sample))
    }
    slices.add(1, ordering: .releasing)
  }

  /// Starts the thread, and waits for its first slice: sounds in that one begin with it.
  public func start() {
    unsafe pthread_create(
      &thread, nil,
      { reference in
        guard let reference = unsafe reference else { return nil }
        let puller = unsafe Unmanaged<GraphPuller>.fromOpaque(reference).takeUnretainedValue()
        puller.pull()
        puller.begun.post()
        while puller.isRunning.load(ordering: .acquiring) { puller.pull() }
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    _ = begun.wait { slices.load(ordering: .acquiring) > 0 }
  }

  /// Ends the thread and waits for it.
  public func stop() {
    isRunning.store(false, ordering: .releasing)
    pthread_join(thread, nil)
  }
}
