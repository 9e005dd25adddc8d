// The mixer of a card, opened while its device is there, and the thread that waits for its changes.
// SPDX-License-Identifier: Apache-2.0

import AudioHardware
import CALSA
import Glibc
import HostSystem
import Synchronization

/// Volume, switch and source of both sides of a card.
///
/// @unchecked Sendable because alsa-lib's mixer is used under the lock only.
@safe final class CardMixer: @unchecked Sendable {
  /// A notice of a side that any program has set: the values before and after.
  typealias Change = @Sendable (_ isInput: Bool, _ old: MixerValues, _ new: MixerValues) -> Void

  private let mixer: OpaquePointer
  private let elements: [MixerElements]
  private let sides: [MixerSide]
  private let onChange: Change
  private let event: Int32
  /// Whether it is still open.
  private let isOpen = Mutex(true)

  /// Opens the mixer of a control device of alsa-lib; nil where it has none.
  ///
  /// Context: control.
  init?(control name: String, onChange: @escaping Change) {
    var opened: OpaquePointer?
    let status = ALSALibrary.locked { () -> Int32 in
      var status = unsafe snd_mixer_open(&opened, 0)
      guard status == 0, let mixer = unsafe opened else { return status }
      status = unsafe snd_mixer_attach(mixer, name)
      if status >= 0 { status = unsafe snd_mixer_selem_register(mixer, nil, nil) }
      if status >= 0 { status = unsafe snd_mixer_load(mixer) }
      return status
    }
    guard let mixer = unsafe opened else { return nil }
    guard status >= 0 else {
      unsafe _ = snd_mixer_close(mixer)
      return nil
    }
    var control: OpaquePointer?
    if unsafe snd_mixer_get_hctl(mixer, name, &control) == 0, let control = unsafe control {
      unsafe _ = snd_hctl_nonblock(control, 1)
    }
    unsafe self.mixer = unsafe mixer
    self.onChange = onChange
    elements = [false, true].map { unsafe MixerElements(mixer, isInput: $0) }
    sides = elements.map(\.side)
    event = auricle_event()
    // Read here: the thread may begin after a change that another program makes.
    let known = [false, true].map { values(isInput: $0) ?? MixerValues() }
    guard let thread = startThread({ self.watch(known) }) else {
      unsafe _ = snd_mixer_close(mixer)
      Glibc.close(event)
      return nil
    }
    pthread_detach(thread)
  }

  /// The abilities of a side.
  func side(isInput: Bool) -> MixerSide { sides[isInput ? 1 : 0] }

  /// Does something with a side's elements; nil once it is closed.
  private func use<Value>(_ isInput: Bool, _ body: (MixerElements) -> Value) -> Value? {
    isOpen.withLock { $0 ? body(elements[isInput ? 1 : 0]) : nil }
  }

  /// The values of a side; nil once the card is gone.
  func values(isInput: Bool) -> MixerValues? {
    use(isInput) { $0.values(side(isInput: isInput)) }
  }

  /// Sets the volume of channels, each to a step; false where the card refuses.
  func setVolumes(_ steps: [Int?], isInput: Bool) -> Bool {
    use(isInput) { elements in
      steps.enumerated().allSatisfy { channel, step in
        step.map { elements.setVolume($0, channel: channel) >= 0 } ?? true
      }
    } ?? false
  }

  /// Switches a side on or off; false where the card refuses.
  func setSwitch(_ isOn: Bool, isInput: Bool) -> Bool {
    use(isInput) { $0.setSwitch(isOn) >= 0 } ?? false
  }

  /// Chooses a source by its place; false where the card refuses.
  func setSource(_ item: Int, isInput: Bool) -> Bool {
    use(isInput) { $0.setSource(item) >= 0 } ?? false
  }

  /// The decibels of a step; nil where the card does not report them.
  func decibels(ofStep step: Int, isInput: Bool) -> Float? {
    use(isInput) { $0.decibels(ofStep: step) } ?? nil
  }

  /// The step of decibels; nil where the card does not report it.
  func step(ofDecibels decibels: Float, isInput: Bool) -> Int? {
    use(isInput) { $0.step(ofDecibels: decibels) } ?? nil
  }

  /// Asks its thread to close it. Context: any.
  func close() {
    isOpen.withLock { isOpen in
      // Its thread has released everything where the card went by itself.
      guard isOpen else { return }
      var one: UInt64 = 1
      _ = unsafe write(event, &one, 8)
    }
  }

  /// Waits for changes until it is closed, or the card is gone. Context: its own thread.
  private func watch(_ first: [MixerValues]) {
    var known = first
    while waitForChange() {
      for isInput in [false, true] {
        let place = isInput ? 1 : 0
        guard let now = values(isInput: isInput), now != known[place] else { continue }
        onChange(isInput, known[place], now)
        known[place] = now
      }
    }
    isOpen.withLock { isOpen in
      isOpen = false
      unsafe _ = snd_mixer_close(mixer)
      _ = Glibc.close(event)
    }
  }

  /// False where it is to be closed.
  private func waitForChange() -> Bool {
    let count = isOpen.withLock { _ in max(0, Int(unsafe snd_mixer_poll_descriptors_count(mixer))) }
    var descriptors = Array(repeating: pollfd(), count: count + 1)
    isOpen.withLock { _ in
      unsafe _ = snd_mixer_poll_descriptors(mixer, &descriptors, UInt32(count))
    }
    descriptors[count] = pollfd(fd: event, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&descriptors, nfds_t(count + 1), -1) > 0 else { return errno == EINTR }
    guard descriptors[count].revents == 0 else { return false }
    let broken = Int16(POLLERR | POLLHUP | POLLNVAL)
    guard descriptors.allSatisfy({ $0.revents & broken == 0 }) else { return false }
    return isOpen.withLock { _ in unsafe snd_mixer_handle_events(mixer) >= 0 }
  }
}
