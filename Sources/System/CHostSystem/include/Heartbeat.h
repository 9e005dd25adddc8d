// Signs of life of a worker process: its present phase and unit, in memory that its parent reads.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_HEARTBEAT_H
#define AURICLE_HEARTBEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "RealtimeMark.h"

/// The page that a parent reads of its worker. The worker's plug-ins can write into it: every field
/// is only a hint.
typedef struct {
  /// Changes with every sign of life.
  uint64_t progress;
  /// The number of the job that is worked on; 0 for none.
  uint64_t job;
  /// The present phase, a number of the module that uses this.
  int32_t phase;
  /// The unit it is done with, a number of `AuricleHeartbeatRegister`; -1 for none.
  int32_t unit;
  /// The unit that produced a bad result, or -1, and its phase then.
  int32_t blamed;
  int32_t blamedPhase;
  /// Frames of the job that were worked through, at first those read of its input; those there will
  /// be in all (0 when unknown); and those of a second of sound.
  uint64_t frames;
  uint64_t totalFrames;
  double sampleRate;
} AuricleHeartbeatReading;

/// Size of a heartbeat's memory in bytes.
size_t AuricleHeartbeatSize(void);

/// From now on this process writes its signs of life into `memory`, which is zero and large enough.
/// Without it they go nowhere.
void AuricleHeartbeatUse(void *memory);

/// Enters a unit's name; the same name returns the same number, -1 when the table is full.
/// `isInternal` marks units that the host itself puts between those of a chain.
int32_t AuricleHeartbeatRegister(const char *name, bool isInternal);

/// Whether a number of this process is a unit of the host; false for an unknown number.
bool AuricleHeartbeatIsInternal(int32_t unit);

/// Reports the phase that begins now.
void AuricleHeartbeatEnter(int32_t phase, int32_t unit) AURICLE_REALTIME;

/// The phase and the unit that this thread reported last.
int32_t AuricleHeartbeatPhase(void) AURICLE_REALTIME;
int32_t AuricleHeartbeatUnit(void) AURICLE_REALTIME;

/// Names the unit whose result is bad.
void AuricleHeartbeatBlame(int32_t unit) AURICLE_REALTIME;

/// The unit that was named did better at another attempt; others stay named.
void AuricleHeartbeatForgive(int32_t unit) AURICLE_REALTIME;

/// Begins a job, or ends it with 0.
void AuricleHeartbeatSetJob(uint64_t job);

/// Reports the progress of the job.
void AuricleHeartbeatSetFrames(uint64_t frames, uint64_t totalFrames, double sampleRate);

/// Reads a beacon; of another process, or with NULL of this one.
void AuricleHeartbeatRead(const void *memory, AuricleHeartbeatReading *reading);

/// Copies the name of a unit, with its 0; false when there is none.
bool AuricleHeartbeatName(const void *memory, int32_t unit, char *name, size_t capacity);

/// Notes that the unit at work may not read the file or folder with this absolute path. Of each folder only
/// the first is noted, and five for a unit; none where no unit is at work.
void AuricleHeartbeatNoteRefusal(const char *path);

/// Copies a path that was noted, counted from 0, with its 0, and the number of the unit; false when there
/// are no more.
bool AuricleHeartbeatRefusal(const void *memory, int32_t index, int32_t *unit, char *path,
                             size_t capacity);

/// Notes that this thread crashes with a signal at an offset of a library's addresses. A handler of signals may
/// call it.
void AuricleHeartbeatNoteCrash(int32_t signal, uint64_t offset, const char *path);

/// Copies the offset and the path of a crash that was noted, with its 0; the signal, or 0 for none.
int32_t AuricleHeartbeatCrash(const void *memory, uint64_t *offset, char *path, size_t capacity);

/// The unit that the crashed thread was at work with; -1 for none.
int32_t AuricleHeartbeatCrashUnit(const void *memory);

#endif
