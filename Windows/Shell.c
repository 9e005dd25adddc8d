// A window of the X server that holds that of a plug-in.
// SPDX-License-Identifier: Apache-2.0
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdlib.h>
#include <string.h>

#include "Window.h"

static Display* display;
static Window window;
static Window child;
static Atom close_atom;
static int known_width, known_height;

// Windows of plug-ins go while requests about them are under way.
static int ignore_error(Display* from, XErrorEvent* event) {
  (void)from;
  (void)event;
  return 0;
}

void shell_make(const char* title) {
  XInitThreads();
  XSetErrorHandler(ignore_error);
  display = XOpenDisplay(NULL);
  if (!display) {
    const char* name = getenv("DISPLAY");
    refuse(
      kExit_Unavailable, "there is no display to show a window on (DISPLAY is %s): start an X server or Xwayland",
      name && *name ? name : "not set");
  }
  const int screen = DefaultScreen(display);
  window = XCreateSimpleWindow(
    display, RootWindow(display, screen), 0, 0, 400, 300, 0, BlackPixel(display, screen),
    BlackPixel(display, screen));
  XStoreName(display, window, title);
  XChangeProperty(
    display, window, XInternAtom(display, "_NET_WM_NAME", False), XInternAtom(display, "UTF8_STRING", False), 8,
    PropModeReplace, (const unsigned char*)title, (int)strlen(title));
  XClassHint hint = {(char*)"auricle-window", (char*)"Auricle"};
  XSetClassHint(display, window, &hint);
  close_atom = XInternAtom(display, "WM_DELETE_WINDOW", False);
  XSetWMProtocols(display, window, &close_atom, 1);
  XSelectInput(display, window, StructureNotifyMask | SubstructureNotifyMask);
  XSync(display, False);
}

unsigned long shell_window(void) { return window; }

void shell_resize(int width, int height, bool is_resizable) {
  if (width < 1 || height < 1 || width > 16384 || height > 16384) return;
  XSizeHints hints = {.flags = is_resizable ? PSize : PSize | PMinSize | PMaxSize};
  hints.width = hints.min_width = hints.max_width = width;
  hints.height = hints.min_height = hints.max_height = height;
  XSetWMNormalHints(display, window, &hints);
  known_width = width;
  known_height = height;
  XResizeWindow(display, window, (unsigned)width, (unsigned)height);
  XFlush(display);
}

void shell_size(int* width, int* height) {
  *width = known_width;
  *height = known_height;
}

void shell_map(void) {
  XMapRaised(display, window);
  XFlush(display);
}

void shell_embed(unsigned long made) {
  child = made;
  if (!child) return;
  XWindowAttributes attributes;
  Window root, parent, *children = NULL;
  unsigned count = 0;
  if (XQueryTree(display, child, &root, &parent, &children, &count) && parent != window)
    XReparentWindow(display, child, window, 0, 0);
  if (children) XFree(children);
  XMapWindow(display, child);
  XSync(display, False);
  // What the data says of its size is what it has now.
  if (XGetWindowAttributes(display, child, &attributes))
    shell_resize(attributes.width, attributes.height, true);
}

int shell_descriptor(void) { return display ? ConnectionNumber(display) : -1; }

void shell_turn(void (*resized)(int width, int height)) {
  while (display && XPending(display)) {
    XEvent event;
    XNextEvent(display, &event);
    if (event.type == ClientMessage && (Atom)event.xclient.data.l[0] == close_atom) is_closed = true;
    if (event.type == DestroyNotify && event.xdestroywindow.window == window) is_closed = true;
    if (event.type != ConfigureNotify) continue;
    const XConfigureEvent* change = &event.xconfigure;
    if (change->window == window && (change->width != known_width || change->height != known_height)) {
      known_width = change->width;
      known_height = change->height;
      if (resized) resized(known_width, known_height);
    } else if (child && change->window == child && (change->width != known_width || change->height != known_height)) {
      // A plug-in that resizes its window by itself.
      shell_resize(change->width, change->height, true);
    }
  }
}

void shell_end(void) {
  if (!display) return;
  XDestroyWindow(display, window);
  XCloseDisplay(display);
  display = NULL;
}
