// What a test does at a display: finds windows by the beginning of their names, presses, drags, closes, compares pictures.
// SPDX-License-Identifier: Apache-2.0
//
//   eye name NAME; eye press NAME X Y; eye drag NAME X Y RIGHT DOWN; eye close NAME; eye picture NAME
//   eye count NAME: the number of windows on the screen
//
// Exit code 1 where there is no such window.
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Display* display;

static Window find(Window from, const char* name, char** whole) {
  Window root, parent, *children = NULL, found = 0;
  unsigned count = 0;
  if (XFetchName(display, from, whole) && *whole) {
    if (!strncmp(*whole, name, strlen(name))) return from;
    XFree(*whole);
  }
  *whole = NULL;
  XQueryTree(display, from, &root, &parent, &children, &count);
  for (unsigned i = 0; i < count && !found; ++i) found = find(children[i], name, whole);
  if (children) XFree(children);
  return found;
}

static void point(Window window, int x, int y) {
  Window child;
  int left = 0, top = 0;
  XTranslateCoordinates(display, window, DefaultRootWindow(display), 0, 0, &left, &top, &child);
  XTestFakeMotionEvent(display, -1, left + x, top + y, CurrentTime);
  XSync(display, False);
}

static void button(int is_down) {
  XTestFakeButtonEvent(display, 1, is_down, CurrentTime);
  XSync(display, False);
}

// Toolkits compress motions: each step is a moment apart on purpose, as a hand's are.
static void drag(Window window, int x, int y, int right, int down) {
  point(window, x, y);
  usleep(50000);
  button(1);
  for (int i = 1; i <= 8; ++i) {
    usleep(30000);
    point(window, x + right * i / 8, y + down * i / 8);
  }
  usleep(50000);
  button(0);
}

static void close_window(Window window) {
  XEvent event = {.xclient = {.type = ClientMessage, .window = window, .format = 32}};
  event.xclient.message_type = XInternAtom(display, "WM_PROTOCOLS", False);
  event.xclient.data.l[0] = (long)XInternAtom(display, "WM_DELETE_WINDOW", False);
  XSendEvent(display, window, False, NoEventMask, &event);
  XSync(display, False);
}

// A number for what the screen has where the window is, with those that are in it.
static void print_picture(Window window) {
  Window child;
  XWindowAttributes size;
  int left = 0, top = 0;
  unsigned long long sum = 1469598103934665603ull;
  XGetWindowAttributes(display, window, &size);
  XTranslateCoordinates(display, window, DefaultRootWindow(display), 0, 0, &left, &top, &child);
  XImage* image = XGetImage(
    display, DefaultRootWindow(display), left, top, (unsigned)size.width, (unsigned)size.height, AllPlanes, ZPixmap);
  for (int y = 0; image && y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) sum = (sum ^ XGetPixel(image, x, y)) * 1099511628211ull;
  printf("%llx\n", sum);
}

static void print_count(void) {
  Window root, parent, *children = NULL;
  unsigned count = 0, shown = 0;
  XQueryTree(display, DefaultRootWindow(display), &root, &parent, &children, &count);
  for (unsigned i = 0; i < count; ++i) {
    XWindowAttributes size;
    shown += XGetWindowAttributes(display, children[i], &size) && size.map_state == IsViewable && size.width > 50;
  }
  printf("%u\n", shown);
}

static int ignore(Display* from, XErrorEvent* event) { return from && event ? 0 : 1; }

int main(int count, char** words) {
  char* whole = NULL;
  display = XOpenDisplay(NULL);
  if (!display || count < 3) return 2;
  XSetErrorHandler(ignore);
  const Window window = find(DefaultRootWindow(display), words[2], &whole);
  if (!window) return 1;
  if (!strcmp(words[1], "name")) puts(whole);
  if (!strcmp(words[1], "count")) print_count();
  if (!strcmp(words[1], "close")) close_window(window);
  if (!strcmp(words[1], "picture")) print_picture(window);
  if (!strcmp(words[1], "press") && count == 5) {
    point(window, atoi(words[3]), atoi(words[4]));
    button(1);
    button(0);
  }
  if (!strcmp(words[1], "drag") && count == 7) drag(window, atoi(words[3]), atoi(words[4]), atoi(words[5]), atoi(words[6]));
  XCloseDisplay(display);
  return 0;
}
