// The rules of rendering, of the sound that comes out, and of render code.
// SPDX-License-Identifier: Apache-2.0

extension ValidationCheck {
  static let uninitialized = ValidationCheck(
    "rendering.uninitialized", level: 2, .warning, "It renders only when it is initialized.",
    remedy: "return kAudioUnitErr_Uninitialized")
  static let renders = ValidationCheck(
    "rendering.status", level: 2, .error, "It renders the format it comes with.",
    remedy: "find out why Render fails; LastRenderError has the code")
  static let finite = ValidationCheck(
    "rendering.finite", level: 2, .error, "Samples are finite numbers, at 44.1 to 192 kHz.",
    remedy: "bound feedback and divisions; compute coefficients for every rate")
  static let unwritten = ValidationCheck(
    "rendering.unwritten", level: 2, .error, "It writes every frame of its output.",
    remedy: "fill the whole slice, with zeros where there is nothing")
  static let overrun = ValidationCheck(
    "rendering.overrun", level: 2, .error,
    "It writes no sample outside of the buffers it is given.",
    remedy: "write inNumberFrames samples, no matter how large the maximum is")
  static let buffers = ValidationCheck(
    "rendering.buffers", level: 2, .error,
    "The list it returns has the buffers and sizes of the slice.",
    remedy: "set mDataByteSize to the slice, and leave mNumberBuffers as it is")
  static let silenceFlag = ValidationCheck(
    "rendering.silence-flag", level: 2, .error, "Output that is flagged as silence is all zeros.",
    remedy: "clear kAudioUnitRenderAction_OutputIsSilence when there is sound, as in a tail")
  static let pull = ValidationCheck(
    "rendering.pull", level: 2, .error,
    "It asks for as many frames as it offers room for, and renders.",
    remedy: "pull inNumberFrames frames with buffers of that size")
  static let rates = ValidationCheck(
    "rendering.rates", level: 3, .error,
    "It renders slices of 64 to 4096 frames at 11,025 to 192,000 Hz.",
    remedy: "follow SampleRate and MaximumFramesPerSlice in Initialize")
  static let lowRates = ValidationCheck(
    "rendering.low-rates", level: 3, .warning, "Samples are finite numbers below 44.1 kHz, too.",
    remedy: "clamp frequencies below half of the rate")
  static let inputError = ValidationCheck(
    "rendering.input-error", level: 3, .error, "An error of its input reaches the caller.",
    remedy: "return the status of the pull from Render")
  static let tooMany = ValidationCheck(
    "rendering.too-many", level: 3, .error, "More frames than MaximumFramesPerSlice are refused.",
    remedy: "return kAudioUnitErr_TooManyFramesToProcess")
  static let tooManyPulled = ValidationCheck(
    "rendering.too-many-pulled", level: 3, .error, "A slice that is refused pulls no input.",
    remedy: "check the number of frames first")
  static let recovers = ValidationCheck(
    "rendering.recovers", level: 3, .error, "It goes on after an error.",
    remedy: "keep no error beyond the slice")
  static let nullOutput = ValidationCheck(
    "rendering.null-output", level: 3, .error, "Buffers without memory get the unit's own.",
    remedy: "set mData to memory of the unit where it is null")
  static let connected = ValidationCheck(
    "connections.pull", level: 4, .error, "A unit that is connected to its input is pulled.",
    remedy: "render the source unit of MakeConnection")
  static let connectedError = ValidationCheck(
    "connections.error", level: 4, .error, "An error of a connected unit reaches the caller.",
    remedy: "return the status of AudioUnitRender from Render")
  static let disconnected = ValidationCheck(
    "connections.end", level: 4, .error, "A unit that was disconnected is pulled no more.",
    remedy: "forget the connection when its source is null")
  static let inPlace = ValidationCheck(
    "place.claim", level: 4, .error, "A unit that says so works in place.",
    remedy: "return the buffers of the input, or say 0 in InPlaceProcessing")
  static let wideRates = ValidationCheck(
    "rendering.wide", level: 6, .warning,
    "What it initializes for at 8 to 384 kHz and slices of 1 to 8192 frames, it renders.",
    remedy: "refuse the rate in Initialize, or render it")
  static let changedFormat = ValidationCheck(
    "formats.initialized", level: 6, .warning,
    "A rate that is set while it is initialized is refused, or rendered.",
    remedy: "return kAudioUnitErr_Initialized")

  static let ofRendering = [
    uninitialized, renders, finite, unwritten, overrun, buffers, silenceFlag, pull, rates, lowRates,
    inputError, tooMany, tooManyPulled, recovers, nullOutput, connected, connectedError,
    disconnected,
    inPlace, wideRates, changedFormat,
  ]

  static let randomValues = ValidationCheck(
    "sound.any-values", level: 5, .error, "Samples are finite numbers whatever the parameters are.",
    remedy: "bound what is computed of the parameter, at both ends of its range")
  static let jumps = ValidationCheck(
    "sound.jumps", level: 5, .error, "Samples are finite numbers when a value jumps.",
    remedy: "let the value glide, or bound what is computed while it is on its way to another")
  static let automation = ValidationCheck(
    "sound.automation", level: 6, .error,
    "Samples are finite numbers while ten values change every 32 frames.",
    remedy: "bound what is computed while a value is on its way to another")
  static let repeatable = ValidationCheck(
    "sound.repeatable", level: 5, .warning, "Two fresh instances sound the same.",
    remedy: "set all state in Initialize; seed random numbers the same way each time")
  static let instances = ValidationCheck(
    "sound.instances", level: 5, .error, "Instances share no value and no sound.",
    remedy: "keep everything in the instance: all instances share a global or static variable")
  static let resets = ValidationCheck(
    "sound.reset", level: 5, .warning, "After Reset it sounds like a fresh instance.",
    remedy: "clear delay lines, filters, envelopes and oscillators in Reset")
  static let anySlices = ValidationCheck(
    "sound.slices", level: 5, .warning, "The sound does not depend on the lengths of the slices.",
    remedy: "keep phases and smoothing in frames, not in slices")
  static let anyPlace = ValidationCheck(
    "sound.in-place", level: 5, .error, "In place and out of place it sounds the same.",
    remedy: "read a sample before it is written, or copy the input first")
  static let tail = ValidationCheck(
    "sound.tail", level: 5, .warning, "After the reported tail, silence in gives silence out.",
    remedy: "report the time until the sound is below -120 dBFS as TailTime")
  static let bypassed = ValidationCheck(
    "sound.bypass", level: 6, .warning, "Bypassed, it passes its input on, as late as it says.",
    remedy: "copy input to output where BypassEffect is set, delayed by the latency")
  static let latency = ValidationCheck(
    "sound.latency", level: 6, .warning, "The sound is as late as it says.",
    remedy: "report the delay of the processing as Latency")
  static let fullScale = ValidationCheck(
    "sound.full-scale", level: 3, .error, "Input of full scale gives finite numbers.",
    remedy: "bound feedback, and the arguments of roots, logarithms and divisions")
  static let extremeInput = ValidationCheck(
    "sound.extreme-input", level: 6, .warning,
    "Input of any level gives finite numbers, and one that was none is forgotten by Reset.",
    remedy: "bound feedback; clear all state in Reset")
  static let subnormal = ValidationCheck(
    "sound.subnormal", level: 7, .warning, "A tail dies away without subnormal numbers.",
    remedy: "flush tiny values to zero in feedback")

  static let ofSound = [
    randomValues, jumps, automation, repeatable, instances, resets, anySlices, anyPlace, tail,
    bypassed, latency,
    fullScale, extremeInput,
    subnormal,
  ]

  static let otherThread = ValidationCheck(
    "threads.parameters", level: 7, .error,
    "Parameters that another thread sets while it renders do no harm.",
    remedy: "let SetParameter store atomically, and read values once a slice")
  static let savingThread = ValidationCheck(
    "threads.state", level: 7, .error,
    "Its state can be saved by another thread while it renders.",
    remedy: "let ClassInfo read what render code writes through atomics")
  static let allocation = ValidationCheck(
    "realtime.memory", level: 8, .warning, "Rendering neither allocates nor frees memory.",
    remedy: "allocate in Initialize")
  static let lock = ValidationCheck(
    "realtime.locks", level: 8, .warning, "Rendering takes no lock and waits for nothing.",
    remedy: "exchange data with other threads through atomics or a ring")
  static let file = ValidationCheck(
    "realtime.files", level: 8, .warning,
    "Rendering neither opens, reads nor writes files, nor prints.",
    remedy: "leave it to another thread")
  package static let cost = ValidationCheck(
    "realtime.cost", level: 9, .warning, "A slice takes less time than it lasts.",
    remedy: "measure where the time goes; do less in a slice")

  static let ofRealtime = [otherThread, savingThread, allocation, lock, file, cost]
}
