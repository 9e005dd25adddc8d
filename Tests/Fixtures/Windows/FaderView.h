// A fader in a window of X11, as windows of the tests' plug-ins have it.
// SPDX-License-Identifier: Apache-2.0
//
// The window's name is its value. A press in it moves the value to the place; one below 80 pixels crashes.
#pragma once
#include <X11/Xlib.h>
#include <stdio.h>
#include <stdlib.h>

enum { kFaderWidth = 200, kFaderHeight = 100, kFaderCrash = 80 };

typedef struct {
  Display* display;
  Window window;
  GC context;
  double shown;
  int is_closed;
} FaderView;

static void fader_draw(FaderView* view, double value) {
  char name[64];
  view->shown = value;
  snprintf(name, sizeof name, "level %.2f", value);
  XStoreName(view->display, view->window, name);
  XSetForeground(view->display, view->context, 0x203040);
  XFillRectangle(view->display, view->window, view->context, 0, 0, kFaderWidth, kFaderHeight);
  XSetForeground(view->display, view->context, 0x40c080);
  XFillRectangle(view->display, view->window, view->context, 0, 0, (unsigned)(value * kFaderWidth), kFaderHeight);
  XFlush(view->display);
}

// Opens the view in a parent; 0 for the screen.
static int fader_open(FaderView* view, unsigned long parent) {
  view->display = XOpenDisplay(NULL);
  if (!view->display) return 0;
  if (!parent) parent = DefaultRootWindow(view->display);
  view->window = XCreateSimpleWindow(view->display, parent, 0, 0, kFaderWidth, kFaderHeight, 0, 0, 0x203040);
  view->context = XCreateGC(view->display, view->window, 0, NULL);
  view->shown = -1;
  XSelectInput(view->display, view->window, ButtonPressMask | ExposureMask);
  XMapWindow(view->display, view->window);
  XFlush(view->display);
  return 1;
}

// Shows a value, and returns whether a press moved it.
static int fader_turn(FaderView* view, double* value) {
  int is_moved = 0;
  while (XPending(view->display)) {
    XEvent event;
    XNextEvent(view->display, &event);
    if (event.type == Expose) view->shown = -1;
    if (event.type == ClientMessage) view->is_closed = 1;
    if (event.type != ButtonPress) continue;
    if (event.xbutton.y >= kFaderCrash) abort();
    *value = event.xbutton.x / (double)kFaderWidth;
    is_moved = 1;
  }
  if (view->shown != *value) fader_draw(view, *value);
  return is_moved;
}

static void fader_close(FaderView* view) {
  if (view->display) XCloseDisplay(view->display);
  view->display = NULL;
}
