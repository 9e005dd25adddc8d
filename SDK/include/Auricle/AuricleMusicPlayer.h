// Auricle's functions for players of music whose clock is a program's own render cycle.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AURICLEMUSICPLAYER_H
#define AURICLE_AURICLEMUSICPLAYER_H

#include "../AudioToolbox/MusicPlayer.h"

AURICLE_BEGIN_DECLS

// Has a track play into a unit that the program renders; NULL for none. Possible while it plays. Context: control.
extern OSStatus AuricleMusicTrackSetDestUnit(MusicTrack track, AudioUnit unit);

// Starts a player that plays as it is stepped, at the rate of the program's cycles. Tracks of MIDI endpoints sound if
// `playsEndpoints`. Context: control.
extern OSStatus AuricleMusicPlayerStartStepping(
    MusicPlayer player, Float64 sampleRate, Boolean playsEndpoints);

// Plays the frames of a cycle from a sample time on: first with unit NULL, once; then with each unit that is about to
// render, with its own sample time, frames and rate. A second of all of them is the same. A unit that did not render
// for a while goes on where the sequence is. The player exists, and one thread at a time steps it. Context: render.
extern void AuricleMusicPlayerStep(
    MusicPlayer player, AudioUnit unit, Float64 sampleTime, UInt32 frames, Float64 sampleRate,
    UInt64 hostTime);

AURICLE_END_DECLS

#endif
