#include "base/parallel.hpp"

#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

namespace glsolve::inline v0_1 {
namespace {

/// Those that this process may use (taskset, cpusets of containers): more threads would wait for one another.
int count_cores() {
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
    return static_cast<int>(std::thread::hardware_concurrency());
}

}  // namespace

int usable_cores() {
    static const int count = std::clamp(count_cores(), 1, most_threads);
    return count;
}

namespace {
thread_local int limit_of_thread = 0;  // 0: none
}

ThreadLimit::ThreadLimit(int threads) : before_(limit_of_thread) {
    if (threads > 0) limit_of_thread = std::min(threads, most_threads);
}
ThreadLimit::~ThreadLimit() { limit_of_thread = before_; }

int threads_in_use() { return limit_of_thread > 0 ? limit_of_thread : usable_cores(); }

namespace {

/// Threads that wait for work: to start one takes longer than many of the jobs. They begin with the first job that has
/// a range for them and end with `stop`. Jobs do not throw. It is never destroyed: a thread may still be at work when
/// the process ends.
class Workers {
  public:
    using Job = std::function<void(int range)>;

    Workers() = default;
    ~Workers() = delete;
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    /// Runs job(0) ... job(ranges - 1), each k > 0 in thread k, and returns when all are done; false where the threads
    /// are at work for somebody else, have been stopped, or belong to the process that this one was forked from.
    bool run(const Job& job, int ranges) {
        if (process_ != getpid() || in_use_.test_and_set(std::memory_order_acquire)) return false;
        start(ranges - 1);
        const int others = std::min(ranges - 1, static_cast<int>(threads_.size()));
        {
            const std::lock_guard lock(mutex_);
            job_ = &job;
            last_ = others;
            running_ = others;
            ++number_;
        }
        wake_.notify_all();
        job(0);
        for (int range = others + 1; range < ranges; ++range) job(range);
        if (!look_for([this] { return running_ == 0; })) {
            std::unique_lock lock(mutex_);
            done_.wait(lock, [this] { return running_ == 0; });
        }
        in_use_.clear(std::memory_order_release);
        return true;
    }

    /// Ends the threads and waits for that; `run` returns false from then on. Where they are at work, or belong to
    /// another process, it leaves them alone: who waits for a job that waits for him would wait for ever. (exit() may
    /// be called in a job.)
    void stop() {
        if (process_ != getpid() || in_use_.test_and_set(std::memory_order_acquire)) return;
        {
            const std::lock_guard lock(mutex_);
            stopped_ = true;
        }
        wake_.notify_all();
        for (std::thread& thread : threads_) thread.join();
        std::vector<std::thread>().swap(threads_);
    }

  private:
    /// So that there are as many, if they are to be had.
    void start(int count) {
        try {
            while (static_cast<int>(threads_.size()) < count) {
                const int range = static_cast<int>(threads_.size()) + 1;
                threads_.emplace_back([this, range, seen = number_.load()] { wait_for_work(range, seen); });
            }
        } catch (const std::exception&) {
        }
    }

    /// `seen`: the number of the last job that is none of this thread's.
    void wait_for_work(int range, unsigned long seen) {
        for (;;) {
            look_for([&] { return number_ != seen; });
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [&] { return stopped_ || number_ != seen; });
            if (stopped_) return;
            seen = number_;
            if (range > last_) continue;
            const Job* const job = job_;
            lock.unlock();
            (*job)(range);
            if (--running_ > 0) continue;
            { const std::lock_guard waits(mutex_); }  // who looked at running_ before is asleep now
            done_.notify_one();
        }
    }

    /// Looks for a moment: jobs follow one another, and to be woken takes longer than a small one. False: not yet.
    template <class Condition>
    static bool look_for(const Condition& is_so) {
        using Clock = std::chrono::steady_clock;
        constexpr auto moment = std::chrono::microseconds(20);
        for (const auto begin = Clock::now(); Clock::now() - begin < moment;) {
            for (int looks = 0; looks < 64; ++looks) {
                if (is_so()) return true;
            }
        }
        return false;
    }

    const pid_t process_ = getpid();
    std::atomic_flag in_use_;
    std::mutex mutex_;
    std::condition_variable wake_, done_;
    const Job* job_ = nullptr;
    int last_ = 0;                           // the last range that a thread takes
    std::atomic<int> running_ = 0;           // of them, those not done yet
    std::atomic<unsigned long> number_ = 0;  // of the job
    bool stopped_ = false;
    std::vector<std::thread> threads_;
};

/// The ones of this copy of the library. When it is unloaded, or the process ends, they are stopped: a plugin's code
/// may not go away below them.
Workers& workers() {
    alignas(Workers) static std::byte storage[sizeof(Workers)];
    static Workers& all = *new (storage) Workers;
    struct Ending {
        ~Ending() { all.stop(); }
    };
    static const Ending ending;
    return all;
}

}  // namespace

int parallel_ranges(Offset count, Offset grain) {
    return static_cast<int>(std::clamp<Offset>(count / std::max<Offset>(grain, 1), 1, threads_in_use()));
}

void parallel_for(Offset count, Offset grain, const std::function<void(int range, Offset begin, Offset end)>& work) {
    const int ranges = parallel_ranges(count, grain);
    if (ranges == 1) return work(0, 0, count);
    std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(ranges));
    const Workers::Job run = [&](int range) {
        const auto first = [&](int k) { return count / ranges * k + count % ranges * k / ranges; };
        try {
            work(range, first(range), first(range + 1));
        } catch (...) {
            thrown[static_cast<std::size_t>(range)] = std::current_exception();
        }
    };
    if (!workers().run(run, ranges)) {  // within another call, or beside one
        for (int range = 0; range < ranges; ++range) run(range);
    }
    for (const std::exception_ptr& error : thrown) {
        if (error) std::rethrow_exception(error);
    }
}

void parallel_copy(void* to, const void* from, std::size_t bytes) {
    constexpr Offset grain = Offset{1} << 18;  // below, a thread takes longer to wake than to copy
    parallel_for(static_cast<Offset>(bytes), grain, [&](int, Offset begin, Offset end) {
        std::memcpy(static_cast<std::byte*>(to) + begin, static_cast<const std::byte*>(from) + begin,
                    static_cast<std::size_t>(end - begin));
    });
}

}  // namespace glsolve::inline v0_1
