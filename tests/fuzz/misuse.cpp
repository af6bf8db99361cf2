// Threads that misuse the library for a while: textures and grids that are refused, solves that observers end or throw
// out of, calls from observers into their own solver, solvers that end with frames under way, values that do not fit.
// Each thread has a device of its own, on the host or in an OpenGL context. Whatever they do: what the library throws
// is a glsolve::Error, and memory stays whole, which a sanitizer or valgrind watches.
//
//     misuse [--rounds N | --seconds N] [--seed N] [--threads N]        one round: about 40 steps in each thread
//
// Prints the step that broke the rule, and exits with 1; steps that take more than a minute are printed, too.
#include <GL/glew.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/grid.hpp>
#include <glsolve/solver.hpp>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/random.hpp"
#include "opengl/context.hpp"

using namespace glsolve;

namespace {

constexpr int side = 16, steps_of_a_round = 40;

struct Thrown : std::runtime_error {
    Thrown() : std::runtime_error("thrown by an observer") {}
};

class Player {
  public:
    explicit Player(std::uint64_t seed) : random_(seed) {
        if (seed % 3 != 0) {
            try {
                context_ = opengl::open_headless_context("", false);
                context_->make_current();
                device_ = Device::adopt_current_opengl(any({Stage::fragment, Stage::compute}));
            } catch (const Error&) {  // no OpenGL here, or no compute stage
                device_ = Device{};
            }
        }
        if (!device_) device_ = Device::host();
        with_textures_ = device_.info().backend == BackendKind::opengl;
        if (with_textures_) make_textures();
    }
    ~Player() {
        grid_ = {};
        solver_ = {};
        if (with_textures_) glDeleteTextures(static_cast<GLsizei>(textures_.size()), textures_.data());
        device_ = {};
    }
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;

    void round() {
        for (int k = 0; k < steps_of_a_round; ++k) {
            const auto begin = std::chrono::steady_clock::now();
            step();
            const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
            if (taken.count() <= 60) continue;
            fmt::print("{} took {:.0f} s, with {}\n", last_, taken.count(), made_with_);
            std::fflush(stdout);
        }
    }
    const std::string& last() const { return last_; }

  private:
    template <class T>
    T any(std::initializer_list<T> values) {
        return *(values.begin() + random_.bits() % values.size());
    }
    bool chance(double p) { return random_.uniform() < p; }

    void make_textures() {
        std::vector<float> texels(static_cast<std::size_t>(side) * side * 4);
        for (float& texel : texels) texel = static_cast<float>(random_.normal());
        const std::array formats{GL_R32F, GL_R32F, GL_RGBA32F, GL_RGBA8, GL_R16F};
        glGenTextures(static_cast<GLsizei>(textures_.size()), textures_.data());
        for (std::size_t k = 0; k < textures_.size(); ++k) {
            glBindTexture(GL_TEXTURE_2D, textures_[k]);
            glTexImage2D(GL_TEXTURE_2D, 0, formats[k], side, side, 0, GL_RGBA, GL_FLOAT, texels.data());
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        }
        glBindTexture(GL_TEXTURE_2D, 0);
    }

    /// Mostly one that fits, now and then one that does not.
    TextureView view(std::size_t usual) {
        TextureView view{.texture = textures_[usual]};
        if (chance(0.7)) return view;
        switch (random_.bits() % 7) {
            case 0:
                view.texture = textures_[random_.bits() % textures_.size()];
                break;
            case 1:
                view.texture = 9999;
                break;
            case 2:
                view.width = static_cast<int>(random_.bits() % 40) - 10;
                break;
            case 3:
                view.component = static_cast<int>(random_.bits() % 7) - 1;
                break;
            case 4:
                view.right_hand_sides = static_cast<int>(random_.bits() % 7);
                break;
            case 5:
                view.layer = 3;
                break;
            default:
                view.x = static_cast<int>(random_.bits() % 30) - 5;
                break;
        }
        return view;
    }

    /// Lets some looks pass, then goes on, ends the solve, throws, or calls the solver that calls it.
    Observer observer(bool of_grid) {
        const auto looks = static_cast<int>(random_.bits() % 6);
        const auto way = random_.bits() % 5;
        return [this, looks, way, of_grid, seen = 0](const Progress&) mutable {
            if (++seen < looks) return true;
            switch (way) {
                case 0:
                    return true;
                case 1:
                    return false;
                case 2:
                    throw Thrown();
                default:
                    call_own(of_grid);
                    return true;
            }
        };
    }

    void call_own(bool of_grid) {
        std::vector<double> b(static_cast<std::size_t>(side) * side, 1.0), x(b.size(), 0.0);
        try {
            if (of_grid) {
                grid_.solve(b, x);
            } else if (chance(0.5)) {
                solver_.solve(b, x);
            } else {
                solver_.update_values(b);
            }
            // A constructor may ask its observer, too: what is called then is the solver of before, which is idle.
            if (!last_.starts_with("a ")) {
                throw std::logic_error("a call into the solver that is at work was not refused");
            }
        } catch (const Error&) {
            device_.trim();
        }
    }

    Options options(bool of_grid) {
        Options made = of_grid ? GridSolver::usual_options() : Options{};
        made.observer = observer(of_grid);
        made.max_iterations = of_grid ? any<std::int64_t>({1, 7, 60, 400}) : any<std::int64_t>({0, 1, 7, 60, 400});
        made.tolerance = any({1e-8, 1e-4, 0.0, -1.0, 1e-30});
        if (chance(0.3)) made.seconds = any({1e-9, 0.01, 0.2, -1.0, std::nan("")});
        if (of_grid) return made;
        made.method = any({Method::automatic, Method::cg, Method::gmres, Method::bicgstab, Method::minres, Method::idr,
                           Method::direct, Method::cgnr, Method::chebyshev});
        made.preconditioner = any(
            {PreconditionerKind::jacobi, PreconditionerKind::none, PreconditionerKind::ilu0, PreconditionerKind::amg});
        if (chance(0.1)) made.fixed_iterations = static_cast<std::int64_t>(random_.bits() % 40);
        made_with_ = fmt::format("{}, {}, {} iterations, tolerance {}, {} s", name(made.method),
                                 name(made.preconditioner), made.max_iterations, made.tolerance, made.seconds);
        return made;
    }

    Grid grid() {
        Grid made{.width = side, .height = side, .x_walls = {Wall::dirichlet, Wall::neumann}};
        if (chance(0.2)) made.x_walls = {};
        if (chance(0.2)) made.spacing = {1e6, 1, 1};  // never converges
        if (chance(0.1)) made.width = any<Index>({0, -3, 1 << 30, 17});
        if (chance(0.1)) made.spacing[1] = any({0.0, -1.0, std::nan(""), 1e300});
        if (chance(0.1)) made.shift = any({-1.0, std::nan(""), 2.0});
        return made;
    }

    CsrMatrix matrix() {
        CsrMatrix A = any({0, 1, 2}) == 0 ? convection_diffusion(side) : poisson2d(side);
        if (chance(0.1)) A.value[random_.bits() % A.value.size()] = any({0.0, std::nan(""), 1e300, -5.0});
        if (chance(0.05)) A.column[3] = 100000;
        if (chance(0.05)) A.offsets.pop_back();
        return A;
    }

    void step() {
        try {
            with_textures_&& chance(0.5) ? step_on_textures() : step_on_vectors();
        } catch (const Error&) {  // refused, in words
        } catch (const Thrown&) {
        }
    }

    void step_on_textures() {
        const Budget budget{.iterations = any<std::int64_t>({0, 1, 8, -2}), .report = chance(0.8)};
        switch (random_.bits() % 8) {
            case 0:
                last_ = "grid_.enqueue", grid_.enqueue(view(0), view(1), budget);
                break;
            case 1:
                last_ = "solver_.enqueue", solver_.enqueue(view(0), view(1), budget);
                break;
            case 2:
                last_ = "grid_.solve on textures", grid_.solve(view(0), view(1));
                break;
            case 3:
                last_ = "solver_.solve on textures", solver_.solve(view(0), view(1));
                break;
            case 4:
                last_ = "polls", grid_.poll(), solver_.poll();
                break;
            case 5:
                last_ = "grid_.set_cells_from", grid_.set_cells_from(view(3));
                break;
            case 6:
                last_ = "warm_up", grid_.warm_up(view(0), view(1));
                break;
            default:
                last_ = "trim", device_.trim();
                break;
        }
    }

    void step_on_vectors() {
        const auto n = static_cast<std::size_t>(side) * side + (chance(0.1) ? 1 : 0);
        std::vector<double> b(n), x(n, 0.0);
        for (double& b_i : b) b_i = random_.normal();
        if (chance(0.05)) b[2] = any({std::nan(""), 1e308, 1e-320});
        switch (random_.bits() % 9) {
            case 0:
                last_ = "a GridSolver", grid_ = GridSolver(device_, grid(), options(true));
                break;
            case 1:
            case 2:
                last_ = "a Solver", solver_ = Solver(device_, matrix(), options(false));
                break;
            case 3:
                last_ = "grid_.solve", grid_.solve(b, x);
                break;
            case 4:
                last_ = "solver_.solve", solver_.solve(b, x);
                break;
            case 5:
                last_ = "solver_.resume", solver_.resume(b, x);
                break;
            case 6: {
                last_ = "solver_.solve_several";
                std::vector<double> many(3 * n, 0.5), answers(3 * n, 0.0);
                solver_.solve_several(many, answers, any({3, 2, 0, -1}));
                break;
            }
            case 7: {
                last_ = "solver_.update_values";
                solver_.update_values(std::vector<double>(chance(0.5) ? solver_.matrix().value.size() : 5, 1.5));
                break;
            }
            default:
                last_ = "ends and moves";
                if (chance(0.5)) solver_ = {};
                if (chance(0.5)) grid_ = {};
                Solver other = std::move(solver_);
                solver_ = std::move(other);
                break;
        }
    }

    Random random_;
    std::unique_ptr<opengl::Context> context_;
    Device device_;
    bool with_textures_ = false;
    std::array<GLuint, 5> textures_{};
    Solver solver_;
    GridSolver grid_;
    std::string last_ = "the device", made_with_ = "the usual options";
};

long number(const char* text) {
    char* end = nullptr;
    const long value = std::strtol(text, &end, 10);
    if (end != text && *end == '\0' && value >= 0) return value;
    fmt::print(stderr, "misuse: '{}' is no number; usage: misuse [--rounds N | --seconds N] [--seed N] [--threads N]\n",
               text);
    std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
    long rounds = 12, seconds = 0, seed = 1, threads = 3;
    for (int i = 1; i < argc; i += 2) {
        const std::string option = argv[i];
        const long value = number(i + 1 < argc ? argv[i + 1] : "");
        if (option == "--rounds")
            rounds = value;
        else if (option == "--seconds")
            seconds = value;
        else if (option == "--seed")
            seed = value;
        else if (option == "--threads")
            threads = std::max(value, 1L);
        else
            number(argv[i]);
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    std::atomic<long> next = 0;
    std::atomic<bool> broken = false;
    std::mutex printing;
    const auto play = [&] {
        for (long k = next++; !broken; k = next++) {
            if (seconds > 0 ? std::chrono::steady_clock::now() > end : k >= rounds) return;
            std::unique_ptr<Player> player;
            try {
                player = std::make_unique<Player>(static_cast<std::uint64_t>(seed + k));
                player->round();
            } catch (const std::exception& error) {
                const std::lock_guard lock(printing);
                broken = true;
                fmt::print("FAILED in --rounds 1 --seed {}, {}: {}\n", seed + k, player ? player->last() : "its device",
                           error.what());
            }
        }
    };
    std::vector<std::thread> players;
    for (long k = 0; k < threads; ++k) players.emplace_back(play);
    for (std::thread& each : players) each.join();
    if (!broken) fmt::print("{} rounds in {} threads\n", next - threads, threads);
    return broken ? 1 : 0;
}
