// Xlib's macros are plain words: None, Bool, Status, Success, Always ...
// clang-format off
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/Xatom.h>
#include <X11/Xos.h>
#include <X11/Xproto.h>
#include <X11/Xresource.h>
#include <X11/XKBlib.h>
#include <X11/cursorfont.h>
#include <X11/keysym.h>
// clang-format on

#if !defined(Status) || !defined(None) || !defined(Success)
#error "these are not Xlib's headers"
#endif

#include "headers/facts.hpp"

namespace headers_test {

Facts after_x11() { return facts(); }

}  // namespace headers_test
