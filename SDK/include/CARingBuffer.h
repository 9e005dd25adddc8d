// A ring of audio by sample time, as programs with two devices use it: one thread stores, one fetches, neither waits.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CARINGBUFFER_H
#define AURICLE_CARINGBUFFER_H

#ifndef __cplusplus
#error "CARingBuffer is a class of C++"
#endif

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "CoreAudioTypes/CoreAudioTypes.h"

typedef SInt32 CARingBufferError;
enum {
  kCARingBufferError_OK = 0,
  kCARingBufferError_TooMuch = 3,      // more frames than the ring holds
  kCARingBufferError_CPUOverload = 4,  // the other thread was in the way too often
};

// Frames of several buffers, one a channel (or one of interleaved channels), by their sample times. Times that were never
// stored, or are gone, are silence.
class CARingBuffer {
 public:
  typedef SInt64 SampleTime;

  CARingBuffer() = default;
  ~CARingBuffer() { Deallocate(); }
  CARingBuffer(const CARingBuffer &) = delete;
  CARingBuffer &operator=(const CARingBuffer &) = delete;

  // Makes room; not while a thread uses it. The capacity becomes a power of two.
  void Allocate(int nChannels, UInt32 bytesPerFrame, UInt32 capacityFrames) {
    Deallocate();
    UInt32 capacity = 1;
    while (capacity < capacityFrames) capacity <<= 1;
    channels_ = nChannels;
    frameSize_ = bytesPerFrame;
    capacity_ = capacity;
    memory_ = static_cast<char *>(std::calloc(static_cast<size_t>(nChannels) * capacity, bytesPerFrame));
    Publish(0, 0);
  }

  void Deallocate() {
    std::free(memory_);
    memory_ = nullptr;
    channels_ = 0;
    capacity_ = 0;
    Publish(0, 0);
  }

  // Stores frames at a time; one thread alone. A time behind the last one leaves silence between; one before the last
  // one begins the ring anew.
  CARingBufferError Store(const AudioBufferList *list, UInt32 frameCount, SampleTime time) {
    if (frameCount == 0) return kCARingBufferError_OK;
    if (frameCount > capacity_) return kCARingBufferError_TooMuch;
    const SampleTime end = time + frameCount;
    SampleTime first = start_.load(std::memory_order_relaxed), last = end_.load(std::memory_order_relaxed);
    if (time < last || time - last > static_cast<SampleTime>(capacity_)) {
      Publish(time, time);
      first = last = time;
    }
    // Frames that will be overwritten are given up first.
    if (end - first > static_cast<SampleTime>(capacity_)) {
      first = end - capacity_;
      if (first > last) first = last;
      Publish(first, last);
    }
    for (int channel = 0; channel < channels_; channel++) {
      if (time > last) Fill(channel, last, static_cast<UInt32>(time - last));
      const char *source = channel < static_cast<int>(list->mNumberBuffers)
          ? static_cast<const char *>(list->mBuffers[channel].mData)
          : nullptr;
      Each(channel, time, frameCount, [&](char *place, UInt32 offset, UInt32 count) {
        if (source != nullptr) {
          std::memcpy(place, source + static_cast<size_t>(offset) * frameSize_, static_cast<size_t>(count) * frameSize_);
        } else {
          std::memset(place, 0, static_cast<size_t>(count) * frameSize_);
        }
      });
    }
    Publish(end - first > static_cast<SampleTime>(capacity_) ? end - capacity_ : first, end);
    return kCARingBufferError_OK;
  }

  // Fetches frames from a time; one thread alone. Missing frames are silence.
  CARingBufferError Fetch(AudioBufferList *list, UInt32 frameCount, SampleTime time) {
    if (frameCount == 0) return kCARingBufferError_OK;
    if (frameCount > capacity_) return kCARingBufferError_TooMuch;
    SampleTime start, end;
    for (int tries = 0; tries < 8; tries++) {
      CARingBufferError error = GetTimeBounds(start, end);
      if (error != kCARingBufferError_OK) return error;
      Copy(list, frameCount, time, start, end);
      SampleTime startNow, endNow;
      error = GetTimeBounds(startNow, endNow);
      if (error != kCARingBufferError_OK) return error;
      // Nothing that was copied has been given up meanwhile.
      if (startNow <= (time > start ? time : start) || start == end) return kCARingBufferError_OK;
    }
    return kCARingBufferError_CPUOverload;
  }

  // The times that are there: from start up to, not with, end.
  CARingBufferError GetTimeBounds(SampleTime &start, SampleTime &end) {
    for (int tries = 0; tries < 64; tries++) {
      const UInt32 before = version_.load(std::memory_order_acquire);
      start = start_.load(std::memory_order_relaxed);
      end = end_.load(std::memory_order_relaxed);
      std::atomic_thread_fence(std::memory_order_acquire);
      if ((before & 1) == 0 && version_.load(std::memory_order_relaxed) == before) return kCARingBufferError_OK;
    }
    return kCARingBufferError_CPUOverload;
  }

 private:
  void Publish(SampleTime start, SampleTime end) {
    const UInt32 version = version_.load(std::memory_order_relaxed);
    version_.store(version + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    start_.store(start, std::memory_order_relaxed);
    end_.store(end, std::memory_order_relaxed);
    version_.store(version + 2, std::memory_order_release);
  }

  template <typename Body>
  void Each(int channel, SampleTime time, UInt32 frameCount, Body body) {
    char *base = memory_ + static_cast<size_t>(channel) * capacity_ * frameSize_;
    UInt32 done = 0;
    while (done < frameCount) {
      const UInt32 index = static_cast<UInt32>(static_cast<uint64_t>(time + done) & (capacity_ - 1));
      UInt32 count = capacity_ - index;
      if (count > frameCount - done) count = frameCount - done;
      body(base + static_cast<size_t>(index) * frameSize_, done, count);
      done += count;
    }
  }

  void Fill(int channel, SampleTime time, UInt32 frameCount) {
    Each(channel, time, frameCount, [&](char *place, UInt32, UInt32 count) {
      std::memset(place, 0, static_cast<size_t>(count) * frameSize_);
    });
  }

  void Copy(AudioBufferList *list, UInt32 frameCount, SampleTime time, SampleTime start, SampleTime end) {
    const SampleTime from = time > start ? time : start;
    const SampleTime to = time + frameCount < end ? time + frameCount : end;
    for (UInt32 buffer = 0; buffer < list->mNumberBuffers; buffer++) {
      char *target = static_cast<char *>(list->mBuffers[buffer].mData);
      if (target == nullptr) continue;
      if (from >= to || static_cast<int>(buffer) >= channels_) {
        std::memset(target, 0, static_cast<size_t>(frameCount) * frameSize_);
      } else {
        const size_t head = static_cast<size_t>(from - time), tail = static_cast<size_t>(time + frameCount - to);
        std::memset(target, 0, head * frameSize_);
        Each(static_cast<int>(buffer), from, static_cast<UInt32>(to - from), [&](char *place, UInt32 offset, UInt32 count) {
          std::memcpy(target + (head + offset) * frameSize_, place, static_cast<size_t>(count) * frameSize_);
        });
        std::memset(target + (frameCount - tail) * frameSize_, 0, tail * frameSize_);
      }
      list->mBuffers[buffer].mDataByteSize = frameCount * frameSize_;
    }
  }

  char *memory_ = nullptr;
  int channels_ = 0;
  UInt32 frameSize_ = 0;
  UInt32 capacity_ = 0;
  std::atomic<UInt32> version_{0};
  std::atomic<SampleTime> start_{0};
  std::atomic<SampleTime> end_{0};
};

#endif
