// A program that makes and ends contexts, devices and solvers in random orders, contexts that share objects and others.
// Whatever it does: nothing of its own is deleted or changed, what is used in the right context works, what is used in
// another one is a DeviceError, nothing of the library's is left in a context in which its devices have ended, and what
// had to be left is told. Contexts come back at addresses of earlier ones all the time.
//
//     context_fuzz [--rounds N | --seconds N] [--seed N]        one round: about 60 steps
//
// With glibc, GLIBC_TUNABLES=glibc.malloc.tcache_count=65535 makes addresses come back far more often.
//
// Prints what was done in the round and exits with 1 where that does not hold.
#include <chrono>
#include <cstdlib>
#include <iostream>

#include "embedding/context_steps.hpp"

namespace {

EGLDisplay open_display() {
    const auto get_display =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    EGLDisplay display = EGL_NO_DISPLAY;
    if (get_display != nullptr) {
        display = get_display(EGL_PLATFORM_SURFACELESS_MESA, reinterpret_cast<void*>(EGL_DEFAULT_DISPLAY), nullptr);
    }
    EGLint major = 0, minor = 0;
    if (display == EGL_NO_DISPLAY || eglInitialize(display, &major, &minor) == EGL_FALSE) return EGL_NO_DISPLAY;
    return display;
}

long number(const char* text) {
    char* end = nullptr;
    const long value = std::strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 0) {
        std::cerr << "context_fuzz: '" << text
                  << "' is no number; usage: context_fuzz [--rounds N | --seconds N] [--seed N]\n";
        std::exit(2);
    }
    return value;
}

}  // namespace

int main(int argc, char** argv) {
    long rounds = 20, seconds = 0;
    unsigned seed = 1;
    for (int i = 1; i < argc; i += 2) {
        const std::string option = argv[i];
        const long value = number(i + 1 < argc ? argv[i + 1] : "");
        if (option == "--rounds") {
            rounds = value;
        } else if (option == "--seconds") {
            seconds = value;
        } else if (option == "--seed") {
            seed = static_cast<unsigned>(value);
        } else {
            std::cerr << "context_fuzz: '" << option << "' is none of --rounds, --seconds, --seed\n";
            return 2;
        }
    }
    EGLDisplay display = open_display();
    if (display == EGL_NO_DISPLAY) {
        std::cout << "SKIPPED: EGL has no surfaceless display here\n";
        return 4;
    }
    const auto began = std::chrono::steady_clock::now();
    const auto goes_on = [&](long done) {
        if (seconds == 0) return done < rounds;
        return std::chrono::steady_clock::now() - began < std::chrono::seconds(seconds);
    };
    Fuzz fuzz(display);
    long done = 0;
    for (; goes_on(done); ++done, ++seed) {
        try {
            fuzz.round(seed, 60);
        } catch (const Failure& failure) {
            std::cout << "FAILED in round --rounds 1 --seed " << seed << ": " << failure.what << "\n" << fuzz.log();
            return 1;
        } catch (const std::exception& error) {
            std::cout << "FAILED in round --rounds 1 --seed " << seed << ": " << error.what() << "\n" << fuzz.log();
            return 1;
        }
    }
    std::cout << done << " rounds: " << fuzz.contexts << " contexts, " << fuzz.again
              << " of them at the address of an earlier one, " << fuzz.in_place
              << " times in the place of a device's own that was gone; " << fuzz.worked << " calls that worked, "
              << fuzz.refused << " that were refused, " << fuzz.left << " devices that left their objects\n";
    return 0;
}
