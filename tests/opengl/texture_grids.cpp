// Grids made of textures, and solved on them.
#include <glsolve/error.hpp>
#include <glsolve/grid.hpp>

#include "texture_support.hpp"

namespace tests_of_texture_grids {

using namespace texture_test;

namespace {

/// b without its mean over the cells that count, and zeros elsewhere.
template <class Counts>
std::vector<double> without_mean(const std::vector<float>& b, const Counts& counts) {
    std::vector<double> made(b.begin(), b.end());
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (counts(i)) sum += made[i], count += 1;
    }
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = counts(i) ? made[i] - sum / count : 0;
    return made;
}

}  // namespace

TEST_CASE("Grids are made of textures, and solved on them", "[opengl][textures][grid]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    constexpr int width = 22, height = 17;
    std::vector<float> cells(width * height, 1.0f), b(width * height), zeros(width * height, 0.0f);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const int i = y * width + x;
            if (std::hypot(x - 9, y - 8) < 4) cells[static_cast<std::size_t>(i)] = 0;  // solid
            if (y == height - 1) cells[static_cast<std::size_t>(i)] = -1;              // open
            b[static_cast<std::size_t>(i)] = static_cast<float>((i * 29) % 23 - 11) / 8;
        }
    }
    for (const Way stage : stages(*session)) {
        for (const auto preconditioner : {PreconditionerKind::multigrid, PreconditionerKind::jacobi}) {
            for (const bool from_texture : {true, false}) {
                CAPTURE(name(stage), name(preconditioner), from_texture);
                Device device = stage.adopt();
                Options options = GridSolver::usual_options();
                options.preconditioner = preconditioner;
                options.tolerance = 1e-6;
                GridSolver solver(device, {.width = width, .height = height}, options);
                const Picture kinds(width, height, 1, GL_R32F, cells), right(width, height, 1, GL_R32F, b),
                    x(width, height, 1, GL_R32F, zeros);
                if (from_texture) {
                    solver.set_cells_from({.texture = kinds.name});
                } else {
                    std::vector<Cell> on_host;
                    for (const float c : cells)
                        on_host.push_back(c > 0 ? Cell::unknown : c < 0 ? Cell::open : Cell::solid);
                    solver.set_cells(on_host);
                }
                const Report report = solver.solve({.texture = right.name}, {.texture = x.name});
                INFO(report.reason);
                CHECK(report.outcome == Outcome::met_on_device);
                const CsrMatrix A = solver.matrix();
                std::vector<double> masked(b.begin(), b.end());
                for (std::size_t i = 0; i < masked.size(); ++i) masked[i] = cells[i] > 0 ? masked[i] : 0;
                const std::vector<float> found = x.texels();
                const std::vector<double> answer(found.begin(), found.end());
                CHECK(test::true_residual(A, answer, masked) <= 1e-6 + rounding(A, answer, masked));
                CHECK(session->errors.take() == "");
            }
        }
    }
}

TEST_CASE("Of a mask of bytes only zero and more than zero count, but where a grid has coefficients",
          "[opengl][textures][grid]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    constexpr int width = 22, height = 17;
    std::vector<float> ones(width * height, 1.0f), softened, b(width * height), zeros(width * height, 0.0f);
    for (std::size_t i = 0; i < ones.size(); ++i) {
        if (i % width > 8 && i % width < 13 && i / width > 5 && i / width < 9) ones[i] = 0;
        // As a mask of 0 and 1 that is stored in bytes, and as one with smooth edges.
        softened.push_back(ones[i] * (i % 3 == 0 ? 1.0f / 255 : i % 3 == 1 ? 128.0f / 255 : 1.0f));
        b[i] = static_cast<float>((i * 29) % 23) / 8 - 1.4f;
    }
    for (const Way stage : stages(*session)) {
        for (const double across : {1.0, 0.5}) {  // alike along both axes, and not
            CAPTURE(name(stage), across);
            Device device = stage.adopt();
            Options options = GridSolver::usual_options();
            options.tolerance = 1e-5;
            const Grid grid{.width = width,
                            .height = height,
                            .spacing = {1, across, 1},
                            .y_walls = {Wall::dirichlet, Wall::neumann}};
            const Picture right(width, height, 1, GL_R32F, b), whole(width, height, 1, GL_R8, ones),
                soft(width, height, 1, GL_R8, softened), x(width, height, 1, GL_R32F, zeros),
                expected(width, height, 1, GL_R32F, zeros);
            GridSolver solver(device, grid, options);
            solver.set_cells_from({.texture = whole.name});
            CHECK(solver.solve({.texture = right.name}, {.texture = expected.name}).converged());
            solver.set_cells_from({.texture = soft.name});
            const Report report = solver.solve({.texture = right.name}, {.texture = x.name});
            INFO(report.reason);
            CHECK(report.converged());
            CHECK(x.texels() == expected.texels());
            // With coefficients the numbers count.
            solver.set_cells({}, std::vector<float>(ones.size(), 1.0f));
            solver.set_cells_from({.texture = soft.name});
            CHECK(solver.solve({.texture = right.name}, {.texture = x.name}).converged());
            CHECK(x.texels() != expected.texels());
            CHECK(session->errors.take() == "");
        }
    }
}

TEST_CASE("Several right-hand sides of a grid are solved together, where its preconditioner can",
          "[opengl][textures][grid]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    constexpr int width = 37, height = 23, count = 3;
    constexpr std::size_t cells = std::size_t{width} * height;
    struct Kind {
        PreconditionerKind preconditioner;
        MultigridCycle cycle;
        Precision precision;
        bool together;
        int iterations;  // enough; all of them are made, and 150 cycles take softpipe minutes
    };
    const Kind kind = GENERATE(Kind{PreconditionerKind::multigrid, MultigridCycle::v, Precision::single, true, 12},
                               Kind{PreconditionerKind::multigrid, MultigridCycle::v, Precision::automatic, false, 12},
                               Kind{PreconditionerKind::multigrid, MultigridCycle::k, Precision::single, false, 12},
                               Kind{PreconditionerKind::jacobi, MultigridCycle::v, Precision::single, true, 150});
    for (const Way stage : stages(*session)) {
        CAPTURE(name(stage), name(kind.preconditioner), name(kind.cycle));
        Device device = stage.adopt();
        Options options = GridSolver::usual_options();
        options.preconditioner = kind.preconditioner;
        options.amg.cycle = kind.cycle;
        options.precision = kind.precision;
        options.tolerance = 1e-5;
        GridSolver solver(device, {.width = width, .height = height, .y_walls = {Wall::dirichlet, Wall::neumann}},
                          options);
        std::vector<float> b(4 * cells), guess(4 * cells);
        for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(static_cast<int>(i * 29 % 31) - 15) / 8;
        for (std::size_t i = 0; i < cells; ++i) b[4 * i + 2] *= 1000;  // one is larger than the others
        for (std::size_t i = 0; i < guess.size(); ++i) guess[i] = static_cast<float>(i * 7 % 13) / 4;
        const Picture right(width, height, 4, GL_RGBA32F, b), x(width, height, 4, GL_RGBA32F, guess);
        const TextureView from{.texture = right.name, .component = 1, .right_hand_sides = count},
            to{.texture = x.name, .component = 1, .right_hand_sides = count};
        solver.warm_up(from, to);
        CHECK(x.texels() == guess);
        for (const int wall : {0, 11}) {  // cells that come to hold no unknown
            CAPTURE(wall);
            std::vector<Cell> kinds(cells, Cell::unknown);
            for (int y = 3; y < height && wall > 0; ++y)
                kinds[static_cast<std::size_t>(y * width + wall)] = Cell::solid;
            solver.set_cells(kinds);
            solver.enqueue(from, to, {.iterations = kind.iterations, .history = true});
            std::optional<Report> report;
            while (!report) report = solver.poll();
            INFO(report->reason);
            CHECK(report->outcome == Outcome::met_on_device);
            REQUIRE_FALSE(report->history.empty());
            CHECK(report->history.front().relative_residual > 1e-5);
            CHECK(report->history.back().relative_residual <= 1e-5);  // of the first one, which has met it as well
            CHECK((std::ssize(report->history) == report->iterations || !kind.together));
            const std::vector<float> found = x.texels();
            const CsrMatrix A = solver.matrix();
            for (std::size_t k = 0; k < 4; ++k) {
                CAPTURE(k);
                std::vector<double> one_b(cells), one_x(cells);
                bool same = true;
                for (std::size_t i = 0; i < cells; ++i) {
                    one_b[i] = kinds[i] == Cell::unknown ? static_cast<double>(b[4 * i + k]) : 0;
                    one_x[i] = static_cast<double>(found[4 * i + k]);
                    same = same && found[4 * i + k] == guess[4 * i + k];
                }
                CHECK(same == (k == 0));
                if (k > 0) CHECK(test::true_residual(A, one_x, one_b) <= 1e-5 + rounding(A, one_x, one_b));
            }
        }
        // Together they take the passes of one, but for those that take b and x, and put x back.
        const auto passes = [&](int sides) {
            TextureView b_view = from, x_view = to;
            b_view.right_hand_sides = x_view.right_hand_sides = sides;
            solver.enqueue(b_view, x_view, {.iterations = 8});
            std::optional<Report> report;
            while (!report) report = solver.poll();
            return report->passes;
        };
        const auto one = passes(1), three = passes(count);
        CHECK((three < 2 * one) == kind.together);
        CHECK(session->errors.take() == "");
    }
}

TEST_CASE("Of closed grids what no pressure makes is taken off, wherever the cells came from",
          "[opengl][textures][grid]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    constexpr int width = 19, height = 14;
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Options options = GridSolver::usual_options();
    options.tolerance = 1e-5;
    GridSolver solver(device, {.width = width, .height = height}, options);
    std::vector<Cell> kinds(width * height, Cell::unknown);
    std::vector<float> cells(width * height, 1.0f), b(width * height), guess(width * height);
    for (std::size_t y = 4; y < 9; ++y) {
        kinds[y * width + 6] = Cell::solid;
        cells[y * width + 6] = 0;
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
        b[i] = static_cast<float>(i * 29 % 23) / 8;  // does not add up to zero
        guess[i] = 1000 + b[i];
    }
    const auto has_unknown = [&](std::size_t i) { return kinds[i] == Cell::unknown; };
    const Picture right(width, height, 1, GL_R32F, b), mask(width, height, 1, GL_R32F, cells);
    for (const bool from_texture : {false, true}) {
        CAPTURE(from_texture);
        from_texture ? solver.set_cells_from({.texture = mask.name}) : solver.set_cells(kinds);
        const Picture x(width, height, 1, GL_R32F, guess);
        const Report report = solver.solve({.texture = right.name}, {.texture = x.name});
        INFO(report.reason);
        CHECK(report.outcome == Outcome::met_on_device);
        const std::vector<float> found = x.texels();
        const std::vector<double> answer(found.begin(), found.end());
        CHECK(test::true_residual(solver.matrix(), answer, without_mean(b, has_unknown)) <= 2e-5);
        // The constant of the guess is taken off, too.
        CHECK(std::abs(answer[0] - without_mean(found, has_unknown)[0]) < 1);
    }
    // An open cell in the texture gives a value: nothing is taken off then.
    cells[3] = -1;
    const Picture open(width, height, 1, GL_R32F, cells), x(width, height, 1, GL_R32F, guess);
    solver.set_cells_from({.texture = open.name});
    CHECK(solver.solve({.texture = right.name}, {.texture = x.name}).outcome == Outcome::met_on_device);
    const std::vector<float> found = x.texels();
    std::vector<double> whole(b.begin(), b.end());
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (!(cells[i] > 0)) whole[i] = 0;
    }
    CHECK(test::true_residual(solver.matrix(), std::vector<double>(found.begin(), found.end()), whole) <= 4e-5);
    CHECK(session->errors.take() == "");
}

TEST_CASE("Closed grids with cells by themselves, and with coefficients later, lose only their mean",
          "[opengl][textures][grid]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    constexpr int width = 64, height = 20;
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Options options = GridSolver::usual_options();
    options.tolerance = 1e-5;
    GridSolver solver(device, {.width = width, .height = height}, options);
    std::vector<Cell> kinds(width * height, Cell::unknown);
    const int alone = 7 * width + 9;  // an unknown between four solids
    for (const int beside : {-1, 1, -width, width}) kinds[static_cast<std::size_t>(alone + beside)] = Cell::solid;
    std::vector<float> b(width * height);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i * 29 % 23) / 8;
    const Picture right(width, height, 1, GL_R32F, b), x(width, height, 1, GL_R32F, b);
    for (const bool coefficients : {false, true}) {
        CAPTURE(coefficients);
        std::vector<float> k(kinds.size());
        for (std::size_t i = 0; i < k.size(); ++i) k[i] = 1 + static_cast<float>(i % 3);
        coefficients ? solver.set_cells(kinds, k) : solver.set_cells(kinds);
        solver.warm_up({.texture = right.name}, {.texture = x.name});
        CHECK(x.texels()[5] != 0);
        const Report report = solver.solve({.texture = right.name}, {.texture = x.name});
        INFO(report.reason);
        CHECK(report.outcome == Outcome::met_on_device);
        const std::vector<double> projected = without_mean(
            b, [&](std::size_t i) { return kinds[i] == Cell::unknown && i != static_cast<std::size_t>(alone); });
        const std::vector<float> found = x.texels();
        std::vector<double> answer(found.begin(), found.end());
        answer[static_cast<std::size_t>(alone)] = 0;
        CHECK(test::true_residual(solver.matrix(), answer, projected) <= 3e-5);
    }
    CHECK(session->errors.take() == "");
}

TEST_CASE("On textures unknowns on Neumann walls weigh what they do in vectors", "[opengl][textures][grid]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    constexpr int width = 21, height = 16;
    constexpr std::array open_below{Wall::dirichlet, Wall::neumann}, closed{Wall::neumann, Wall::neumann};
    std::vector<float> b(width * height), zeros(width * height, 0.0f);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i * 29 % 23) / 8 - 1;
    for (const Way stage : stages(*session)) {
        for (const bool is_closed : {false, true}) {
            CAPTURE(name(stage), is_closed);
            Device device = stage.adopt();
            Options options = GridSolver::usual_options();
            options.tolerance = 1e-6;
            GridSolver solver(device,
                              {.width = width,
                               .height = height,
                               .points = GridPoints::vertices,
                               .x_walls = closed,
                               .y_walls = is_closed ? closed : open_below},
                              options);
            const Picture right(width, height, 1, GL_R32F, b), x(width, height, 1, GL_R32F, zeros);
            const Report report = solver.solve({.texture = right.name}, {.texture = x.name});
            INFO(report.reason);
            CHECK(report.outcome == Outcome::met_on_device);
            const std::vector<double> in_double(b.begin(), b.end());
            std::vector<double> expected(b.size(), 0.0);
            CHECK(solver.solve(in_double, expected).converged());
            const std::vector<float> found = x.texels();
            // Closed grids determine x but for a constant.
            const double shift = is_closed ? static_cast<double>(found[0]) - expected[0] : 0;
            double largest = 0, difference = 0;
            for (std::size_t i = 0; i < b.size(); ++i) {
                largest = std::max(largest, std::abs(expected[i]));
                difference = std::max(difference, std::abs(static_cast<double>(found[i]) - shift - expected[i]));
            }
            CHECK(difference < 1e-4 * largest);
            CHECK(session->errors.take() == "");
        }
    }
}

}  // namespace tests_of_texture_grids
