// The program that shows a plug-in's window: the functions of its parts.
// SPDX-License-Identifier: Apache-2.0
//
// Lines on descriptor 3 join it with the program that has the unit. It sends these:
//
//   ready                     closed                refused CODE SENTENCE
//   opened WIDTH HEIGHT
//   set ID VALUE              touch ID 0|1          message PORT TYPE BASE64
//   map URI                   unmap NUMBER          state BASE64
//
// It receives these:
//
//   open                      close                 value ID VALUE
//   mapped NUMBER             unmapped URI          message PORT TYPE BASE64
//   state BASE64 [BASE64]
//
// All functions are called on its only thread, but for those of plug-ins that a standard frees from that.
#pragma once
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The descriptor of the lines, and the milliseconds of a turn: thirty a second, as plug-ins and toolkits expect.
enum { kLink = 3, kTurn = 33 };

// Exit codes of sysexits.
enum { kExit_BadData = 65, kExit_Unavailable = 69, kExit_Software = 70 };

// The plug-in to show, from the arguments.
typedef struct {
  const char *format, *path, *identifier, *title;
  double sample_rate;
} Subject;

// One format of plug-ins.
typedef struct {
  // Loads the plug-in before values come.
  void (*prepare)(const Subject* subject);
  // Receives a value of the unit, as the unit has it.
  void (*set_value)(uint32_t id, double value);
  // Receives a message of a port, with the type of its atom. May be null.
  void (*message)(uint32_t port, uint32_t type, const uint8_t* bytes, size_t count);
  // Receives the state of the unit beside parameters: two halves, the second of which may be empty. May be null.
  void (*state)(const uint8_t* first, size_t first_count, const uint8_t* second, size_t second_count);
  // Shows the window; calls `refuse` where it cannot.
  void (*open)(void);
  // Serves the plug-in; called at least thirty times a second, also from the loop of a dialog.
  void (*turn)(void);
  // Adds the descriptors that the plug-in waits for; returns their number.
  int (*descriptors)(struct pollfd* entries, int capacity);
  // Receives the size that the user gave the window.
  void (*resized)(int width, int height);
  // Ends the window.
  void (*close)(void);
} Format;

extern const Format kLV2Format, kCLAPFormat, kVST3Format;

// Set where the window was closed, by the user or the plug-in.
extern bool is_closed;

// Main.c
// Serves both sides once; false when the other program is gone.
bool serve(void);
// Ends the program with the word for a closed window, from wherever a plug-in waits.
_Noreturn void leave(void);

// Lines.c
void say(const char* format, ...) __attribute__((format(printf, 1, 2)));
void say_bytes(const char* head, const uint8_t* bytes, size_t count);
_Noreturn void refuse(int code, const char* format, ...) __attribute__((format(printf, 2, 3)));
// Sends a line, and returns the rest of the answer behind a word; valid until the next call.
const char* ask(const char* answer, const char* format, ...) __attribute__((format(printf, 2, 3)));
// Has `handle` handle the lines that are there, or waits for one; false when the other program is gone. `handle` may
// end up here again, by a dialog of the plug-in.
bool receive(bool waits, void (*handle)(char* line));
// Decodes base 64 in its place; returns the number of bytes.
size_t decode(char* text);

// Shell.c: a window of the X server that holds that of a plug-in.
void shell_make(const char* title);
unsigned long shell_window(void);
void shell_resize(int width, int height, bool is_resizable);
void shell_size(int* width, int* height);
void shell_map(void);
void shell_embed(unsigned long child);
int shell_descriptor(void);
void shell_turn(void (*resized)(int width, int height));
void shell_end(void);

// Toolkits.c: a window of GTK, whose library is loaded when it is needed; version 2 or 3. While a dialog of the plug-in
// keeps the program's loop waiting, the dialog's loop serves both sides.
void toolkit_make(int version, const char* title);
// Makes the application that windows of Qt 5 within GTK need first.
void toolkit_start_qt(void);
bool toolkit_is_open(void);
void toolkit_hold(void* widget);
void toolkit_resize(int width, int height);
void toolkit_size(int* width, int* height);
// Waits for events of the toolkit and the link for a turn at most, and handles them.
void toolkit_turn(void);
void toolkit_end(void);
