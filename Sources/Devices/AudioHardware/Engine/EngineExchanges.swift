// The exchanges of both sides of a device, as its thread uses them.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// Borrowed exchanges: the engine keeps them as long as it lives.
@safe struct EngineExchanges {
  private let output: Unmanaged<SampleExchange>?
  private let input: Unmanaged<SampleExchange>?
  /// Two lists without buffers, for sides that there are not.
  private let empty: UnsafeMutablePointer<AudioBufferList>

  init(output: SampleExchange?, input: SampleExchange?) {
    unsafe self.output = output.map { unsafe Unmanaged.passUnretained($0) }
    unsafe self.input = input.map { unsafe Unmanaged.passUnretained($0) }
    unsafe empty = .allocate(capacity: 2)
    unsafe empty.initialize(repeating: AudioBufferList(), count: 2)
    for index in 0..<2 { unsafe empty[index].mNumberBuffers = 0 }
  }

  func deallocate() { unsafe empty.deallocate() }

  /// The clients' buffer list of the output.
  var outputList: UnsafeMutablePointer<AudioBufferList> {
    @_noLocks get {
      guard let output = unsafe output else { return unsafe empty }
      return unsafe output._withUnsafeGuaranteedRef { unsafe $0.list }
    }
  }

  /// The clients' list of recorded frames.
  var inputList: UnsafeMutablePointer<AudioBufferList> {
    @_noLocks get {
      guard let input = unsafe input else { return unsafe empty + 1 }
      return unsafe input._withUnsafeGuaranteedRef { unsafe $0.list }
    }
  }

  /// Makes the list describe a silent period for the next client.
  @_noLocks func beginClient(_ frameCount: Int) {
    guard let output = unsafe output else { return }
    unsafe output._withUnsafeGuaranteedRef {
      $0.setFrameCount(frameCount)
      $0.clear()
    }
  }

  /// Keeps the output of the first client.
  @_noLocks func keepSum() {
    guard let output = unsafe output else { return }
    unsafe output._withUnsafeGuaranteedRef { $0.keepSum() }
  }

  /// Adds the output of a further client.
  @_noLocks func addToSum() {
    guard let output = unsafe output else { return }
    unsafe output._withUnsafeGuaranteedRef { $0.addToSum() }
  }

  /// Leaves the sum of all clients in the list.
  @_noLocks func finish(clientCount: Int, _ frameCount: Int) {
    guard let output = unsafe output else { return }
    unsafe output._withUnsafeGuaranteedRef {
      $0.setFrameCount(frameCount)
      if clientCount == 0 { $0.clear() }
      if clientCount > 1 { $0.useSum() }
    }
  }

  /// Puts the clients' frames into the device's format.
  @_noLocks func encode(frameCount: Int) {
    guard let output = unsafe output else { return }
    unsafe output._withUnsafeGuaranteedRef { $0.encode(frameCount: frameCount) }
  }

  /// The device's block of output; nil for a device without output.
  var outputBlock: Unmanaged<PCMBlock>? { unsafe block(output) }
  /// The device's side of recorded frames; nil without that side.
  var inputBlock: Unmanaged<PCMBlock>? { unsafe block(input) }

  private func block(_ exchange: Unmanaged<SampleExchange>?) -> Unmanaged<PCMBlock>? {
    unsafe exchange.map { unsafe Unmanaged.passUnretained($0.takeUnretainedValue().block) }
  }

  /// Converts the device's frames for the clients.
  @_noLocks func decode(frameCount: Int) {
    guard let input = unsafe input else { return }
    unsafe input._withUnsafeGuaranteedRef { $0.decode(frameCount: frameCount) }
  }
}
