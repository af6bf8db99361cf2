// A program that loads a plugin with the library in it, and
//
//     unload         unloads it, again and again: its code and its threads are gone each time
//     exit           ends while it is loaded and its threads wait
//     exit_at_work   ends in the middle of its work, in one of its threads or in the caller's
//     fork           forks while it is loaded: the child, which has none of its threads, works and unloads it
//
//     plugin_host PLUGIN WAY
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

namespace {

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "FAILED: %s\n", what.c_str());
    std::_Exit(1);
}

int threads_now() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("Threads:")) return std::atoi(line.c_str() + std::strlen("Threads:"));
    }
    fail("/proc/self/status does not count threads");
}

bool is_mapped(const std::string& file) {
    std::ifstream maps("/proc/self/maps");
    std::stringstream text;
    text << maps.rdbuf();
    return text.str().find(file) != std::string::npos;
}

struct Plugin {
    void* handle;
    bool (*work)();
    int (*threads)();
    void (*exit_at_work)(int in_thread);

    explicit Plugin(const char* file) : handle(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
        if (handle == nullptr) fail(dlerror());
        work = reinterpret_cast<bool (*)()>(dlsym(handle, "plugin_work"));
        threads = reinterpret_cast<int (*)()>(dlsym(handle, "plugin_threads"));
        exit_at_work = reinterpret_cast<void (*)(int)>(dlsym(handle, "plugin_exit_at_work"));
    }
    void unload() const {
        if (dlclose(handle) != 0) fail(dlerror());
    }
};

/// What has happened to a child, as an exit status; 1 where it was killed.
int status_of(pid_t child) {
    int status = 0;
    if (waitpid(child, &status, 0) != child) fail("waitpid");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

void unload(const char* file) {
    const int before = threads_now();
    for (int round = 0; round < 6; ++round) {
        const Plugin plugin(file);
        if (!plugin.work()) fail("the plugin's solve has come to nothing");
        const int during = threads_now();
        if (during != before + plugin.threads() - 1) fail(std::to_string(during) + " threads while it works");
        plugin.unload();
        if (is_mapped(file)) fail("the plugin is still there after dlclose");
        if (threads_now() != before) fail(std::to_string(threads_now() - before) + " threads are left behind");
    }
}

void fork_while_loaded(const char* file) {
    const Plugin plugin(file);
    if (!plugin.work()) fail("the plugin's solve has come to nothing");
    for (const bool unloads : {true, false}) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(60);  // who waits for ever is killed
            if (!plugin.work()) std::_Exit(2);
            if (unloads) plugin.unload();
            std::exit(0);
        }
        if (status_of(child) != 0) fail("the child has not come to its end");
    }
    plugin.unload();
}

/// In children, one for each thread.
void exit_at_work(const char* file) {
    for (int in_thread = 0; in_thread < 2; ++in_thread) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(60);
            const Plugin plugin(file);
            plugin.exit_at_work(in_thread);
            std::_Exit(2);
        }
        if (status_of(child) != 0) fail("the process has not come to its end");
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) fail("usage: plugin_host PLUGIN unload|exit|exit_at_work|fork");
    if (std::thread::hardware_concurrency() < 2) {
        std::printf("SKIPPED: one core, so no threads\n");
        return 4;
    }
    const std::string way = argv[2];
    if (way == "unload") {
        unload(argv[1]);
    } else if (way == "fork") {
        fork_while_loaded(argv[1]);
    } else if (way == "exit_at_work") {
        exit_at_work(argv[1]);
    } else if (way == "exit") {
        if (!Plugin(argv[1]).work()) fail("the plugin's solve has come to nothing");
    } else {
        fail("there is no way " + way);
    }
    return 0;
}
