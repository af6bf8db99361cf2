#include "cuda/compilers.hpp"

#include <algorithm>
#include <cstdint>
#include <glsolve/device.hpp>
#include <glsolve/error.hpp>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {
namespace cuda {
namespace {

/// In front of a text to compile, and of what has become of it.
struct Request {
    std::uint64_t architecture = 0, text_bytes = 0;
};
struct Reply {
    std::uint64_t identity = 0;  ///< a hash of all that the code depends on, beside the text
    std::uint64_t code_bytes = 0, log_bytes = 0;
};

template <class Record>
std::span<const char> bytes_of(const Record& record) {
    static_assert(std::is_trivially_copyable_v<Record>);
    return {reinterpret_cast<const char*>(&record), sizeof(Record)};
}
template <class Record>
std::span<char> room_of(Record& record) {
    static_assert(std::is_trivially_copyable_v<Record>);
    return {reinterpret_cast<char*>(&record), sizeof(Record)};
}

std::uint64_t hash_of_identity(const Compiler& compiler) { return std::hash<std::string>{}(identity_of(compiler)); }

/// None: the process has ended, or it is of another version.
std::optional<Compiled> compiled_by(ChildProcess& process, const Compiler& like, const std::string& text,
                                    int architecture) {
    const Request request{static_cast<std::uint64_t>(architecture), text.size()};
    Reply reply;
    if (!process.send(bytes_of(request)) || !process.send(text) || !process.receive(room_of(reply))) return {};
    if (reply.identity != hash_of_identity(like)) return {};
    Compiled made{std::string(reply.code_bytes, '\0'), std::string(reply.log_bytes, '\0')};
    if (!process.receive(made.code) || !process.receive(made.log)) return {};
    return made;
}

int serve() {
    const Compiler& compiler = load_compiler();
    constexpr std::uint64_t longest_text = 1 << 24;
    for (Request request; receive_from_parent(room_of(request)) && request.text_bytes <= longest_text;) {
        std::string text(request.text_bytes, '\0');
        if (!receive_from_parent(text)) return 1;
        const Compiled made = compile(compiler, text, static_cast<int>(request.architecture));
        const Reply reply{hash_of_identity(compiler), made.code.size(), made.log.size()};
        if (!send_to_parent(bytes_of(reply)) || !send_to_parent(made.code) || !send_to_parent(made.log)) return 1;
    }
    return 0;
}

}  // namespace

Compilers::Compilers(const Compiler& compiler, std::string program)
    : compiler_(compiler),
      program_(std::move(program)),
      threads_(std::clamp(usable_cores(), 1, 16)) {}  // each takes some hundred megabytes

int Compilers::compiled_by_processes() {
    const std::lock_guard locked(mutex_);
    return compiled_;
}

/// None: this process compiles.
std::unique_ptr<ChildProcess> Compilers::take() {
    const std::lock_guard locked(mutex_);
    ++under_way_;
    if (program_.empty() || !is_usable_) return nullptr;
    std::unique_ptr<ChildProcess> found;
    if (free_.empty()) {
        found = ChildProcess::start(program_, compile_for_parent_argument);
        is_usable_ = found != nullptr;
    } else {
        found = std::move(free_.back());
        free_.pop_back();
    }
    return found;
}

/// `process`: none, if this one has compiled.
void Compilers::give_back(std::unique_ptr<ChildProcess> process) {
    Processes ended;  // which is waited for behind the lock
    const std::lock_guard locked(mutex_);
    if (process) {
        ++compiled_;
        free_.push_back(std::move(process));
    }
    if (--under_way_ == 0) ended.swap(free_);
}

Compiled Compilers::compile(const std::string& text, int architecture) {
    struct Turn {
        explicit Turn(std::counting_semaphore<>& s) : threads(s) { threads.acquire(); }
        ~Turn() { threads.release(); }
        std::counting_semaphore<>& threads;
    } turn(threads_);
    std::unique_ptr<ChildProcess> process = take();
    std::optional<Compiled> made;
    if (process) made = compiled_by(*process, compiler_, text, architecture);
    if (process && !made) {
        process->give_up();
        process.reset();
        const std::lock_guard locked(mutex_);
        is_usable_ = false;
    }
    give_back(std::move(process));
    return made ? std::move(*made) : cuda::compile(compiler_, text, architecture);
}

}  // namespace cuda

int compile_for_parent() {
    if (!has_parent()) {
        throw InvalidInput(std::string(compile_for_parent_argument)
                           + ": only a process that needs programs compiled can start this one");
    }
    try {
        return cuda::serve();
    } catch (const NoDevice&) {  // there is no compiler, which the parent finds out, too
        return 1;
    }
}

}  // namespace glsolve::inline v0_1
